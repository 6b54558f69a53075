// The top of a run: what it is, its numbers, what is odd about it.

import { h, icon } from './dom.js';
import { titleOf } from './run-list.js';
import { exactDuration, formatBytes, formatCount, formatDuration, formatRanks, plural } from './format.js';

const SESSION = 'scope_profiler.session';

function tile(label, value, { title, note } = {}) {
  return h('div', { class: 'tile' },
    h('dt', {}, label),
    h('dd', {}, h('span', { class: 'tile-value', title }, value), note ? h('span', { class: 'tile-note' }, note) : null));
}

const timeTile = (label, ns, note) => tile(label, formatDuration(ns), { title: exactDuration(ns), note });

/** Number of calls: the rows' counts added up (the document has no total of its own). */
const callsOf = (document) =>
  document.regions.reduce((sum, row) => sum + BigInt(row.calls), 0n);

export function drawHeadline(run) {
  const { document } = run;
  const calls = callsOf(document);
  const selected = run.ranks ? `selected: ${formatRanks(document.ranks)}` : null;
  const session = document.regions.find((row) => row.name === SESSION);
  const ranksNote = [
    document.num_nodes ? `on ${plural(document.num_nodes, 'node')}` : null,
    selected,
  ].filter(Boolean).join(', ');
  const noCalls = document.layout === 'aggregate' && !document.span_ns;
  return h('div', { class: 'headline' },
    h('div', { class: 'headline-text' },
      h('h2', { id: 'run-title', tabindex: -1 }, titleOf(run)),
      h('p', { class: 'muted run-path' }, document.label ? `${run.name} · ` : '',
        `schema ${document.schema}, ${document.layout}`, document.aligned ? ', node clocks aligned' : '')),
    h('dl', { class: 'tiles' },
      noCalls ? null : timeTile('Wall clock', document.span_ns, 'first start to last end'),
      document.setup_to_finalize_ns !== null ? timeTile('Setup to finalize', document.setup_to_finalize_ns) : null,
      document.session_ns !== null
        ? timeTile('Session', document.session_ns,
          session ? `${formatDuration(session.exclusive_ns)} of it in no region` : null)
        : null,
      tile('Ranks', formatCount(document.num_ranks), { note: ranksNote || null }),
      tile('Regions', formatCount(document.regions.length)),
      tile('Calls', formatCount(calls)),
      tile('File', formatBytes(run.size), { title: `${formatCount(run.size)} bytes` })));
}

/** Folded list of warnings; the first few are read without unfolding when there are few. */
export function drawWarnings({ document }) {
  const { warnings } = document;
  if (!warnings.length) return null;
  const list = h('ul', {}, warnings.slice(0, 200).map((warning) =>
    h('li', {}, h('code', { class: 'warning-code' }, warning.code), ' ', sentence(warning.message),
      warning.path && warning.path !== '/' ? h('span', { class: 'muted' }, ' at ', h('code', {}, warning.path)) : null)));
  return h('details', { class: 'warnings', open: warnings.length <= 2 },
    h('summary', {}, icon('warning'), ` ${plural(warnings.length, 'warning')}: parts of the file were left out, altered or odd`),
    list,
    warnings.length > 200 ? h('p', { class: 'muted' }, `… and ${formatCount(warnings.length - 200)} more`) : null);
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
