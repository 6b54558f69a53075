import assert from 'node:assert/strict';
import test from 'node:test';
import { buildDurationsFigure, buildFigure, createFigureBuilder, setTheme } from '../../../packages/plotly/src/index.js';

const bar = (region, value, extra = {}) => ({ file: 'run', region, metric: 'total', value_seconds: value, ...extra });
const payload = (...bars) => ({ format: 'scope-profiler-plot-data', format_version: 1, plot: 'durations', bars });

test('regions go by descending cost, ties in order of appearance', () => {
  const figure = buildFigure(payload(bar('a', 1), bar('b', 3), bar('c', 1)));
  assert.deepEqual(figure.data[0].x, ['b', 'a', 'c']);
  assert.deepEqual(figure.data[0].y, [3, 1, 1]);
});

test('a run without a call of a region has a hole there, not a zero', () => {
  const figure = buildFigure(payload(bar('a', 1), bar('b', 2, { file: 'other' })));
  assert.deepEqual(figure.data.map((trace) => trace.y), [[null, 1], [2, null]]);
});

test('bars with ranks of several runs are grouped by run and rank', () => {
  const figure = buildFigure(payload(
    bar('a', 1, { rank: 0 }), bar('a', 2, { rank: 0, file: 'other' })));
  assert.deepEqual(figure.data.map((trace) => trace.name), ['run / rank 0', 'other / rank 0']);
});

test('a bar that names neither run nor rank belongs to "run"', () => {
  const figure = buildFigure({ bars: [{ region: 'a', metric: 'total', value_seconds: 1 }] });
  assert.equal(figure.data[0].name, 'run');
});

test('stacked bars list only the regions of their segment', () => {
  const figure = buildFigure(payload(
    bar('a', 1, { segment: 'self' }), bar('b', 5, { segment: 'self' }), bar('a', 2, { segment: 'b' })));
  assert.equal(figure.layout.barmode, 'stack');
  assert.deepEqual(figure.data.map((trace) => trace.x), [['b', 'a'], ['a']]);
});

test('lying bars swap the axes and start at the top', () => {
  const figure = buildFigure(payload(bar('a', 1), bar('b', 3)), { orientation: 'h' });
  assert.deepEqual(figure.data[0].y, ['b', 'a']);
  assert.deepEqual(figure.data[0].x, [3, 1]);
  assert.equal(figure.layout.yaxis.autorange, 'reversed');
});

test('automatic units scale values, title and hover together', () => {
  const figure = buildFigure(payload(bar('a', 1.5e-6), bar('b', 2e-7)), { units: 'auto' });
  assert.deepEqual(figure.data[0].y, [1.5, 0.2]);
  assert.equal(figure.layout.yaxis.title.text, 'total duration (µs)');
  assert.match(figure.data[0].hovertemplate, / µs<extra>/);
});

test('axis titles are objects, which every Plotly version draws', () => {
  for (const theme of ['auto', 'light', 'dark']) {
    assert.equal(buildFigure(payload(bar('a', 1)), { theme }).layout.yaxis.title.text, 'total duration (s)');
  }
});

test('names cannot inject markup or be taken for substitutions', () => {
  const name = '<b>x</b> %{y}';
  const figure = buildFigure(payload(bar(name, 1, { file: name })));
  assert.equal(figure.data[0].x[0], '&lt;b&gt;x&lt;/b&gt; %{y}');
  assert.equal(figure.data[0].name, '&lt;b&gt;x&lt;/b&gt; %{y}');
  assert.match(figure.data[0].hovertemplate, /&lt;b&gt;x&lt;\/b&gt; %&#123;y}: /);
  assert.equal(figure.data[0].customdata[0].identity.region, name);
});

test('names like __proto__ and constructor are ordinary', () => {
  const figure = buildFigure(payload(bar('__proto__', 1), bar('constructor', 2)));
  assert.deepEqual(figure.data[0].x, ['constructor', '__proto__']);
});

test('an empty figure says so, and blames the filter when it removed everything', () => {
  const of = (options) => buildFigure(payload(bar('a', 1)), { filterRegion: () => false, ...options }).layout;
  assert.equal(of({}).annotations[0].text, 'No data to display.');
  assert.equal(of({ emptyFilterNote: true }).annotations[0].text, 'No regions match the filter.');
  assert.equal(of({}).xaxis.visible, false);
});

test('colors: null in a payload is as none', () => {
  const figure = buildDurationsFigure({ bars: [bar('a', 1)], colors: null });
  assert.match(figure.data[0].marker.color, /^#/);
});

test('the caller’s layout lies over ours, deeply, and cannot reach a prototype', () => {
  const layout = JSON.parse('{"xaxis":{"tickangle":0},"__proto__":{"polluted":1}}');
  const figure = buildFigure(payload(bar('a', 1)), { layout });
  assert.equal(figure.layout.xaxis.tickangle, 0);
  assert.equal(figure.layout.xaxis.automargin, true);
  assert.equal({}.polluted, undefined);
});

test('a payload is not changed by building', () => {
  const document = payload(bar('a', 1), bar('b', 2));
  const before = JSON.stringify(document);
  buildFigure(document, { units: 'auto', layout: { title: { text: 'x' } } });
  assert.equal(JSON.stringify(document), before);
});

test('a figure builder keeps the theme and defaults it was made with', () => {
  setTheme('dark');
  const build = createFigureBuilder({ layout: { height: 123 } });
  setTheme('auto');
  const figure = build(payload(bar('a', 1)));
  assert.equal(figure.layout.font.color, '#e5e7eb');
  assert.equal(figure.layout.height, 123);
});

for (const [what, document, pattern] of [
  ['null', null, /object/],
  ['another format', { format: 'x', bars: [] }, /scope-profiler-plot-data/],
  ['a newer version', { format_version: 2, bars: [] }, /upgrade/],
  ['an unknown kind', { plot: 'nope' }, /No figure builder/],
  ['no array', { plot: 'durations' }, /bars/],
  ['a region that is no text', { plot: 'durations', bars: [{ region: 3 }] }, /bars\[0\]\.region/],
  ['a number that is not finite', { plot: 'durations', bars: [bar('a', Number.NaN)] }, /bars\[0\]\.value_seconds/],
  ['the same cell twice', { plot: 'durations', bars: [bar('a', 1), bar('a', 2)] }, /bars\[1\].*duplicate cell.*label/],
]) {
  test(`refuses ${what} with a TypeError`, () => {
    assert.throws(() => buildFigure(document), (error) => error instanceof TypeError && pattern.test(error.message));
  });
}
