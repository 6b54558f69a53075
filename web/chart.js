// The chart of a run: durations per region. Plotly is loaded when the chart first comes into sight;
// the same rows are there as a table.

import { createFigureRegistry, documentTheme, regionFilter } from '@profscope/plotly/dashboard';
import { h } from './dom.js';
import { formatCount, formatDuration, plural } from './format.js';

const MAX_BARS = 40;
/** Above this many regions the core is asked for the largest only. */
const MAX_REGIONS = 5000;
const METRICS = [
  ['total', 'Total'], ['avg', 'Average call'], ['min', 'Shortest call'], ['max', 'Longest call'],
  ['first', 'First call'], ['last', 'Last call'],
];
const SORTABLE = new Set(['avg', 'min', 'max', 'total']);

/**
 * @param {object} tools
 * @param {() => Promise<any>} tools.loadPlotly
 * @param {ReturnType<import('./runs.js').createRuns>} tools.runs
 * @param {ReturnType<import('./session.js').createSession>} tools.session
 * @param {(region: string) => void} tools.onSelect
 */
export function createChart({ loadPlotly, runs, session, onSelect }) {
  const plot = h('div', { class: 'plot', role: 'group' });
  const caption = h('figcaption', { class: 'muted' });
  const metric = h('select', { id: 'metric', onchange: () => session.set({ metric: metric.value }) },
    METRICS.map(([value, label]) => h('option', { value }, label)));
  const stack = check('Split by called regions', () => redraw(true));
  const every = check('All open runs', () => redraw(true));
  const status = h('p', { class: 'chart-status muted' });
  const rows = h('details', { class: 'chart-rows' }, h('summary', {}, 'The same as a table'));
  const element = h('section', { class: 'chart', 'aria-labelledby': 'chart-title' },
    h('div', { class: 'section-head' },
      h('h3', { id: 'chart-title' }, 'Durations'),
      h('div', { class: 'section-tools' },
        h('label', { htmlFor: 'metric', class: 'sr' }, 'Metric'), metric, stack.element, every.element)),
    h('figure', {}, caption, status, plot, rows));

  let run = null;
  let payload = null;
  let registry = null;
  let turn = 0;
  let seen = false;
  let printing = false;

  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen = true;
    observer.disconnect();
    redraw(true);
  }, { rootMargin: '100px' });
  let watched = false;

  /** Watches for the chart to come into sight, from when the table above it has its height. */
  function watch() {
    if (watched) return;
    watched = true;
    requestAnimationFrame(() => requestAnimationFrame(() => observer.observe(element)));
  }

  function check(label, onchange) {
    const box = h('input', { type: 'checkbox', onchange });
    return { box, element: h('label', { class: 'check' }, box, label) };
  }

  /** Paper is light. */
  const theme = () => (printing ? 'light' : documentTheme({ followSystem: true }));

  function followPrinting() {
    for (const [event, on] of [['beforeprint', true], ['afterprint', false]]) {
      addEventListener(event, () => {
        printing = on;
        registry.refresh().catch(() => {});
      });
    }
  }

  const ready = () => runs.list.filter((one) => one.state === 'ready');

  async function fetchPayload(mine) {
    const { metric: chosen } = session.state;
    const stacked = stack.box.checked && ['total', 'avg'].includes(chosen);
    const of = every.box.checked ? ready() : [run];
    const regions = Math.max(...of.map((one) => one.document.regions.length));
    const options = {
      metrics: [chosen],
      sort_by: SORTABLE.has(chosen) ? chosen : 'total',
      ...(stacked ? { stack_children: true } : {}),
      ...(regions > MAX_REGIONS ? { top_n: MAX_REGIONS } : {}),
    };
    const made = await runs.view('durations', of, { ranks: every.box.checked ? '' : run.ranks, options });
    if (mine === turn) payload = made;
  }

  /** Regions drawn: the first ones of the document's order that the filter keeps. */
  function drawnRegions() {
    const keep = regionFilter(session.state.filter) ?? (() => true);
    const drawn = new Set();
    let kept = 0;
    for (const name of new Set(payload.bars.map((bar) => bar.region))) {
      if (!keep(name)) continue;
      kept += 1;
      if (drawn.size < MAX_BARS) drawn.add(name);
    }
    return { drawn, kept };
  }

  function describe({ drawn, kept }) {
    const bars = payload.bars.filter((bar) => drawn.has(bar.region) && (bar.segment ?? 'self') === 'self' && bar.value_seconds !== null);
    const name = METRICS.find(([value]) => value === session.state.metric)[1].toLowerCase();
    const limit = kept > drawn.size ? `The largest ${drawn.size} of ${formatCount(kept)} regions are drawn. ` : '';
    if (!bars.length) return `${limit}No region has a value.`;
    if (payload.options?.stack_children) return `${limit}Each bar is split into the region’s own time and the regions it calls.`;
    const top = bars.reduce((best, bar) => (bar.value_seconds > best.value_seconds ? bar : best));
    return `${limit}${top.region} has the largest ${name}: ${formatDuration(Math.round(top.value_seconds * 1e9)).replace('\u00a0', ' ')}.`;
  }

  function fillRows({ drawn }) {
    const several = every.box.checked;
    const bars = payload.bars.filter((bar) => drawn.has(bar.region)).slice(0, 2000);
    const heads = [several ? 'run' : null, 'region', payload.options?.stack_children ? 'segment' : null, 'seconds'].filter(Boolean);
    rows.replaceChildren(h('summary', {}, 'The same as a table'),
      h('div', { class: 'rank-scroll', tabindex: 0, role: 'region', 'aria-label': 'Rows of the chart' },
        h('table', {},
          h('caption', { class: 'sr' }, `Durations of ${plural(drawn.size, 'region')}`),
          h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col', class: head === 'seconds' ? 'number' : '' }, head)))),
          h('tbody', {}, bars.map((bar) => h('tr', {},
            several ? h('td', {}, bar.file) : null,
            h('th', { scope: 'row' }, bar.region),
            payload.options?.stack_children ? h('td', {}, bar.segment) : null,
            h('td', { class: 'number' }, bar.value_seconds === null ? '–' : String(bar.value_seconds))))))));
  }

  function draw() {
    if (!payload || !registry) return;
    const shown = drawnRegions();
    const sentence = describe(shown);
    caption.textContent = sentence;
    plot.setAttribute('aria-label', `Bar chart. ${sentence}`);
    fillRows(shown);
    const coarse = matchMedia('(pointer: coarse)').matches;
    const narrow = plot.clientWidth < 560;
    registry.render(plot, payload, {
      metric: session.state.metric,
      orientation: 'h',
      units: 'auto',
      filterRegion: (name) => shown.drawn.has(name),
      layout: {
        font: { family: getComputedStyle(document.body).fontFamily },
        margin: { l: 8, r: 16, t: 48, b: 24 },
        dragmode: coarse ? false : 'zoom',
        legend: { y: -0.02, yanchor: 'top' },
        xaxis: { tickangle: 0, nticks: narrow ? 4 : 9 },
        yaxis: shortNames(shown.drawn, narrow ? 20 : 44),
      },
    })?.catch(() => {});
  }

  /** Draws when in sight; `fresh` asks the core again. */
  async function redraw(fresh) {
    if (!seen || !run?.document || run.partial || run.state !== 'ready') return;
    const mine = ++turn;
    every.element.hidden = ready().length < 2;
    if (every.element.hidden) every.box.checked = false;
    stack.box.disabled = !['total', 'avg'].includes(session.state.metric);
    try {
      if (!registry) status.textContent = 'Loading the chart…';
      if (fresh || !payload) await fetchPayload(mine);
      if (!registry) {
        registry = createFigureRegistry(await loadPlotly(), { config: CONFIG, theme });
        registry.watch();
        followPrinting();
        registry.onSelect((identity) => onSelect(identity.region));
      }
      if (mine !== turn) return;
      status.textContent = '';
      plot.hidden = false;
      draw();
    } catch (error) {
      if (mine !== turn || error?.name === 'AbortError') return;
      status.textContent = stack.box.checked
        ? `Bars cannot be split: ${error.message}.` : `The chart could not be made: ${error.message}.`;
      plot.hidden = true;
      caption.textContent = '';
      rows.replaceChildren(h('summary', {}, 'The same as a table'));
    }
  }

  return {
    element,
    show(next) {
      run = next;
      payload = null;
      element.hidden = run.document.regions.length === 0;
      metric.value = session.state.metric;
      watch();
      redraw(true);
    },
    follow(names) {
      if (names.includes('metric')) redraw(true);
      else if (names.includes('filter')) redraw(false);
    },
    /** Other runs came or went. */
    runsChanged: () => {
      every.element.hidden = ready().length < 2;
      if (every.box.checked) redraw(true);
    },
  };
}

/** Long names are cut in the middle on the axis; hover and table have them in full. */
function shortNames(names, most) {
  const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const short = (name) => {
    const letters = [...name];
    if (letters.length <= most) return name;
    const tail = Math.floor(most / 3);
    return `${letters.slice(0, most - tail - 1).join('')}…${letters.slice(-tail).join('')}`;
  };
  const list = [...names];
  return { tickmode: 'array', tickvals: list.map(escape), ticktext: list.map((name) => `${escape(short(name))} `) };
}

const CONFIG = {
  modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d'],
  toImageButtonOptions: { filename: 'durations', scale: 2 },
};
