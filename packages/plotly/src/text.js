// Plotly reads a small set of tags and entities in every text it draws, and `%{…}` in templates.

/** Text for hover templates and hover texts. */
export function escapeHover(text) {
  return escapeLabel(text).replaceAll('%{', '%&#123;');
}

/** Text for trace names, categories and tick labels. */
export function escapeLabel(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
