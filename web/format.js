// Numbers as text. Values arrive as integers of nanoseconds (number or bigint) or doubles, and null
// for "no value"; nothing is computed here but the unit.

const UNITS = [
  { name: 's', digits: 9 },
  { name: 'ms', digits: 6 },
  { name: 'µs', digits: 3 },
  { name: 'ns', digits: 0 },
];
export const UNIT_NAMES = ['auto', ...UNITS.map((unit) => unit.name)];

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const significant = new Intl.NumberFormat('en-US', {
  minimumSignificantDigits: 4, maximumSignificantDigits: 4,
});
const NONE = '–';

/** 12345 → "12,345". */
export function formatCount(count) {
  return count === null || count === undefined ? NONE : grouped.format(count);
}

/** "1 rank", "2 ranks". */
export function plural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
}

function unitOf(size, wanted) {
  if (wanted !== 'auto') return UNITS.find((unit) => unit.name === wanted) ?? UNITS[0];
  if (size === 0) return UNITS[0];
  return UNITS.find((unit) => size >= 10 ** unit.digits) ?? UNITS.at(-1);
}

/** Four digits that matter; whole numbers stay whole. */
function digits(value) {
  if (Math.abs(value) >= 1000) return grouped.format(Math.round(value));
  return significant.format(value);
}

/**
 * A time as number and unit: { value: "12.35", unit: "ms" }.
 * @param {number | bigint | null | undefined} ns
 * @param {string} [wanted] "auto" or a unit's name
 */
export function durationParts(ns, wanted = 'auto') {
  if (ns === null || ns === undefined) return { value: NONE, unit: '' };
  const number = Number(ns);
  if (number === 0) return { value: '0', unit: wanted === 'auto' ? 's' : wanted };
  const unit = unitOf(Math.abs(number), wanted);
  const scaled = number / 10 ** unit.digits;
  if (unit.digits === 0 && Number.isInteger(number)) return { value: grouped.format(ns), unit: 'ns' };
  const tiny = wanted !== 'auto' && Math.abs(scaled) < 1e-4;
  return { value: tiny ? scaled.toExponential(2) : digits(scaled), unit: unit.name };
}

/** "12.35 ms". */
export function formatDuration(ns, wanted = 'auto') {
  const { value, unit } = durationParts(ns, wanted);
  return unit ? `${value}\u00a0${unit}` : value;
}

/** Every digit: "12,345,678 ns = 0.012345678 s". */
export function exactDuration(ns) {
  if (ns === null || ns === undefined) return 'no value';
  if (typeof ns === 'number' && !Number.isInteger(ns)) return `${ns.toLocaleString('en-US', { maximumFractionDigits: 20 })} ns`;
  const whole = BigInt(ns);
  const sign = whole < 0n ? '-' : '';
  const text = (whole < 0n ? -whole : whole).toString().padStart(10, '0');
  const seconds = `${BigInt(text.slice(0, -9)).toLocaleString('en-US')}.${text.slice(-9)}`;
  return `${whole.toLocaleString('en-US')} ns = ${sign}${seconds.replace(/\.?0+$/, '')} s`;
}

/** A percentage of the document: "56.9 %", "100 %", "< 0.01 %". */
export function formatPercent(percent) {
  if (percent === null || percent === undefined) return NONE;
  const size = Math.abs(percent);
  if (size === 0) return '0\u00a0%';
  if (size < 0.01) return `${percent < 0 ? '> -' : '< '}0.01\u00a0%`;
  const places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const whole = size >= 99.95 && !Number.isInteger(percent) ? 1 : places;
  return `${percent.toFixed(whole)}\u00a0%`;
}

/** 1956000 → "1.87 MiB". */
export function formatBytes(bytes) {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < names.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${step === 0 ? value : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)}\u00a0${names[step]}`;
}

/** Ascending rank numbers as text: [0,1,2,5] → "0-2,5". */
export function formatRanks(ranks) {
  const parts = [];
  for (let i = 0; i < ranks.length; i += 1) {
    let end = i;
    while (end + 1 < ranks.length && ranks[end + 1] === ranks[end] + 1) end += 1;
    parts.push(end > i ? `${ranks[i]}-${ranks[end]}` : `${ranks[i]}`);
    i = end;
  }
  return parts.join(',');
}

/** "0-2,5" → [0,1,2,5], as far as it is that simple; null when it is not. */
export function parseRanks(text) {
  const ranks = new Set();
  for (const word of text.split(',').map((part) => part.trim()).filter(Boolean)) {
    const found = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(word);
    if (!found) return null;
    const last = Number(found[2] ?? found[1]);
    if (last - Number(found[1]) > 100000) return null;
    for (let rank = Number(found[1]); rank <= last; rank += 1) ranks.add(rank);
  }
  return [...ranks].sort((a, b) => a - b);
}
