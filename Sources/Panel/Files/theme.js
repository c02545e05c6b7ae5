// The chosen theme: "light", "dark", or nothing, which follows the system. It is kept in this browser only.
(() => {
  const KEY = "breeze.theme";
  const read = () => {
    try {
      return localStorage.getItem(KEY) ?? "system";
    } catch {
      return "system"; // a browser that keeps nothing still has a panel
    }
  };
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  window.breezeTheme = {
    get: read,
    set(theme) {
      try {
        if (theme === "system") localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, theme);
      } catch {
        // It holds until the page is closed.
      }
      apply(theme);
    },
  };
  apply(read());
})();
