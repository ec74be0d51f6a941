// API keys: made here and shown once, revoked, and who has which.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api, segment } from "./api.js";
import { TextField } from "./fields.js";
import { Badge, Button, Card, ChangeButton, ClientLink, Confirm, Dialog, Empty, Head, Loaded, Table, Time } from "./parts.js";
import { useLoad, useRested } from "./state.js";
import { count, instantOf } from "./text.js";
import { complain, tell } from "./toasts.js";

function NewKey({ onMade, onClose }) {
  const [said, setSaid] = useState({ user: "", name: "", tier: "", limits: "", expires: "" });
  const act = () => {
    const body = { user: said.user.trim() };
    for (const name of ["name", "tier"]) {
      if (said[name].trim()) {
        body[name] = said[name].trim();
      }
    }
    const limits = said.limits.split(",").map((limit) => limit.trim()).filter(Boolean);
    if (limits.length > 0) {
      body.limits = limits;
    }
    if (said.expires) {
      body.expires = instantOf(said.expires);
    }
    return api.post("v1/admin/keys", body);
  };
  const field = (name, label, more) =>
    h(TextField, { label, value: said[name], onText: (text) => setSaid({ ...said, [name]: text }), ...more });
  return h(
    Confirm,
    { title: "New key", verb: "Create key", act, onClose, onDone: (answer) => onMade(answer.data), isReady: said.user.trim() !== "" },
    field("user", "User", { hint: "Whose key it is", required: true }),
    field("name", "Name", { hint: "What people call it" }),
    field("tier", "Tier", { hint: "Empty: that of the user, else the default" }),
    field("limits", "Limits of its own", { placeholder: "10/s, 1000/day", hint: "In place of the tier's" }),
    field("expires", "Expires", { type: "datetime-local", hint: "Leave it empty for a key without an end" }),
  );
}

/** The one time that a key is shown. */
function Made({ made, onClose }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.key);
      setCopied(true);
    } catch (forbidden) {
      complain("the browser does not let this page copy; select the key and copy it by hand");
    }
  };
  return h(
    Dialog,
    {
      title: `The key of ${made.user}`,
      onClose,
      foot: [
        h(Button, { onClick: copy }, isCopied ? "Copied" : "Copy"),
        h(Button, { kind: "main", onClick: onClose }, "I have kept it"),
      ],
    },
    h("p", { class: "notice notice-warn" }, "Keep it now: it is shown this once and can never be shown again."),
    h("code", { class: "secret break", "data-key": "" }, made.key),
    h("p", { class: "soft small" }, "It is sent in the field ", h("code", null, "X-API-Key"), "."),
  );
}

function state(key) {
  if (!key.active) {
    return ["bad", "revoked"];
  }
  return key.expires && Date.parse(key.expires) <= Date.now() ? ["warn", "expired"] : ["good", "active"];
}

function KeyTable({ keys, onRevoke }) {
  return h(Table, {
    label: "Keys",
    rows: keys,
    id: (key) => key.id,
    columns: [
      { title: "Key", cell: (key) => h("span", { class: "rule-name" }, h("span", { class: "break" }, key.name || "unnamed"), h("code", { class: "soft break" }, key.id)) },
      { title: "User", cell: (key) => h(ClientLink, { id: `user:${key.user}` }) },
      { title: "Tier", class: "break", cell: (key) => key.tier ?? h("span", { class: "soft" }, "of the user") },
      { title: "Limits", cell: (key) => h("span", { class: "limits" }, key.limits.map((limit) => h("code", null, limit))) },
      { title: "State", cell: (key) => h(Badge, { kind: state(key)[0] }, state(key)[1]) },
      { title: "Requests", number: true, cell: (key) => count(key.total_requests) },
      { title: "Last used", cell: (key) => h(Time, { at: key.last_used }) },
      { title: "Expires", cell: (key) => (key.expires ? h(Time, { at: key.expires }) : "never") },
      {
        title: "Actions",
        quiet: true,
        cell: (key) =>
          key.active &&
          h(ChangeButton, { kind: "danger", small: true, "aria-label": `Revoke ${key.name || key.id}`, onClick: () => onRevoke(key) }, "Revoke"),
      },
    ],
  });
}

export function Keys() {
  const [user, setUser] = useState("");
  const asked = useRested(user.trim(), 250);
  const [size, setSize] = useState(50);
  const keys = useLoad(() => api.get("v1/admin/keys", { user: asked, limit: size }), [asked, size]);
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState(null);
  const [doomed, setDoomed] = useState(null);
  return [
    h(
      Head,
      { title: "API keys", note: "Only a print of each key is kept; the key itself is shown once." },
      h(ChangeButton, { kind: "main", icon: "plus", onClick: () => setNew(true) }, "New key"),
    ),
    h(
      "div",
      { class: "search" },
      h("input", {
        class: "input",
        type: "search",
        "aria-label": "Keys of one user",
        placeholder: "Keys of one user, by its full name",
        value: user,
        onInput: (event) => setUser(event.currentTarget.value),
      }),
    ),
    h(
      Card,
      { bare: true },
      h(Loaded, { of: keys, lines: 6 }, (page) => {
        if (page.items.length === 0) {
          return asked
            ? h(Empty, { title: `No keys of “${asked}”` }, h("p", null, "Users are found by their full name."))
            : h(Empty, { title: "No keys yet" }, h("p", null, "A key tells the service who asks, with a tier and limits of its own if you like."));
        }
        return [
          h(KeyTable, { keys: page.items, onRevoke: setDoomed }),
          page.next && h("div", { class: "card-body" }, h(Button, { onClick: () => setSize(Math.min(1000, size * 2)), disabled: size >= 1000 }, "More keys")),
        ];
      }),
    ),
    isNew &&
      h(NewKey, {
        onClose: () => setNew(false),
        onMade: (key) => {
          setNew(false);
          setMade(key);
          keys.reload();
        },
      }),
    made && h(Made, { made, onClose: () => setMade(null) }),
    doomed &&
      h(
        Confirm,
        {
          title: `Revoke ${doomed.name || doomed.id}?`,
          verb: "Revoke key",
          danger: true,
          act: () => api.delete(`v1/admin/keys/${segment(doomed.id)}`, undefined),
          onClose: () => setDoomed(null),
          onDone: () => {
            tell(`${doomed.name || doomed.id} is revoked`);
            setDoomed(null);
            keys.reload();
          },
        },
        h("p", null, `Whoever shows it counts as without a key from now on. ${doomed.user} needs another one; this cannot be taken back.`),
      ),
  ];
}
