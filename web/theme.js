// Runs before the first paint: the stored theme, and a word for a folder page opened from disk.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('profscope.theme');
  } catch {
    // Storage refused: the system's theme.
  }
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  if (location.protocol === 'file:' && !document.documentElement.hasAttribute('data-single')) {
    document.documentElement.dataset.fromDisk = '';
  }
})();
