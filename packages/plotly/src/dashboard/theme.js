// Which theme does the document show, and when does that change?

/**
 * The document element's `data-theme` when it is exactly "dark" or "light", else "auto".
 * With `followSystem`, "auto" is answered from `prefers-color-scheme`.
 */
export function documentTheme({ followSystem = false } = {}) {
  const named = globalThis.document?.documentElement?.dataset?.theme;
  if (named === 'dark' || named === 'light') return named;
  if (!followSystem || typeof globalThis.matchMedia !== 'function') return 'auto';
  return globalThis.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * Calls `changed` whenever the resolved theme may have become another: on `themechanged`, on a
 * change of the document element's `data-theme` or `class`, and of the system's preference.
 * Returns the function that stops.
 */
export function observeTheme(changed) {
  const stops = [];
  const root = globalThis.document?.documentElement;
  if (typeof globalThis.addEventListener === 'function') {
    globalThis.addEventListener('themechanged', changed);
    stops.push(() => globalThis.removeEventListener('themechanged', changed));
  }
  if (root && typeof globalThis.MutationObserver === 'function') {
    const observer = new MutationObserver(changed);
    observer.observe(root, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    stops.push(() => observer.disconnect());
  }
  const system = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
  if (system?.addEventListener) {
    system.addEventListener('change', changed);
    stops.push(() => system.removeEventListener('change', changed));
  }
  return () => stops.splice(0).forEach((stop) => stop());
}
