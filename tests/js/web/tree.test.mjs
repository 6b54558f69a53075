import assert from 'node:assert/strict';
import test from 'node:test';
import { createModel, rowKey, sortModel, visibleRows } from '../../../web/tree.js';

/*  main |==============|
      a  |====|  b |===|
      a > leaf |=|          */
const row = (path, total) => ({ path, depth: path.length - 1, total_ns: total });
const rows = [
  row(['main'], 100), row(['main', 'a'], 20), row(['main', 'a', 'leaf'], 5), row(['main', 'b'], 60), row(['late'], 300),
];
const open = { folded: () => undefined };
const names = (model, view) => visibleRows(model, view).map(({ index }) => model.names[index]);

test('rows keep the order of the document until sorted', () => {
  assert.deepEqual(names(createModel(rows, false), open), ['main', 'a', 'leaf', 'b', 'late']);
});

test('sorting orders siblings and keeps children below their parent', () => {
  const model = createModel(rows, false);
  sortModel(model, { key: 'total', descending: true }, (one) => one.total_ns);
  assert.deepEqual(names(model, open), ['late', 'main', 'b', 'a', 'leaf']);
  sortModel(model, { key: 'start', descending: false });
  assert.deepEqual(names(model, open), ['main', 'a', 'leaf', 'b', 'late']);
});

test('rows without a value come last in both directions; ties go by name', () => {
  const flat = ['z', 'b', 'a', 'none'].map((name, at) => ({ name, v: [2, 1, 1, null][at] }));
  const model = createModel(flat, true);
  sortModel(model, { key: 'v', descending: true }, (one) => one.v);
  assert.deepEqual(names(model, open), ['z', 'a', 'b', 'none']);
  sortModel(model, { key: 'v', descending: false }, (one) => one.v);
  assert.deepEqual(names(model, open), ['a', 'b', 'z', 'none']);
});

test('bigint and number values compare by size', () => {
  const model = createModel([{ name: 'a', v: 5 }, { name: 'b', v: 9007199254740993n }], true);
  sortModel(model, { key: 'v', descending: true }, (one) => one.v);
  assert.deepEqual(names(model, open), ['b', 'a']);
});

test('names sort by code point, beyond the basic plane too', () => {
  const model = createModel(['🚀', '\uffee', 'b', 'B'].map((name) => ({ name })), true);
  sortModel(model, { key: 'name', descending: false });
  assert.deepEqual(names(model, open), ['B', 'b', '\uffee', '🚀']);
});

test('a filter keeps matches and the rows above them', () => {
  const model = createModel(rows, false);
  const visible = visibleRows(model, { keep: (name) => name === 'leaf', folded: () => undefined });
  assert.deepEqual(visible.map(({ index, context }) => [model.names[index], context]), [['main', true], ['a', true], ['leaf', false]]);
  assert.deepEqual(visible.map(({ position, size }) => [position, size]), [[1, 1], [1, 1], [1, 1]]);
});

test('folded rows hide what is below', () => {
  const model = createModel(rows, false);
  const key = rowKey(model, 0);
  const visible = visibleRows(model, { folded: (index) => (rowKey(model, index) === key ? true : undefined) });
  assert.deepEqual(visible.map(({ index }) => model.names[index]), ['main', 'late']);
  assert.equal(visible[0].expandable, true);
  assert.equal(visible[0].expanded, false);
});

test('large trees start folded, small ones open', () => {
  const many = [row(['main'], 1)];
  for (let i = 0; i < 1000; i += 1) many.push(row(['main', `r${i}`], 1));
  assert.equal(visibleRows(createModel(many, false), open).length, 1);
  assert.equal(visibleRows(createModel(many.slice(0, 300), false), open).length, 300);
});

test('a tree 100,000 levels deep is walked without recursion', () => {
  const deep = Array.from({ length: 100_000 }, (_, depth) => ({ path: [`r${depth}`], depth }));
  const model = createModel(deep, false);
  assert.equal(visibleRows(model, { folded: () => false }).length, 100_000);
  assert.equal(visibleRows(model, { keep: (name) => name === 'r99999', folded: () => undefined }).length, 100_000);
});

test('rows that stand outside a tree (depth 0 after deeper ones) are roots', () => {
  const model = createModel([...rows, row(['outside'], 1)], false);
  assert.deepEqual(model.roots, [0, 4, 5]);
});
