// What a rule, or doing without one, would have done to the requests of the last hour.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api } from "./api.js";
import { Card, ClientLink, Failure, Segments, Table } from "./parts.js";
import { useLoad, useRested } from "./state.js";
import { count, percent } from "./text.js";

const TYPED_MILLIS = 600;

const SPANS = { 60: "the last hour", 1440: "the last day" };

function Clients({ clients }) {
  return (
    clients.length > 0 &&
    h(Table, {
      label: "Clients newly refused",
      rows: clients.slice(0, 5),
      columns: [
        { title: "Client", cell: (row) => h(ClientLink, { id: row.client }) },
        { title: "Newly refused", number: true, cell: (row) => count(row.newly_refused) },
        { title: "Of", number: true, cell: (row) => count(row.requests) },
      ],
    })
  );
}

function Figures({ data, minutes, isRemoved }) {
  if (data.requests === 0) {
    return h("p", { class: "soft" }, `No requests of ${SPANS[minutes]} are kept, so there is nothing to try it on.`);
  }
  return h(
    "div",
    { class: "stack-tight" },
    h(
      "p",
      { class: "verdict" },
      isRemoved ? "Without this rule, " : "With this rule, ",
      h("strong", null, count(data.refused_after)),
      " of ",
      h("strong", null, count(data.requests)),
      ` requests in ${SPANS[minutes]} would have been refused (${percent(data.refused_after, data.requests)}); as things are, `,
      h("strong", null, count(data.refused_before)),
      " are.",
    ),
    h(
      "p",
      { class: "soft small" },
      `${count(data.newly_refused)} newly refused, ${count(data.no_longer_refused)} no longer refused; tried on the ${data.source === "traffic" ? "kept traffic" : "recorded audit"}.`,
    ),
    data.note && h("p", { class: "notice notice-warn small" }, data.note),
    h(Clients, { clients: data.clients }),
  );
}

/** What a change would have done in so many minutes. */
async function tried(change, minutes) {
  const answer = await api.post("v1/admin/preview", { ...change, minutes, source: "auto" });
  return answer.ok ? { ok: true, data: { data: answer.data, minutes } } : answer;
}

/**
 * @param rule to be made or changed; or
 * @param removed the name of one to do without
 * @param isValid whether that can be tried at all
 */
export function Preview({ rule, removed, isValid = true }) {
  const [minutes, setMinutes] = useState(60);
  const change = removed ? { remove: removed } : { rule };
  const rested = useRested(isValid ? JSON.stringify(change) : "", TYPED_MILLIS);
  const preview = useLoad(
    rested ? () => tried(JSON.parse(rested), minutes) : undefined,
    [rested, minutes],
  );
  const isWaiting = rested && !preview.data && !preview.error;
  return h(
    Card,
    {
      title: "Preview",
      side: h(Segments, {
        label: "Span of the preview",
        value: minutes,
        onPick: setMinutes,
        options: [
          [60, "1 hour"],
          [1440, "1 day"],
        ],
      }),
    },
    h(
      "div",
      { "aria-live": "polite" },
      !rested && h("p", { class: "soft" }, "As soon as the rule is valid, it is tried on past requests. Nothing changes by that."),
      isWaiting && h("p", { class: "soft" }, "Trying it on past requests…"),
      rested && preview.error && h(Failure, { error: preview.error, retry: preview.reload }),
      rested && preview.data && h(Figures, { ...preview.data, isRemoved: Boolean(removed) }),
    ),
  );
}
