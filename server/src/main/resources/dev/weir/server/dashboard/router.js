// Pages by the part behind the # of the address: #/clients/user%3Aalice?tab=keys.
import { useEffect, useState } from "./hooks.module.js";

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (malformed) {
    return text;
  }
}

function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, ...rest] = path.split("/").map(decoded);
  return { page: page || "overview", rest, query: new URLSearchParams(query ?? "") };
}

/** The link to a page; what is behind its name may be anything. */
export function link(page, ...rest) {
  return `#/${[page, ...rest].map(encodeURIComponent).join("/")}`;
}

export function go(page, ...rest) {
  location.hash = link(page, ...rest);
}

export function useRoute() {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const follow = () => setRoute(read());
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return route;
}
