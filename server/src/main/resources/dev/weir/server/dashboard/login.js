// Signing in with the admin token or the read token.
import { h } from "./preact.module.js";
import { useEffect, useRef, useState } from "./hooks.module.js";
import { signIn } from "./api.js";
import { TextField } from "./fields.js";

/** Why the server has refused, in words for the one who has typed. */
function refusal(answer) {
  if (answer.status === 429) {
    return `Too many wrong tokens; try again${answer.retryAfter ? ` in ${answer.retryAfter} s` : " in a minute"}`;
  }
  return answer.status === 401 ? "That is neither the admin token nor the read token" : answer.message;
}

export function Login({ note, onSignedIn }) {
  const [token, setToken] = useState("");
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  const form = useRef(null);
  useEffect(() => {
    document.title = "Sign in · Weir";
    form.current.querySelector("input").focus();
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    const answer = await signIn(token.trim());
    setBusy(false);
    if (answer.ok) {
      onSignedIn(answer.data);
    } else {
      setError(refusal(answer));
    }
  };
  return h(
    "main",
    { class: "login", id: "main" },
    h(
      "form",
      { class: "card", ref: form, onSubmit: submit },
      h("div", { class: "brand" }, h("img", { src: "dashboard/icon.svg", alt: "", width: 28, height: 28 }), h("h1", null, "Sign in to Weir")),
      note && h("p", { class: "notice" }, note),
      h(TextField, {
        label: "Token",
        type: "password",
        autocomplete: "current-password",
        hint: "The admin token, or the read token to look only",
        value: token,
        error,
        onText: (text) => {
          setToken(text);
          setError("");
        },
        required: true,
      }),
      h("span", { class: "visually-hidden", role: "alert" }, error),
      h("button", { type: "submit", class: "button button-main", disabled: isBusy || token.trim() === "" }, "Sign in"),
    ),
  );
}
