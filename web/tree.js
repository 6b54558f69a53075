// The table's rows as a tree (or a flat list): order of siblings, what is folded, what is kept by
// the filter, and from these the list of visible rows. No recursion: trees can be very deep.

import { ORDER_NAME, ORDER_START } from './columns.js';

/** Rows shown unfolded at first, at most about this many. */
const FIRST_ROWS = 400;

/**
 * @param {object[]} rows    Rows in pre-order with `depth` (tree), or flat rows with `name`.
 * @param {boolean} flat
 */
export function createModel(rows, flat) {
  const count = rows.length;
  const parent = new Int32Array(count).fill(-1);
  const children = new Map();
  const names = new Array(count);
  const roots = [];
  const open = [];
  for (let i = 0; i < count; i += 1) {
    const row = rows[i];
    names[i] = flat ? row.name : row.path[row.path.length - 1];
    const depth = flat ? 0 : row.depth;
    open.length = Math.min(open.length, depth);
    const above = depth > 0 ? open[depth - 1] : undefined;
    if (above === undefined) roots.push(i);
    else {
      parent[i] = above;
      if (children.has(above)) children.get(above).push(i);
      else children.set(above, [i]);
    }
    open[depth] = i;
  }
  return { rows, names, parent, children, roots, flat, foldDepth: firstFold(rows, flat) };
}

/** Depth from which rows are folded at first, so that about FIRST_ROWS are visible. */
function firstFold(rows, flat) {
  if (flat || rows.length <= FIRST_ROWS) return Infinity;
  const perDepth = [];
  for (const row of rows) perDepth[row.depth] = (perDepth[row.depth] ?? 0) + 1;
  let visible = 0;
  for (let depth = 0; depth < perDepth.length; depth += 1) {
    visible += perDepth[depth] ?? 0;
    if (visible > FIRST_ROWS) return Math.max(0, depth - 1);
  }
  return Infinity;
}

/** What identifies a row in every document of the same run. */
export function rowKey(model, index) {
  return model.flat ? model.names[index] : model.rows[index].path.join('\u0000');
}

const byCodePoint = (a, b) => {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.codePointAt(i);
    const y = b.codePointAt(i);
    if (x !== y) return x - y;
  }
  return a.length - b.length;
};

/**
 * Puts siblings into order: by name, by first start, or by a value (`valueOf(row)`), in which case
 * rows without a value come last in both directions and ties go by name, then as they were.
 */
export function sortModel(model, { key, descending }, valueOf) {
  const { rows, names } = model;
  let compare;
  if (key === ORDER_START) compare = descending ? (a, b) => b - a : (a, b) => a - b;
  else if (key === ORDER_NAME) {
    const turn = descending ? -1 : 1;
    compare = (a, b) => turn * byCodePoint(names[a], names[b]) || a - b;
  } else {
    const values = rows.map((row) => valueOf(row));
    const turn = descending ? -1 : 1;
    compare = (a, b) => {
      const x = values[a];
      const y = values[b];
      const missing = (x === null || x === undefined) - (y === null || y === undefined);
      if (missing || x === null || x === undefined) return missing || byCodePoint(names[a], names[b]) || a - b;
      return (x < y ? -turn : x > y ? turn : 0) || byCodePoint(names[a], names[b]) || a - b;
    };
  }
  model.roots.sort(compare);
  for (const siblings of model.children.values()) siblings.sort(compare);
}

/** Which rows match, and which lie above a match. */
function matches(model, keep) {
  const { names, parent } = model;
  const self = new Uint8Array(names.length);
  const kept = new Uint8Array(names.length);
  for (let i = names.length - 1; i >= 0; i -= 1) {
    if (keep(names[i])) self[i] = kept[i] = 1;
    if (kept[i] && parent[i] >= 0) kept[parent[i]] = 1;
  }
  return { self, kept };
}

/**
 * The visible rows from top to bottom.
 * @param {ReturnType<typeof createModel>} model
 * @param {object} view
 * @param {((name: string) => boolean) | undefined} view.keep Filter; rows above a match stay.
 * @param {(index: number) => boolean | undefined} view.folded The reader's choice, if any.
 * @returns rows: index into the model, position among siblings, and so on
 */
export function visibleRows(model, { keep, folded }) {
  const { roots, children, rows } = model;
  const found = keep ? matches(model, keep) : null;
  const visible = [];
  const stack = [];
  const push = (siblings) => {
    const shown = found ? siblings.filter((i) => found.kept[i]) : siblings;
    for (let at = shown.length - 1; at >= 0; at -= 1) stack.push([shown[at], at + 1, shown.length]);
  };
  push(roots);
  while (stack.length) {
    const [index, position, size] = stack.pop();
    let below = children.get(index);
    if (below && found && !below.some((i) => found.kept[i])) below = undefined;
    const byDefault = found ? false : (rows[index].depth ?? 0) >= model.foldDepth;
    const isFolded = below ? (folded(index) ?? byDefault) : false;
    visible.push({
      index,
      level: model.flat ? 1 : rows[index].depth + 1,
      position,
      size,
      expandable: Boolean(below),
      expanded: Boolean(below) && !isFolded,
      context: Boolean(found) && !found.self[index],
    });
    if (below && !isFolded) push(below);
  }
  return visible;
}
