// Plot-data documents in, Plotly figures out. Pure: no Plotly, no document, no window.

import { buildDurationsFigure } from './figures/durations.js';
import { mergeLayout } from './layout.js';
import { checkEnvelope, checkRows, inferPlotKind } from './payload.js';
import { resolveTheme } from './theme.js';

export { createColorRegistry } from './colors.js';
export { buildDurationsFigure } from './figures/durations.js';
export { PLOT_DATA_FORMAT, SUPPORTED_FORMAT_VERSION, inferPlotKind } from './payload.js';
export { disposeFigure, getPointIdentity, renderFigure, updateFigure } from './render.js';
export { resolveTheme, setTheme } from './theme.js';

/** kind → builder. */
export const PLOT_BUILDERS = {
  durations: buildDurationsFigure,
};

/** The document's kind, after checking envelope and rows; else a TypeError. */
export function validatePlotData(payload, options = {}) {
  checkEnvelope(payload);
  const kind = options.plot ?? payload.plot ?? inferPlotKind(payload);
  if (kind === undefined) {
    throw new TypeError('Could not tell the plot kind; name it in options.plot.');
  }
  if (!Object.hasOwn(PLOT_BUILDERS, kind)) throw new TypeError(`No figure builder for "${kind}".`);
  checkRows(kind, payload);
  return kind;
}

/** Checks a document and builds its figure. */
export function buildFigure(payload, options = {}) {
  const kind = validatePlotData(payload, options);
  return PLOT_BUILDERS[kind](payload, { plot: kind, ...options, checked: true });
}

/** A builder with defaults of its own; later changes of theme or defaults do not reach it. */
export function createFigureBuilder(defaults = {}) {
  const fixed = mergeLayout({ theme: resolveTheme() }, defaults);
  return (payload, options = {}) => buildFigure(payload, mergeLayout(fixed, options));
}
