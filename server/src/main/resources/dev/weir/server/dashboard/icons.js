// Small drawings, all in the colour of the text beside them.
import { h } from "./preact.module.js";

const STROKES = {
  overview: "M3 12h4l3-8 4 16 3-8h4",
  rules: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  clients: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.5-3.5 3-5.5 6.5-5.5s6 2 6.5 5.5M16 4.5a3.3 3.3 0 0 1 0 6.2M18 15c2 .7 3.2 2.4 3.5 5",
  keys: "M8 19a4 4 0 1 1 2.8-6.8L20 3M16 7l3 3M13 10l2 2",
  audit: "M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01",
  policy: "M6 3h8l5 5v13H6ZM14 3v5h5M9 13h7M9 17h5",
  backtest: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8Z",
  leave: "M14 4H6v16h8M10 12h11M17.5 8.5 21 12l-3.5 3.5",
  up: "M6 14.5 12 8.5l6 6",
  down: "M6 9.5l6 6 6-6",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  lock: "M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  allowed: "M5 12.5l4.5 4.5L19 7.5",
  throttled: "M12 7v6M12 17h.01M12 3 2.5 20h19Z",
  blocked: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM5.7 5.7l12.6 12.6",
  shadow: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
};

export function Icon({ name }) {
  return h(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "aria-hidden": "true" },
    h("path", {
      d: STROKES[name],
      "stroke-width": name === "grip" || name === "audit" ? 2.4 : 1.9,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}
