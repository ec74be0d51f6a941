// What pages share: who is signed in, loading from the server, waiting until somebody has typed.
import { createContext } from "./preact.module.js";
import { useCallback, useContext, useEffect, useRef, useState } from "./hooks.module.js";

export const Session = createContext(null);

/** Why the one who is signed in may not change anything; undefined if they may. */
export function useReadOnly() {
  return useContext(Session).role === "admin" ? undefined : "The read token may not change anything";
}

/**
 * What a call answers. The last answer stays while the next one is awaited, so that nothing flickers.
 *
 * @param load makes the call; undefined: there is nothing to ask for
 * @param needs what the call depends on
 * @param every how often it is made again while the page can be seen, in milliseconds
 */
export function useLoad(load, needs, every) {
  const [state, setState] = useState({ data: undefined, error: undefined });
  const turn = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++turn.current;
    const answer = await load?.();
    if (mine !== turn.current || !answer) {
      return;
    }
    setState((before) =>
      answer.ok ? { data: answer.data, error: undefined } : { data: before.data, error: answer },
    );
  }, needs);

  useEffect(() => {
    let timer;
    let isOver = false;
    // The next call waits for the one before, so that a slow server is not asked ever more.
    const ask = async () => {
      if (!document.hidden) {
        await reload();
      }
      if (every && !isOver) {
        timer = setTimeout(ask, every);
      }
    };
    const look = () => {
      if (!document.hidden && every) {
        clearTimeout(timer);
        ask();
      }
    };
    ask();
    document.addEventListener("visibilitychange", look);
    return () => {
      isOver = true;
      turn.current++;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [reload, every]);
  return { ...state, reload };
}

/** A value once it has rested for so many milliseconds. */
export function useRested(value, millis) {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), millis);
    return () => clearTimeout(timer);
  }, [value, millis]);
  return rested;
}

/** The theme that is shown; drawings on a canvas do not follow it by themselves. */
export function useTheme() {
  const now = () => document.documentElement.dataset.theme;
  const [theme, setTheme] = useState(now);
  useEffect(() => {
    const follow = () => setTheme(now());
    window.addEventListener("weir-theme", follow);
    return () => window.removeEventListener("weir-theme", follow);
  }, []);
  return theme;
}
