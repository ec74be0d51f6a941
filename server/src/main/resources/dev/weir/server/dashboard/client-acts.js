// What can be done to a client: block, exempt, another quota.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api, segment } from "./api.js";
import { TextField } from "./fields.js";
import { Confirm } from "./parts.js";
import { instantOf } from "./text.js";
import { tell } from "./toasts.js";

/** Puts a client on a list; of one that is not known yet, its name is asked for. */
function Listing({ client, path, title, verb, danger, note, done, onDone, onClose }) {
  const [name, setName] = useState(client ?? "");
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const act = () => {
    const body = { client: name.trim() };
    if (reason.trim()) {
      body.reason = reason.trim();
    }
    if (until) {
      body.until = instantOf(until);
    }
    return api.post(`v1/admin/${path}`, body);
  };
  return h(
    Confirm,
    {
      title,
      verb,
      danger,
      act,
      onClose,
      isReady: name.trim() !== "",
      onDone: () => {
        tell(`${name.trim()} is ${done}`);
        onDone();
      },
    },
    h("p", { class: "soft" }, note),
    !client &&
      h(TextField, {
        label: "Client",
        hint: "user:<id>, key:<id>, or ip: with an address or a range",
        placeholder: "user:alice",
        value: name,
        onText: setName,
        required: true,
      }),
    h(TextField, { label: "Reason", hint: "For those who operate the service", value: reason, onText: setReason, maxLength: 1024 }),
    h(TextField, { label: "Until", hint: "Leave it empty to keep it for good", type: "datetime-local", value: until, onText: setUntil }),
  );
}

export function Block({ client, ...rest }) {
  return h(Listing, {
    ...rest,
    client,
    path: "blocks",
    title: client ? `Block ${client}?` : "Block a client",
    verb: "Block",
    danger: true,
    done: "blocked",
    note: "Every request is refused, before any rule is looked at.",
  });
}

export function Exempt({ client, ...rest }) {
  return h(Listing, {
    ...rest,
    client,
    path: "exemptions",
    title: client ? `Exempt ${client}?` : "Exempt a client",
    verb: "Exempt",
    done: "exempt",
    note: "Every request is allowed and none is counted, unless the client is blocked.",
  });
}

const NUMBERS = [
  ["hourly", "Each hour"],
  ["daily", "Each day"],
  ["burst", "Burst"],
  ["monthly", "Each month"],
];

/** What a user may do. Whether the user is blocked is not touched. */
export function QuotaDialog({ user, quota, onDone, onClose }) {
  const [said, setSaid] = useState(() =>
    Object.fromEntries(["tier", ...NUMBERS.map(([name]) => name)].map((name) => [name, String(quota?.[name] ?? "")])),
  );
  const act = () => {
    const body = { tier: said.tier.trim() || null };
    for (const [name] of NUMBERS) {
      const text = said[name].trim();
      body[name] = /^\d{1,15}$/.test(text) ? Number(text) : text || null;
    }
    return api.patch(`v1/admin/quotas/${segment(user)}`, body, quota?.version);
  };
  return h(
    Confirm,
    {
      title: `Quota of ${user}`,
      verb: "Save quota",
      act,
      onClose,
      onDone: () => {
        tell(`the quota of ${user} is saved`);
        onDone();
      },
    },
    h(TextField, { label: "Tier", hint: "Empty: that of the key or the token, else the default", value: said.tier, onText: (tier) => setSaid({ ...said, tier }) }),
    h(
      "div",
      { class: "fields" },
      NUMBERS.map(([name, label]) =>
        h(TextField, { label, value: said[name], inputMode: "numeric", placeholder: "no limit", onText: (text) => setSaid({ ...said, [name]: text }) }),
      ),
    ),
  );
}
