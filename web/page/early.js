/** Before anything is drawn: the theme, which is the one that was chosen or the system's. And if the page itself cannot be loaded, a sentence. */
(() => {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      return JSON.parse(localStorage.getItem('tabiya.choices') ?? '{}').theme;
    } catch {
      return undefined;
    }
  };
  const apply = () => {
    const theme = chosen();
    document.documentElement.dataset.theme = theme === 'dark' || theme === 'light' ? theme : system.matches ? 'dark' : 'light';
  };
  apply();
  // Without a choice, the page follows the system.
  system.addEventListener('change', apply);
  window.addEventListener(
    'error',
    (/** @type {ErrorEvent} */ { target, filename }) => {
      const status = document.querySelector('#status');
      const isAbsent = target instanceof HTMLScriptElement;
      // A script that the browser cannot read is an error of the window.
      const isUnreadable = target === window && /\/main\.js\b/.test(filename) && !document.body.dataset.ready;
      if (!status || !(isAbsent || isUnreadable)) return;
      status.textContent = isAbsent ? 'The page cannot be loaded completely: load it again.' : 'This page needs a later browser: Chrome 123, Firefox 121, Safari 17.5 or later.';
      document.body.dataset.failed = 'script';
    },
    true,
  );
})();
