// What another policy would have done to past requests.
import { h } from "./preact.module.js";
import { useEffect, useRef, useState } from "./hooks.module.js";
import { api } from "./api.js";
import { Legend, TimeChart } from "./charts.js";
import { SelectField, TextArea } from "./fields.js";
import { Button, Card, ChangeButton, ClientLink, Empty, Failure, Head, Shares, Table } from "./parts.js";
import { brief, clockTime, count, dayTime, fullTime, minuteTime, percent, plural } from "./text.js";
import { complain } from "./toasts.js";

const SPANS = [
  ["60", "the last hour"],
  ["360", "the last 6 hours"],
  ["1440", "the last day"],
];

const SOURCES = [
  ["auto", "whatever is there"],
  ["traffic", "kept traffic"],
  ["audit", "the recorded audit"],
];

const EXAMPLE = '[default]\nlimit = "100/m"\n\n[[rule]]\nname = "api"\npriority = 600\nmatch = { path = "/api/**" }\nlimits = ["20/s"]\n';

const refused = (tally) => tally.throttled + tally.blocked;

function Tile({ title, figure, note }) {
  return h(
    "div",
    { class: "tile" },
    h("dt", null, title),
    h("dd", null, h("span", { class: "tile-figure" }, figure), h("span", { class: "tile-note" }, note)),
  );
}

function Totals({ report }) {
  const { after, before } = report;
  return h(
    "dl",
    { class: "tiles" },
    h(Tile, { title: "Requests", figure: brief(after.requests), note: report.from ? `${fullTime(report.from)} on` : "none" }),
    h(Tile, { title: "With this policy", figure: percent(refused(after), after.requests), note: `${count(refused(after))} refused` }),
    before && h(Tile, { title: "As it is", figure: percent(refused(before), before.requests), note: `${count(refused(before))} refused` }),
    before && h(Tile, { title: "Newly refused", figure: brief(report.newly_refused), note: percent(report.newly_refused, after.requests) }),
    before && h(Tile, { title: "No longer refused", figure: brief(report.no_longer_refused), note: percent(report.no_longer_refused, after.requests) }),
  );
}

function Timeline({ report }) {
  const steps = report.timeline;
  const column = (name) => steps.map((step) => step.after[name]);
  const millis = steps.length > 1 ? Date.parse(steps.at(-1).at) - Date.parse(steps[0].at) : 0;
  const name = millis > 86_400_000 ? dayTime : millis < 900_000 ? clockTime : minuteTime;
  const { allowed, throttled, blocked } = report.after;
  return h(
    Card,
    { title: "Time line", side: h(Legend, { figures: { allowed: brief(allowed), throttled: brief(throttled), blocked: brief(blocked) } }) },
    h(TimeChart, {
      type: "bar",
      isStacked: true,
      isLow: true,
      labels: steps.map((step) => name(step.at)),
      series: { allowed: column("allowed"), throttled: column("throttled"), blocked: column("blocked") },
      format: count,
      summary: `With this policy ${count(allowed)} requests would have been allowed, ${count(throttled)} throttled and ${count(blocked)} blocked`,
    }),
  );
}

function HurtClients({ report }) {
  const rows = (report.hurt_clients ?? []).slice(0, 10);
  return h(
    Card,
    { title: "Clients hurt most", bare: true },
    rows.length === 0
      ? h(Empty, { title: "No client is refused more than now" })
      : h(Table, {
          label: "Clients hurt most",
          rows,
          id: (row) => row.client,
          columns: [
            { title: "Client", cell: (row) => h(ClientLink, { id: row.client }) },
            { title: "Newly refused", number: true, cell: (row) => count(row.newly_refused ?? row.refused) },
            { title: "Requests", number: true, cell: (row) => count(row.requests) },
          ],
        }),
  );
}

function ByRule({ report }) {
  const rows = report.rules.filter((row) => row.after.requests + (row.before?.requests ?? 0) + row.shadow_refused > 0);
  const isTried = rows.some((row) => row.shadow_refused > 0);
  return h(
    Card,
    { title: "By rule", bare: true },
    rows.length === 0
      ? h(Empty, { title: "No rule had a say" })
      : h(Table, {
          label: "By rule",
          rows,
          id: (row) => row.rule,
          columns: [
            { title: "Rule", class: "break", cell: (row) => row.rule },
            { title: "Decisions", cell: (row) => h(Shares, row.after) },
            { title: "Refused", number: true, cell: (row) => count(refused(row.after)) },
            { title: "Newly", number: true, cell: (row) => count(row.newly_refused) },
            isTried && { title: "Shadow", number: true, cell: (row) => count(row.shadow_refused) },
          ].filter(Boolean),
        }),
  );
}

function Report({ report }) {
  if (report.after.requests === 0) {
    return h(
      Empty,
      { title: "No requests of that span are kept" },
      h("p", null, "Set ", h("code", null, "traffic.keep"), " to keep requests in memory, or let ", h("code", null, "audit.decisions"), " record allowed ones too."),
    );
  }
  return [
    [report.note, ...(report.warnings ?? [])].filter(Boolean).map((text) => h("p", { class: "notice notice-warn" }, text)),
    h(Totals, { report }),
    h(Timeline, { report }),
    h("div", { class: "columns" }, h(HurtClients, { report }), h(ByRule, { report })),
  ];
}

export function Backtest() {
  const [policy, setPolicy] = useState("");
  const [minutes, setMinutes] = useState("60");
  const [source, setSource] = useState("auto");
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState(null);
  const report = useRef(null);
  useEffect(() => {
    if (answer) {
      report.current.scrollIntoView({ block: "start" });
    }
  }, [answer]);

  const run = async (event) => {
    event.preventDefault();
    setBusy(true);
    setAnswer(await api.post("v1/admin/backtest", { policy, minutes: Number(minutes), source }));
    setBusy(false);
  };
  const fill = async () => {
    const text = await api.get("v1/admin/export");
    if (text.ok) {
      setPolicy(String(text.data));
    } else {
      complain(text.message);
    }
  };

  return [
    h(Head, { title: "Backtest", note: "Runs past requests through another policy, by the very same engine. Nothing changes by that." }),
    h(
      Card,
      {
        title: "Policy to try",
        side: h(
          "span",
          { class: "row" },
          h(Button, { small: true, onClick: () => setPolicy(EXAMPLE) }, "An example"),
          h(ChangeButton, { small: true, onClick: fill }, "What the database has"),
        ),
      },
      h(
        "form",
        { class: "stack", onSubmit: run },
        h(TextArea, {
          label: "Text of a weir.toml",
          hint: `${plural(policy.split("\n").length, "line")}; mistakes are named with line and column`,
          rows: 12,
          value: policy,
          onText: setPolicy,
        }),
        h(
          "div",
          { class: "filters" },
          h(SelectField, { label: "Requests of", options: SPANS, value: minutes, onPick: setMinutes }),
          h(SelectField, { label: "Taken from", options: SOURCES, value: source, onPick: setSource }),
          h("div", null, h("button", { type: "submit", class: "button button-main", disabled: isBusy || policy.trim() === "" }, isBusy ? "Running…" : "Run backtest")),
        ),
      ),
    ),
    h(
      "div",
      { class: "stack report", "aria-live": "polite", ref: report },
      answer && !answer.ok && h(Failure, { error: answer }),
      answer?.ok && h(Report, { report: answer.data }),
    ),
  ];
}
