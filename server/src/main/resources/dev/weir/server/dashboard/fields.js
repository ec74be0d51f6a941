// Fields of forms: each with its label, a hint and what is wrong with it.
import { h } from "./preact.module.js";
import { useId } from "./hooks.module.js";

/** A labelled control, which `control` makes of the attributes that tie it to its label. */
export function Field({ label, hint, error, class: extra = "", control }) {
  const id = useId();
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return h(
    "div",
    { class: `field ${extra}` },
    h("label", { for: id }, label),
    control({
      id,
      class: "input",
      "aria-invalid": error ? "true" : undefined,
      "aria-describedby": about || undefined,
    }),
    hint && h("span", { class: "hint", id: `${id}-hint` }, hint),
    error && h("span", { class: "error", id: `${id}-error` }, error),
  );
}

export function TextField({ label, hint, error, value, onText, class: extra, ...rest }) {
  return h(Field, {
    label,
    hint,
    error,
    class: extra,
    control: (tied) =>
      h("input", {
        type: "text",
        autocomplete: "off",
        spellcheck: false,
        ...tied,
        ...rest,
        value,
        onInput: (event) => onText(event.currentTarget.value),
      }),
  });
}

export function TextArea({ label, hint, error, value, onText, class: extra, ...rest }) {
  return h(Field, {
    label,
    hint,
    error,
    class: extra,
    control: (tied) =>
      h("textarea", {
        spellcheck: false,
        ...tied,
        ...rest,
        value,
        onInput: (event) => onText(event.currentTarget.value),
      }),
  });
}

/** A choice from a list of [value, title]. */
export function SelectField({ label, hint, error, value, options, onPick, class: extra, ...rest }) {
  return h(Field, {
    label,
    hint,
    error,
    class: extra,
    control: (tied) =>
      h(
        "select",
        { ...tied, ...rest, onChange: (event) => onPick(event.currentTarget.value) },
        options.map(([name, title]) => h("option", { value: name, selected: name === value }, title)),
      ),
  });
}

export function CheckField({ label, hint, checked, onCheck, ...rest }) {
  const id = useId();
  return h(
    "div",
    { class: "field" },
    h(
      "div",
      { class: "check" },
      h("input", {
        type: "checkbox",
        id,
        checked,
        "aria-describedby": hint ? `${id}-hint` : undefined,
        ...rest,
        onChange: (event) => onCheck(event.currentTarget.checked),
      }),
      h("label", { for: id }, label),
    ),
    hint && h("span", { class: "hint", id: `${id}-hint` }, hint),
  );
}

/** Something that is on or off at once, without a form. */
export function Switch({ label, checked, onCheck, ...rest }) {
  return h("input", {
    type: "checkbox",
    role: "switch",
    class: "switch",
    "aria-label": label,
    checked,
    ...rest,
    onChange: (event) => onCheck(event.currentTarget.checked),
  });
}
