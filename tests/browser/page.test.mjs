// Files into the page: numbers equal the command line's, failures stay where they are.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test, { after, before } from 'node:test';
import { exactDuration, formatCount } from '../../web/format.js';
import {
  cannotRun, cli, drop, fixtures, inspectNative, launch, openPage, pick, root, servePage, settled, showAllColumns, tableRows,
} from './lib.mjs';
import { hostileNames, nestedRegions, writeProfile } from './profiles.mjs';

const skip = cannotRun() || (!existsSync(cli) && `no native program at ${cli} (npm run build)`);
let server;
let browser;
let folder;

before(async () => {
  if (skip) return;
  [server, browser] = await Promise.all([servePage(), launch()]);
  folder = mkdtempSync(join(tmpdir(), 'profscope-page-'));
});

after(async () => {
  await browser?.close();
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** Profiles to compare: the repository's fixtures, and more where a folder of them is named. */
function profiles() {
  const of = (base) => (base && existsSync(base)
    ? readdirSync(base, { recursive: true }).map((name) => join(base, name))
      .filter((path) => /\.(h5|spt|json\.gz)$/.test(path) && !/[/\\](bad|expected)[/\\]/.test(path) && statSync(path).isFile())
    : []);
  return [...of(fixtures), ...of(process.env.EXTRA_PROFILES)];
}

const sample = join(root, 'tests/fixtures/sample.h5');

/** Opens the page, lets `work` act, and checks that nothing odd happened. */
async function withPage(work, options) {
  const opened = await openPage(browser, server.url, options);
  try {
    await work(opened.page, opened.seen);
    assert.deepEqual(opened.seen.errors, []);
    assert.deepEqual(opened.seen.violations, []);
  } finally {
    await opened.close();
  }
}

/** Saves the inspect document through the page's own menu. */
async function saved(page, item) {
  await page.getByRole('button', { name: 'Save' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(item).click()]);
  return readFileSync(await download.path(), 'utf8');
}

const KEYS = {
  calls: 'calls', total: 'total_ns', own: 'exclusive_ns', avg: 'avg_ns', min: 'min_ns', max: 'max_ns', first: 'first_ns',
  last: 'last_ns', std: 'std_ns', p50: 'p50_ns', p95: 'p95_ns', p99: 'p99_ns', imbalance: 'imbalance_pct',
  '% parent': 'parent_pct', '% session': 'session_pct', 'gpu total': 'gpu_total_ns', 'gpu avg': 'gpu_avg_ns', ranks: 'num_ranks',
};

/** What a cell must say: every digit of the document's value. */
function expectedCell(head, row) {
  const value = row[KEYS[head]];
  if (head === 'calls' || head === 'ranks') return { text: formatCount(value) };
  if (head.startsWith('%') || head === 'imbalance') return value === null ? { text: '–' } : { title: `${value} %` };
  return { title: exactDuration(value) };
}

function compareTable(shown, rows, where) {
  assert.equal(shown.length, rows.length, `${where}: rows`);
  rows.forEach((row, at) => {
    const name = row.path.at(-1);
    assert.equal(shown[at].name, name, `${where}: row ${at}`);
    assert.equal(shown[at].level, row.depth + 1, `${where}: level of ${name}`);
    for (const [head, cell] of Object.entries(shown[at])) {
      if (!(head in KEYS) || typeof cell !== 'object') continue;
      for (const [part, text] of Object.entries(expectedCell(head, row))) {
        assert.equal(cell[part], text, `${where}: ${head} of ${name}`);
      }
    }
  });
}

test('every profile: table and saved documents equal the command line', { skip, timeout: 600_000 }, (t) => withPage(async (page) => {
  for (const file of profiles()) {
    await t.test(basename(file), async () => {
      const native = await inspectNative(file);
      await pick(page, [file]);
      await settled(page);
      assert.equal(await saved(page, 'JSON, complete'), native);
      assert.equal(await saved(page, 'JSON, to share'), await inspectNative(file, '--privacy', 'public'));
      const { rows } = JSON.parse(native).profiles[0];
      if (rows.length > 0 && rows.length <= 100) {
        await showAllColumns(page);
        const unfold = page.getByRole('button', { name: 'Unfold all' });
        if (await unfold.isEnabled()) await unfold.click();
        compareTable(await tableRows(page), rows, basename(file));
      }
    });
    for (const remove of await page.locator('.run .icon-button, .problem .icon-button').all()) await remove.click();
  }
}, { viewport: { width: 1400, height: 4000 } }));

test('dropped anywhere on the page: the overlay says what will happen, then the run opens', { skip }, () => withPage(async (page) => {
  await drop(page, sample, {
    x: 40, y: 700,
    hold: async () => assert.match(await page.locator('.drop-overlay').innerText(), /Opens the file in this tab\. Nothing is uploaded\./),
  });
  await settled(page);
  assert.equal(await page.locator('.drop-overlay').isVisible(), false);
  assert.match(await page.locator('#run-title').innerText(), /two-stream/);
  assert.match(await page.title(), /two-stream/);
}));

test('the sample is one click away', { skip }, () => withPage(async (page) => {
  await page.getByRole('button', { name: 'Try a sample' }).click();
  await settled(page);
  assert.match(await page.locator('.tiles').innerText(), /1,692/);
}));

test('sort keys give the command line’s order', { skip }, () => withPage(async (page) => {
  await pick(page, [sample]);
  await settled(page);
  for (const [option, key] of [['total', 'total'], ['calls', 'calls'], ['avg', 'avg'], ['max', 'max'], ['imbalance', 'imbalance'], ['start', 'start']]) {
    await page.locator('#sort').selectOption(option);
    const { rows } = JSON.parse(await inspectNative(sample, '--sort', key)).profiles[0];
    assert.deepEqual((await tableRows(page)).map((row) => row.name), rows.map((row) => row.path.at(-1)), key);
  }
}));

test('chosen ranks are computed again and equal --ranks; wrong text is told in place', { skip }, () => withPage(async (page) => {
  await pick(page, [sample]);
  await settled(page);
  const choose = async (text) => {
    await page.locator('.menu button', { hasText: 'anks' }).first().click();
    await page.getByRole('textbox', { name: 'Ranks' }).fill(text);
    await page.keyboard.press('Enter');
    await settled(page);
  };
  await choose('0-1,3');
  const { rows } = JSON.parse(await inspectNative(sample, '--ranks', '0-1,3')).profiles[0];
  compareTable(await tableRows(page), rows, 'ranks 0-1,3');
  assert.equal(await saved(page, 'JSON, complete'), await inspectNative(sample, '--ranks', '0-1,3'));
  await choose('0-99');
  assert.notEqual(await page.locator('.menu-panel .field-error').innerText(), '');
  assert.equal(await page.getByRole('textbox', { name: 'Ranks' }).getAttribute('aria-invalid'), 'true');
  compareTable(await tableRows(page), rows, 'still ranks 0-1,3');
}));

test('per-rank breakdown of the selected region equals the document', { skip }, () => withPage(async (page) => {
  await pick(page, [sample]);
  await settled(page);
  await page.locator('.grid tbody tr', { hasText: 'solve field' }).click();
  const { regions } = JSON.parse(await inspectNative(sample)).profiles[0];
  const region = regions.find((one) => one.name === 'solve field');
  const shown = await page.locator('.details .rank-scroll tbody tr').evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.title || cell.textContent)));
  assert.deepEqual(shown, region.per_rank.map((rank) => [
    String(rank.rank), formatCount(rank.calls), exactDuration(rank.total_ns), exactDuration(rank.exclusive_ns),
  ]));
}));

test('several files at once are runs beside each other, and one can go', { skip }, () => withPage(async (page) => {
  const files = ['one', 'two'].map((name) => writeProfile(join(folder, `${name}.json`), nestedRegions(2), {
    ranks: 2, metadata: { label: 'same label' },
  }));
  // Different content, or the second would be the first again.
  writeProfile(files[1], nestedRegions(3), { ranks: 3, metadata: { label: 'same label' } });
  await pick(page, [sample, ...files]);
  await settled(page);
  assert.deepEqual(await page.locator('.run-name').allInnerTexts(), ['two-stream, 4 ranks', 'same label', 'same label (2)']);
  await page.locator('.run-choose').nth(2).click();
  assert.equal(await page.locator('#run-title').innerText(), 'same label (2)');
  await page.getByRole('button', { name: 'Remove two.json' }).click();
  assert.equal(await page.locator('.run').count(), 2);
  assert.ok(await page.evaluate(() => document.activeElement !== document.body), 'focus is not lost');
}));

test('the same file again is not opened twice unless asked', { skip }, () => withPage(async (page) => {
  await pick(page, [sample]);
  await settled(page);
  await pick(page, [sample]);
  await page.locator('.notice').waitFor();
  assert.match(await page.locator('.notice').innerText(), /already open/);
  assert.equal(await page.locator('.run').count(), 1);
  await page.getByRole('button', { name: 'Open it again anyway' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.run').length === 2);
  await settled(page);
}));

test('a folder is walked; files that are no profiles are left out and counted', { skip }, () => withPage(async (page) => {
  const base = join(folder, 'campaign');
  mkdirSync(join(base, 'run1/deep'), { recursive: true });
  writeFileSync(join(base, 'notes.txt'), 'notes');
  writeProfile(join(base, 'run1/a.json'), nestedRegions(1));
  writeProfile(join(base, 'run1/deep/b.json'), nestedRegions(2), { ranks: 2 });
  await drop(page, base);
  await page.waitForFunction(() => document.querySelectorAll('.run').length === 2);
  await settled(page);
  assert.match(await page.locator('.notice').innerText(), /1 other file/);
}));

test('content decides: a profile named .txt opens, a text named .h5 does not', { skip }, () => withPage(async (page) => {
  const disguised = join(folder, 'profile.txt');
  writeFileSync(disguised, readFileSync(sample));
  const fake = join(folder, 'fake.h5');
  writeFileSync(fake, 'this is only text\n');
  await pick(page, [disguised, fake]);
  await settled(page);
  assert.equal(await page.locator('.run').count(), 1);
  assert.equal(await page.locator('.problem').getAttribute('data-code'), 'not-a-profile');
}));

for (const [name, make, code] of [
  ['empty', () => '', 'empty-file'],
  ['truncated', () => readFileSync(sample).subarray(0, 20_000), 'hdf5-open'],
  ['zip', () => Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0]), 'archive'],
  ['figure', () => '{"format": "scope-profiler-plot-data", "format_version": 1, "plot": "gantt", "intervals": []}', 'plot-data'],
]) {
  test(`a bad file (${name}) becomes a card with one sentence and advice; the others stay`, { skip }, () => withPage(async (page) => {
    const bad = join(folder, `${name}.h5`);
    writeFileSync(bad, make());
    await pick(page, [bad, sample]);
    await settled(page);
    const card = page.locator('.problem');
    assert.equal(await card.count(), 1);
    assert.equal(await card.getAttribute('role'), 'alert');
    assert.equal(await card.getAttribute('data-code'), code);
    assert.equal(await card.locator('h2').innerText(), `${name}.h5`);
    assert.ok((await card.locator('.problem-message').innerText()).length > 5);
    assert.match(await card.locator('.problem-advice').innerText(), /\.$/);
    assert.match(await page.locator('#run-title').innerText(), /two-stream/);
    await card.getByRole('button', { name: `Dismiss ${name}.h5` }).click();
    assert.equal(await card.count(), 0);
  }));
}

/** Odd files: the repository's, and more where a folder of them is named. */
function oddFiles() {
  return [join(fixtures, 'bad'), process.env.EXTRA_BADFILES].filter((base) => base && existsSync(base))
    .flatMap((base) => readdirSync(base).filter((name) => !name.startsWith('_')).map((name) => join(base, name)))
    .filter((path) => statSync(path).isFile());
}

/** Exit code and message of the command line for a file. */
async function verdict(file) {
  try {
    return { code: 0, document: await inspectNative(file) };
  } catch (error) {
    return { code: error.code, line: String(error.stderr) };
  }
}

test('odd files, all dropped at once: each ends as on the command line, with its sentence', { skip, timeout: 900_000 }, () => withPage(async (page) => {
  const files = oddFiles();
  await pick(page, files);
  await settled(page, { timeout: 600_000 });
  const cards = new Map((await page.locator('.problem').evaluateAll((list) => list.map((card) =>
    [card.querySelector('h2').textContent, card.querySelector('.problem-message').textContent]))));
  const runs = new Set(await page.locator('.run-choose').evaluateAll((list) => list.map((run) => run.title)));
  const again = new Set((await page.locator('.notice').allInnerTexts()).map((text) => text.split(' is already open')[0]));
  const wrong = [];
  for (const file of files) {
    const name = basename(file);
    if (again.has(name)) continue;
    const { code, line } = await verdict(file);
    if (code === 0 && !runs.has(name)) wrong.push(`${name}: opens natively, here: ${cards.get(name)}`);
    if (code !== 0 && !cards.has(name)) wrong.push(`${name}: refused natively (${line.trim()}), opened here`);
    // What the HDF5 library itself says (behind the last colon) may differ between 32 and 64 bits.
    const sentence = cards.get(name)?.replace(/\s+/g, ' ').replace(/: [^:]*$/, '').slice(0, 60);
    if (code !== 0 && cards.has(name) && !line.replace(/\s+/g, ' ').includes(sentence)) wrong.push(`${name}: here “${cards.get(name)}”, natively ${line.trim()}`);
  }
  assert.deepEqual(wrong, []);
}));

/** The worker's script, made to fail as a trap in the core would when it analyses `crash.h5`. */
const failing = (script) => `${script}
let fetched; const inner = self.onmessage;
self.onmessage = (event) => {
  for (const { name } of event.data.files ?? []) fetched = name;
  if (event.data.type === 'query' && fetched === 'crash.h5') throw new Error('boom');
  return inner(event);
};`;

test('a file that takes the worker down costs neither the other files nor the next one', { skip }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route('**/worker.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: failing(await response.text()) });
  });
  await page.goto(server.url);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  await pick(page, [sample]);
  await settled(page);
  const crash = join(folder, 'crash.h5');
  writeFileSync(crash, Buffer.concat([readFileSync(sample), Buffer.from('other')]));
  await pick(page, [crash]);
  await page.locator('.problem[data-code="worker-lost"]').waitFor();
  await settled(page);
  const other = writeProfile(join(folder, 'after.json'), nestedRegions(2), { ranks: 2 });
  await pick(page, [other]);
  await page.waitForFunction(() => document.querySelectorAll('.run').length === 2);
  await settled(page);
  await page.locator('.run-choose').first().click();
  compareTable(await tableRows(page), JSON.parse(await inspectNative(sample)).profiles[0].rows, 'after the crash');
  await page.locator('.run-choose').nth(1).click();
  compareTable(await tableRows(page), JSON.parse(await inspectNative(other)).profiles[0].rows, 'next file');
  await context.close();
});

test('names from a profile are text everywhere', { skip }, () => withPage(async (page) => {
  const file = writeProfile(join(folder, 'hostile <img src=x onerror=1>.json'), hostileNames.map((name, at) => ({
    name, rank: 0, start_times_ns: [at * 1000], end_times_ns: [at * 1000 + 500], tags: [name], source_file: name, source_lineno: 1,
  })), { metadata: { label: hostileNames[0], platform: hostileNames[1], [hostileNames[0]]: hostileNames[1] } });
  await pick(page, [file]);
  await settled(page);
  await page.locator('.chart').scrollIntoViewIfNeeded();
  await page.locator('.plot .bars').first().waitFor();
  await page.getByRole('button', { name: /Show names/ }).click();
  for (const row of await page.locator('.grid tbody tr[data-at]').all()) await row.click();
  await page.locator('#filter').fill('<img');
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.owned), undefined);
  assert.equal(await page.locator('main img, main script, main b').count(), 0);
}));

test('a profile without regions says what that may mean', { skip }, () => withPage(async (page) => {
  await pick(page, [writeProfile(join(folder, 'none.json'), [], { ranks: 1 })]);
  await settled(page);
  assert.match(await page.locator('.grid tbody').innerText(), /before finalize/);
  assert.equal(await page.locator('.chart').isVisible(), false);
}));

test('without a session the share is of the span, and says so', { skip }, () => withPage(async (page) => {
  await pick(page, [writeProfile(join(folder, 'plain.json'), nestedRegions(4), { ranks: 4 })]);
  await settled(page);
  assert.ok((await page.locator('.grid thead').innerText()).includes('% span'));
}));

test('what tells of people and machines is not in the page until asked for', { skip }, () => withPage(async (page) => {
  await pick(page, [sample]);
  await settled(page);
  const text = () => page.evaluate(() => document.documentElement.outerHTML);
  assert.ok(!(await text()).includes('/home/alice') && !(await text()).includes('node042'));
  await page.getByRole('button', { name: /Show names/ }).click();
  assert.ok((await text()).includes('/home/alice') && (await text()).includes('node042'));
}));
