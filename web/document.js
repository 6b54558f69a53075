// The inspect document as objects, without losing a digit.

/** An integer of 16 digits or more outside of quotes may not fit a double. */
const LONG_INTEGER = /[\s:,[]-?\d{16,}(?![\d.eE"])/;

/**
 * Parses an inspect document. Integers beyond 2^53 become bigint, where the browser tells their
 * source text; else they are rounded.
 * @param {string} text
 */
export function parseInspect(text) {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context.source)
      : value);
}
