// The region filter box: comma-separated terms, any of which keeps a region. A term is a
// case-insensitive piece of the name; a leading ^ ties it to the start. Nothing else is special.

/** The terms of a box's text, trimmed and lower-cased. */
export function parseRegionFilter(text) {
  if (text === null || text === undefined) return [];
  return String(text).split(',').map((term) => term.trim().toLowerCase()).filter((term) => term !== '');
}

/** Is a region kept by any of the terms (as `parseRegionFilter` gives them)? */
export function matchesRegionFilter(region, terms) {
  const name = region === null || region === undefined ? '' : String(region).toLowerCase();
  return terms.some((term) => (term[0] === '^' ? name.startsWith(term.slice(1)) : name.includes(term)));
}

/**
 * A predicate for a box's text, or undefined when it has no terms (everything is kept).
 * With `extended`: `-term` drops, `$` ties to the end, `"…"` protects commas, `/…/` is a regular
 * expression (literal text when it does not compile).
 */
export function regionFilter(text, { extended = false } = {}) {
  if (extended) return extendedFilter(text);
  const terms = parseRegionFilter(text);
  return terms.length ? (region) => matchesRegionFilter(region, terms) : undefined;
}

/** How many of the names a text keeps. */
export function countMatches(names, text) {
  const keep = regionFilter(text);
  let matched = 0;
  let total = 0;
  for (const name of names) {
    total += 1;
    if (!keep || keep(name)) matched += 1;
  }
  return { matched, total };
}

/** One sentence about what a text keeps. */
export function describeRegionFilter(text) {
  const terms = parseRegionFilter(text);
  if (!terms.length) return 'All regions.';
  const parts = terms.map((term) =>
    term[0] === '^' ? `starts with “${term.slice(1)}”` : `contains “${term}”`);
  return `Regions whose name ${parts.join(' or ')}.`;
}

/** Splits at commas outside quotes. */
function splitQuoted(text) {
  const pieces = [''];
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) pieces.push('');
    else pieces[pieces.length - 1] += character;
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function extendedTerm(text) {
  const expression = /^\/(.+)\/$/su.exec(text);
  if (expression) {
    try {
      const compiled = new RegExp(expression[1], 'iu');
      return (name) => compiled.test(name);
    } catch {
      // Not an expression: taken as literal text below.
    }
  }
  const lower = text.toLowerCase();
  const start = lower.startsWith('^');
  const end = lower.length > 1 && lower.endsWith('$');
  const body = lower.slice(start ? 1 : 0, end ? -1 : undefined);
  return (name) => {
    const folded = name.toLowerCase();
    if (start && end) return folded === body;
    if (start) return folded.startsWith(body);
    return end ? folded.endsWith(body) : folded.includes(body);
  };
}

function extendedFilter(text) {
  const terms = splitQuoted(String(text ?? ''));
  if (!terms.length) return undefined;
  const isDrop = (term) => term.length > 1 && term.startsWith('-');
  const drops = terms.filter(isDrop).map((term) => extendedTerm(term.slice(1)));
  const keeps = terms.filter((term) => !isDrop(term)).map(extendedTerm);
  return (region) => {
    const name = String(region ?? '');
    if (drops.some((drop) => drop(name))) return false;
    return keeps.length === 0 || keeps.some((keep) => keep(name));
  };
}
