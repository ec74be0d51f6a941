// Finding a client, and who is blocked or exempt.
import { h } from "./preact.module.js";
import { useState } from "./hooks.module.js";
import { api, segment } from "./api.js";
import { Block, Exempt } from "./client-acts.js";
import { Badge, Card, ChangeButton, ClientLink, Empty, Head, Loaded, Table, Time } from "./parts.js";
import { go } from "./router.js";
import { useLoad, useRested } from "./state.js";
import { complain, tell } from "./toasts.js";

const TYPED_MILLIS = 200;

const KNOWN = { quota: "", key: "accent", block: "bad", exemption: "good", refused: "warn" };

function Found({ clients, text }) {
  if (clients.length === 0) {
    return text
      ? h(
          Empty,
          { title: `Nobody is known by “${text}”` },
          h("p", null, "Write a client in full, such as user:alice, key:… or ip:203.0.113.7, to look at anybody."),
        )
      : h(
          Empty,
          { title: "No clients are known yet" },
          h("p", null, "Users with quotas, keys, blocked, exempt and refused clients are listed here."),
        );
  }
  return h(Table, {
    label: "Clients",
    rows: clients,
    id: (row) => row.client,
    columns: [
      { title: "Client", cell: (row) => h(ClientLink, { id: row.client }) },
      {
        title: "Known by",
        cell: (row) => h("span", { class: "row" }, row.known_as.map((kind) => h(Badge, { kind: KNOWN[kind] }, kind))),
      },
    ],
  });
}

/** Those on one of the two lists. */
function Listed({ title, path, verb, empty, add, needs, onChange }) {
  const list = useLoad(() => api.get(`v1/admin/${path}`), [needs]);
  const remove = async (row) => {
    const answer = await api.delete(`v1/admin/${path}/${segment(row.client)}`);
    if (answer.ok) {
      tell(`${row.client}: ${verb.toLowerCase()} done`);
    } else {
      complain(answer.message);
    }
    onChange();
  };
  return h(
    Card,
    { title, side: add, bare: true },
    h(Loaded, { of: list }, ({ items: rows }) =>
      rows.length === 0
        ? h(Empty, { title: empty })
        : h(Table, {
            label: title,
            rows,
            id: (row) => row.client,
            columns: [
              { title: "Client", cell: (row) => h(ClientLink, { id: row.client }) },
              { title: "Reason", class: "break", cell: (row) => row.reason || h("span", { class: "soft" }, "none given") },
              { title: "Until", class: "nowrap", cell: (row) => (row.until ? h(Time, { at: row.until }) : "for good") },
              {
                title: "Actions",
                quiet: true,
                cell: (row) =>
                  row.source === "file"
                    ? h(Badge, { icon: "lock", title: "It is in the file and is changed there" }, "file")
                    : h(ChangeButton, { small: true, "aria-label": `${verb} ${row.client}`, onClick: () => remove(row) }, verb),
              },
            ],
          }),
    ),
  );
}

export function Clients() {
  const [text, setText] = useState("");
  const [dialog, setDialog] = useState(null);
  const [turn, setTurn] = useState(0);
  const asked = useRested(text.trim(), TYPED_MILLIS);
  const found = useLoad(() => api.get("v1/admin/clients", { q: asked, limit: 20 }), [asked, turn]);
  const changed = () => {
    setDialog(null);
    setTurn(turn + 1);
  };
  const open = (event) => {
    event.preventDefault();
    const first = found.data?.items[0];
    const exact = found.data?.items.find((row) => row.client === text.trim());
    if (exact ?? first) {
      go("clients", (exact ?? first).client);
    }
  };
  return [
    h(Head, { title: "Clients", note: "Users, API keys and addresses: what they use, and what was decided." }),
    h(
      "form",
      { class: "search", role: "search", onSubmit: open },
      h("input", {
        class: "input",
        type: "search",
        "aria-label": "Search for a user, a key or an address",
        placeholder: "alice, key:…, ip:203.0.113.7",
        autocomplete: "off",
        spellcheck: false,
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
      }),
      h("button", { type: "submit", class: "button" }, "Open"),
    ),
    h(
      Card,
      { title: asked ? "Found" : "Known clients", bare: true },
      h(Loaded, { of: found }, (data) => h(Found, { clients: data.items, text: asked })),
    ),
    h(
      "div",
      { class: "columns" },
      h(Listed, {
        title: "Blocked",
        path: "blocks",
        verb: "Unblock",
        empty: "Nobody is blocked",
        needs: turn,
        onChange: changed,
        add: h(ChangeButton, { small: true, icon: "plus", onClick: () => setDialog("block") }, "Block a client"),
      }),
      h(Listed, {
        title: "Exempt",
        path: "exemptions",
        verb: "Remove",
        empty: "Nobody is exempt",
        needs: turn,
        onChange: changed,
        add: h(ChangeButton, { small: true, icon: "plus", onClick: () => setDialog("exempt") }, "Exempt a client"),
      }),
    ),
    dialog === "block" && h(Block, { onDone: changed, onClose: () => setDialog(null) }),
    dialog === "exempt" && h(Exempt, { onDone: changed, onClose: () => setDialog(null) }),
  ];
}
