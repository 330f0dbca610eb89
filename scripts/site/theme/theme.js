/** Sets the chosen theme before anything is drawn; without a choice the system decides. */
(() => {
  const read = () => {
    try {
      return localStorage.getItem('sinebar-docs-theme');
    } catch {
      // Storage is closed for files in some browsers.
      return null;
    }
  };
  const theme = read();
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
