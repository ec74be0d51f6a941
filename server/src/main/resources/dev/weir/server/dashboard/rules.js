// All rules in the order of the walk: what they do, how often they had a say, and which comes first.
import { h } from "./preact.module.js";
import { useRef, useState } from "./hooks.module.js";
import { api, segment } from "./api.js";
import { Switch } from "./fields.js";
import { Icon } from "./icons.js";
import { Badge, Button, Card, ChangeButton, Confirm, Empty, Head, Loaded, Table } from "./parts.js";
import { Preview } from "./preview.js";
import { inOrder, move, priority } from "./priority.js";
import { go, link } from "./router.js";
import { conditionsText } from "./rule-draft.js";
import { useLoad, useReadOnly } from "./state.js";
import { count, listed } from "./text.js";
import { complain, tell } from "./toasts.js";

const isStored = (rule) => rule.source === "database";

export function Limits({ rule }) {
  if ((rule.action ?? "throttle") !== "throttle") {
    return h(
      Badge,
      rule.action === "block" ? { kind: "bad", icon: "blocked" } : { kind: "good", icon: "allowed" },
      `${rule.action}s`,
    );
  }
  return h(
    "span",
    { class: "limits" },
    listed(rule.limits).map((limit) => h("code", null, limit)),
    rule.algorithm && rule.algorithm !== "token_bucket" && h("span", { class: "soft small" }, rule.algorithm),
    rule.scope && rule.scope !== "client" && h("span", { class: "soft small" }, `per ${rule.scope}`),
  );
}

/** Follows a pointer from the grip of a row to the row where it is let go. */
function useDrag(onDrop) {
  const [drag, setDrag] = useState(null);
  const body = useRef(null);
  const rowAt = (y) => {
    const rows = [...body.current.querySelectorAll("tbody tr")];
    const index = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
    return index < 0 ? rows.length - 1 : index;
  };
  const grip = (from) => ({
    onPointerDown: (event) => {
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from, to: from });
    },
    onPointerMove: (event) => {
      const y = event.clientY;
      setDrag((now) => now && { ...now, to: rowAt(y) });
    },
    onPointerUp: (event) => {
      const to = rowAt(event.clientY);
      setDrag(null);
      if (drag && to !== drag.from) {
        onDrop(drag.from, to);
      }
    },
    onPointerCancel: () => setDrag(null),
  });
  const rowClass = (index) => {
    if (!drag) {
      return "";
    }
    if (index === drag.from) {
      return "lifted";
    }
    return index === drag.to ? (drag.to > drag.from ? "drop-below" : "drop-above") : "";
  };
  return { body, grip, rowClass };
}

function Order({ index, rules, grip, onMove, why }) {
  const { name } = rules[index];
  const step = (to, icon, word) =>
    h(Button, {
      kind: "plain",
      small: true,
      icon,
      label: `Move ${name} ${word}`,
      disabled: Boolean(why) || to < 0 || to >= rules.length,
      onClick: () => onMove(index, to),
      ...(why && { title: why }),
    });
  return h(
    "span",
    { class: "order" },
    !why && h("span", { class: "grip", title: `Drag ${name} to its place`, ...grip }, h(Icon, { name: "grip" })),
    step(index - 1, "up", "up"),
    step(index + 1, "down", "down"),
  );
}

function RuleTable({ rules, stats, change, reorder, onDelete }) {
  const why = useReadOnly();
  const { body, grip, rowClass } = useDrag(reorder);
  const counted = new Map((stats?.rules ?? []).map((row) => [row.rule, row]));
  const shown = (rule, member) => (counted.has(rule.name) ? count(counted.get(rule.name)[member]) : "0");
  const fixed = (rule) => why ?? (isStored(rule) ? undefined : "Rules of the file are changed there");
  return h(
    "div",
    { ref: body },
    h(Table, {
      label: "Rules",
      rows: rules,
      id: (rule) => rule.name,
      rowProps: (rule, index) => ({ class: `${rowClass(index)} ${rule.enabled === false ? "is-off" : ""}` }),
      columns: [
        {
          title: "Order",
          cell: (rule, index) =>
            isStored(rule)
              ? h(Order, { index, rules, grip: grip(index), onMove: reorder, why })
              : h(Badge, { icon: "lock", title: "Rules of the file are changed there" }, "file"),
        },
        {
          title: "Rule",
          cell: (rule) =>
            h(
              "span",
              { class: "rule-name" },
              h("a", { class: "break", href: link("rules", rule.name) }, rule.name),
              h("span", { class: "soft small break" }, conditionsText(rule.match)),
            ),
        },
        { title: "Does", cell: (rule) => h(Limits, { rule }) },
        { title: "Priority", number: true, cell: (rule) => priority(rule) },
        { title: "Matched", number: true, cell: (rule) => shown(rule, "matched") },
        {
          title: "Refused",
          number: true,
          cell: (rule) =>
            rule.mode === "shadow"
              ? h("span", { title: "It would have refused so many" }, `(${shown(rule, "shadow_refused")})`)
              : shown(rule, rule.action === "block" ? "matched" : "throttled"),
        },
        {
          title: "Shadow",
          cell: (rule) =>
            h(Switch, {
              label: `${rule.name} is only tried, in shadow mode`,
              checked: rule.mode === "shadow",
              disabled: Boolean(fixed(rule)),
              title: fixed(rule) ?? "Counted and reported, but never refuses",
              onCheck: (isShadow) => change(rule, { mode: isShadow ? "shadow" : "enforce" }),
            }),
        },
        {
          title: "Enabled",
          cell: (rule) =>
            h(Switch, {
              label: `${rule.name} is enabled`,
              checked: rule.enabled !== false,
              disabled: Boolean(fixed(rule)),
              title: fixed(rule),
              onCheck: (enabled) => change(rule, { enabled }),
            }),
        },
        {
          title: "Actions",
          quiet: true,
          cell: (rule) =>
            isStored(rule) &&
            h(
              ChangeButton,
              { kind: "plain", small: true, "aria-label": `Delete ${rule.name}`, onClick: () => onDelete(rule) },
              "Delete",
            ),
        },
      ],
    }),
  );
}

export function Rules() {
  const rules = useLoad(() => api.get("v1/admin/rules"), [], 10_000);
  const stats = useLoad(() => api.get("v1/admin/stats/rules"), [], 5000);
  const [doomed, setDoomed] = useState(null);
  const ordered = rules.data && inOrder(rules.data.items);

  const patch = (rule, changes) =>
    api.patch(`v1/admin/rules/${segment(rule.name)}`, changes, rule.version);

  const change = async (rule, changes) => {
    const answer = await patch(rule, changes);
    if (answer.ok) {
      const [[name, value]] = Object.entries(changes);
      tell(`${rule.name}: ${name} is now ${value}`);
    } else {
      complain(answer.message);
    }
    await rules.reload();
  };

  const reorder = async (from, to) => {
    const plan = move(ordered, from, to);
    if (typeof plan === "string") {
      complain(plan);
      return;
    }
    for (const { name, priority: value } of plan) {
      const answer = await patch(
        ordered.find((rule) => rule.name === name),
        { priority: value },
      );
      if (!answer.ok) {
        complain(answer.message);
        rules.reload();
        return;
      }
    }
    await rules.reload();
    tell(`${ordered[from].name} is now number ${to + 1} of ${ordered.length}`);
  };

  return [
    h(
      Head,
      { title: "Rules", note: "In the order of the walk: higher priorities come first." },
      h(ChangeButton, { kind: "main", icon: "plus", onClick: () => go("new-rule") }, "New rule"),
    ),
    h(
      Card,
      { bare: true },
      h(Loaded, { of: rules, lines: 6 }, () => [
        !ordered.some(isStored) &&
          h(
            Empty,
            { title: "No rules in the database yet" },
            h(
              "p",
              null,
              ordered.length > 0
                ? "Rules of the file are shown below and are changed there."
                : "Tiers, endpoints and the default hold, as the policy page shows. Rules come on top of them.",
            ),
            h(ChangeButton, { kind: "main", icon: "plus", onClick: () => go("new-rule") }, "Make the first rule"),
          ),
        ordered.length > 0 && h(RuleTable, { rules: ordered, stats: stats.data, change, reorder, onDelete: setDoomed }),
      ]),
    ),
    doomed &&
      h(
        Confirm,
        {
          title: `Delete ${doomed.name}?`,
          verb: "Delete rule",
          danger: true,
          act: () => api.delete(`v1/admin/rules/${segment(doomed.name)}`, doomed.version),
          onClose: () => setDoomed(null),
          onDone: () => {
            tell(`${doomed.name} is deleted`);
            setDoomed(null);
            rules.reload();
          },
        },
        h("p", null, "It no longer holds from then on, on every instance. Its history stays in the audit."),
        h(Preview, { removed: doomed.name }),
      ),
  ];
}
