// The parts that pages are made of. Whatever a client may have sent is a text node or an attribute here, never markup.
import { h } from "./preact.module.js";
import { useEffect, useRef, useState } from "./hooks.module.js";
import { Icon } from "./icons.js";
import { useReadOnly } from "./state.js";
import { count, fileName, fullTime, when } from "./text.js";
import { link } from "./router.js";

/** The head of a page: its title, a sentence, and what can be done. */
export function Head({ title, note, children }) {
  useEffect(() => {
    document.title = `${title} · Weir`;
  }, [title]);
  return h(
    "header",
    { class: "head" },
    h("div", null, h("h1", { class: "break" }, title), note && h("div", { class: "note" }, note)),
    h("div", { class: "row" }, children),
  );
}

export function Card({ title, side, children, class: extra = "", bare }) {
  return h(
    "section",
    { class: `card ${extra}`, "aria-label": title },
    title && h("div", { class: "card-head" }, h("h2", null, title), side),
    bare ? children : h("div", { class: "card-body" }, children),
  );
}

export function Button({ kind = "", small, icon, label, children, ...rest }) {
  const classes = ["button", kind && `button-${kind}`, small && "button-small", label && "button-icon"];
  return h(
    "button",
    { type: "button", class: classes.filter(Boolean).join(" "), "aria-label": label, title: label, ...rest },
    icon && h(Icon, { name: icon }),
    children,
  );
}

/** A button that changes something, which readers may not. */
export function ChangeButton(props) {
  const why = useReadOnly();
  return h(Button, why ? { ...props, disabled: true, title: why } : props);
}

/** A choice of a few. */
export function Segments({ label, options, value, onPick }) {
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": label },
    options.map(([name, title]) =>
      h("button", { type: "button", "aria-pressed": String(name === value), onClick: () => onPick(name) }, title),
    ),
  );
}

export function Badge({ kind = "", icon, title, children }) {
  return h("span", { class: `badge ${kind && `badge-${kind}`}`, title }, icon && h(Icon, { name: icon }), children);
}

const DECISIONS = { allowed: "good", throttled: "warn", blocked: "bad" };

export function Decision({ name }) {
  return h(Badge, { kind: DECISIONS[name], icon: DECISIONS[name] && name }, name);
}

export function Time({ at }) {
  return at ? h("time", { dateTime: at, title: fullTime(at) }, when(at)) : h("span", { class: "soft" }, "never");
}

/** A client, with a link to all that is known of it. */
export function ClientLink({ id }) {
  return id && id !== "unknown" ? h("a", { class: "break", href: link("clients", id) }, id) : h("span", null, id ?? "–");
}

/** Something, and below it in small letters something about it. */
export function TwoLines({ first, second }) {
  return h("span", { class: "two-lines" }, first, second && h("span", { class: "soft small break" }, second));
}

/** How much of something is used. */
export function Meter({ used, of, label }) {
  const share = of > 0 ? Math.min(1, used / of) : 0;
  const kind = share >= 1 ? "blocked" : share >= 0.8 ? "throttled" : "accent";
  return h(
    "div",
    { class: "meter", role: "img", "aria-label": label ?? `${count(used)} of ${count(of)}` },
    h("span", { class: `fill-${kind}`, style: { width: `${(100 * share).toFixed(1)}%` } }),
  );
}

/** How decisions are spread. */
export function Shares({ allowed, throttled, blocked }) {
  const all = allowed + throttled + blocked || 1;
  const part = (name, value) => h("span", { class: `fill-${name}`, style: { width: `${(100 * value) / all}%` } });
  return h(
    "div",
    {
      class: "meter",
      role: "img",
      "aria-label": `${count(allowed)} allowed, ${count(throttled)} throttled, ${count(blocked)} blocked`,
    },
    part("allowed", allowed),
    part("throttled", throttled),
    part("blocked", blocked),
  );
}

/**
 * A table; on a phone a list.
 *
 * @param columns each with a title, and a cell that makes the content of a row
 */
export function Table({ label, columns, rows, id, rowProps }) {
  return h(
    "div",
    { class: "table-wrap", tabIndex: 0, role: "group", "aria-label": label },
    h(
      "table",
      { class: "listed", role: "table" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          columns.map((column) =>
            h(
              "th",
              { role: "columnheader", scope: "col", class: column.number ? "number" : "" },
              column.quiet ? h("span", { class: "visually-hidden" }, column.title) : column.title,
            ),
          ),
        ),
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        rows.map((row, index) =>
          h(
            "tr",
            { role: "row", key: id ? id(row) : index, ...rowProps?.(row, index) },
            columns.map((column) =>
              h(
                "td",
                {
                  role: "cell",
                  class: [column.number && "number", column.class].filter(Boolean).join(" "),
                  "data-title": column.title,
                },
                column.cell(row, index),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A place where nothing is yet, and what to do about it. */
export function Empty({ title, children }) {
  return h("div", { class: "empty" }, h("strong", null, title), children);
}

export function Bones({ lines = 4 }) {
  return h(
    "div",
    { "aria-busy": "true" },
    Array.from({ length: lines }, () => h("div", { class: "bone bone-line" })),
  );
}

/** What went wrong with a call, and a way to try again. */
export function Failure({ error, retry }) {
  return h(
    "div",
    { class: "notice notice-bad", role: "alert" },
    h(
      "div",
      { class: "row row-between" },
      h("span", null, error.message),
      retry && h(Button, { small: true, onClick: retry }, "Try again"),
    ),
    error.mistakes.length > 0 && h(Mistakes, { mistakes: error.mistakes }),
  );
}

/** Mistakes of a file, each with its place. */
export function Mistakes({ mistakes }) {
  return h(
    "ul",
    { class: "mistakes" },
    mistakes.map((mistake) => {
      const [, place, problem] = /^(.*?:\d+:\d+): (.*)$/s.exec(mistake) ?? [null, "", mistake];
      return h("li", null, h("code", { title: place }, fileName(place)), h("span", { class: "break" }, problem));
    }),
  );
}

/** What a call has answered: its content, bones until it has come, or what went wrong. */
export function Loaded({ of, lines, children: content }) {
  return [
    of.error && h(Failure, { error: of.error, retry: of.reload }),
    of.data === undefined ? !of.error && h(Bones, { lines }) : content(of.data),
  ];
}

/** A dialog over the page; the rest of it waits. */
export function Dialog({ title, onClose, children, foot }) {
  const dialog = useRef(null);
  useEffect(() => {
    const shown = dialog.current;
    shown.showModal();
    return () => shown.close();
  }, []);
  return h(
    "dialog",
    {
      ref: dialog,
      "aria-label": title,
      onCancel: (event) => {
        event.preventDefault();
        onClose();
      },
    },
    h("div", { class: "dialog-head" }, h("h2", null, title)),
    h("div", { class: "dialog-body" }, children),
    h("div", { class: "dialog-foot" }, foot),
  );
}

/**
 * Asks before something is done, and stays while it is done.
 *
 * @param act does it and gives the answer of the call
 */
export function Confirm({ title, verb, danger, act, onDone, onClose, children, isReady = true }) {
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    const answer = await act();
    setBusy(false);
    if (answer.ok) {
      onDone(answer);
    } else {
      setError(answer);
    }
  };
  return h(
    Dialog,
    {
      title,
      onClose,
      foot: [
        h(Button, { onClick: onClose }, "Cancel"),
        h(
          "button",
          {
            type: "submit",
            form: "confirm",
            class: `button ${danger ? "button-danger" : "button-main"}`,
            disabled: isBusy || !isReady,
          },
          verb,
        ),
      ],
    },
    h(
      "form",
      { id: "confirm", class: "stack-tight", onSubmit: submit },
      typeof children === "function" ? children(error) : children,
      error && h("p", { class: "error", role: "alert" }, error.message),
    ),
  );
}
