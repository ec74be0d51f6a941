// Charts on a canvas, in the colours of the theme. Each also says in words what it shows.
import { h } from "./preact.module.js";
import { useEffect, useRef } from "./hooks.module.js";
import { useTheme } from "./state.js";

/** Decisions, told apart by colour, by pattern and, in lines, by dashes. */
export const SERIES = {
  allowed: { title: "allowed", color: "--chart-allowed", dash: [] },
  throttled: { title: "throttled", color: "--chart-throttled", dash: [6, 3] },
  blocked: { title: "blocked", color: "--chart-blocked", dash: [2, 2] },
  p50: { title: "p50", color: "--accent", dash: [] },
  p99: { title: "p99", color: "--chart-second", dash: [5, 3] },
};

function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The same colour, so much of it. */
function faded(color, share) {
  const hex = Math.round(255 * share).toString(16).padStart(2, "0");
  return `${color}${hex}`;
}

/** A tile that fills bars and areas: stripes for what is throttled, dots for what is blocked. */
function pattern(name, color) {
  if (name !== "throttled" && name !== "blocked") {
    return faded(color, 0.3);
  }
  const tile = document.createElement("canvas");
  tile.width = 8;
  tile.height = 8;
  const pen = tile.getContext("2d");
  pen.fillStyle = faded(color, 0.28);
  pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = faded(color, 0.75);
  pen.fillStyle = faded(color, 0.75);
  pen.lineWidth = 1.4;
  if (name === "throttled") {
    for (const start of [-8, 0, 8]) {
      pen.beginPath();
      pen.moveTo(start, 8);
      pen.lineTo(start + 8, 0);
      pen.stroke();
    }
  } else {
    pen.fillRect(1, 1, 2, 2);
    pen.fillRect(5, 5, 2, 2);
  }
  return pen.createPattern(tile, "repeat");
}

function dataset(name, type, isArea, index) {
  const { title, color, dash } = SERIES[name];
  const solid = themeColor(color);
  return {
    label: title,
    data: [],
    borderColor: solid,
    borderDash: type === "line" ? dash : [],
    borderWidth: type === "line" ? 1.6 : 1,
    backgroundColor: type === "bar" || isArea ? pattern(name, solid) : solid,
    // Areas are stacked: each is filled down to the one below.
    fill: isArea && (index === 0 ? "origin" : "-1"),
    pointRadius: 0,
    pointHitRadius: 8,
    tension: 0.25,
    barPercentage: 1,
    categoryPercentage: 0.9,
  };
}

function options({ isStacked, format, ticks }) {
  const soft = themeColor("--soft");
  const line = themeColor("--line");
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: "index", intersect: false },
    plugins: {
      legend: { display: false },
      tooltip: {
        backgroundColor: themeColor("--text"),
        titleColor: themeColor("--bg"),
        bodyColor: themeColor("--bg"),
        boxPadding: 4,
        padding: 10,
        callbacks: { label: (item) => ` ${item.dataset.label}: ${format(item.parsed.y)}` },
      },
    },
    scales: {
      x: {
        stacked: isStacked,
        grid: { display: false },
        border: { color: line },
        ticks: { color: soft, autoSkip: true, maxTicksLimit: ticks, maxRotation: 0, font: { size: 11 } },
      },
      y: {
        stacked: isStacked,
        beginAtZero: true,
        grid: { color: line },
        border: { display: false },
        ticks: { color: soft, maxTicksLimit: 5, font: { size: 11 }, callback: (value) => format(value) },
      },
    },
  };
}

/**
 * A chart of several columns over time.
 *
 * @param type line or bar
 * @param labels one for each moment
 * @param series names of SERIES with their values
 * @param summary what it shows, in words
 */
export function TimeChart({ type, labels, series, isStacked = false, format = String, summary, isLow = false }) {
  const canvas = useRef(null);
  const chart = useRef(null);
  const theme = useTheme();
  const names = Object.keys(series);

  useEffect(() => {
    const ticks = canvas.current.clientWidth < 480 ? 4 : 8;
    chart.current = new window.Chart(canvas.current, {
      type,
      data: { labels: [], datasets: names.map((name, index) => dataset(name, type, isStacked, index)) },
      options: options({ isStacked, format, ticks }),
    });
    return () => chart.current.destroy();
  }, [theme, type, isStacked, names.join()]);

  useEffect(() => {
    const { data } = chart.current;
    data.labels = labels;
    names.forEach((name, index) => {
      data.datasets[index].data = series[name];
    });
    chart.current.update("none");
  });

  return h(
    "div",
    { class: `chart ${isLow ? "chart-low" : ""}` },
    h("canvas", { ref: canvas, role: "img", "aria-label": summary }),
  );
}

/** What each line or pattern stands for, with its figure. */
export function Legend({ figures }) {
  return h(
    "ul",
    { class: "legend" },
    Object.entries(figures).map(([name, figure]) =>
      h(
        "li",
        null,
        h("span", { class: `swatch ${name.startsWith("p") ? `swatch-${name}` : `fill-${name}`}`, "aria-hidden": "true" }),
        SERIES[name].title,
        h("strong", null, figure),
      ),
    ),
  );
}
