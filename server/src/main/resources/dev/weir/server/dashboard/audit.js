// Decisions that were kept, with filters, a tail and an export; and what admins have done.
import { h } from "./preact.module.js";
import { useEffect, useRef, useState } from "./hooks.module.js";
import { address, api } from "./api.js";
import { Changes } from "./changes.js";
import { SelectField, Switch, TextField } from "./fields.js";
import { Button, Card, ClientLink, Decision, Empty, Failure, Head, Loaded, Table, Time, TwoLines } from "./parts.js";
import { link } from "./router.js";
import { useLoad, useRested } from "./state.js";
import { count, instantOf, latencyText, reason } from "./text.js";

const TYPED_MILLIS = 250;
const TAIL_MILLIS = 2000;
const PAGE = 50;

const NONE = { client: "", decision: "", endpoint: "", rule: "", ip: "", from: "", to: "" };

function Tabs({ at }) {
  const tab = (name, title, href) => h("a", { href, "aria-current": at === name ? "page" : undefined }, title);
  return h(
    "nav",
    { class: "segments", "aria-label": "Kinds of audit" },
    tab("decisions", "Decisions", link("audit")),
    tab("acts", "Admin acts", link("audit", "acts")),
  );
}

function Filters({ filter, edit }) {
  const text = (name, label, placeholder) =>
    h(TextField, { label, placeholder, value: filter[name], onText: (value) => edit({ [name]: value }) });
  const time = (name, label) =>
    h(TextField, { label, type: "datetime-local", value: filter[name], onText: (value) => edit({ [name]: value }) });
  return h(
    "form",
    { class: "filters", "aria-label": "Filter", onSubmit: (event) => event.preventDefault() },
    text("client", "Client", "user:alice"),
    h(SelectField, {
      label: "Decision",
      value: filter.decision,
      onPick: (decision) => edit({ decision }),
      options: [["", "any"], ...["allowed", "throttled", "blocked"].map((name) => [name, name])],
    }),
    text("endpoint", "Endpoint", "search"),
    text("rule", "Rule", "api_v1"),
    text("ip", "Address", "203.0.113.7"),
    time("from", "From"),
    time("to", "To"),
    h("div", null, h(Button, { onClick: () => edit(NONE) }, "Clear")),
  );
}

/** Which rows were not there before, so that a tail shows what has come. */
function useNew(entries) {
  const seen = useRef(null);
  const before = seen.current;
  useEffect(() => {
    seen.current = entries && new Set(entries.map(identity));
  }, [entries]);
  return (row) => before !== null && !before.has(identity(row));
}

const identity = (row) => `${row.log_id ?? ""} ${row.timestamp} ${row.client} ${row.path}`;

function Rows({ entries, isTail }) {
  const isNew = useNew(entries);
  return h(Table, {
    label: "Decisions",
    rows: entries,
    rowProps: (row) => ({ class: isTail && isNew(row) ? "is-new" : "" }),
    columns: [
      { title: "When", cell: (row) => h(Time, { at: row.timestamp }) },
      { title: "Decision", cell: (row) => h(Decision, { name: row.decision }) },
      { title: "Client", cell: (row) => h(ClientLink, { id: row.client }) },
      {
        title: "Request",
        cell: (row) => h(TwoLines, { first: h("code", { class: "break" }, `${row.http_method ?? ""} ${row.path ?? ""}`), second: `endpoint ${row.endpoint}` }),
      },
      { title: "Why", cell: (row) => h(TwoLines, { first: h("span", null, reason(row.reason)), second: row.rule_name }) },
      {
        title: "Used",
        number: true,
        cell: (row) => (row.limit_value === undefined ? "" : `${count(row.current_count)} of ${count(row.limit_value)}`),
      },
      { title: "Took", number: true, cell: (row) => latencyText(row.latency_micros) },
    ],
  });
}

function Decisions() {
  const [filter, setFilter] = useState(NONE);
  const [isTail, setTail] = useState(false);
  const [more, setMore] = useState({ entries: [], next: undefined, error: null });
  const asked = useRested(filter, TYPED_MILLIS);
  const query = { ...asked, client: asked.client.trim(), from: instantOf(asked.from), to: instantOf(asked.to) };
  const text = JSON.stringify(query);
  const first = useLoad(
    () => {
      setMore({ entries: [], next: undefined, error: null });
      return api.get("v1/admin/audit", { ...query, limit: PAGE });
    },
    [text],
    isTail ? TAIL_MILLIS : undefined,
  );
  const older = async (cursor) => {
    setTail(false);
    const answer = await api.get("v1/admin/audit", { ...query, limit: PAGE, cursor });
    setMore((now) =>
      answer.ok ? { entries: now.entries.concat(answer.data.items), next: answer.data.next, error: null } : { ...now, error: answer },
    );
  };
  const isFiltered = Object.values(query).some((value) => value !== "");
  return [
    h(
      Head,
      { title: "Audit" },
      h(Tabs, { at: "decisions" }),
      h(
        "label",
        { class: "check" },
        h(Switch, { label: "Follow: show new decisions as they come", checked: isTail, onCheck: setTail }),
        h("span", { "aria-hidden": "true" }, "Follow"),
        isTail && h("span", { class: "pulse", "aria-hidden": "true" }),
      ),
      h("a", { class: "button", href: address("v1/admin/audit", { ...query, format: "csv" }), download: "weir-audit.csv" }, "CSV"),
      h("a", { class: "button", href: address("v1/admin/audit", { ...query, format: "jsonl" }), download: "weir-audit.jsonl" }, "JSON lines"),
    ),
    h(Card, null, h(Filters, { filter, edit: (changes) => setFilter({ ...filter, ...changes }) })),
    h(
      Card,
      { bare: true },
      h(Loaded, { of: first, lines: 8 }, (page) => {
        const entries = page.items.concat(more.entries);
        const next = more.next === undefined ? page.next : more.next;
        if (entries.length === 0) {
          return h(
            Empty,
            { title: isFiltered ? "No kept decision matches" : "No decisions are kept yet" },
            h("p", null, isFiltered ? "Clear a filter to see more." : "By default only refusals are kept; audit.decisions says which."),
          );
        }
        return [
          h(Rows, { entries, isTail }),
          more.error && h(Failure, { error: more.error }),
          next && h("div", { class: "card-body" }, h(Button, { onClick: () => older(next) }, "Older decisions")),
        ];
      }),
    ),
  ];
}

export function Audit({ tab }) {
  if (tab !== "acts") {
    return h(Decisions);
  }
  return [
    h(Head, { title: "Audit" }, h(Tabs, { at: "acts" })),
    h(Changes, { title: "What admins have done", withSubject: true }),
  ];
}
