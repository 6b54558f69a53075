// Bars per region: one trace per run, per rank, or per segment (stacked).

import { colorOf, suppliedColors } from '../colors.js';
import { axis, baseLayout, finishLayout, inUnit, pickUnit } from '../layout.js';
import { checkRows, refuse } from '../payload.js';
import { escapeHover, escapeLabel } from '../text.js';
import { resolveTheme } from '../theme.js';

/** Plotly trace types this builder draws. */
export const durationsTraces = ['bar'];

function metricOf(payload, options) {
  return options.metric ?? payload.options?.metric ?? payload.metrics?.[0] ?? 'total';
}

/** Name of a bar's group: its segment, its run, or its rank (with the run when there are several). */
function groupNamer(bars) {
  if (bars.some((bar) => bar.segment != null)) return (bar) => bar.segment ?? 'self';
  const files = new Set(bars.map((bar) => bar.file));
  return (bar) => {
    if (bar.rank == null) return bar.file ?? 'run';
    return files.size > 1 ? `${bar.file ?? 'run'} / rank ${bar.rank}` : `rank ${bar.rank}`;
  };
}

/** group name → Map of region → bar, both in order of first appearance. */
function gather(bars) {
  const groups = new Map();
  const nameOf = groupNamer(bars.map(({ bar }) => bar));
  for (const { bar, index } of bars) {
    const name = nameOf(bar);
    if (!groups.has(name)) groups.set(name, { regions: new Map(), rank: bar.rank });
    const { regions } = groups.get(name);
    if (regions.has(bar.region)) {
      refuse('bars', index, 'region',
        `duplicate cell ${name} / ${bar.region} (do two runs share a label?)`);
    }
    regions.set(bar.region, bar);
  }
  return groups;
}

/** Regions by descending sum of their bars; ties keep the order of first appearance. */
function costOrder(bars) {
  const cost = new Map();
  for (const { bar } of bars) {
    cost.set(bar.region, (cost.get(bar.region) ?? 0) + (bar.value_seconds ?? 0));
  }
  return [...cost].sort((a, b) => b[1] - a[1]).map(([region]) => region);
}

/** Colour of a group; a `rank N` group is also found under the bare rank. */
function groupColor(name, rank, colors) {
  const bare = rank == null ? null : String(rank);
  if (colors && !Object.hasOwn(colors, name) && bare !== null && Object.hasOwn(colors, bare)) {
    return colors[bare];
  }
  return colorOf(name, colors);
}

function trace(name, { regions, rank }, names, look) {
  const { colors, unit, flip } = look;
  const along = names.map(escapeLabel);
  const values = names.map((region) => inUnit(regions.get(region)?.value_seconds ?? null, unit));
  const value = flip ? 'x' : 'y';
  return {
    type: 'bar',
    name: escapeLabel(name),
    ...(flip ? { orientation: 'h', y: along, x: values } : { x: along, y: values }),
    customdata: names.map((region) => {
      const bar = regions.get(region);
      const identity = { region, file: bar?.file ?? 'run', rank: bar?.rank ?? null, call_id: null };
      return { identity };
    }),
    marker: {
      color: groupColor(name, rank, colors),
      line: { color: 'rgba(0, 0, 0, 0.22)', width: 0.5 },
    },
    hovertemplate:
      `<b>%{${flip ? 'y' : 'x'}}</b><br>${escapeHover(name)}: %{${value}:.6g} ${unit.name}<extra></extra>`,
  };
}

function layoutOf({ order, groups, stacked, metric, unit, flip, theme }) {
  const categories = {
    categoryorder: 'array',
    categoryarray: order.map(escapeLabel),
  };
  const title = `${escapeLabel(metric)} duration (${unit.name})`;
  const across = groups.size > 1 && !stacked ? 12 * (groups.size - 1) : 0;
  const shared = { barmode: stacked ? 'stack' : 'group', showlegend: groups.size > 1 };
  if (flip) {
    return baseLayout(theme, {
      ...shared,
      height: Math.max(200, (26 + across) * order.length + 110),
      xaxis: axis(theme, title, { side: 'top' }),
      yaxis: axis(theme, null, { ...categories, autorange: 'reversed', showgrid: false }),
    });
  }
  return baseLayout(theme, {
    ...shared,
    height: Math.max(360, 34 * order.length + 180),
    xaxis: axis(theme, null, { tickangle: -35, ...categories }),
    yaxis: axis(theme, title),
  });
}

/**
 * @param {import('./durations.js').DurationsPayload} payload
 * @param {import('./durations.js').DurationsOptions} options
 * @returns {import('../index.js').Figure}
 */
export function buildDurationsFigure(payload, options = {}) {
  const rows = options.checked ? payload.bars : checkRows('durations', payload);
  const metric = metricOf(payload, options);
  const keep = typeof options.filterRegion === 'function' ? options.filterRegion : () => true;
  const ofMetric = rows
    .map((bar, index) => ({ bar, index }))
    .filter(({ bar }) => bar.metric === metric);
  gather(ofMetric);
  const bars = ofMetric.filter(({ bar }) => keep(bar.region, bar));
  const groups = gather(bars);
  const order = costOrder(bars);
  const stacked = bars.some(({ bar }) => bar.segment != null);
  const largest = bars.reduce((most, { bar }) => Math.max(most, Math.abs(bar.value_seconds ?? 0)), 0);
  const unit = pickUnit(options.units, largest);
  const flip = options.orientation === 'h';
  const theme = resolveTheme(options.theme);
  const look = { colors: suppliedColors(payload, options), unit, flip };
  const data = [...groups].map(([name, group]) =>
    trace(name, group, stacked ? order.filter((region) => group.regions.has(region)) : order, look));
  const layout = layoutOf({ order, groups, stacked, metric, unit, flip, theme });
  return {
    data,
    layout: finishLayout(layout, options, { drawn: bars.length > 0, rowsBefore: rows.length }),
  };
}
