// What happens now, and what has happened.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api } from "./api.js";
import { Legend, TimeChart } from "./charts.js";
import { History } from "./history.js";
import { Badge, Card, ClientLink, Empty, Failure, Head, Loaded, Segments, Shares, Table } from "./parts.js";
import { useLoad } from "./state.js";
import { brief, clockTime, count, latency, latencyText, percent, rate } from "./text.js";

/** The seconds of which the present rate is the mean: one alone jumps about. */
const NOW_SECONDS = 5;

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const last = (numbers, size) => numbers.slice(-size);
const mean = (numbers) => (numbers.length ? sum(numbers) / numbers.length : 0);

/** The newest figure of a second in which there were requests; null if there was none. */
function newest(column, totals) {
  for (let i = column.length - 1; i >= 0; i--) {
    if (totals[i] > 0) {
      return column[i];
    }
  }
  return null;
}

function Tile({ title, figure, unit, note }) {
  return h(
    "div",
    { class: "tile" },
    h("dt", null, title),
    h(
      "dd",
      null,
      h("span", { class: "tile-figure" }, figure, unit && h("small", null, unit)),
      h("span", { class: "tile-note" }, note),
    ),
  );
}

const STATES = {
  ready: ["good", "allowed", "Ready"],
  degraded: ["warn", "throttled", "Degraded"],
  "not ready": ["bad", "blocked", "Not ready"],
};

function State({ name }) {
  const [kind, icon, title] = STATES[name] ?? ["bad", "blocked", name];
  return h(Badge, { kind, icon }, title);
}

function Tiles({ live, totals, seconds }) {
  const refused = sum(live.throttled) + sum(live.blocked);
  const all = sum(totals);
  const [p50, p50Unit] = latency(newest(live.p50_micros, totals));
  const [p99, p99Unit] = latency(newest(live.p99_micros, totals));
  const worst = Math.max(...live.p99_micros, 0);
  const degraded = sum(live.degraded);
  const range = `${seconds / 60} min`;
  return h(
    "dl",
    { class: "tiles" },
    h(Tile, {
      title: "Requests",
      figure: rate(mean(last(totals, NOW_SECONDS))),
      unit: "/s",
      note: `peak ${rate(Math.max(...totals, 0))}/s in ${range}`,
    }),
    h(Tile, {
      title: "Refused",
      figure: percent(refused, all),
      note: `${brief(refused)} of ${brief(all)}`,
    }),
    h(Tile, { title: "Latency p50", figure: p50, unit: p50Unit, note: "of a decision" }),
    h(Tile, {
      title: "Latency p99",
      figure: p99,
      unit: p99Unit,
      note: worst ? `worst second ${latencyText(worst)}` : "of a decision",
    }),
    h(Tile, { title: "Active keys", figure: brief(live.active_keys), note: `counted in ${live.backend}` }),
    h(Tile, {
      title: "State",
      figure: h(State, { name: live.state }),
      note: degraded ? `${degraded} s degraded in ${range}` : `policy ${live.policy}`,
    }),
  );
}

function LiveCharts({ live, totals }) {
  const labels = totals.map((_, index) => clockTime((live.from + index) * 1000));
  const { allowed, throttled, blocked } = live;
  const hadRequests = (column) => column.map((value, index) => (totals[index] > 0 ? value : null));
  const now = (column) => rate(mean(last(column, NOW_SECONDS)));
  const figures = { allowed: `${now(allowed)}/s`, throttled: `${now(throttled)}/s`, blocked: `${now(blocked)}/s` };
  const p50 = newest(live.p50_micros, totals);
  const p99 = newest(live.p99_micros, totals);
  return h(
    "div",
    { class: "charts" },
    h(
      Card,
      { title: "Requests each second", side: h(Legend, { figures }) },
      h(TimeChart, {
        type: "line",
        labels,
        isStacked: true,
        series: { allowed, throttled, blocked },
        format: (value) => brief(value),
        summary: `Requests each second, now ${figures.allowed} allowed, ${figures.throttled} throttled and ${figures.blocked} blocked`,
      }),
    ),
    h(
      Card,
      { title: "Latency", side: h(Legend, { figures: { p50: latencyText(p50), p99: latencyText(p99) } }) },
      h(TimeChart, {
        type: "line",
        labels,
        series: { p50: hadRequests(live.p50_micros), p99: hadRequests(live.p99_micros) },
        format: latencyText,
        summary: `Latency of a decision, now p50 ${latencyText(p50)} and p99 ${latencyText(p99)}`,
      }),
    ),
  );
}

function RefusedClients({ clients }) {
  if (clients.length === 0) {
    return h(Empty, { title: "Nobody has been refused" }, h("p", null, "Clients that run into a limit are listed here."));
  }
  return h(Table, {
    label: "Clients refused most",
    rows: clients.slice(0, 8),
    id: (row) => row.client,
    columns: [
      { title: "Client", cell: (row) => h(ClientLink, { id: row.client }) },
      { title: "Refused", number: true, cell: (row) => count(row.refused) },
    ],
  });
}

function Endpoints({ endpoints }) {
  if (endpoints.length === 0) {
    return h(
      Empty,
      { title: "No requests yet" },
      h("p", null, "Send one to ", h("code", null, "POST /v1/check"), ", or let a proxy ask ", h("code", null, "/v1/auth"), "."),
    );
  }
  const all = (row) => row.allowed + row.throttled + row.blocked;
  return h(Table, {
    label: "Busiest endpoints",
    rows: [...endpoints].sort((a, b) => all(b) - all(a)).slice(0, 8),
    id: (row) => row.endpoint,
    columns: [
      { title: "Endpoint", class: "break", cell: (row) => (row.endpoint === "*" ? "* (all others)" : row.endpoint) },
      { title: "Decisions", cell: (row) => h(Shares, row) },
      { title: "Requests", number: true, cell: (row) => count(all(row)) },
      { title: "Refused", number: true, cell: (row) => percent(row.throttled + row.blocked, all(row)) },
    ],
  });
}

function Problems({ live }) {
  return (
    live.problems.length > 0 &&
    h(
      "div",
      { class: `notice ${live.state === "not ready" ? "notice-bad" : "notice-warn"}`, role: "status" },
      live.problems.map((problem) => h("p", null, problem)),
    )
  );
}

export function Overview() {
  const [seconds, setSeconds] = useState(300);
  const live = useLoad(() => api.get("v1/admin/live", { seconds }), [seconds], 1000);
  const stats = useLoad(() => api.get("v1/admin/stats"), [], 5000);
  const totals = live.data?.allowed.map((n, i) => n + live.data.throttled[i] + live.data.blocked[i]);
  return [
    h(
      Head,
      { title: "Overview" },
      h(Segments, {
        label: "Span of the live charts",
        value: seconds,
        onPick: setSeconds,
        options: [
          [60, "1 min"],
          [300, "5 min"],
          [900, "15 min"],
        ],
      }),
    ),
    live.error && h(Failure, { error: live.error, retry: live.reload }),
    live.data
      ? [
          h(Problems, { live: live.data }),
          h(Tiles, { live: live.data, totals, seconds }),
          h(LiveCharts, { live: live.data, totals }),
        ]
      : !live.error && [
          h("div", { class: "tiles" }, Array.from({ length: 6 }, () => h("div", { class: "bone bone-tile" }))),
          h("div", { class: "bone bone-chart" }),
        ],
    h(
      "div",
      { class: "columns" },
      h(
        Card,
        { title: "Clients refused most", bare: true },
        h(Loaded, { of: stats }, (data) => h(RefusedClients, { clients: data.refused_clients })),
      ),
      h(
        Card,
        { title: "Busiest endpoints", bare: true },
        h(Loaded, { of: stats }, (data) => h(Endpoints, { endpoints: data.endpoints })),
      ),
    ),
    h(History),
  ];
}
