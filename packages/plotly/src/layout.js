// What every figure's layout shares: base, axes, deep merging, the empty state, units.

const FONT = 'Inter, ui-sans-serif, system-ui, sans-serif';
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** @param {import('./index.js').ResolvedTheme} theme */
export function baseLayout(theme, extra = {}) {
  const layout = {
    paper_bgcolor: 'transparent',
    plot_bgcolor: 'transparent',
    font: { family: FONT, size: 12, ...(theme.text ? { color: theme.text } : {}) },
    hovermode: 'closest',
    hoverlabel: {
      namelength: -1,
      ...(theme.hoverBg
        ? { bgcolor: theme.hoverBg, bordercolor: theme.grid, font: { color: theme.text } }
        : {}),
    },
    margin: { l: 100, r: 24, t: 32, b: 64 },
    legend: {
      orientation: 'h', y: -0.2, x: 0, ...(theme.muted ? { font: { color: theme.muted } } : {}),
    },
  };
  return { ...layout, ...extra };
}

/** An axis with a title that every Plotly version draws (`{ text }`; bare strings are ignored). */
export function axis(theme, title, extra = {}) {
  return {
    automargin: true,
    gridcolor: theme.grid,
    zeroline: false,
    ...(theme.text ? { zerolinecolor: theme.grid, linecolor: theme.grid } : {}),
    ...(theme.muted ? { tickfont: { color: theme.muted } } : {}),
    ...(title ? { title: { text: title, ...(theme.muted ? { font: { color: theme.muted } } : {}) } } : {}),
    ...extra,
  };
}

const isPlain = (value) =>
  value !== null && typeof value === 'object'
  && [Object.prototype, null].includes(Object.getPrototypeOf(value));

function copy(value) {
  if (Array.isArray(value)) return value.map(copy);
  if (isPlain(value)) return mergeLayout({}, value);
  return value;
}

/** `over` laid over `base`, deeply: plain objects merge, everything else replaces. Pure. */
export function mergeLayout(base, over) {
  const result = { ...base };
  for (const [key, value] of Object.entries(over ?? {})) {
    if (FORBIDDEN.has(key)) continue;
    result[key] = isPlain(value) && isPlain(result[key]) ? mergeLayout(result[key], value) : copy(value);
  }
  return result;
}

/** Says in the middle of the figure that nothing is drawn, and hides the axes. */
export function emptyState(layout, text = 'No data to display.') {
  const note = { text, showarrow: false, xref: 'paper', yref: 'paper', x: 0.5, y: 0.5 };
  return {
    ...layout,
    xaxis: { ...layout.xaxis, visible: false },
    yaxis: { ...layout.yaxis, visible: false },
    annotations: [...(layout.annotations ?? []), note],
  };
}

/**
 * The figure's last step: the caller's layout over ours, then the empty state.
 * `options.emptyFilterNote` names the filter as the reason when rows existed before it.
 */
export function finishLayout(layout, options, { drawn, rowsBefore }) {
  const merged = mergeLayout(layout, options.layout);
  if (drawn) return merged;
  const filtered = options.emptyFilterNote && rowsBefore > 0;
  return emptyState(merged, filtered ? 'No regions match the filter.' : undefined);
}

const UNITS = [
  { name: 's', seconds: 1 },
  { name: 'ms', seconds: 1e-3 },
  { name: 'µs', seconds: 1e-6 },
  { name: 'ns', seconds: 1e-9 },
];

/** One unit for a whole figure: seconds, or with "auto" the one that suits its largest value. */
export function pickUnit(units, largestSeconds) {
  if (units !== 'auto' || !(largestSeconds > 0)) return UNITS[0];
  return UNITS.find((unit) => largestSeconds >= unit.seconds) ?? UNITS.at(-1);
}

/**
 * A value in a unit. Division by the power of ten, so that the result is the double nearest to the
 * decimal number (1.5e-6 s is 1.5 µs, not 1.4999999999999998).
 */
export function inUnit(seconds, unit) {
  if (seconds === null || unit.seconds === 1) return seconds;
  return Number((seconds / unit.seconds).toPrecision(15));
}
