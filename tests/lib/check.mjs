// What every JavaScript test stands on: builds, the command line, goldens, and checkProfile().
//
//   eachBuild((build) => test(`... [${build}]`, async () => { const r = await runCli(build, ...); }))
//   UPDATE=1 npm test      rewrites goldens

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { validate } from '../../packages/schema/validate.js';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const fixturesDir = join(root, 'tests/fixtures');
const goldensDir = join(root, 'tests/goldens');

// ---- builds --------------------------------------------------------------------------------------

const builds = {
  native: { command: [join(root, 'build/native/profscope')], verb: 'npm run build' },
  wasm: {
    command: [process.execPath, join(root, 'packages/cli/bin/profscope.mjs')],
    needs: join(root, 'packages/cli/dist/cli.wasm'),
    verb: 'npm run build:wasm',
  },
};

const coreWasm = join(root, 'packages/core/dist/core.wasm');

/** Why a build cannot be tested, or undefined. For node:test's `skip`. */
export function skipBuild(build) {
  const { command, needs = command[0], verb } = builds[build];
  return existsSync(needs) ? undefined : `not built: ${verb}`;
}

export const skipCore = existsSync(coreWasm) ? undefined : 'not built: npm run build:wasm';

/** Calls `define(build)` for each build of the command line. One that is not built becomes a test
 * that is skipped with the reason. */
export function eachBuild(define) {
  for (const build of Object.keys(builds)) {
    const skip = skipBuild(build);
    if (skip) test(`the ${build} build`, { skip }, () => {});
    else define(build);
  }
}

/** Runs the command line. Resolves with { rc, signal, out, err }; `out` and `err` are text, or
 * Buffers with `raw`. */
export function runCli(build, ...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {};
  const { cwd = root, env = {}, raw = false, input } = options;
  const [program, ...before] = builds[build].command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '', ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out = [];
    const err = [];
    child.stdout.on('data', (data) => out.push(data));
    child.stderr.on('data', (data) => err.push(data));
    child.on('error', reject);
    child.on('close', (rc, signal) => {
      const [o, e] = [Buffer.concat(out), Buffer.concat(err)];
      resolve({ rc, signal, out: raw ? o : o.toString(), err: raw ? e : e.toString() });
    });
    if (input !== undefined) child.stdin.end(input);
  });
}

// ---- fixtures ------------------------------------------------------------------------------------

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(root, path))
    .sort();
}

/** The readable profiles of tests/fixtures, as paths from the root. */
export const fixtures = (filter = /\.(h5|json|json\.gz|spt)$/) =>
  filesBelow(fixturesDir).filter((path) => filter.test(path) && !path.includes('/bad/'));

/** One fixture by the end of its name. */
export const fixture = (name) => fixtures().find((path) => path.endsWith(name));

/** Files that are not quite profiles: tests/fixtures/bad. */
export const badFixtures = () => filesBelow(join(fixturesDir, 'bad')).filter((path) => !path.endsWith('manifest.json'));

// ---- comparing -----------------------------------------------------------------------------------

/** Structure exactly; keys ending in _seconds within half a nanosecond, other fractions within
 * 1e-12 relative; whole numbers exactly. */
export function sameNumbers(actual, expected, path = '$', key = '') {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const near = key.endsWith('_seconds') ? 0.5e-9
      : Number.isInteger(expected) && Number.isInteger(actual) ? 0
      : 1e-12 * Math.max(Math.abs(actual), Math.abs(expected));
    assert.ok(Math.abs(actual - expected) <= near, `${path}: ${actual}, not ${expected}`);
  } else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path}: not a list`);
    assert.equal(actual.length, expected.length, `${path}: length`);
    expected.forEach((value, i) => sameNumbers(actual[i], value, `${path}[${i}]`, key));
  } else if (expected && typeof expected === 'object') {
    assert.ok(actual && typeof actual === 'object', `${path}: not an object`);
    assert.deepEqual(Object.keys(actual), Object.keys(expected), `${path}: keys`);
    for (const k of Object.keys(expected)) sameNumbers(actual[k], expected[k], `${path}.${k}`, k);
  } else {
    assert.equal(actual, expected, path);
  }
}

/** Compares with tests/goldens/NAME.json. UPDATE=1 rewrites it; a missing one is made, but fails in
 * CI; a difference is left beside it as NAME.actual.json. */
export function golden(name, value) {
  const file = join(goldensDir, `${name}.json`);
  const actualFile = join(goldensDir, `${name}.actual.json`);
  const text = `${JSON.stringify(value, null, 1)}\n`;
  const missing = !existsSync(file);
  if (missing && process.env.CI) assert.fail(`${relative(root, file)} is missing: commit it`);
  if (missing || process.env.UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    rmSync(actualFile, { force: true });
    return;
  }
  try {
    sameNumbers(JSON.parse(text), JSON.parse(readFileSync(file, 'utf8')));
    rmSync(actualFile, { force: true });
  } catch (error) {
    writeFileSync(actualFile, text);
    error.message += `\n  see ${relative(root, actualFile)}; to accept it: npm run bless`;
    throw error;
  }
}

// ---- schemas -------------------------------------------------------------------------------------

const schemas = new Map();

/** Checks a document against packages/schema/NAME.schema.json. */
export function checkSchema(name, value) {
  if (!schemas.has(name)) {
    schemas.set(name, JSON.parse(readFileSync(join(root, `packages/schema/${name}.schema.json`), 'utf8')));
  }
  const fault = validate(value, schemas.get(name));
  assert.equal(fault, undefined, `${name}: ${fault}`);
}

// ---- the super-checker ---------------------------------------------------------------------------

let engine;

/** A shared engine of this process (tests that break engines make their own). */
export async function sharedEngine() {
  if (engine && !engine.aborted) return engine;
  const { Engine } = await import('../../packages/core/src/index.js');
  engine = await Engine.load({ wasm: coreWasm });
  return engine;
}

/** Everything that must hold for any readable profile:
 * - the core's inspect document is valid, and byte for byte the native command line's (when built);
 * - regions of the ranks add up to the regions of the whole;
 * - every plot kind builds (or says why not with a code) and names only regions of the profile;
 * - closing gives back what opening took. */
export async function checkProfile(path) {
  const core = await sharedEngine();
  const open = core.openCount;
  const profile = core.open(join(root, path), { name: path });
  try {
    const text = core.queryText({ op: 'inspect', profiles: [profile] });
    if (!skipBuild('native')) await sameAsNative(path, text);
    const document = JSON.parse(text);
    checkInspect(document, path);
    checkDurations(profile, document.profiles[0]);
    checkStacked(profile, document.profiles[0].regions);
  } finally {
    profile.close();
  }
  assert.equal(core.openCount, open, 'profiles stay open');
}

async function sameAsNative(path, text) {
  const native = await runCli('native', 'inspect', '--json', path);
  assert.equal(native.rc, 0, native.err);
  assert.ok(native.out === text, `${path}: the core's inspect document differs from the native one`);
}

function checkInspect(document, path) {
  checkSchema('inspect', document);
  assert.equal(document.profiles.length, 1);
  const [{ path: own, regions, rows }] = document.profiles;
  assert.equal(own, path);
  for (const region of regions) {
    const sum = (key) => region.per_rank.reduce((total, rank) => total + rank[key], 0);
    assert.equal(sum('calls'), region.calls, `${region.name}: calls over the ranks`);
    if (region.total_ns < Number.MAX_SAFE_INTEGER) {
      assert.equal(sum('total_ns'), region.total_ns, `${region.name}: total over the ranks`);
    }
  }
  for (const row of rows) assert.ok(row.calls >= 0 && row.path.length >= 1);
}

/** Stacked bars add up to the own time of all calls, or say why there are none. */
function checkStacked(profile, regions) {
  let payload;
  try {
    payload = profile.view('durations', { options: { stack_children: true } });
  } catch (error) {
    assert.ok(['BAD_NESTING', 'NO_SPANS'].includes(error.code), error.message);
    return;
  }
  checkSchema('durations', payload);
  const own = payload.bars.filter((bar) => bar.segment === 'self').reduce((sum, bar) => sum + bar.value_seconds, 0);
  const wanted = regions.reduce((sum, region) => sum + region.exclusive_ns, 0) / 1e9;
  assert.ok(Math.abs(own - wanted) <= 1e-9 * Math.max(1, wanted), `own time ${own}, not ${wanted}`);
}

function checkDurations(profile, { regions }) {
  const metrics = ['total', 'avg', 'min', 'max', 'first', 'last'];
  const payload = profile.view('durations', { options: { metrics } });
  checkSchema('durations', payload);
  assert.equal(payload.bars.length, metrics.length * regions.length);
  const names = new Set(regions.map((region) => region.name));
  for (const bar of payload.bars) {
    assert.deepEqual(Object.keys(bar), ['file', 'region', 'metric', 'value_seconds']);
    assert.ok(names.has(bar.region), bar.region);
  }
  for (const [i, region] of regions.entries()) {
    const total = payload.bars[i].value_seconds;
    if (region.calls === 0) assert.equal(total, null);
    else assert.ok(Math.abs(total - region.total_ns / 1e9) <= 1e-15 * total + 1e-12);
  }
}
