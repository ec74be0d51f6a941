// The policy that holds: every rule in the order of the walk, where it comes from, and what is wrong with the file.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { address, api } from "./api.js";
import { Badge, Card, ChangeButton, Empty, Failure, Head, Loaded, Mistakes, Table } from "./parts.js";
import { link } from "./router.js";
import { Limits } from "./rules.js";
import { useLoad, useReadOnly } from "./state.js";
import { fileName, plural } from "./text.js";
import { tell } from "./toasts.js";

const SOURCES = { file: "", database: "accent", "built-in": "" };

function Name({ rule }) {
  const name = rule.level === "rule" ? h("a", { class: "break", href: link("rules", rule.rule) }, rule.rule) : h("span", { class: "break" }, rule.rule);
  return h("span", { class: "rule-name" }, name, h("span", { class: "soft small break" }, rule.match || "every request"));
}

function Effective({ rules }) {
  if (rules.length === 0) {
    return h(Empty, { title: "No rule holds" });
  }
  return h(Table, {
    label: "Effective rules",
    rows: rules,
    columns: [
      { title: "No.", number: true, cell: (_, index) => index + 1 },
      { title: "Rule", cell: (rule) => h(Name, { rule }) },
      { title: "Level", cell: (rule) => rule.level },
      { title: "Does", cell: (rule) => h(Limits, { rule }) },
      { title: "Priority", number: true, cell: (rule) => (rule.level === "rule" ? rule.priority : "") },
      {
        title: "How",
        cell: (rule) =>
          h(
            "span",
            { class: "row" },
            rule.enabled === false && h(Badge, { kind: "warn" }, "off"),
            rule.mode === "shadow" && h(Badge, { icon: "shadow" }, "shadow"),
            rule.final && h(Badge, null, "final"),
          ),
      },
      { title: "From", cell: (rule) => h(Badge, { kind: SOURCES[rule.source] }, rule.source) },
    ],
  });
}

export function Policy() {
  const policy = useLoad(() => api.get("v1/admin/policy/effective"), [], 10_000);
  const [failure, setFailure] = useState(null);
  const reload = async () => {
    const answer = await api.post("v1/admin/policy/reload");
    setFailure(answer.ok ? null : answer);
    if (answer.ok) {
      const later = answer.data.needs_restart;
      tell(`policy ${answer.data.version} holds${later.length ? `; after a restart also ${later.join(", ")}` : ""}`);
    }
    policy.reload();
  };
  const data = policy.data;
  const isReader = Boolean(useReadOnly());
  return [
    h(
      Head,
      {
        title: "Policy",
        note: data && h("span", null, "Version ", h("code", null, data.version), " of ", h("code", { title: data.source }, fileName(data.source)), data.default_tier && ` · default tier ${data.default_tier}`),
      },
      !isReader && h("a", { class: "button", href: address("v1/admin/export"), download: "weir-export.toml" }, "Export database"),
      h(ChangeButton, { kind: "main", onClick: reload }, "Reload file"),
    ),
    failure && h(Failure, { error: failure }),
    data?.problem &&
      !failure &&
      h(
        "div",
        { class: "notice notice-bad", role: "status" },
        h("p", null, "The last change of the file did not take effect; what was there before goes on holding."),
        data.mistakes.length > 0 ? h(Mistakes, { mistakes: data.mistakes }) : h("p", null, data.problem),
      ),
    h(
      Card,
      { title: "Effective rules", side: data && h("span", { class: "soft small" }, `${plural(data.rules.length, "step")}, in the order of the walk`), bare: true },
      h(Loaded, { of: policy, lines: 8 }, ({ rules }) => h(Effective, { rules })),
    ),
  ];
}
