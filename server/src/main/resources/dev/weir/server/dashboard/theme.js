// Which theme is shown: the one that was chosen here, else the system's.
(() => {
  const KEY = "weir-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function kept() {
    try {
      return localStorage.getItem(KEY);
    } catch (forbidden) {
      return null;
    }
  }

  function show() {
    const chosen = kept();
    const isDark = chosen ? chosen === "dark" : system.matches;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    window.dispatchEvent(new Event("weir-theme"));
  }

  window.weirTheme = {
    toggle() {
      try {
        localStorage.setItem(KEY, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
      } catch (forbidden) {
        // A browser that keeps nothing shows the system's.
      }
      show();
    },
  };
  system.addEventListener("change", show);
  show();
})();
