// The region table of a run: model, filter, order and columns put together on the treegrid.

import { matchesRegionFilter, parseRegionFilter, regionFilter } from '@profscope/plotly/dashboard';
import { adviceFor } from './advice.js';
import { ORDER_NAME, ORDER_START, availableColumns } from './columns.js';
import { h } from './dom.js';
import { durationParts, exactDuration, formatCount, formatPercent } from './format.js';
import { shareBase, shareOf } from './share.js';
import { createModel, rowKey, sortModel, visibleRows } from './tree.js';
import { createTreegrid } from './treegrid.js';

/**
 * @param {ReturnType<import('./session.js').createSession>} session
 * @param {(chosen: { row: object, name: string } | null) => void} onSelect
 */
export function createRegionTable(session, onSelect) {
  const grid = createTreegrid({ onSelect: choose, onToggle: toggle, onSort: sortBy }, 'Regions');
  let run = null;
  let model = null;
  let base = null;
  let columns = [];
  let visible = [];
  let choices = new Map();
  let filtered = new Map();
  let selected = null;

  function choose(at) {
    selected = rowKey(model, visible[at].index);
    draw();
    onSelect(chosen());
  }

  function toggle(at, expand = !visible[at].expanded) {
    const marks = session.state.filter.trim() ? filtered : choices;
    marks.set(rowKey(model, visible[at].index), !expand);
    draw();
  }

  /** First click: the largest first (names: A first); then the other way; then run order. */
  function sortBy(id) {
    const key = id === 'name' ? ORDER_NAME : id;
    const first = key !== ORDER_NAME;
    const { sort } = session.state;
    if (sort.key !== key) session.set({ sort: { key, descending: first } });
    else if (sort.descending === first) session.set({ sort: { key, descending: !first } });
    else session.set({ sort: { key: ORDER_START, descending: false } });
  }

  function chosen() {
    if (selected === null || !model) return null;
    const index = model.rows.findIndex((row, at) => rowKey(model, at) === selected);
    return index < 0 ? null : { row: model.rows[index], name: model.names[index] };
  }

  const valueOf = (column) => (column.id === 'share' ? (row) => shareOf(row, base) : (row) => row[column.key] ?? null);

  function rebuild() {
    const { document } = run;
    const flat = session.state.flat || run.partial;
    base = shareBase(document, document.ranks.length || document.num_ranks);
    columns = availableColumns(document, { tree: !flat, baseKind: base.kind, ranks: document.num_ranks });
    model = createModel(flat ? document.regions : document.rows, flat);
    order();
  }

  function order() {
    const { sort } = session.state;
    const column = columns.find((one) => one.id === sort.key);
    sortModel(model, column || sort.key === ORDER_NAME ? sort : { key: ORDER_START, descending: false },
      column ? valueOf(column) : undefined);
  }

  function draw() {
    if (!model) return;
    const { filter, columns: wanted, sort } = session.state;
    const keep = regionFilter(filter);
    const marks = keep ? filtered : choices;
    visible = visibleRows(model, { keep, folded: (index) => marks.size ? marks.get(rowKey(model, index)) : undefined });
    grid.setEmptyText(keep ? 'No regions match the filter.' : `No regions were recorded. ${adviceFor('no-regions')}`);
    grid.update({
      columns: columns.filter((column) => wanted.includes(column.id)),
      rows: visible,
      selected: selected === null ? -1 : visible.findIndex(({ index }) => rowKey(model, index) === selected),
      sort: sort.key === ORDER_NAME ? { ...sort, key: 'name' } : sort,
      cellOf,
      nameOf,
    });
  }

  function cellOf({ index }, column, cell) {
    const row = model.rows[index];
    const value = valueOf(column)(row);
    if (column.kind === 'time') {
      const { value: text, unit } = durationParts(value, session.state.unit);
      cell.title = exactDuration(value);
      cell.append(text, unit ? h('span', { class: 'unit' }, `\u00a0${unit}`) : '');
    } else if (column.kind === 'percent') {
      cell.textContent = formatPercent(value);
      if (value !== null) cell.title = `${value} %`;
    } else cell.textContent = formatCount(value);
    if (value === null) cell.classList.add('none');
    if (column.bar && value !== null) {
      cell.classList.add('bar');
      cell.style.setProperty('--share', `${Math.max(0, Math.min(100, value))}%`);
    }
  }

  function nameOf({ index }) {
    const row = model.rows[index];
    const name = model.names[index];
    const path = model.flat ? name : row.path.join(' › ');
    return h('span', { class: 'region-name', title: path },
      ...marked(name, session.state.filter),
      row.recursive ? h('span', { class: 'recursive', title: 'Calls itself; calls of all levels are in this row' }, ' ↻',
        h('span', { class: 'sr' }, ' recursive')) : null);
  }

  return {
    element: grid.element,
    focus: grid.focus,
    setBusy: grid.setBusy,
    setPrinting: grid.setPrinting,
    /** Shows a run (or a newer document of the same run). */
    show(next) {
      if (next !== run) {
        choices = new Map();
        filtered = new Map();
        selected = null;
        grid.reset();
      }
      run = next;
      rebuild();
      draw();
      onSelect(chosen());
    },
    /** Reacts to changes of the session's state. */
    follow(names) {
      if (!run) return;
      if (names.includes('flat')) {
        selected = null;
        rebuild();
        onSelect(null);
      } else if (names.includes('sort')) order();
      if (names.includes('filter')) filtered = new Map();
      draw();
    },
    /** Folds or unfolds everything. */
    foldAll(fold) {
      const marks = session.state.filter.trim() ? filtered : choices;
      marks.clear();
      for (const index of model.children.keys()) marks.set(rowKey(model, index), fold);
      draw();
    },
    /** Selects a region by its name: its first row from the top, unfolding what hides it. */
    select(name) {
      const index = model?.names.indexOf(name) ?? -1;
      if (index < 0) return;
      for (let above = model.parent[index]; above >= 0; above = model.parent[above]) choices.set(rowKey(model, above), false);
      selected = rowKey(model, index);
      draw();
      grid.activate(visible.findIndex((row) => row.index === index), -1);
      onSelect(chosen());
    },
    /** Regions kept by the filter, and all. */
    counts() {
      const keep = regionFilter(session.state.filter);
      const names = run.document.regions;
      return { kept: keep ? names.filter((row) => keep(row.name)).length : names.length, all: names.length };
    },
    columns: () => columns,
    isFlat: () => model?.flat ?? true,
    shareKind: () => base?.kind,
  };
}

/** A name with the piece that matched the filter marked. */
function marked(name, filter) {
  const term = parseRegionFilter(filter).find((one) => matchesRegionFilter(name, [one]));
  const text = term?.replace(/^\^/, '');
  // Lower-casing may change the length of a name; then nothing is marked.
  const lower = name.toLowerCase();
  const at = text && lower.length === name.length ? lower.indexOf(text) : -1;
  if (at < 0) return [name];
  return [name.slice(0, at), h('mark', {}, name.slice(at, at + text.length)), name.slice(at + text.length)];
}
