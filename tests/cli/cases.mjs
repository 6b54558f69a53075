// Command-line cases: <case>.cmd is one command, <case>.out, .err and .rc what it must give.
//
//   inspect/sort-total.cmd    inspect python/0.7.5/nested.h5 --sort total     (in tests/fixtures)
//   inspect/sort-total.out    bytes of standard output; a missing file means nothing
//
// NAME=value words in front set variables, 'single quotes' group words. A line "..." in .out or
// .err stands for any lines. UPDATE=1 rewrites what a case gives now (but no file with such a line).

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import { eachBuild, fixturesDir, runCli } from '../lib/check.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** The words of a command line: blanks separate, single quotes group. */
export function words(line) {
  const found = [];
  for (const [, quoted, plain] of line.matchAll(/'([^']*)'|(\S+)/g)) found.push(quoted ?? plain);
  return found;
}

/** Whether `text` is `pattern`, where a line "..." of the pattern stands for any lines. */
export function fits(text, pattern) {
  if (!/^\.\.\.$/m.test(pattern)) return text === pattern;
  const parts = pattern.split(/^\.\.\.\n/m).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(?:.*\\n)*?')}$`).test(text);
}

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function bless(file, text) {
  if (/^\.\.\.$/m.test(read(file))) return;
  if (text) writeFileSync(file, text);
  else rmSync(file, { force: true });
}

async function check(build, stem) {
  const all = words(read(`${stem}.cmd`).trim());
  const first = all.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(all.slice(0, first).map((word) => word.split(/=(.*)/s, 2)));
  const { rc, signal, out, err } = await runCli(build, ...all.slice(first), { cwd: fixturesDir, env });
  assert.equal(signal, null);
  if (process.env.UPDATE === '1') {
    bless(`${stem}.out`, out);
    bless(`${stem}.err`, err);
    writeFileSync(`${stem}.rc`, `${rc}\n`);
    return;
  }
  for (const [end, text] of [['err', err], ['out', out]]) {
    const wanted = read(`${stem}.${end}`);
    if (!fits(text, wanted)) assert.equal(text, wanted); // shows the difference
  }
  assert.equal(rc, Number(read(`${stem}.rc`)), 'exit code');
}

/** Defines the tests of one folder of cases, for every build. */
export function testCases(folder) {
  const names = readdirSync(join(here, folder))
    .filter((name) => name.endsWith('.cmd'))
    .map((name) => name.slice(0, -4))
    .sort();
  eachBuild((build) => {
    for (const name of names) {
      test(`${folder}/${name} [${build}]`, () => check(build, join(here, folder, name)));
    }
  });
}
