// Calls of the server. What goes wrong is a value: {ok: false, status, message, field, mistakes}.

/** Where the service is, also if a proxy has put it below a path. */
const root = new URL("../", import.meta.url);

let csrf = null;
let whenSignedOut = () => {};

/** Who is told that the session has ended. */
export function onSignedOut(listener) {
  whenSignedOut = listener;
}

/** The address of a call, for links. */
export function address(path, query) {
  const url = new URL(path, root);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== "" && value !== null && value !== undefined) {
      url.searchParams.set(name, value);
    }
  }
  return url.href;
}

/** A name as one segment of a path. */
export const segment = encodeURIComponent;

function failure(status, said) {
  return {
    ok: false,
    status,
    message: said.message ?? `the server answered with status ${status}`,
    field: said.field ?? "",
    mistakes: said.mistakes ?? [],
    retryAfter: said.retryAfter,
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (noJson) {
    return null;
  }
}

async function call(method, path, { query, body, fields, signal } = {}) {
  const headers = { Accept: "application/json", ...fields };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  if (csrf && method !== "GET") {
    headers["X-CSRF-Token"] = csrf;
  }
  let answer;
  let text;
  try {
    answer = await fetch(address(path, query), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "same-origin",
      signal,
    });
    text = await answer.text();
  } catch (gone) {
    return failure(0, { message: "the server cannot be reached; this page tries again by itself" });
  }
  const json = parsed(text);
  if (answer.ok) {
    return { ok: true, status: answer.status, data: json ?? text };
  }
  const failed = failure(answer.status, { ...json, retryAfter: answer.headers.get("Retry-After") });
  if (answer.status === 401 && path !== "v1/session") {
    whenSignedOut();
  }
  return failed;
}

function ifMatch(version) {
  return version === undefined ? {} : { "If-Match": `"${version}"` };
}

export const api = {
  get: (path, query, options) => call("GET", path, { query, ...options }),
  post: (path, body, query, options) => call("POST", path, { body, query, ...options }),
  /** Changes what has that version; any, if none is given. */
  put: (path, body, version, query) =>
    call("PUT", path, { body, query, fields: ifMatch(version) }),
  /** As put, but changes only what the body names; null removes. */
  patch: (path, body, version) => call("PATCH", path, { body, fields: ifMatch(version) }),
  delete: (path, version) => call("DELETE", path, { fields: ifMatch(version) }),
};

function keep(answer) {
  if (answer.ok) {
    csrf = answer.data.csrf;
  }
  return answer;
}

/** Who is signed in, if anybody is. */
export async function readSession() {
  return keep(await api.get("v1/session"));
}

export async function signIn(token) {
  return keep(await api.post("v1/session", { token }));
}

export async function signOut() {
  const answer = await api.delete("v1/session");
  csrf = null;
  return answer;
}
