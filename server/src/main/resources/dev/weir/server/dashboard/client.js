// One client: what it may do and has done, what was decided on its requests, and why.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api, segment } from "./api.js";
import { Block, Exempt, QuotaDialog } from "./client-acts.js";
import { Explain } from "./explain.js";
import { Badge, Button, Card, ChangeButton, Confirm, Decision, Empty, Head, Loaded, Meter, Table, Time, TwoLines } from "./parts.js";
import { link } from "./router.js";
import { useLoad } from "./state.js";
import { count, latencyText, reason, span, when } from "./text.js";
import { complain, tell } from "./toasts.js";

function Standing({ client }) {
  return h(
    "div",
    { class: "row" },
    client.tier && h(Badge, null, `tier ${client.tier}`),
    client.block && h(Badge, { kind: "bad", icon: "blocked" }, "blocked"),
    client.exemption && h(Badge, { kind: "good", icon: "allowed" }, "exempt"),
    client.penalty > 0 && h(Badge, { kind: "warn", icon: "throttled" }, `penalty for ${span(client.penalty)}`),
    !client.block && !client.exemption && !client.penalty && h(Badge, { kind: "good", icon: "allowed" }, "in good standing"),
  );
}

function Listing({ title, entry }) {
  return (
    entry &&
    h(
      "p",
      { class: "notice notice-warn" },
      h("strong", null, title),
      entry.until ? ` until ${when(entry.until)}` : " for good",
      entry.reason && `: ${entry.reason}`,
    )
  );
}

function Counters({ counters }) {
  if (counters.length === 0) {
    return h(Empty, { title: "Nothing is used" }, h("p", null, "Counters that have recovered fully are not kept."));
  }
  return h(Table, {
    label: "Counters",
    rows: counters,
    id: (row) => row.counter,
    columns: [
      { title: "Counter", cell: (row) => h(TwoLines, { first: h("span", { class: "break" }, row.counter), second: row.algorithm }) },
      { title: "Use", cell: (row) => h(Meter, { used: row.used, of: row.limit }) },
      { title: "Used", number: true, cell: (row) => `${count(row.used)} of ${count(row.limit)}` },
      { title: "Whole again", number: true, cell: (row) => when(row.reset * 1000) },
    ],
  });
}

function Quota({ quota }) {
  if (!quota) {
    return h(Empty, { title: "No quota of its own" }, h("p", null, "Tier, endpoints and rules say what this user may do."));
  }
  const fact = (title, value) => h("div", null, h("dt", null, title), h("dd", null, value));
  const most = (value) => (value === null ? "no limit" : count(value));
  return h(
    "div",
    { class: "stack" },
    quota.monthly !== null &&
      h(
        "div",
        { class: "stack-tight" },
        h(
          "div",
          { class: "row row-between" },
          h("span", null, `${count(quota.used_this_month)} of ${count(quota.monthly)} this month`),
          quota.resets_at && h("span", { class: "soft small" }, "anew ", h(Time, { at: quota.resets_at })),
        ),
        h(Meter, { used: quota.used_this_month, of: quota.monthly }),
      ),
    h(
      "dl",
      { class: "facts" },
      fact("Each hour", most(quota.hourly)),
      fact("Each day", most(quota.daily)),
      fact("Burst", quota.burst === null ? "–" : count(quota.burst)),
      fact("Used today", count(quota.used_today)),
      fact("Refused by quota", count(quota.exceeded)),
      fact("Last request", h(Time, { at: quota.last_request })),
    ),
  );
}

function Keys({ keys }) {
  return h(Table, {
    label: "Keys of this user",
    rows: keys,
    id: (row) => row.id,
    columns: [
      { title: "Key", cell: (row) => h("a", { class: "mono break", href: link("clients", `key:${row.id}`) }, row.id) },
      { title: "Name", class: "break", cell: (row) => row.name },
      { title: "State", cell: (row) => h(Badge, { kind: row.active ? "good" : "bad" }, row.active ? "active" : "revoked") },
      { title: "Last used", cell: (row) => h(Time, { at: row.last_used }) },
    ],
  });
}

function Decisions({ entries, onWhy }) {
  if (entries.length === 0) {
    return h(
      Empty,
      { title: "No decisions are kept of this client" },
      h("p", null, "By default only refusals are kept; ", h("code", null, "audit.decisions"), " says which."),
    );
  }
  return h(Table, {
    label: "Last decisions",
    rows: entries,
    columns: [
      { title: "When", cell: (row) => h(Time, { at: row.timestamp }) },
      { title: "Decision", cell: (row) => h(Decision, { name: row.decision }) },
      { title: "Request", class: "break", cell: (row) => h("code", null, `${row.http_method} ${row.path}`) },
      {
        title: "Why",
        class: "break",
        cell: (row) =>
          h(
            "span",
            null,
            reason(row.reason),
            row.rule_name && h("span", { class: "soft" }, ` (${row.rule_name}${row.limit_value ? `, ${count(row.current_count)} of ${count(row.limit_value)}` : ""})`),
          ),
      },
      { title: "Took", number: true, cell: (row) => latencyText(row.latency_micros) },
      {
        title: "Actions",
        quiet: true,
        cell: (row) => h(Button, { small: true, onClick: () => onWhy(row) }, "Explain"),
      },
    ],
  });
}

/** What to ask the server to explain, of a decision that was kept. */
function requestOf(row) {
  return { method: row.http_method, path: row.path, ip: row.ip_address, user: row.user_id, key: row.api_key_id, tier: row.tier };
}

/** What to ask about a client of which only its name is known. */
function requestBy(id) {
  const [kind] = id.split(":", 1);
  return { method: "GET", path: "/", [kind]: id.slice(kind.length + 1) };
}

export function ClientPage({ id }) {
  const path = segment(id);
  const client = useLoad(() => api.get(`v1/admin/clients/${path}`), [id], 5000);
  const audit = useLoad(() => api.get("v1/admin/audit", { client: id, limit: 20 }), [id], 5000);
  const [dialog, setDialog] = useState(null);
  const [asked, setAsked] = useState(() => requestBy(id));
  const done = () => {
    setDialog(null);
    client.reload();
  };
  const unlist = async (list, word) => {
    const answer = await api.delete(`v1/admin/${list}/${path}`);
    if (answer.ok) {
      tell(`${id} is ${word}`);
    } else {
      complain(answer.message);
    }
    client.reload();
  };
  const data = client.data;
  const user = id.startsWith("user:") ? id.slice(5) : null;
  return [
    h(
      Head,
      { title: id, note: data ? h(Standing, { client: data }) : "…" },
      data &&
        (data.block
          ? h(ChangeButton, { onClick: () => unlist("blocks", "no longer blocked") }, "Unblock")
          : h(ChangeButton, { kind: "danger", onClick: () => setDialog("block") }, "Block…")),
      data &&
        (data.exemption
          ? h(ChangeButton, { onClick: () => unlist("exemptions", "no longer exempt") }, "Remove exemption")
          : h(ChangeButton, { onClick: () => setDialog("exempt") }, "Exempt…")),
      data && h(ChangeButton, { onClick: () => setDialog("reset") }, "Reset counters…"),
    ),
    h(Loaded, { of: client, lines: 8 }, (known) => [
      h(Listing, { title: "Blocked", entry: known.block }),
      h(Listing, { title: "Exempt", entry: known.exemption }),
      h(
        "div",
        { class: user === null ? "" : "columns-uneven" },
        h(Card, { title: "Counters", bare: true }, h(Counters, { counters: known.counters })),
        user !== null &&
          h(
            Card,
            { title: "Quota", side: h(ChangeButton, { small: true, onClick: () => setDialog("quota") }, "Change…") },
            h(Quota, { quota: known.quota }),
          ),
      ),
      known.keys.length > 0 && h(Card, { title: "Keys", bare: true }, h(Keys, { keys: known.keys })),
    ]),
    h(
      Card,
      { title: "Last decisions", bare: true },
      h(Loaded, { of: audit }, (page) => h(Decisions, { entries: page.items, onWhy: (row) => setAsked(requestOf(row)) })),
    ),
    h(Explain, { request: asked }),
    dialog === "block" && h(Block, { client: id, onDone: done, onClose: () => setDialog(null) }),
    dialog === "exempt" && h(Exempt, { client: id, onDone: done, onClose: () => setDialog(null) }),
    dialog === "quota" && h(QuotaDialog, { user, quota: data?.quota, onDone: done, onClose: () => setDialog(null) }),
    dialog === "reset" &&
      h(
        Confirm,
        {
          title: `Reset the counters of ${id}?`,
          verb: "Reset counters",
          act: () => api.delete(`v1/admin/counters/${path}`),
          onClose: () => setDialog(null),
          onDone: () => {
            tell(`the counters of ${id} are reset`);
            done();
          },
        },
        h("p", null, "All that it has used is forgotten, and its penalty too. Monthly quotas stay as they are."),
      ),
  ];
}
