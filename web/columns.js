// The region table's columns: what they are called, where their value lies, how it reads.

/**
 * @typedef {object} Column
 * @property {string} id
 * @property {string} label   Head of the column.
 * @property {string} title   What it means, in a sentence.
 * @property {'time' | 'count' | 'percent'} kind
 * @property {string} [key]   Key of the row; share has none.
 * @property {boolean} [shown] In the table unless chosen otherwise.
 * @property {boolean} [bar]   Drawn with a bar.
 */

/** @type {Column[]} */
const ALL = [
  { id: 'calls', label: 'calls', key: 'calls', kind: 'count', shown: true, title: 'Number of calls' },
  { id: 'total', label: 'total', key: 'total_ns', kind: 'time', shown: true, title: 'Time in the region, calls inside it included' },
  { id: 'share', label: '% session', kind: 'percent', shown: true, bar: true, title: 'Share of the session' },
  { id: 'own', label: 'own', key: 'exclusive_ns', kind: 'time', shown: true, title: 'Time in the region itself, without the regions it calls' },
  { id: 'parent', label: '% parent', key: 'parent_pct', kind: 'percent', title: 'Share of the region above' },
  { id: 'avg', label: 'avg', key: 'avg_ns', kind: 'time', shown: true, title: 'Mean time of a call' },
  { id: 'min', label: 'min', key: 'min_ns', kind: 'time', title: 'Shortest call' },
  { id: 'max', label: 'max', key: 'max_ns', kind: 'time', shown: true, title: 'Longest call' },
  { id: 'first', label: 'first', key: 'first_ns', kind: 'time', title: 'Time of the first call' },
  { id: 'last', label: 'last', key: 'last_ns', kind: 'time', title: 'Time of the last call' },
  { id: 'std', label: 'std', key: 'std_ns', kind: 'time', title: 'Standard deviation of the calls' },
  { id: 'p50', label: 'p50', key: 'p50_ns', kind: 'time', title: 'Median call' },
  { id: 'p95', label: 'p95', key: 'p95_ns', kind: 'time', shown: true, title: '95 of 100 calls are at most this long' },
  { id: 'p99', label: 'p99', key: 'p99_ns', kind: 'time', title: '99 of 100 calls are at most this long' },
  { id: 'imbalance', label: 'imbalance', key: 'imbalance_pct', kind: 'percent', shown: true, title: 'How far the slowest rank lies above the mean of the ranks' },
  { id: 'gpu_total', label: 'gpu total', key: 'gpu_total_ns', kind: 'time', shown: true, title: 'Time measured on the GPU' },
  { id: 'gpu_avg', label: 'gpu avg', key: 'gpu_avg_ns', kind: 'time', title: 'Mean GPU time of a call' },
  { id: 'ranks', label: 'ranks', key: 'num_ranks', kind: 'count', title: 'Ranks with calls of the region' },
];

/** Sort keys that are no column: the order of first start, and the name. */
export const ORDER_START = 'start';
export const ORDER_NAME = 'name';

/**
 * The columns a document can fill. GPU columns only where something was measured, the parent's
 * share only in a tree, the rank count only with several ranks.
 */
export function availableColumns(profile, { tree, baseKind, ranks }) {
  const gpu = profile.regions.some((row) => row.gpu_total_ns !== null);
  return ALL.filter((column) => {
    if (column.id.startsWith('gpu')) return gpu;
    if (column.id === 'parent') return tree;
    return column.id !== 'ranks' && column.id !== 'imbalance' ? true : ranks > 1;
  }).map((column) => (column.id === 'share' && baseKind === 'span'
    ? { ...column, label: '% span', title: 'Share of the run’s span on all selected ranks (the profile holds no session)' }
    : column));
}

/** Ids shown unless chosen otherwise. */
export const defaultColumns = () => ALL.filter((column) => column.shown).map((column) => column.id);
