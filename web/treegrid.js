// A table of many rows as an ARIA treegrid. Only the rows in sight (and a few around) are in the
// document; focus stays on the grid and names the active row or cell, so it survives every redraw.

import { h, icon, uid } from './dom.js';
import { gridKeys } from './grid-keys.js';

const OVERSCAN = 12;
/** Taller documents are clipped by browsers. */
const MAX_ROWS = 400_000;

/**
 * @param {object} handlers
 * @param {(at: number) => void} handlers.onSelect    Row `at` of the visible rows was chosen.
 * @param {(at: number, expand?: boolean) => void} handlers.onToggle
 * @param {(column: string) => void} handlers.onSort
 * @param {string} label
 */
export function createTreegrid({ onSelect, onToggle, onSort }, label) {
  const head = h('tr', { role: 'row', 'aria-rowindex': 1 });
  const columns = h('colgroup');
  const body = h('tbody', { role: 'rowgroup' });
  const table = h(
    'table',
    { role: 'treegrid', class: 'grid', tabindex: 0, 'aria-label': label, 'aria-describedby': 'grid-help' },
    columns, h('thead', { role: 'rowgroup' }, head), body,
  );
  const scroller = h('div', { class: 'grid-scroll' }, table);
  const note = h('p', { class: 'grid-note muted', hidden: true });
  const digits = h('p', { class: 'grid-status', hidden: true });
  const element = h('div', { class: 'grid-box' }, scroller, digits, note);
  const id = uid('grid');
  const state = {
    columns: [], rows: [], selected: -1, active: 0, cell: -1, sort: null, cellOf: null, nameOf: null,
    from: -1, to: -1, all: false,
  };
  let rowHeight = 30;
  let waiting = 0;

  /** The table's content. `cellOf(row, column)` makes a cell's content, `nameOf(row)` the first. */
  function update({ columns: list, rows, selected, sort, cellOf, nameOf }) {
    const clipped = rows.length > MAX_ROWS;
    Object.assign(state, {
      columns: list, rows: clipped ? rows.slice(0, MAX_ROWS) : rows, selected, sort, cellOf, nameOf, from: -1,
    });
    note.hidden = !clipped;
    note.textContent = clipped
      ? `The first ${MAX_ROWS.toLocaleString('en-US')} of ${rows.length.toLocaleString('en-US')} rows are listed; filter or fold to see others.`
      : '';
    state.active = Math.min(state.active, Math.max(0, state.rows.length - 1));
    state.cell = Math.min(state.cell, list.length);
    table.setAttribute('aria-rowcount', state.rows.length + 1);
    table.setAttribute('aria-colcount', list.length + 1);
    drawHead();
    measure();
    draw();
  }

  function measure() {
    rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 30;
  }

  function drawHead() {
    const cells = [{ id: 'name', label: 'region', title: 'Region' }, ...state.columns];
    columns.replaceChildren(...cells.map((column) => h('col', { class: `col-${column.kind ?? 'name'}${column.bar ? ' col-bar' : ''}` })));
    head.replaceChildren(...cells.map((column, at) => {
      const sorted = state.sort?.key === column.id;
      const direction = sorted ? (state.sort.descending ? 'descending' : 'ascending') : 'none';
      return h(
        'th',
        {
          role: 'columnheader', scope: 'col', id: `${id}-h${at}`, 'aria-sort': direction,
          'aria-colindex': at + 1, class: at ? 'number' : 'name', title: column.title,
        },
        h('button', { type: 'button', class: 'sort', tabindex: -1, onclick: () => onSort(column.id) },
          h('span', {}, column.label),
          h('span', { class: 'arrow', 'aria-hidden': 'true' }, sorted ? (state.sort.descending ? '▼' : '▲') : '')),
      );
    }));
    table.style.setProperty('--columns', String(state.columns.length));
  }

  function range() {
    const count = state.rows.length;
    if (state.all) return [0, Math.min(count, 5000)];
    const first = Math.floor(scroller.scrollTop / rowHeight) - OVERSCAN;
    const inSight = Math.ceil((scroller.clientHeight || 600) / rowHeight);
    const from = Math.max(0, Math.min(first, count - 1));
    return [from, Math.min(count, from + inSight + 2 * OVERSCAN)];
  }

  function draw() {
    const [from, to] = range();
    if (from === state.from && to === state.to) return;
    Object.assign(state, { from, to });
    const rows = [];
    if (from > 0) rows.push(spacer(from));
    for (let at = from; at < to; at += 1) rows.push(drawRow(at));
    if (to < state.rows.length && !state.all) rows.push(spacer(state.rows.length - to));
    if (!state.rows.length) rows.push(emptyRow());
    body.replaceChildren(...rows);
    markActive();
  }

  function spacer(count) {
    const cell = h('td', { colspan: state.columns.length + 1 });
    cell.style.height = `${count * rowHeight}px`;
    return h('tr', { class: 'spacer', 'aria-hidden': 'true' }, cell);
  }

  function emptyRow() {
    return h('tr', { role: 'row', class: 'empty' },
      h('td', { role: 'gridcell', colspan: state.columns.length + 1 }, state.emptyText ?? 'No regions.'));
  }

  function drawRow(at) {
    const row = state.rows[at];
    const twisty = row.expandable
      ? h('span', { class: 'twisty', onclick: (event) => (event.stopPropagation(), onToggle(at)) }, icon('chevron'))
      : h('span', { class: 'twisty none' });
    const name = h('th', { role: 'rowheader', scope: 'row', class: 'name', id: `${id}-r${at}-0`, 'aria-colindex': 1 },
      h('span', { class: 'name-box' }, twisty, state.nameOf(row)));
    name.style.setProperty('--level', String(row.level - 1));
    const cells = state.columns.map((column, c) => {
      const cell = h('td', { role: 'gridcell', id: `${id}-r${at}-${c + 1}`, 'aria-colindex': c + 2, class: 'number' });
      state.cellOf(row, column, cell);
      return cell;
    });
    return h(
      'tr',
      {
        role: 'row', id: `${id}-r${at}`, 'aria-rowindex': at + 2, 'aria-level': row.level,
        'aria-posinset': row.position, 'aria-setsize': row.size,
        'aria-expanded': row.expandable ? String(row.expanded) : null,
        'aria-selected': String(at === state.selected), class: row.context ? 'context' : null,
        dataset: { at: String(at) },
      },
      name, ...cells,
    );
  }

  function activeId() {
    if (state.active < 0) return `${id}-h${Math.max(0, state.cell)}`;
    return state.cell < 0 ? `${id}-r${state.active}` : `${id}-r${state.active}-${state.cell}`;
  }

  function markActive() {
    table.querySelector('.active')?.classList.remove('active');
    const active = document.getElementById(activeId());
    active?.classList.add('active');
    if (active) table.setAttribute('aria-activedescendant', active.id);
    else table.removeAttribute('aria-activedescendant');
    showDigits(active);
  }

  /** The active cell in full, under the table: what a pointer finds in the cell's tooltip. */
  function showDigits(cell) {
    const text = state.active >= 0 && state.cell > 0 && document.activeElement === table ? cell?.title : '';
    digits.hidden = !text;
    digits.textContent = text ? `${state.columns[state.cell - 1].label}: ${text}` : '';
  }

  /** Makes row `at` (-1: the head) and cell (-1: the whole row) the active one and shows it. */
  function activate(at, cell = state.cell) {
    state.active = at < 0 ? -1 : Math.max(0, Math.min(at, state.rows.length - 1));
    state.cell = state.active < 0 ? Math.max(0, cell) : Math.min(cell, state.columns.length);
    reveal();
    draw();
    markActive();
  }

  function reveal() {
    const headHeight = head.offsetHeight;
    if (state.active >= 0) {
      const top = state.active * rowHeight;
      const sight = scroller.clientHeight - headHeight;
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      else if (top + rowHeight > scroller.scrollTop + sight) scroller.scrollTop = top + rowHeight - sight + 1;
    }
    const th = head.children[state.cell];
    if (state.cell <= 0 || !th) {
      if (state.cell === 0) scroller.scrollLeft = 0;
      return;
    }
    const sticky = head.children[0].offsetWidth;
    if (th.offsetLeft < scroller.scrollLeft + sticky) scroller.scrollLeft = th.offsetLeft - sticky;
    else if (th.offsetLeft + th.offsetWidth > scroller.scrollLeft + scroller.clientWidth) {
      scroller.scrollLeft = th.offsetLeft + th.offsetWidth - scroller.clientWidth;
    }
  }

  const pageRows = () => Math.max(1, Math.floor((scroller.clientHeight - head.offsetHeight) / rowHeight) - 1);

  scroller.addEventListener('scroll', () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(draw);
  }, { passive: true });
  new ResizeObserver(() => draw()).observe(scroller);
  body.addEventListener('click', (event) => {
    const row = event.target.closest('tr[data-at]');
    if (!row) return;
    activate(Number(row.dataset.at), -1);
    onSelect(Number(row.dataset.at));
  });
  body.addEventListener('dblclick', (event) => {
    const at = Number(event.target.closest('tr[data-at]')?.dataset.at ?? -1);
    if (state.rows[at]?.expandable) onToggle(at);
  });
  table.addEventListener('focus', markActive);
  table.addEventListener('blur', () => showDigits(null));
  table.addEventListener('keydown', (event) =>
    gridKeys(event, { state, activate, onSelect, onToggle, onSort, pageRows }));

  return {
    element,
    update,
    /** All rows for paper (at most 5000), or back to those in sight. */
    setPrinting(on) {
      state.all = on;
      state.from = -1;
      draw();
    },
    setEmptyText(text) {
      state.emptyText = text;
    },
    activate,
    /** For another table: from the top, on the first row. */
    reset() {
      Object.assign(state, { active: 0, cell: -1 });
      scroller.scrollTop = scroller.scrollLeft = 0;
    },
    focus: () => table.focus(),
    setBusy: (busy) => table.setAttribute('aria-busy', String(busy)),
  };
}
