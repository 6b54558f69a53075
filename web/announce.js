// One polite live region for what happens without being looked at.

let region;

/** Says a sentence to screen readers. */
export function announce(text) {
  region ??= document.querySelector('#announcer');
  if (!region) return;
  // A repeated sentence must change the text to be spoken again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
