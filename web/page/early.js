/** Before anything is drawn: the theme, which is the one that was chosen or the system's. And if the page itself cannot be loaded, a sentence. */
(() => {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      const { theme } = JSON.parse(localStorage.getItem('tabiya.choices') ?? '{}');
      return theme ?? localStorage.getItem('tabiya.theme');
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
    ({ target }) => {
      const status = document.querySelector('#status');
      if (!(target instanceof HTMLScriptElement) || !status) return;
      status.textContent = 'The page cannot be loaded completely: load it again.';
      document.body.dataset.failed = 'script';
    },
    true,
  );
})();
