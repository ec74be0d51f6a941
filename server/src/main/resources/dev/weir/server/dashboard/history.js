// What the roll-ups in the database say of past minutes, hours and days.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api } from "./api.js";
import { Legend, TimeChart } from "./charts.js";
import { Card, Empty, Loaded, Segments } from "./parts.js";
import { useLoad } from "./state.js";
import { brief, count, dayName, dayTime, minuteTime } from "./text.js";

/** Each span with its steps: how many, how long, and how one is called. */
const SPANS = {
  hour: { title: "1 hour", granularity: "minute", steps: 60, millis: 60_000, name: minuteTime },
  day: { title: "24 hours", granularity: "hour", steps: 24, millis: 3_600_000, name: minuteTime },
  week: { title: "7 days", granularity: "hour", steps: 168, millis: 3_600_000, name: dayTime },
  quarter: { title: "90 days", granularity: "day", steps: 90, millis: 86_400_000, name: dayName },
};

function begin({ steps, millis }) {
  return (Math.floor(Date.now() / millis) - steps + 1) * millis;
}

/** Adds the rows of all endpoints, tiers, rules and regions up, step by step. */
export function steps(rows, from, { steps: size, millis }) {
  const column = () => new Array(size).fill(0);
  const columns = { allowed: column(), throttled: column(), blocked: column() };
  for (const row of rows) {
    const index = Math.floor((Date.parse(row.timestamp) - from) / millis);
    if (index >= 0 && index < size) {
      columns.allowed[index] += row.allowed_requests;
      columns.throttled[index] += row.throttled_requests;
      columns.blocked[index] += row.blocked_requests;
    }
  }
  return columns;
}

/** All rows, page by page: an answer has a bound. */
async function load(span) {
  const rows = [];
  let from = begin(span);
  for (;;) {
    const answer = await api.get("v1/admin/stats/history", {
      granularity: span.granularity,
      from: new Date(from).toISOString(),
    });
    if (!answer.ok) {
      return answer;
    }
    const page = answer.data.rows;
    if (answer.data.complete || page.length === 0) {
      return { ok: true, data: { rows: rows.concat(page), from: begin(span), span } };
    }
    const edge = Date.parse(page[page.length - 1].timestamp);
    // The last step may be cut in the middle; it is asked for again as a whole.
    rows.push(...page.filter((row) => Date.parse(row.timestamp) < edge));
    if (edge <= from) {
      return { ok: true, data: { rows: rows.concat(page), from: begin(span), span } };
    }
    from = edge;
  }
}

function Chart({ rows, from, span }) {
  const columns = steps(rows, from, span);
  const total = (name) => columns[name].reduce((all, number) => all + number, 0);
  const figures = { allowed: brief(total("allowed")), throttled: brief(total("throttled")), blocked: brief(total("blocked")) };
  if (rows.length === 0) {
    return h(Empty, { title: "No history in this span" }, h("p", null, "Decisions are added up each minute and kept in the database."));
  }
  return [
    h("div", { class: "row row-between" }, h(Legend, { figures })),
    h(TimeChart, {
      type: "bar",
      isStacked: true,
      isLow: true,
      labels: Array.from({ length: span.steps }, (_, index) => span.name(from + index * span.millis)),
      series: columns,
      format: count,
      summary: `History over ${span.title}: ${figures.allowed} allowed, ${figures.throttled} throttled, ${figures.blocked} blocked`,
    }),
  ];
}

export function History() {
  const [name, setName] = useState("hour");
  const history = useLoad(() => load(SPANS[name]), [name], 30_000);
  return h(
    Card,
    {
      title: "History",
      side: h(Segments, {
        label: "Span of the history",
        value: name,
        onPick: setName,
        options: Object.entries(SPANS).map(([key, span]) => [key, span.title]),
      }),
    },
    h(Loaded, { of: history, lines: 6 }, (data) => h(Chart, data)),
  );
}
