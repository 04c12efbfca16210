/** Before anything is drawn: the theme. And if the page itself cannot be loaded, a sentence. */
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem('tabiya.choices') ?? '{}');
    const chosen = theme ?? localStorage.getItem('tabiya.theme');
    if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
  } catch {
    // The system's theme counts.
  }
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
