// What admins have done: to one thing, or at all.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api } from "./api.js";
import { Badge, Button, Card, Empty, Failure, Loaded, Time } from "./parts.js";
import { useLoad } from "./state.js";

/** A value on one line. */
function shown(value) {
  if (value === undefined || value === null) {
    return "";
  }
  const isPlain = Array.isArray(value) && value.every((each) => typeof each === "string");
  return typeof value === "string" ? value : isPlain ? value.join(", ") : JSON.stringify(value);
}

/** The members in which two states differ. */
export function differences(before, after) {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({ name, from: shown(before?.[name]), to: shown(after?.[name]) }))
    // That the version goes up by one says nothing.
    .filter(({ name, from, to }) => from !== to && name !== "version");
}

const KINDS = { create: "good", add: "good", delete: "bad", remove: "bad", revoke: "bad" };

function Change({ act, withSubject }) {
  const verb = act.act.split(".").pop();
  return h(
    "li",
    { class: "change" },
    h(
      "div",
      { class: "row" },
      h(Badge, { kind: KINDS[verb] ?? "accent" }, act.act),
      withSubject && h("strong", { class: "break" }, act.subject),
      h("span", { class: "soft small break" }, act.actor),
      h("span", { class: "soft small" }, h(Time, { at: act.occurred_at })),
    ),
    h(
      "dl",
      null,
      differences(act.before, act.after).map(({ name, from, to }) => [
        h("dt", null, name),
        h(
          "dd",
          { class: "mono break" },
          from && h("del", null, from),
          from && to && " → ",
          to && h("ins", null, to),
        ),
      ]),
    ),
  );
}

/** Pages of acts, the newest first. */
export function Changes({ subject, needs, title = "History of changes", withSubject = false }) {
  const [more, setMore] = useState({ entries: [], next: undefined });
  const [error, setError] = useState(null);
  const first = useLoad(() => {
    setMore({ entries: [], next: undefined });
    return api.get("v1/admin/acts", { subject, limit: 20 });
  }, [subject, needs]);
  const load = async (cursor) => {
    const answer = await api.get("v1/admin/acts", { subject, limit: 50, cursor });
    setError(answer.ok ? null : answer);
    if (answer.ok) {
      setMore({ entries: more.entries.concat(answer.data.items), next: answer.data.next });
    }
  };
  return h(
    Card,
    { title, bare: true },
    h(Loaded, { of: first }, (data) => {
      const entries = data.items.concat(more.entries);
      const next = more.next === undefined ? data.next : more.next;
      if (entries.length === 0) {
        return h(Empty, { title: "No changes yet" }, h("p", null, "Whatever is changed here or over the API is kept, with who did it."));
      }
      return [
        h("ol", null, entries.map((act) => h(Change, { key: act.audit_id, act, withSubject }))),
        error && h(Failure, { error }),
        next && h("div", { class: "card-body" }, h(Button, { onClick: () => load(next) }, "Older changes")),
      ];
    }),
  );
}
