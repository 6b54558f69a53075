// How long from giving a file to the page until its table is there, and what memory the renderer
// takes. Not part of the tests: the figures mean something on an idle machine only.
//
//   node tests/browser/bench.mjs FILE... [--rounds 3] [--single]
//
// Prints one line of JSON per file: medians over the rounds, each round in a fresh browser.
// "first" is the first table (stored totals where the file has them), "full" the complete one,
// "peak" the largest proportional set size of the renderer, "base" that of the empty page.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { launch, openPage, pageFolder, pick, servePage } from './lib.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, single: { type: 'boolean', default: false } },
});

const MIB = 1024 * 1024;

/** Renderers below this process: the browser is our child. */
function renderers() {
  const childrenOf = (pid) => {
    try {
      return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean));
    } catch {
      return [];
    }
  };
  const all = [String(process.pid)];
  for (let at = 0; at < all.length; at += 1) all.push(...childrenOf(all[at]).filter((pid) => !all.includes(pid)));
  return all.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      return false;
    }
  });
}

/** Anonymous and shared memory of the renderers, in bytes (files mapped are the program itself). */
function memoryOf(pids) {
  let sum = 0;
  for (const pid of pids) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const of = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
      sum += (of('Pss_Anon') + of('Pss_Shmem')) * 1024;
    } catch {
      // The process ended meanwhile.
    }
  }
  return sum;
}

async function round(url, file) {
  const browser = await launch();
  try {
    const { page } = await openPage(browser, url);
    await page.waitForTimeout(500);
    const base = memoryOf(renderers());
    let peak = base;
    const sampling = setInterval(() => { peak = Math.max(peak, memoryOf(renderers())); }, 50);
    await page.evaluate(() => {
      const marks = { longest: 0 };
      window.benchMarks = marks;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) marks.longest = Math.max(marks.longest, entry.duration);
      }).observe({ type: 'longtask' });
      document.querySelector('#file-input').addEventListener('change', () => { marks.begin = performance.now(); }, { capture: true });
      const look = () => {
        const now = performance.now();
        const rows = document.querySelector('#run:not([hidden]) .grid tbody tr');
        const busy = document.querySelector('.grid')?.getAttribute('aria-busy') === 'true';
        if (rows && marks.first === undefined) marks.first = now;
        if (document.querySelector('.problem')) marks.problem = document.querySelector('.problem-message').textContent;
        if ((rows && !busy) || marks.problem) marks.full = now;
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await pick(page, [file]);
    await page.waitForFunction(() => window.benchMarks.full !== undefined, null, { timeout: 120_000 });
    await page.waitForTimeout(300);
    clearInterval(sampling);
    peak = Math.max(peak, memoryOf(renderers()));
    const marks = await page.evaluate(() => window.benchMarks);
    return {
      first: marks.first - marks.begin, full: marks.full - marks.begin, longest: marks.longest, base, peak, problem: marks.problem,
    };
  } finally {
    await browser.close();
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const server = await servePage();
const url = values.single ? pathToFileURL(join(pageFolder, 'profscope.html')).href : server.url;
for (const file of positionals.map((path) => resolve(path))) {
  const results = [];
  for (let i = 0; i < Number(values.rounds); i += 1) results.push(await round(url, file));
  const of = (key) => median(results.map((result) => result[key]));
  console.log(JSON.stringify({
    file: basename(file), MiB: Math.round(statSync(file).size / MIB), first_ms: Math.round(of('first')), full_ms: Math.round(of('full')),
    longest_task_ms: Math.round(of('longest')), base_MiB: Math.round(of('base') / MIB), peak_MiB: Math.round(of('peak') / MIB),
    problem: results[0].problem,
  }));
}
await server.close();
