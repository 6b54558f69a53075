// A button that opens a panel beneath it: Escape and clicks elsewhere close it.

import { h, icon, uid } from './dom.js';

const open = new Set();

addEventListener('pointerdown', (event) => {
  for (const menu of [...open]) if (!menu.element.contains(event.target)) menu.close(false);
});

/** @param {string} label @param {(panel: HTMLElement) => void} fill Called each time it opens. */
export function createMenu(label, fill, { align = 'start', describe } = {}) {
  const id = uid('menu');
  const panel = h('div', { class: 'menu-panel', id, hidden: true, role: 'group', 'aria-label': describe ?? label });
  const text = h('span', {}, label);
  const button = h('button', {
    type: 'button', class: 'button', 'aria-expanded': 'false', 'aria-controls': id,
    onclick: () => (panel.hidden ? show() : close(true)),
  }, text, icon('down'));
  const element = h('div', { class: 'menu' }, button, panel);
  const menu = { element, button, close, open: show, setLabel: (next) => { text.textContent = next; } };

  function show() {
    fill(panel);
    panel.classList.toggle('end', align === 'end');
    panel.hidden = false;
    if (panel.getBoundingClientRect().right > document.documentElement.clientWidth - 8) panel.classList.add('end');
    button.setAttribute('aria-expanded', 'true');
    open.add(menu);
    panel.querySelector('input, button, select')?.focus();
  }

  function close(back) {
    if (panel.hidden) return;
    panel.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    open.delete(menu);
    if (back) button.focus();
  }

  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return;
    event.stopPropagation();
    close(true);
  });
  element.addEventListener('focusout', (event) => {
    // A click on a label moves the focus to whatever focusable holds it, such as main: stay open.
    const to = event.relatedTarget;
    if (to && !element.contains(to) && !to.contains(element)) close(false);
  });
  return menu;
}
