// How it looks and reads: themes, narrow windows, accessibility; pictures in build/screens.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { cannotRun, drop, launch, openPage, pick, root, servePage, settled } from './lib.mjs';

const skip = cannotRun();
const screens = join(root, 'build/screens');
const sample = join(root, 'tests/fixtures/sample.h5');
let server;
let browser;
let axe;

before(async () => {
  if (skip) return;
  mkdirSync(screens, { recursive: true });
  axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  [server, browser] = await Promise.all([servePage(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function checkAccess(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`), [], where);
}

async function openRun(page) {
  const bad = join(screens, 'not-a-profile.h5');
  writeFileSync(bad, 'only text\n');
  await pick(page, [sample, bad]);
  await settled(page);
  await page.locator('.grid tbody tr').nth(8).click();
  await page.locator('.chart').scrollIntoViewIfNeeded();
  await page.locator('.plot .bars').first().waitFor();
  await page.waitForTimeout(300);
  await page.evaluate(() => scrollTo(0, 0));
}

const noSideways = async (page) =>
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['400', { colorScheme: 'light', viewport: { width: 400, height: 860 }, hasTouch: true }],
  ['320-dark', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
]) {
  test(`${name}: accessible and without sideways scrolling, empty and with a run`, { skip, timeout: 60_000 }, async () => {
    const { page, seen, close } = await openPage(browser, server.url, options);
    await page.screenshot({ path: join(screens, `${name}-empty.png`) });
    await checkAccess(page, `${name}, empty`);
    await noSideways(page);
    await openRun(page);
    await page.screenshot({ path: join(screens, `${name}-run.png`), fullPage: true });
    await checkAccess(page, `${name}, run`);
    await noSideways(page);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.screenshot({ path: join(screens, `${name}-columns.png`) });
    await checkAccess(page, `${name}, menu`);
    await noSideways(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help and keys' }).click();
    await page.screenshot({ path: join(screens, `${name}-help.png`) });
    await checkAccess(page, `${name}, help`);
    assert.deepEqual(seen.errors, []);
    await close();
  });
}

test('the theme follows the system, then the choice, is kept, and the chart goes along', { skip }, async () => {
  const { page, close } = await openPage(browser, server.url, { colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const tick = () => page.evaluate(() => getComputedStyle(document.querySelector('.plot .xtick text')).fill);
  const light = await background();
  await openRun(page);
  const lightTick = await tick();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await background(), light);
  await page.waitForFunction((old) => getComputedStyle(document.querySelector('.plot .xtick text')).fill !== old, lightTick);
  await page.locator('#theme').selectOption('light');
  assert.equal(await background(), light);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
  await page.waitForFunction((old) => getComputedStyle(document.querySelector('.plot .xtick text')).fill === old, lightTick);
  await page.reload();
  assert.equal(await background(), light, 'kept, and applied before the first paint');
  await page.locator('#theme').selectOption('system');
  assert.notEqual(await background(), light);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'light';
    dispatchEvent(new Event('themechanged'));
  });
  assert.equal(await page.locator('#theme').inputValue(), 'light', 'an embedding page’s theme is followed');
  await close();
});

test('zoom in the chart survives theme and filter', { skip }, async () => {
  const { page, close } = await openPage(browser, server.url, { colorScheme: 'light' });
  await openRun(page);
  await page.locator('.plot').scrollIntoViewIfNeeded();
  const box = await page.locator('.plot .nsewdrag').first().boundingBox();
  await page.mouse.move(box.x + 40, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 20, { steps: 8 });
  await page.mouse.up();
  const range = () => page.evaluate(() => document.querySelector('.plot')._fullLayout.xaxis.range.map((value) => Number(value.toPrecision(6))));
  await page.waitForTimeout(300);
  const zoomed = await range();
  await page.locator('#theme').selectOption('dark');
  await page.waitForTimeout(400);
  assert.deepEqual(await range(), zoomed);
  await close();
});

test('forced colours, more contrast and less motion keep everything visible', { skip }, async () => {
  const { page, seen, close } = await openPage(browser, server.url, { forcedColors: 'active', reducedMotion: 'reduce', contrast: 'more' });
  await openRun(page);
  await page.locator('.grid').focus();
  await page.screenshot({ path: join(screens, 'forced-colors.png') });
  assert.ok(await page.locator('.grid tr[aria-selected="true"] th').isVisible());
  assert.deepEqual(seen.errors, []);
  await close();
});

test('on paper: the run without controls, in light colours', { skip }, async () => {
  const { page, close } = await openPage(browser, server.url, { colorScheme: 'dark' });
  await openRun(page);
  await page.pdf({ path: join(screens, 'print.pdf'), format: 'A4' });
  await close();
});

test('the overlay while dragging', { skip }, async () => {
  const { page, close } = await openPage(browser, server.url, { colorScheme: 'light' });
  await drop(page, sample, { hold: () => page.screenshot({ path: join(screens, 'light-drag.png') }) });
  await settled(page);
  await close();
});
