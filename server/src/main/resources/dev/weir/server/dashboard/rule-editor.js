// One rule: its form, what is wrong with it while it is typed, what it would have done, and its history.
import { h } from "./preact.module.js";
import { useEffect, useState } from "./hooks.module.js";
import { api, segment } from "./api.js";
import { Changes } from "./changes.js";
import { CheckField, SelectField, TextField } from "./fields.js";
import { Badge, Button, Card, ChangeButton, Failure, Head, Loaded, Time } from "./parts.js";
import { Preview } from "./preview.js";
import { go, link } from "./router.js";
import { CONDITIONS, draftOf, ruleOf } from "./rule-draft.js";
import { useLoad, useReadOnly, useRested } from "./state.js";
import { tell } from "./toasts.js";

const TYPED_MILLIS = 250;

const EXAMPLES = {
  path: "/api/**, /v2/*",
  method: "GET, POST",
  endpoint: "search",
  tier: "free",
  user: "alice",
  key: "the id of a key",
  ip: "203.0.113.0/24",
  header: "mobile",
};

/** Whether a field of the server's answer is that part of the form. */
function isAt(field, part) {
  return field === part || field.startsWith(`${part}[`) || field.startsWith(`${part}.`);
}

/** What is wrong with a part of the form. */
const wrongWith = (check, part) => (check && !check.ok && isAt(check.field, part) ? check.message : undefined);

const PARTS = ["name", "priority", "limits", "match", "burst", "algorithm", "scope", "failure_mode", "response"];

/** Tries the rule out on the server, which changes nothing, once typing has paused. */
function useCheck(draft, entry, isOff) {
  const text = JSON.stringify(ruleOf(draft));
  const rested = useRested(text, TYPED_MILLIS);
  const [check, setCheck] = useState(null);
  useEffect(() => {
    if (isOff) {
      return undefined;
    }
    let isOld = false;
    const rule = JSON.parse(rested);
    const query = { dry_run: true };
    const call = entry
      ? api.put(`v1/admin/rules/${segment(entry.name)}`, rule, entry.version, query)
      : api.post("v1/admin/rules", rule, query);
    call.then((answer) => !isOld && setCheck({ ...answer, rule: rested }));
    return () => {
      isOld = true;
    };
  }, [rested, entry?.version, isOff]);
  return { check, isCurrent: check?.rule === text };
}

function ConditionLine({ condition, onChange, onRemove, error, disabled, index }) {
  const isHeader = condition.kind === "header";
  const place = `condition ${index + 1}`;
  return h(
    "div",
    null,
    h(
      "div",
      { class: `line line-condition ${isHeader ? "line-header" : ""}` },
      h(
        "select",
        {
          class: "input",
          "aria-label": `Kind of ${place}`,
          disabled,
          onChange: (event) => onChange({ ...condition, kind: event.currentTarget.value }),
        },
        CONDITIONS.map((kind) => h("option", { value: kind, selected: kind === condition.kind }, kind)),
      ),
      isHeader &&
        h("input", {
          class: "input",
          "aria-label": `Header field of ${place}`,
          placeholder: "x-client",
          disabled,
          value: condition.header,
          onInput: (event) => onChange({ ...condition, header: event.currentTarget.value }),
        }),
      h("input", {
        class: "input",
        "aria-label": `Values of ${place}`,
        "aria-invalid": error ? "true" : undefined,
        placeholder: EXAMPLES[condition.kind],
        spellcheck: false,
        disabled,
        value: condition.values,
        onInput: (event) => onChange({ ...condition, values: event.currentTarget.value }),
      }),
      h(Button, { kind: "plain", icon: "close", label: `Remove ${place}`, disabled, onClick: onRemove }),
    ),
    error && h("span", { class: "error" }, error),
  );
}

function Conditions({ draft, edit, check, disabled }) {
  const set = (conditions) => edit({ conditions });
  return h(
    "fieldset",
    { class: "field wide" },
    h("legend", null, "Applies to"),
    h(
      "div",
      { class: "lines" },
      draft.conditions.length === 0 && h("p", { class: "hint" }, "Every request. Add a condition to narrow it down."),
      draft.conditions.map((condition, index) =>
        h(ConditionLine, {
          key: index,
          index,
          condition,
          disabled,
          error: wrongWith(check, `match.${condition.kind}`),
          onChange: (next) => set(draft.conditions.map((old, i) => (i === index ? next : old))),
          onRemove: () => set(draft.conditions.filter((_, i) => i !== index)),
        }),
      ),
      h(
        "div",
        { class: "row" },
        h(
          Button,
          { small: true, icon: "plus", disabled, onClick: () => set([...draft.conditions, { kind: "method", header: "", values: "" }]) },
          "Condition",
        ),
        h("span", { class: "hint" }, "All must hold; of several values of one, any."),
      ),
    ),
  );
}

function LimitLines({ draft, edit, check, disabled }) {
  const set = (limits) => edit({ limits });
  const general = check && !check.ok && check.field === "limits" ? check.message : undefined;
  return h(
    "fieldset",
    { class: "field wide" },
    h("legend", null, "Limits"),
    h(
      "div",
      { class: "lines" },
      draft.limits.map((limit, index) => {
        const error = wrongWith(check, `limits[${index}]`);
        return h(
          "div",
          { key: index },
          h(
            "div",
            { class: "line" },
            h("input", {
              class: "input mono",
              "aria-label": `Limit ${index + 1}`,
              "aria-invalid": error ? "true" : undefined,
              spellcheck: false,
              disabled,
              value: limit,
              placeholder: "100/m burst 20",
              onInput: (event) => set(draft.limits.map((old, i) => (i === index ? event.currentTarget.value : old))),
            }),
            h(Button, {
              kind: "plain",
              icon: "close",
              label: `Remove limit ${index + 1}`,
              disabled: disabled || draft.limits.length === 1,
              onClick: () => set(draft.limits.filter((_, i) => i !== index)),
            }),
          ),
          error && h("span", { class: "error" }, error),
        );
      }),
      general && h("span", { class: "error" }, general),
      h(
        "div",
        { class: "row" },
        h(Button, { small: true, icon: "plus", disabled, onClick: () => set([...draft.limits, ""]) }, "Limit"),
        h("span", { class: "hint" }, "Such as 10/s, 100/m burst 20 or 1000/day fixed_window. All hold at once."),
      ),
    ),
  );
}

const options = (...names) => names.map((name) => [name, name]);

function Form({ draft, edit, check, isNew, disabled }) {
  const text = (name, label, more) =>
    h(TextField, { label, value: draft[name], disabled, error: wrongWith(check, name), onText: (value) => edit({ [name]: value }), ...more });
  const select = (name, label, list, more) =>
    h(SelectField, { label, value: draft[name], options: list, disabled, error: wrongWith(check, name), onPick: (value) => edit({ [name]: value }), ...more });
  const throttles = draft.action === "throttle";
  return h(
    "div",
    { class: "fields" },
    text("name", "Name", { disabled: disabled || !isNew, hint: isNew && "Letters, digits, _ - .", required: true }),
    text("priority", "Priority", { hint: "Higher comes first", inputMode: "numeric" }),
    select("action", "Action", options("throttle", "block", "allow")),
    select("mode", "Mode", [
      ["enforce", "enforce"],
      ["shadow", "shadow: try it out"],
    ]),
    h(Conditions, { draft, edit, check, disabled }),
    throttles && [
      h(LimitLines, { draft, edit, check, disabled }),
      select("scope", "Counted per", options("client", "user", "key", "ip", "tier", "global")),
      select("algorithm", "Algorithm", [["", "of the limit"], ...options("token_bucket", "fixed_window", "sliding_window", "sliding_log")]),
      text("burst", "Burst", { placeholder: "the permits", inputMode: "numeric" }),
      select("failure_mode", "Without counters", [["", "as for all"], ...options("open", "closed", "local")]),
    ],
    text("status", "Refusal status", {
      placeholder: draft.action === "block" ? "403" : "429",
      inputMode: "numeric",
      error: wrongWith(check, "response.status"),
    }),
    text("retry_after", "Retry after", { placeholder: "as the limits say", error: wrongWith(check, "response.retry_after") }),
    text("message", "Refusal message", { class: "wide", error: wrongWith(check, "response.message") }),
    h(CheckField, { label: "Enabled", checked: draft.enabled, disabled, onCheck: (enabled) => edit({ enabled }) }),
    throttles &&
      h(CheckField, {
        label: "Final",
        hint: "Nothing behind it is looked at",
        checked: draft.final,
        disabled,
        onCheck: (final) => edit({ final }),
      }),
  );
}

function Verdict({ check, isCurrent }) {
  if (!check || !isCurrent) {
    return h(Badge, null, "checking…");
  }
  if (!check.ok) {
    return h(Badge, { kind: "bad", icon: "blocked" }, "not valid");
  }
  return h(Badge, { kind: "good", icon: "allowed" }, "valid");
}

/** What is wrong in places that the form has no field for. */
function Elsewhere({ check }) {
  if (!check) {
    return null;
  }
  if (!check.ok && !PARTS.some((part) => isAt(check.field, part))) {
    return h(Failure, { error: check });
  }
  const warnings = check.ok ? (check.data.warnings ?? []) : [];
  return warnings.map((warning) => h("p", { class: "notice notice-warn" }, warning));
}

function Editor({ entry, onSaved }) {
  const [draft, setDraft] = useState(() => draftOf(entry));
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(null);
  const readOnly = useReadOnly();
  const isOfFile = entry?.source === "file";
  const disabled = Boolean(readOnly) || isOfFile;
  const { check, isCurrent } = useCheck(draft, entry, disabled);
  const edit = (changes) => setDraft((now) => ({ ...now, ...changes }));

  const save = async (event) => {
    event.preventDefault();
    setBusy(true);
    const rule = ruleOf(draft);
    const answer = entry
      ? await api.put(`v1/admin/rules/${segment(entry.name)}`, rule, entry.version)
      : await api.post("v1/admin/rules", rule);
    setBusy(false);
    setRefusal(answer.ok ? null : answer);
    if (answer.ok) {
      tell(`${rule.name} is saved and holds on every instance within a second`);
      onSaved(rule.name);
    }
  };

  return h(
    "form",
    { class: "editor", onSubmit: save, noValidate: true },
    h(
      Card,
      { title: "Rule", side: !disabled && h(Verdict, { check, isCurrent }) },
      h(
        "div",
        { class: "stack" },
        isOfFile && h("p", { class: "notice" }, "This rule is in the file and is changed there."),
        h(Form, { draft, edit, check, isNew: !entry, disabled }),
        h(Elsewhere, { check }),
        refusal && h(Failure, { error: refusal }),
        h(
          "div",
          { class: "row" },
          h(
            ChangeButton,
            { type: "submit", kind: "main", disabled: disabled || isBusy || !check?.ok || !isCurrent },
            entry ? "Save rule" : "Create rule",
          ),
          h("a", { class: "button", href: link("rules") }, "Cancel"),
        ),
      ),
    ),
    h(
      "div",
      { class: "editor-side" },
      disabled
        ? entry && h(Preview, { removed: entry.name })
        : h(Preview, { rule: ruleOf(draft), isValid: check?.ok === true && isCurrent }),
    ),
  );
}

export function NewRule() {
  return [
    h(Head, { title: "New rule", note: "Checked as you type; nothing holds before you create it." }),
    h(Editor, { onSaved: (name) => go("rules", name) }),
  ];
}

/** Where a rule comes from, and who was at it last. */
function Origin({ entry }) {
  if (entry.source === "file") {
    return "In the file";
  }
  return h("span", null, `In the database, version ${entry.version}, changed `, h(Time, { at: entry.updated_at }), entry.updated_by && ` by ${entry.updated_by}`);
}

export function Rule({ name }) {
  const rule = useLoad(() => api.get(`v1/admin/rules/${segment(name)}`), [name]);
  return [
    h(Head, { title: name, note: rule.data && h(Origin, { entry: rule.data }) }, h("a", { class: "button", href: link("rules") }, "All rules")),
    h(Loaded, { of: rule, lines: 8 }, (entry) => [
      h(Editor, { key: `${name} ${entry.version}`, entry, onSaved: rule.reload }),
      h(Changes, { subject: `rule:${name}`, needs: entry.version }),
    ]),
  ];
}
