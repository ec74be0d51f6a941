// What would be decided on a request now, and what every rule has to do with it.
import { h } from "./preact.module.js";
import { useEffect, useRef, useState } from "./hooks.module.js";
import { api } from "./api.js";
import { TextField } from "./fields.js";
import { Badge, Button, Card, Decision, Failure } from "./parts.js";
import { useLoad } from "./state.js";
import { count, reason, span } from "./text.js";

function Walk({ rules }) {
  return h(
    "ol",
    { class: "walk" },
    rules.map((rule) =>
      h(
        "li",
        null,
        h("span", null, rule.matched ? h(Badge, { kind: "accent" }, "holds") : h(Badge, null, "no match")),
        h("span", { class: "break" }, h("strong", null, rule.rule), `: ${rule.why}`),
      ),
    ),
  );
}

function Answer({ answer }) {
  return h(
    "div",
    { class: "why" },
    h(
      "p",
      { class: "row" },
      h(Decision, { name: answer.decision }),
      h("span", null, reason(answer.reason)),
      answer.rule && h("strong", { class: "break" }, answer.rule),
      answer.limit !== undefined && h("span", { class: "soft" }, `${count(answer.remaining)} of ${count(answer.limit)} left`),
      answer.retry_after !== undefined && h("span", { class: "soft" }, `again in ${span(answer.retry_after)}`),
    ),
    h(Walk, { rules: answer.rules }),
  );
}

/** @param request what to begin with: a method, a path, and who asks */
export function Explain({ request }) {
  const [method, setMethod] = useState(request.method);
  const [path, setPath] = useState(request.path);
  const [asked, setAsked] = useState(null);
  const ask = (changes) => setAsked(Object.fromEntries(Object.entries({ ...request, ...changes }).filter(([, value]) => value)));
  const place = useRef(null);
  const explained = useLoad(asked ? () => api.post("v1/explain", asked) : undefined, [asked]);
  useEffect(() => {
    setMethod(request.method);
    setPath(request.path);
    if (request.path !== "/") {
      ask({});
      place.current.scrollIntoView({ block: "nearest" });
    }
  }, [request]);
  return h(
    Card,
    { title: "Why? Explain a request of this client" },
    h(
      "div",
      { class: "stack", ref: place },
      h(
        "form",
        {
          class: "filters",
          onSubmit: (event) => {
            event.preventDefault();
            ask({ method, path });
          },
        },
        h(TextField, { label: "Method", value: method, onText: setMethod }),
        h(TextField, { label: "Path", value: path, onText: setPath }),
        h("div", null, h(Button, { type: "submit" }, "Explain")),
      ),
      h(
        "div",
        { "aria-live": "polite", class: "stack-tight" },
        !asked && h("p", { class: "soft" }, "Says what would be decided now and what each rule has to do with it. Nothing is counted."),
        explained.error && h(Failure, { error: explained.error }),
        explained.data && h(Answer, { answer: explained.data }),
      ),
    ),
  );
}
