// One colour per name, the same on every page and in every order of the rows.

const PALETTE = [
  '#2a78d6', '#eb6834', '#1baf7a', '#eda100', '#e87ba4', '#008300', '#4a3aa7', '#e34948',
];

/** FNV-1a over the name's code points. */
function hash(name) {
  let value = 2166136261;
  for (const character of name) value = Math.imul(value ^ character.codePointAt(0), 16777619);
  return value >>> 0;
}

/**
 * The colour of a name: the supplied one, else a hash of the name into the palette.
 * @param {string} name
 * @param {Record<string, string> | null} [supplied]
 */
export function colorOf(name, supplied) {
  if (supplied && Object.hasOwn(supplied, name)) return supplied[name];
  return PALETTE[hash(name) % PALETTE.length];
}

/** The map of colours a figure uses: the caller's, else the document's own; never merged. */
export function suppliedColors(payload, options) {
  return options.colors ?? payload.colors ?? null;
}

/** Next hue of the golden-angle walk, for names beyond the palette. */
const spare = (step) => `hsl(${((step * 137.508) % 360).toFixed(1)}, 62%, 45%)`;

/**
 * A frozen object name → colour. With `distinct`, no two names share one: a name whose hashed
 * colour is taken gets the next free colour of the palette, then generated hues.
 */
export function createColorRegistry(names = [], supplied = {}, { distinct = false } = {}) {
  const registry = Object.create(null);
  const taken = new Set(Object.values(supplied ?? {}));
  let step = 0;
  for (const name of names) {
    if (Object.hasOwn(registry, name)) continue;
    let color = colorOf(name, supplied);
    if (distinct && taken.has(color) && !(supplied && Object.hasOwn(supplied, name))) {
      color = PALETTE.find((free) => !taken.has(free));
      while (color === undefined || taken.has(color)) color = spare(step++);
    }
    taken.add(color);
    Object.defineProperty(registry, name, { value: color, enumerable: true });
  }
  return Object.freeze(registry);
}
