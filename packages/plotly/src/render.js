// From a figure to the page: thin calls of the caller's own Plotly.

const CONFIG = { responsive: true, displaylogo: false };

function need(plotly, ...names) {
  const found = names.find((name) => typeof plotly?.[name] === 'function');
  if (!found) throw new TypeError(`This Plotly has no ${names.join(' and no ')}.`);
  return found;
}

/** Draws a figure into an element for the first time. */
export function renderFigure(plotly, element, figure, config = {}) {
  return plotly[need(plotly, 'newPlot')](element, figure.data, figure.layout, { ...CONFIG, ...config });
}

/** Draws a changed figure into an element that has one. */
export function updateFigure(plotly, element, figure, config = {}) {
  const how = need(plotly, 'react', 'newPlot');
  return plotly[how](element, figure.data, figure.layout, { ...CONFIG, ...config });
}

/** Takes a figure out of its element. */
export function disposeFigure(plotly, element) {
  return plotly[need(plotly, 'purge')](element);
}

/** The identity behind a drawn point, or null: never parse a name that is shown. */
export function getPointIdentity(point) {
  return point?.customdata?.identity ?? null;
}
