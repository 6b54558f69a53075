// System, light or dark: kept in the browser, told to whoever listens for `themechanged`.

const KEY = 'profscope.theme';

/** The stored choice, and the control that changes it. */
export function setUpThemeChoice(select) {
  const root = document.documentElement;
  select.value = root.dataset.theme ?? 'system';
  select.addEventListener('change', () => {
    const choice = select.value;
    if (choice === 'system') delete root.dataset.theme;
    else root.dataset.theme = choice;
    try {
      if (choice === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, choice);
    } catch {
      // Not kept: the choice lasts as long as the page.
    }
    dispatchEvent(new CustomEvent('themechanged', { detail: { theme: choice } }));
  });
  // An embedding page may set the attribute itself and say so.
  addEventListener('themechanged', () => {
    select.value = root.dataset.theme ?? 'system';
  });
}
