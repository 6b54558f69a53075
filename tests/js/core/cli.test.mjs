// What is special about the command line in Node: it prints what the native one prints, and a module
// that dies is replaced. Everything else about commands is in tests/cli, for both builds.

import test from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { badFixtures, fixture, fixtures, root, runCli, skipBuild } from '../../lib/check.mjs';

const skip = skipBuild('wasm');
const both = skip ?? skipBuild('native');
const bin = join(root, 'packages/cli/bin/profscope.mjs');
const nested = fixture('0.7.5/nested.h5');
const ranks = fixture('0.7.5/ranks.h5');

async function same(...args) {
  const cut = typeof args.at(-1) === 'function' ? args.pop() : (err) => err;
  const [native, wasm] = await Promise.all(['native', 'wasm'].map((build) => runCli(build, ...args)));
  const plain = ({ rc, out, err }) => ({ rc, out, err: cut(err) });
  assert.deepEqual(plain(wasm), plain(native), args.join(' '));
}

for (const name of fixtures()) {
  test(`${name}: the same bytes as the native command`, { skip: both }, async () => {
    await same('inspect', name);
    await same('inspect', '--json', name);
  });
}

test('files that are not quite profiles: the same outcome as the native command', { skip: both }, async () => {
  // HDF5 keeps sizes in 32 bits there and may stumble over another of the file's faults: its own
  // words, the end of the line, can differ
  const withoutReason = (err) => err.replace(/: [^:]*$/gm, '');
  for (const name of badFixtures()) await same('inspect', '--json', name, withoutReason);
});

test('wrong use, missing files and globs: the same bytes as the native command', { skip: both }, async () => {
  await same();
  await same('nonsense');
  await same('inspect');
  await same('inspect', 'no-such-file.h5', nested);
  await same('inspect', 'no-such-*.h5');
  await same('inspect', 'tests/fixtures/python/0.7.5/r*.h5', '--json');
  await same('inspect', nested, '--ranks', 'x');
  await same('inspect', nested, '--include', '(');
  await same('inspect', nested, '--sort', 'p95', '--include', 's', '--json');
});

test('names that are not UTF-8 can be listed and read', { skip: skip ?? (process.platform === 'linux' ? undefined : 'needs such names') }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'profscope-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const name = Buffer.concat([Buffer.from(`${dir}/a`), Buffer.from([0xff]), Buffer.from('.h5')]);
  writeFileSync(name, readFileSync(join(root, nested)));
  const { rc, out } = await runCli('wasm', 'inspect', '--json', '*.h5', { cwd: dir });
  assert.equal(rc, 0);
  assert.equal(JSON.parse(out).profiles.length, 1);
});

/** Runs the command with a module that dies on a file. */
function crashing(file, ...args) {
  const preload = new URL('./crash-on.mjs', import.meta.url).href;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', preload, bin, ...args], { cwd: root, env: { ...process.env, CRASH_ON: file, NO_COLOR: '1' } },
      (error, out, err) => resolve({ rc: error ? error.code : 0, out, err }));
  });
}

test('a module that dies on one file costs that file only', { skip }, async () => {
  const good = await runCli('wasm', 'inspect', '--regions-only', nested, nested.replace('tests/', './tests/'));
  const { rc, out, err } = await crashing(ranks, 'inspect', '--regions-only', nested, ranks, nested.replace('tests/', './tests/'));
  assert.equal(rc, 3);
  assert.equal(out, good.out);
  assert.match(err, /^profscope inspect: error: .*ranks\.h5: .*crashed on this file \(made by the test\).*\n$/);
});

test('a module that dies without a file ends with one line', { skip }, async () => {
  const { rc, err } = await crashing('*', 'inspect', nested);
  assert.equal(rc, 3);
  assert.match(err, /^profscope inspect: error: died: made by the test; this is a fault of profscope itself\n$/);
});
