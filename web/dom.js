// Elements from data. Text always becomes a text node, whatever a profile holds.

const PROPERTIES = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'textContent', 'htmlFor', 'title']);

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `class`, `dataset`, `onclick` (a listener), DOM
 *   properties, else attributes; null, undefined and false leave an attribute out.
 * @param {...(Node | string | null | undefined | false)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (PROPERTIES.has(name)) element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A drawing from our own markup constants (never from data). `paths` are SVG path definitions. */
export function icon(name, label) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  if (label) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  } else svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

const ICONS = {
  close: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2',
  error: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.8v4M8 11v.2',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3L14 14',
  file: 'M4 1.8h5l3 3v9.4H4zM9 1.8v3h3',
  lock: 'M4 7.2h8v6.3H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
};

let counter = 0;
/** A document-wide unique id. */
export const uid = (prefix) => `${prefix}-${++counter}`;

/** Calls `work` once `quiet` milliseconds have passed without another call. */
export function debounce(work, quiet) {
  let timer = 0;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...args), quiet);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** A value kept in the browser, when it lets us. */
export const stored = {
  get(key, fallback) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? fallback;
    } catch {
      return fallback;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Storage is refused or full: the choice lasts as long as the page.
    }
  },
};
