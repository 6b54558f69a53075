import assert from 'node:assert/strict';
import test from 'node:test';
import {
  countMatches, createFigureRegistry, describeRegionFilter, documentTheme, matchesRegionFilter, parseRegionFilter,
  regionFilter,
} from '../../../packages/plotly/src/dashboard/index.js';
import { setTheme } from '../../../packages/plotly/src/index.js';

const keeps = (text, region, options) => (regionFilter(text, options) ?? (() => true))(region);

for (const [text, region, kept] of [
  ['solve', 'pre-solve step', true], ['SOLVE', 'solve: x', true], ['solve', 'setup', false],
  ['prop:, setup: total', 'setup: total', true], ['^prop:', 'setup prop: push', false], ['^PROP:', 'Prop: Push', true],
  ['', 'anything', true], [' , ,, ', 'x', true], ['^', 'anything', true], ['^^a', '^abc', true], ['a^b', 'ab', false],
  ['*', 'ab', false], ['!solve', 'solve', false], ['solve$', 'solve', false], ['ÉTÉ', 'été', true], ['ß', 'SS', false],
  ['solve,\tsetup', 'setup', true], ['timestep > solve', 'timestep > solve', true],
]) {
  test(`filter ${JSON.stringify(text)} ${kept ? 'keeps' : 'drops'} ${JSON.stringify(region)}`, () => {
    assert.equal(keeps(text, region), kept);
  });
}

test('terms are trimmed, lower-cased, and made of anything', () => {
  assert.deepEqual(parseRegionFilter(' A , ^B,'), ['a', '^b']);
  assert.deepEqual(parseRegionFilter(null), []);
  assert.deepEqual(parseRegionFilter(12), ['12']);
  assert.equal(matchesRegionFilter(null, ['^']), true);
});

test('the extended grammar drops, ends, quotes and takes expressions', () => {
  const extended = { extended: true };
  assert.equal(keeps('-solve', 'solve', extended), false);
  assert.equal(keeps('-solve', 'setup', extended), true);
  assert.equal(keeps('solve$', 'pre-solve', extended), true);
  assert.equal(keeps('"a,b"', 'x a,b', extended), true);
  assert.equal(keeps('/^s.*e$/', 'Solve', extended), true);
  assert.equal(keeps('/(/', 'a/(/b', extended), true);
});

test('a filter can be counted and put into words', () => {
  assert.deepEqual(countMatches(['a', 'b', 'ab'], 'a'), { matched: 2, total: 3 });
  assert.equal(describeRegionFilter('^a, b'), 'Regions whose name starts with “a” or contains “b”.');
});

test('importing and asking for the theme needs no document', () => {
  assert.equal(documentTheme(), 'auto');
  assert.equal(documentTheme({ followSystem: true }), 'auto');
});

const document = (...names) => ({
  plot: 'durations', bars: names.map((region, at) => ({ file: 'one', region, metric: 'total', value_seconds: names.length - at })),
});

function plotly() {
  const calls = [];
  const note = (how) => (element, data, layout, config) => {
    calls.push({ how, element, data, layout, config });
    return Promise.resolve(element);
  };
  return { calls, newPlot: note('newPlot'), react: note('react'), purge: (element) => calls.push({ how: 'purge', element }) };
}

test('the view survives filters and themes, and is fresh for another payload', async () => {
  const stand = plotly();
  const registry = createFigureRegistry(stand, { theme: 'light' });
  const box = {};
  const one = document('a', 'b');
  await registry.render(box, one);
  await registry.render(box, one, { regionFilter: 'a' });
  await registry.render(box, document('c'));
  await registry.render(box, registry.get(box).payload, { resetView: true });
  const [first, second, third, fourth] = stand.calls.map((call) => call.layout.uirevision);
  assert.equal(first, second);
  assert.notEqual(second, third);
  assert.notEqual(third, fourth);
});

test('one filter text reaches all figures but those that opt out', async () => {
  const stand = plotly();
  const registry = createFigureRegistry(stand, { theme: 'light' });
  const boxes = [{}, {}];
  await registry.render(boxes[0], document('a', 'b'));
  await registry.render(boxes[1], document('a', 'b'), { filter: false });
  registry.setFilter('a');
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(stand.calls.slice(2).map((call) => call.data[0].x), [['a'], ['a', 'b']]);
});

test('refresh fails only when every figure failed, and tells of each failure', async () => {
  const told = [];
  const registry = createFigureRegistry(plotly(), { theme: 'light', onError: (error) => told.push(error.message) });
  await registry.render({}, { plot: 'nope' }).catch(() => {});
  await assert.rejects(registry.refresh(), AggregateError);
  await registry.render({}, document('a'));
  await registry.refresh();
  assert.equal(told.length, 3);
  setTheme('auto');
});

test('a figure that failed is drawn anew with newPlot at the next good draw', async () => {
  const stand = plotly();
  const registry = createFigureRegistry(stand, { theme: 'light', onError: () => {} });
  const box = {};
  await registry.render(box, document('a'));
  await registry.render(box, { plot: 'nope' }).catch(() => {});
  await registry.render(box, document('a'));
  assert.deepEqual(stand.calls.map((call) => call.how), ['newPlot', 'newPlot']);
});

test('an asynchronous builder that is overtaken does not draw', async () => {
  const stand = plotly();
  const registry = createFigureRegistry(stand, { theme: 'light' });
  const box = {};
  let finish;
  const slow = registry.render(box, document('a'), { build: () => new Promise((done) => { finish = done; }) });
  const fast = registry.render(box, document('b'));
  finish({ data: [], layout: {} });
  assert.equal(await slow, await fast);
  assert.equal(stand.calls.length, 1);
});

test('forget purges and a late draw of a forgotten container does nothing', async () => {
  const stand = plotly();
  const registry = createFigureRegistry(stand, { theme: 'light' });
  const box = {};
  await registry.render(box, document('a'));
  assert.equal(registry.forget(box), true);
  assert.equal(registry.forget(box), false);
  assert.deepEqual(stand.calls.map((call) => call.how), ['newPlot', 'purge']);
});

test('methods work detached from the object, and watching stops', async () => {
  const stand = plotly();
  const { render, watch, clear } = createFigureRegistry(stand, { theme: 'light' });
  const source = new EventTarget();
  await render({}, document('a'));
  const stop = watch(source);
  source.dispatchEvent(new Event('themechanged'));
  source.dispatchEvent(new Event('themechanged'));
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(stand.calls.length, 2);
  stop();
  source.dispatchEvent(new Event('themechanged'));
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(stand.calls.length, 2);
  clear();
});

test('a click in any figure names the region behind it', async () => {
  const registry = createFigureRegistry(plotly(), { theme: 'light' });
  let click;
  const box = { on: (event, listener) => { click = listener; } };
  const heard = [];
  registry.onSelect((identity, container) => heard.push([identity.region, container === box]));
  await registry.render(box, document('a'));
  await new Promise((done) => setTimeout(done));
  click({ points: [{ customdata: { identity: { region: 'a' } } }] });
  click({ points: [{}] });
  assert.deepEqual(heard, [['a', true]]);
});
