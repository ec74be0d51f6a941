// Short messages about what was done, read aloud by those programs that read pages.
import { h } from "./preact.module.js";
import { useEffect, useState } from "./hooks.module.js";
import { Button } from "./parts.js";

const SHOWN_MILLIS = 7000;

let shown = [];
let next = 0;
let whenChanged = () => {};

function show(list) {
  shown = list;
  whenChanged(list);
}

function say(text, isBad) {
  const id = next++;
  show([...shown, { id, text, isBad }].slice(-4));
  setTimeout(() => show(shown.filter((toast) => toast.id !== id)), SHOWN_MILLIS);
}

/** Says that something is done. */
export const tell = (text) => say(text, false);

/** Says why something was not done. */
export const complain = (text) => say(text, true);

export function Toasts() {
  const [list, setList] = useState(shown);
  useEffect(() => {
    whenChanged = setList;
    return () => {
      whenChanged = () => {};
    };
  }, []);
  return h(
    "div",
    { class: "toasts", role: "status", "aria-live": "polite" },
    list.map((toast) =>
      h(
        "div",
        { key: toast.id, class: `toast ${toast.isBad ? "toast-bad" : ""}` },
        h("span", null, toast.text),
        h(Button, {
          kind: "plain",
          small: true,
          icon: "close",
          label: "Dismiss",
          onClick: () => show(shown.filter((other) => other.id !== toast.id)),
        }),
      ),
    ),
  );
}
