// The row of controls over the region table.

import { ORDER_NAME, ORDER_START, defaultColumns } from './columns.js';
import { debounce, h, icon } from './dom.js';
import { UNIT_NAMES, formatCount } from './format.js';
import { createMenu } from './menu.js';
import { createRankSelector } from './ranks.js';

/**
 * @param {ReturnType<import('./session.js').createSession>} session
 * @param {object} actions ranks(text), foldAll(fold), save(level), copyCommand(), focusTable()
 */
export function createToolbar(session, table, actions) {
  const filter = h('input', {
    type: 'search', id: 'filter', placeholder: 'Filter regions', autocomplete: 'off', spellcheck: 'false',
    'aria-describedby': 'filter-count', 'aria-keyshortcuts': '/',
  });
  const count = h('output', { id: 'filter-count', class: 'muted', 'aria-live': 'polite', htmlFor: 'filter' });
  const apply = debounce(() => session.set({ filter: filter.value }), 150);
  filter.addEventListener('input', apply);
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && filter.value) {
      event.preventDefault();
      event.stopPropagation();
      filter.value = '';
      apply();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      apply.cancel();
      session.set({ filter: filter.value });
      actions.focusTable();
    }
  });

  const ranks = createRankSelector(actions.ranks);
  const columns = createMenu('Columns', fillColumns);
  const sort = h('select', { id: 'sort', onchange: () => takeSort() });
  const flat = h('input', { type: 'checkbox', id: 'flat', onchange: () => session.set({ flat: flat.checked }) });
  const unfold = h('button', { type: 'button', class: 'button', onclick: () => actions.foldAll(false) }, 'Unfold all');
  const fold = h('button', { type: 'button', class: 'button', onclick: () => actions.foldAll(true) }, 'Fold all');
  const save = createMenu('Save', fillSave, { align: 'end', describe: 'Save or copy' });

  const element = h('div', { class: 'toolbar' },
    h('div', { class: 'filter-box' },
      icon('search'),
      h('label', { htmlFor: 'filter', class: 'sr' }, 'Filter regions: pieces of names, separated by commas'),
      filter, count),
    h('div', { class: 'tools' },
      ranks.element,
      h('label', { class: 'select-label' }, h('span', {}, 'Order'), sort),
      h('label', { class: 'check' }, flat, 'Flat'),
      unfold, fold, columns.element, save.element));

  function takeSort() {
    const key = sort.value;
    session.set({ sort: { key, descending: key !== ORDER_START && key !== ORDER_NAME } });
  }

  function fillSort() {
    const options = [[ORDER_START, 'First start'], [ORDER_NAME, 'Name'], ...table.columns().map((column) => [column.id, column.label])];
    const current = session.state.sort.key;
    sort.replaceChildren(...options.map(([value, label]) => h('option', { value }, label)));
    sort.value = options.some(([value]) => value === current) ? current : ORDER_START;
  }

  function fillColumns(panel) {
    const shown = new Set(session.state.columns);
    const boxes = table.columns().map((column) => h('label', { class: 'check', title: column.title },
      h('input', {
        type: 'checkbox', checked: shown.has(column.id),
        onchange: (event) => {
          if (event.target.checked) shown.add(column.id);
          else shown.delete(column.id);
          session.set({ columns: [...shown] });
        },
      }), h('span', {}, column.label), h('span', { class: 'muted small' }, column.title)));
    const unit = h('select', { id: 'unit', onchange: () => session.set({ unit: unit.value }) },
      UNIT_NAMES.map((name) => h('option', { value: name }, name === 'auto' ? 'as fits' : name)));
    unit.value = session.state.unit;
    panel.replaceChildren(
      h('fieldset', { class: 'column-boxes' }, h('legend', {}, 'Columns'), boxes),
      h('div', { class: 'menu-row' },
        h('label', { class: 'select-label' }, h('span', {}, 'Unit of times'), unit),
        h('button', {
          type: 'button', class: 'button small',
          onclick: () => {
            session.set({ columns: defaultColumns(), unit: 'auto' });
            fillColumns(panel);
          },
        }, 'Reset')));
  }

  function fillSave(panel) {
    const item = (label, note, onclick) => h('button', { type: 'button', class: 'menu-item', onclick: () => { save.close(true); onclick(); } },
      h('span', {}, label), h('span', { class: 'muted small' }, note));
    panel.replaceChildren(
      item('JSON, to share', 'Without user, host, paths and environment', () => actions.save('public')),
      item('JSON, complete', 'Everything that is stored; for yourself', () => actions.save('full')),
      item('Copy command', 'The command line that prints the same numbers', actions.copyCommand));
  }

  return {
    element,
    focusFilter() {
      filter.focus();
      filter.select();
    },
    /** Controls follow the run and the session. */
    update(run) {
      const { kept, all } = table.counts();
      count.textContent = session.state.filter.trim() ? `${formatCount(kept)} of ${formatCount(all)} regions` : `${formatCount(all)} ${all === 1 ? 'region' : 'regions'}`;
      if (document.activeElement !== filter) filter.value = session.state.filter;
      flat.checked = table.isFlat();
      flat.disabled = run.partial;
      unfold.disabled = fold.disabled = table.isFlat();
      fillSort();
      ranks.update({
        ranks: run.allRanks ?? [], chosen: run.ranks, problem: run.rankError, count: run.document.num_ranks,
      });
    },
  };
}
