// The help dialog, and the keys that work anywhere on the page.

const isTyping = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

export function setUpHelp({ focusFilter, pickFiles }) {
  const dialog = document.querySelector('#help');
  const show = () => {
    if (!dialog.open) dialog.showModal();
  };
  for (const button of document.querySelectorAll('[data-help]')) button.addEventListener('click', show);
  dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || dialog.open) return;
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key === 'o') {
      event.preventDefault();
      pickFiles();
    } else if (!command && event.key === '/' && !isTyping(event.target)) {
      event.preventDefault();
      focusFilter();
    } else if (!command && event.key === '?' && !isTyping(event.target)) {
      event.preventDefault();
      show();
    }
  });
}
