// Chrome colours of figures: light, dark, and one that suits any page.

const AUTO = {
  text: undefined,
  muted: undefined,
  grid: 'rgba(128, 128, 128, 0.2)',
  hoverBg: undefined,
  neutral: '#777',
};

const THEMES = {
  auto: AUTO,
  light: { text: '#111827', muted: '#6b7280', grid: '#e1e0d9', hoverBg: '#ffffff', neutral: '#777' },
  dark: { text: '#e5e7eb', muted: '#9ca3af', grid: '#2a2f3a', hoverBg: '#171a21', neutral: '#8b8b8b' },
};

let current = 'auto';

/** Sets the module-wide default theme. null and undefined mean "auto"; an object is copied. */
export function setTheme(theme) {
  current = theme && typeof theme === 'object' ? { ...theme } : (theme ?? 'auto');
}

/** A fresh copy of a theme's tokens: a name, or an object whose tokens lie over "auto". */
export function resolveTheme(theme = current) {
  if (theme && typeof theme === 'object') return { ...AUTO, ...theme };
  return { ...(Object.hasOwn(THEMES, theme) ? THEMES[theme] : AUTO) };
}
