// The promise "nothing leaves this tab": policies in force, inherited by the worker, no requests.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cannotRun, launch, openPage, pageFolder, pick, root, servePage, settled, tableRows } from './lib.mjs';

const skip = cannotRun();
const sample = join(root, 'tests/fixtures/sample.h5');
const FOLDER_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; "
  + "img-src 'self' data: blob:; manifest-src 'self'; frame-src 'self' blob:; connect-src 'self' https: http:; base-uri 'none'; form-action 'none'";
const SINGLE_POLICY =
  /^default-src 'none'; script-src ('sha256-[\w+/=]+' )+'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'$/;
let server;
let browser;

before(async () => {
  if (!skip) [server, browser] = await Promise.all([servePage(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const policies = (page) => page.evaluate(() =>
  [...document.head.querySelectorAll('meta[http-equiv="Content-Security-Policy"]')].map((meta) => meta.content));

/** Everything a first visit does with a file: table, chart, another theme. */
async function workThrough(page) {
  await pick(page, [sample]);
  await settled(page);
  await page.locator('.chart').scrollIntoViewIfNeeded();
  await page.locator('.plot .bars').first().waitFor();
  await page.locator('#theme').selectOption('dark');
  await page.locator('.grid tbody tr').nth(3).click();
}

test('folder page: the exact policy first, then connect-src none before files are taken', { skip }, async () => {
  const { page, close } = await openPage(browser, server.url);
  assert.deepEqual(await policies(page), [FOLDER_POLICY, "connect-src 'none'"]);
  assert.equal(await page.evaluate(() => document.head.firstElementChild.httpEquiv), 'Content-Security-Policy');
  await close();
});

test('folder page: files are refused until the connections are closed', { skip }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  let release;
  const held = new Promise((done) => { release = done; });
  await page.route('**/core.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(server.url);
  await page.waitForTimeout(300);
  assert.equal((await policies(page)).length, 1);
  assert.equal(await page.locator('[data-pick="files"]').first().isDisabled(), true);
  await pick(page, [sample]);
  release();
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  assert.equal(await page.locator('.run').count(), 0);
  assert.equal((await policies(page)).length, 2);
  await context.close();
});

for (const [what, attempt] of [
  ['fetch', (url) => fetch(url)],
  ['XMLHttpRequest', (url) => new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.onload = done;
    request.onerror = () => failed(new Error('refused'));
    request.open('GET', url);
    request.send();
  })],
  ['WebSocket', (url) => new Promise((done, failed) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.onopen = done;
    socket.onerror = () => failed(new Error('refused'));
  })],
]) {
  test(`${what} is refused in the page and in its worker`, { skip }, async () => {
    const { page, seen, close } = await openPage(browser, server.url);
    await pick(page, [sample]);
    await settled(page);
    const asked = server.requests.length;
    const url = `${server.url}core.wasm`;
    const refused = (error) => `refused: ${error}`;
    assert.match(String(await page.evaluate(attempt, url).catch(refused)), /refused/);
    const [worker] = page.workers();
    assert.match(worker.url(), /^blob:/);
    assert.match(String(await worker.evaluate(attempt, url).catch(refused)), /refused/);
    assert.equal(server.requests.length, asked, 'nothing reached the server');
    for (let tries = 0; tries < 50 && !seen.violations.length; tries += 1) await page.waitForTimeout(50);
    assert.ok(seen.violations.length >= 1, 'the browser reported it');
    await close();
  });
}

test('folder page: no request after loading, whatever is done', { skip }, async () => {
  const { page, seen, close } = await openPage(browser, server.url);
  await page.waitForLoadState('networkidle');
  const paths = () => seen.requests.filter((url) => !url.startsWith('blob:')).map((url) => new URL(url).pathname).sort();
  const atStart = paths();
  assert.deepEqual(atStart, ['/', '/core.wasm', '/main.js', '/plotly.js', '/sample.h5', '/style.css', '/theme.js', '/worker.js']);
  const reached = server.requests.length;
  await workThrough(page);
  assert.deepEqual(paths(), atStart);
  assert.equal(server.requests.length, reached);
  assert.deepEqual(seen.errors, []);
  assert.deepEqual(seen.violations, []);
  await close();
});

test('folder page: everything works with the network switched off after loading', { skip }, async () => {
  const { page, context, seen, close } = await openPage(browser, server.url);
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await workThrough(page);
  assert.equal((await tableRows(page)).length, 13);
  assert.deepEqual(seen.errors, []);
  await close();
});

test('the chart’s library is not run before the chart is in sight', { skip }, async () => {
  const { page, close } = await openPage(browser, server.url, { viewport: { width: 1300, height: 500 } });
  await pick(page, [sample]);
  await settled(page);
  assert.equal(await page.evaluate(() => typeof window.Plotly), 'undefined');
  await page.locator('.chart').scrollIntoViewIfNeeded();
  await page.locator('.plot .bars').first().waitFor();
  await close();
});

test('one file from disk: policy, table, chart, sample, no request, no error', { skip }, async () => {
  const url = pathToFileURL(join(pageFolder, 'profscope.html')).href;
  const { page, seen, close } = await openPage(browser, url);
  const [first, second] = await policies(page);
  assert.match(first, SINGLE_POLICY);
  assert.equal(second, "connect-src 'none'");
  await workThrough(page);
  assert.equal((await tableRows(page)).length, 13);
  assert.deepEqual(seen.requests.filter((asked) => !asked.startsWith('blob:')), [url]);
  assert.deepEqual(seen.errors, []);
  assert.deepEqual(seen.violations, []);
  await page.getByRole('button', { name: /Remove/ }).click();
  await page.getByRole('button', { name: 'Try a sample' }).click();
  await settled(page);
  assert.match(await page.locator('#run-title').innerText(), /two-stream/);
  await close();
});

test('a folder page opened from disk says what to open instead', { skip }, async () => {
  const { page, close } = await openPage(browser, pathToFileURL(join(pageFolder, 'index.html')).href, { ready: false });
  await page.locator('.from-disk').waitFor({ state: 'visible' });
  assert.match(await page.locator('.from-disk').innerText(), /profscope\.html/);
  await close();
});
