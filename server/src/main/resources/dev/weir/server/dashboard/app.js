// The frame of all pages, and which of them is shown.
import { h, render } from "./preact.module.js";
import { useEffect, useRef, useState } from "./hooks.module.js";
import { onSignedOut, readSession, signOut } from "./api.js";
import { Audit } from "./audit.js";
import { Backtest } from "./backtest.js";
import { ClientPage } from "./client.js";
import { Clients } from "./clients.js";
import { Icon } from "./icons.js";
import { Keys } from "./keys.js";
import { Login } from "./login.js";
import { Overview } from "./overview.js";
import { Badge, Button, Empty, Head } from "./parts.js";
import { Policy } from "./policy.js";
import { link, useRoute } from "./router.js";
import { NewRule, Rule } from "./rule-editor.js";
import { Rules } from "./rules.js";
import { Session, useTheme } from "./state.js";
import { Toasts } from "./toasts.js";

const PAGES = [
  ["overview", "Overview"],
  ["rules", "Rules"],
  ["clients", "Clients"],
  ["keys", "API keys"],
  ["audit", "Audit"],
  ["policy", "Policy"],
  ["backtest", "Backtest"],
];

function Page({ page, rest: [name] }) {
  switch (page) {
    case "overview":
      return h(Overview);
    case "rules":
      return name ? h(Rule, { key: name, name }) : h(Rules);
    case "new-rule":
      return h(NewRule);
    case "clients":
      return name ? h(ClientPage, { key: name, id: name }) : h(Clients);
    case "keys":
      return h(Keys);
    case "audit":
      return h(Audit, { tab: name });
    case "policy":
      return h(Policy);
    case "backtest":
      return h(Backtest);
    default:
      return [
        h(Head, { title: "There is no such page" }),
        h(Empty, { title: "Nothing here" }, h("a", { href: link("overview") }, "Go to the overview")),
      ];
  }
}

function Navigation({ page }) {
  const at = page === "new-rule" ? "rules" : page;
  return h(
    "nav",
    { class: "nav", "aria-label": "Pages" },
    h(
      "ul",
      null,
      PAGES.map(([name, title]) =>
        h("li", null, h("a", { href: link(name), "aria-current": name === at ? "page" : undefined }, h(Icon, { name }), title)),
      ),
    ),
  );
}

function Foot({ session, onLeave }) {
  const theme = useTheme();
  return h(
    "div",
    { class: "foot" },
    h(
      "div",
      { class: "where break" },
      session.role === "reader" && h("p", null, h(Badge, { icon: "shadow", title: "The read token may not change anything" }, "read only")),
      h("p", null, session.server),
      h("p", null, `region ${session.region}`),
      session.version !== "unknown" && h("p", null, `Weir ${session.version}`),
    ),
    h(
      "div",
      { class: "row" },
      h(Button, {
        kind: "plain",
        small: true,
        icon: "theme",
        label: theme === "dark" ? "Use the light theme" : "Use the dark theme",
        onClick: () => window.weirTheme.toggle(),
      }),
      session.login === "token" && h(Button, { kind: "plain", small: true, icon: "leave", onClick: onLeave }, "Sign out"),
    ),
  );
}

function Shell({ session, onLeave }) {
  const route = useRoute();
  const main = useRef(null);
  const isFirst = useRef(true);
  const place = [route.page, ...route.rest].join("/");
  useEffect(() => {
    // Readers of the page are taken to its content, but not when it has just been opened.
    if (!isFirst.current) {
      main.current.focus();
      window.scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [place]);
  const skip = (event) => {
    event.preventDefault();
    main.current.focus();
  };
  return h(
    Session.Provider,
    { value: session },
    h("a", { class: "skip", href: "#main", onClick: skip }, "Skip to the content"),
    h(
      "div",
      { class: "shell" },
      h(
        "header",
        { class: "side" },
        h("a", { class: "brand", href: link("overview") }, h("img", { src: "dashboard/icon.svg", alt: "", width: 22, height: 22 }), "Weir"),
        h(Navigation, { page: route.page }),
        h(Foot, { session, onLeave }),
      ),
      h("main", { class: "main", id: "main", tabIndex: -1, ref: main }, h(Page, { key: route.page, ...route })),
    ),
    h(Toasts),
  );
}

function App({ first }) {
  const [session, setSession] = useState(first);
  const [note, setNote] = useState("");
  useEffect(() => {
    onSignedOut(() => {
      setSession((now) => ({ ...now, role: null }));
      setNote("The session has ended; sign in again.");
    });
  }, []);
  const leave = async () => {
    await signOut();
    setNote("");
    setSession({ ...session, role: null });
  };
  return session.role ? h(Shell, { session, onLeave: leave }) : h(Login, { note, onSignedIn: setSession });
}

function Unreachable({ error }) {
  return h(
    "main",
    { class: "login" },
    h(
      "div",
      { class: "card" },
      h("h1", null, "Weir cannot be reached"),
      h("p", null, error.message),
      h(Button, { kind: "main", onClick: () => location.reload() }, "Try again"),
    ),
  );
}

const answer = await readSession();
const place = document.getElementById("app");
place.replaceChildren();
render(answer.ok ? h(App, { first: answer.data }) : h(Unreachable, { error: answer }), place);
