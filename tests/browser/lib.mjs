// Driving the built page in a real Chromium: serving, opening, dropping files, watching for
// anything that should not happen (errors, violations of the policy, requests).

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { createPageServer, listen } from '../../web/serve.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const pageFolder = process.env.PAGE_FOLDER ?? join(root, 'build/page');
export const cli = process.env.PROFSCOPE ?? join(root, 'build/native/profscope');
export const fixtures = process.env.FIXTURES ?? join(root, 'tests/fixtures');
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why browser tests cannot run here, or false. */
export function cannotRun() {
  if (!existsSync(executablePath)) return `no Chromium at ${executablePath}`;
  if (!existsSync(join(pageFolder, 'index.html'))) return `no page in ${pageFolder} (npm run build:page)`;
  return false;
}

/** Serves the page; `requests` lists the paths asked for. */
export async function servePage(folder = pageFolder) {
  const requests = [];
  const server = createPageServer(folder, (url) => requests.push(url));
  const port = await listen(server, 0);
  return {
    url: `http://localhost:${port}/`,
    requests,
    close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  };
}

export function launch(extra = []) {
  return chromium.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', ...extra],
  });
}

/**
 * Opens a page and waits until it takes files.
 * `seen` collects what no test may produce: console errors, exceptions, policy violations; and all
 * requests with the time they were made.
 */
export async function openPage(browser, url, { ready = true, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const seen = { errors: [], violations: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => seen.errors.push(String(error.stack ?? error)));
  page.on('request', (request) => seen.requests.push(request.url()));
  await page.exposeFunction('reportViolation', (what) => seen.violations.push(what));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(`${event.effectiveDirective} ${event.blockedURI}`));
  });
  await page.goto(url);
  if (ready) await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  return { page, context, seen, close: () => context.close() };
}

/** Drags files (or folders) from the desktop onto a point of the page and drops them. */
export async function drop(page, paths, { x = 600, y = 300, hold } = {}) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [paths].flat().map((path) => resolve(path)), dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver']) await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await hold?.();
  await session.send('Input.dispatchDragEvent', { type: 'drop', x, y, data });
  await session.detach();
}

/** Gives files to the page's own file input, as the file dialog would. */
export const pick = (page, paths) => page.setInputFiles('#file-input', paths);

/** Waits until nothing is being read any more. */
export async function settled(page, { timeout = 30_000 } = {}) {
  await page.waitForFunction(() => {
    const busy = document.querySelector('.run .button.small:not([hidden])');
    const any = document.querySelector('.run, .problem');
    return any && !busy;
  }, null, { timeout });
}

/** The region table as shown, read through the grid: every visible row in the document. */
export function tableRows(page) {
  return page.evaluate(() => {
    const nameOf = (element) => [...element.childNodes].filter((node) => !node.classList?.contains('recursive')).map((node) => node.textContent).join('');
    const heads = [...document.querySelectorAll('.grid thead th')].map((th) => th.querySelector('.sort span').textContent);
    return [...document.querySelectorAll('.grid tbody tr[data-at]')].map((tr) => {
      const row = { level: Number(tr.getAttribute('aria-level')), name: nameOf(tr.querySelector('.region-name')) };
      [...tr.querySelectorAll('td')].forEach((td, at) => {
        row[heads[at + 1]] = { text: td.textContent, title: td.title };
      });
      return row;
    });
  });
}

/** Shows every column of the table. */
export async function showAllColumns(page) {
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const box of await page.locator('.column-boxes input').all()) await box.check();
  await page.keyboard.press('Escape');
}

const run = promisify(execFile);

/** What the native command line prints for a file, seen from the file's folder. */
export async function inspectNative(file, ...options) {
  const { stdout } = await run(cli, ['inspect', file.split('/').pop(), '--json', ...options], {
    cwd: dirname(resolve(file)), maxBuffer: 1 << 30, encoding: 'utf8',
  });
  return stdout;
}
