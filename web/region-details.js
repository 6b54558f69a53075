// One region in full: every number of the chosen row, and its ranks side by side.

import { h, icon } from './dom.js';
import { exactDuration, formatCount, formatDuration, formatPercent, plural } from './format.js';

const FIRST_RANKS = 64;

const TIMES = [
  ['total', 'total_ns'], ['own', 'exclusive_ns'], ['on the clock', 'coverage_ns'], ['mean call', 'avg_ns'],
  ['deviation', 'std_ns'], ['shortest', 'min_ns'], ['median', 'p50_ns'], ['p95', 'p95_ns'], ['p99', 'p99_ns'],
  ['longest', 'max_ns'], ['first call', 'first_ns'], ['last call', 'last_ns'], ['first start', 'start_ns'],
  ['gpu total', 'gpu_total_ns'], ['gpu mean', 'gpu_avg_ns'],
];
const PERCENTS = [['of the session', 'session_pct'], ['of the region above', 'parent_pct'], ['imbalance', 'imbalance_pct']];

export function createRegionDetails() {
  const element = h('section', { class: 'details', 'aria-label': 'Selected region' });
  empty();

  function empty() {
    element.replaceChildren(h('p', { class: 'muted details-empty' },
      'Select a region to see all of its numbers and its ranks side by side.'));
  }

  function facts(row, unit) {
    const entries = [['calls', formatCount(row.calls), null]];
    for (const [label, key] of TIMES) {
      if (row[key] !== null && row[key] !== undefined) entries.push([label, formatDuration(row[key], unit), exactDuration(row[key])]);
    }
    for (const [label, key] of PERCENTS) {
      if (row[key] !== null && row[key] !== undefined) entries.push([label, formatPercent(row[key]), `${row[key]} %`]);
    }
    return h('dl', { class: 'facts' }, entries.map(([label, value, title]) =>
      h('div', {}, h('dt', {}, label), h('dd', { title }, value))));
  }

  function rankTable(flat, unit, all) {
    const shown = all ? flat.per_rank : flat.per_rank.slice(0, FIRST_RANKS);
    const most = flat.per_rank.reduce((top, rank) => (rank.total_ns > top ? rank.total_ns : top), 0);
    const cell = (ns, bar) => {
      const td = h('td', { class: `number${bar ? ' bar' : ''}`, title: exactDuration(ns) }, formatDuration(ns, unit));
      if (bar) td.style.setProperty('--share', `${most > 0 ? (100 * Number(ns)) / Number(most) : 0}%`);
      return td;
    };
    const rest = flat.per_rank.length - shown.length;
    return [
      h('div', { class: 'rank-scroll', tabindex: 0, role: 'region', 'aria-label': 'Ranks of the region' },
        h('table', { class: 'ranks' },
          h('caption', { class: 'sr' }, `Ranks of ${flat.name}`),
          h('thead', {}, h('tr', {}, ['rank', 'calls', 'total', 'own'].map((label, at) =>
            h('th', { scope: 'col', class: at ? 'number' : '' }, label)))),
          h('tbody', {}, shown.map((rank) => h('tr', {},
            h('th', { scope: 'row' }, String(rank.rank)),
            h('td', { class: 'number' }, formatCount(rank.calls)),
            cell(rank.total_ns, true), cell(rank.exclusive_ns)))))),
      rest > 0
        ? h('button', { type: 'button', class: 'button small', onclick: (event) => event.target.parentElement.replaceChildren(...rankTable(flat, unit, true)) },
          `Show ${plural(rest, 'more rank')}`)
        : null,
    ].filter(Boolean);
  }

  return {
    element,
    /** @param chosen `{ row, name }` of the table, or null. */
    show(chosen, run, unit) {
      if (!chosen) return empty();
      const { row, name } = chosen;
      const flat = run.document.regions.find((one) => one.name === name);
      const paths = row.path ? run.document.rows.filter((one) => one.path[one.path.length - 1] === name).length : 1;
      const file = flat?.source?.file;
      element.replaceChildren(...[
        row.path?.length > 1 ? h('p', { class: 'muted path' }, row.path.slice(0, -1).join(' › ')) : null,
        h('h3', {}, name),
        flat?.tags.length ? h('p', { class: 'tags' }, flat.tags.map((tag) => h('span', { class: 'tag' }, tag))) : null,
        file ? h('details', { class: 'source' },
          h('summary', {}, `${file.split(/[\\/]/).pop()}:${flat.source.line}`),
          h('code', {}, `${file}:${flat.source.line}`)) : null,
        row.recursive ? h('p', { class: 'muted small' }, icon('warning'), ' Calls itself: the total counts the outermost calls, the mean all of them.') : null,
        facts(row, unit),
        flat?.per_rank.length ? h('h4', {}, paths > 1 ? `By rank, all ${paths} call paths` : 'By rank') : null,
        flat?.per_rank.length ? h('div', {}, rankTable(flat, unit, false)) : null,
      ].filter(Boolean));
    },
  };
}
