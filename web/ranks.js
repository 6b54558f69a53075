// Which ranks count: a text like "0-3,8", and boxes to tick when there are few.

import { h, uid } from './dom.js';
import { createMenu } from './menu.js';
import { formatRanks, parseRanks } from './format.js';

const MAX_BOXES = 64;

/** @param {(text: string) => void} onChange Called with the text when it is to take effect. */
export function createRankSelector(onChange) {
  const id = uid('ranks');
  let all = [];
  let current = '';
  let error = null;
  const menu = createMenu('Ranks', fill, { describe: 'Ranks that count' });

  function fill(panel) {
    const input = h('input', {
      type: 'text', id, value: current, placeholder: `all (${formatRanks(all)})`, autocomplete: 'off',
      spellcheck: 'false', 'aria-describedby': `${id}-help ${id}-error`, 'aria-invalid': error ? 'true' : null,
    });
    const apply = () => take(input.value.trim());
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') apply();
    });
    const boxes = all.length > 1 && all.length <= MAX_BOXES ? rankBoxes(input, panel) : null;
    input.addEventListener('input', () => boxes?.follow(input.value));
    panel.replaceChildren(
      h('label', { htmlFor: id }, 'Ranks'),
      h('div', { class: 'rank-line' }, input,
        h('button', { type: 'button', class: 'button primary', onclick: apply }, 'Apply'),
        h('button', { type: 'button', class: 'button', onclick: () => take('') }, 'All')),
      h('p', { class: 'muted small', id: `${id}-help` }, 'Numbers and spans, such as 0-3,8.'),
      h('p', { class: 'field-error', id: `${id}-error`, role: 'alert' }, error ?? ''),
      ...(boxes ? [boxes.element] : []));
  }

  function rankBoxes(input, panel) {
    const ticked = new Set(current ? parseRanks(current) ?? [] : all);
    const boxes = all.map((rank) => h('label', { class: 'check' },
      h('input', {
        type: 'checkbox', checked: ticked.has(rank), dataset: { rank: String(rank) },
        onchange: () => {
          const on = [...panel.querySelectorAll('input[data-rank]:checked')].map((box) => Number(box.dataset.rank));
          input.value = on.length === all.length ? '' : formatRanks(on);
        },
      }), String(rank)));
    return {
      element: h('fieldset', { class: 'rank-boxes' }, h('legend', {}, 'Ranks of this run'), boxes),
      follow(text) {
        const wanted = text.trim() ? parseRanks(text) : all;
        if (!wanted) return;
        for (const box of panel.querySelectorAll('input[data-rank]')) {
          box.checked = wanted.includes(Number(box.dataset.rank));
        }
      },
    };
  }

  function take(text) {
    if (text === current && !error) return menu.close(true);
    current = text;
    menu.close(true);
    onChange(text);
  }

  return {
    element: menu.element,
    /** What the run has and what is chosen; an error opens the panel again. */
    update({ ranks, chosen, problem, count }) {
      all = ranks;
      current = chosen;
      const isNew = problem && problem !== error;
      error = problem;
      menu.element.hidden = count <= 1 && !problem;
      menu.setLabel(chosen ? `Ranks ${chosen.length > 16 ? `${chosen.slice(0, 15)}…` : chosen}` : 'All ranks');
      if (isNew) menu.open();
    },
  };
}
