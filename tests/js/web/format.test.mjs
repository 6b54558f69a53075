import assert from 'node:assert/strict';
import test from 'node:test';
import {
  exactDuration, formatBytes, formatCount, formatDuration, formatPercent, formatRanks, parseRanks, plural,
} from '../../../web/format.js';

const plain = (text) => text.replaceAll('\u00a0', ' ');

for (const [ns, unit, expected] of [
  [0, 'auto', '0 s'], [1, 'auto', '1 ns'], [999, 'auto', '999 ns'], [1000, 'auto', '1.000 µs'],
  [12345678, 'auto', '12.35 ms'], [1e9, 'auto', '1.000 s'], [4832e9, 'auto', '4,832 s'],
  [1.5, 'auto', '1.500 ns'], [-2500, 'auto', '-2.500 µs'], [1234, 'ms', '0.001234 ms'], [12, 's', '1.20e-8 s'],
  [9007199254740993n, 'auto', '9,007,199 s'], [null, 'auto', '–'], [undefined, 's', '–'],
]) {
  test(`${ns} ns in ${unit} reads ${expected}`, () => assert.equal(plain(formatDuration(ns, unit)), expected));
}

test('the exact form keeps every digit', () => {
  assert.equal(exactDuration(12345678901), '12,345,678,901 ns = 12.345678901 s');
  assert.equal(exactDuration(9007199254740993n), '9,007,199,254,740,993 ns = 9,007,199.254740993 s');
  assert.equal(exactDuration(-1), '-1 ns = -0.000000001 s');
  assert.equal(exactDuration(5e9), '5,000,000,000 ns = 5 s');
  assert.equal(exactDuration(0.25), '0.25 ns');
  assert.equal(exactDuration(null), 'no value');
});

for (const [value, expected] of [
  [100, '100 %'], [99.99, '100.0 %'], [56.94, '56.9 %'], [9.99, '9.99 %'], [0.0312, '0.03 %'], [0.004, '< 0.01 %'],
  [0, '0 %'], [123.4, '123.4 %'], [null, '–'],
]) {
  test(`${value} percent reads ${expected}`, () => assert.equal(plain(formatPercent(value)), expected));
}

test('bytes, counts and plurals', () => {
  assert.equal(plain(formatBytes(512)), '512 B');
  assert.equal(plain(formatBytes(1955944)), '1.87 MiB');
  assert.equal(plain(formatBytes(4.5 * 2 ** 30)), '4.50 GiB');
  assert.equal(formatCount(1234567), '1,234,567');
  assert.equal(plural(1, 'rank'), '1 rank');
  assert.equal(plural(1200, 'entry', 'entries'), '1,200 entries');
});

test('ranks are written as spans and read back', () => {
  assert.equal(formatRanks([0, 1, 2, 5, 7, 8]), '0-2,5,7-8');
  assert.deepEqual(parseRanks('0-2, 5'), [0, 1, 2, 5]);
  assert.equal(parseRanks('0-x'), null);
  assert.deepEqual(parseRanks(formatRanks([3, 9])), [3, 9]);
});
