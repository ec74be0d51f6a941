// A rule as its form has it, and as the server has it.
import { listed } from "./text.js";

/** What the server adds to a rule, and what is no part of it. */
const ADDED = new Set(["source", "version", "created_at", "created_by", "updated_at", "updated_by"]);

/** The rule alone, as it can be sent back. */
export function bare(entry) {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !ADDED.has(name)));
}

export const CONDITIONS = ["path", "method", "endpoint", "tier", "user", "key", "ip", "header"];

/** The form of a rule; of a new one without any. */
export function draftOf(entry = {}) {
  const { match = {}, response = {} } = entry;
  const conditions = [];
  for (const [kind, value] of Object.entries(match)) {
    if (kind === "header") {
      for (const [header, values] of Object.entries(value)) {
        conditions.push({ kind, header, values: listed(values).join(", ") });
      }
    } else {
      conditions.push({ kind, header: "", values: listed(value).join(", ") });
    }
  }
  const text = (value) => (value === undefined || value === null ? "" : String(value));
  return {
    name: entry.name ?? "",
    priority: text(entry.priority ?? 100),
    enabled: entry.enabled ?? true,
    mode: entry.mode ?? "enforce",
    action: entry.action ?? "throttle",
    limits: entry.limits ? listed(entry.limits) : ["100/m"],
    algorithm: entry.algorithm ?? "",
    burst: text(entry.burst),
    scope: entry.scope ?? "client",
    final: entry.final ?? false,
    failure_mode: entry.failure_mode ?? "",
    conditions: conditions.length || entry.name ? conditions : [{ kind: "path", header: "", values: "/api/**" }],
    status: text(response.status),
    message: text(response.message),
    retry_after: text(response.retry_after),
  };
}

/** A whole number if it is one, else the text, of which the server says what is wrong. */
function number(text) {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

const values = (text) =>
  text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");

function matchOf(conditions) {
  const match = {};
  for (const { kind, header, values: text } of conditions) {
    if (kind === "header") {
      match.header = { ...match.header, [header.trim()]: values(text) };
    } else {
      match[kind] = [...(match[kind] ?? []), ...values(text)];
    }
  }
  return match;
}

/** The rule that a form stands for; what has its standard value is left out. */
export function ruleOf(draft) {
  const rule = { name: draft.name.trim(), priority: number(draft.priority) };
  const put = (name, value, standard) => {
    if (value !== standard) {
      rule[name] = value;
    }
  };
  put("enabled", draft.enabled, true);
  put("mode", draft.mode, "enforce");
  put("action", draft.action, "throttle");
  if (draft.conditions.length > 0) {
    rule.match = matchOf(draft.conditions);
  }
  if (draft.action === "throttle") {
    rule.limits = draft.limits.map((limit) => limit.trim());
    put("algorithm", draft.algorithm, "");
    put("scope", draft.scope, "client");
    put("final", draft.final, false);
    put("failure_mode", draft.failure_mode, "");
    if (draft.burst.trim()) {
      rule.burst = number(draft.burst);
    }
  }
  const response = {};
  if (draft.status.trim()) {
    response.status = number(draft.status);
  }
  if (draft.message.trim()) {
    response.message = draft.message;
  }
  if (draft.retry_after.trim()) {
    response.retry_after = number(draft.retry_after);
  }
  if (Object.keys(response).length > 0) {
    rule.response = response;
  }
  return rule;
}

/** What a rule asks for, in one line. */
export function conditionsText(match = {}) {
  const parts = [];
  for (const [kind, value] of Object.entries(match)) {
    if (kind === "header") {
      for (const [header, wanted] of Object.entries(value)) {
        parts.push(`header ${header}: ${listed(wanted).join(" or ")}`);
      }
    } else {
      parts.push(`${kind} ${listed(value).join(", ")}`);
    }
  }
  return parts.join(" · ") || "every request";
}
