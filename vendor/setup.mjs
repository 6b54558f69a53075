#!/usr/bin/env node
// Fetches, checks and builds everything third-party into build/vendor/. Run again it does nothing.
//   node vendor/setup.mjs [native] [debug] [wasm] [--sources-only] [--quiet]     default: all three
// A source can be given instead of fetched: HDF5_SOURCE_DIR=… PCRE2_SOURCE_DIR=… and so on.
// An interrupted or failed step leaves nothing behind: work is done in build/vendor/tmp and renamed.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { Tree } from './edits.mjs';
import { fetchCargo, fetchDebian, fetched } from './fetch.mjs';
import { ensureTools, toolsMissing } from './tools.mjs';
import { ask, hashOf, outDir, readRecipe, recipeNames, root, run, SetupError, stamped, vendorDir } from './run.mjs';

const flavours = ['native', 'debug', 'wasm'];
const args = process.argv.slice(2);
const options = new Set(args.filter((a) => a.startsWith('--')));
const chosen = args.filter((a) => !a.startsWith('--'));
const work = join(outDir, 'tmp');
const started = Date.now();
const log = (text) => options.has('--quiet') || console.log(`setup: ${text}`);

const given = (name) => process.env[`${name.toUpperCase()}_SOURCE_DIR`];

/** One set-up at a time; a lock whose process is gone is taken over. */
function lock() {
  mkdirSync(outDir, { recursive: true });
  const path = join(outDir, 'lock');
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      break;
    } catch (e) {
      if (e.code !== 'EEXIST') throw e;
    }
    const owner = Number(existsSync(path) ? readFileSync(path, 'utf8') : 0);
    if (owner > 0 && !existsSync(`/proc/${owner}`) && existsSync('/proc/self')) {
      rmSync(path, { force: true });
    } else {
      if (!waited) log(`waiting for another set-up (process ${owner}); if there is none, remove build/vendor/lock`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
  process.on('exit', () => rmSync(path, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
}

function fetchAll(recipes) {
  const missing = recipes.filter(([name, recipe]) => !given(name) && !fetched(name, recipe));
  if (missing.length === 0) return;
  log(`fetching ${missing.map(([, r]) => `${r.name} ${r.version}`).join(', ')}`);
  const cargo = missing.filter(([, r]) => r.carrier.kind === 'cargo');
  if (cargo.length > 0) fetchCargo(cargo, work);
  for (const [name, recipe] of missing.filter(([, r]) => r.carrier.kind === 'debian')) {
    fetchDebian(name, recipe, work, () => run('sh', ['-c', '[ $(id -u) = 0 ] && apt-get update || sudo apt-get update']));
  }
}

/** Hash of what a prepared source is made of; null when it is still to be fetched. */
function sourceHash(name, recipe) {
  const from = given(name) ?? fetched(name, recipe);
  if (!from) return null;
  const recipeFiles = readdirSync(join(vendorDir, name)).filter((f) => !/^(LICENSE|README\.md)$/.test(f));
  const inputs = [...recipeFiles.sort().map((f) => join(vendorDir, name, f)), join(vendorDir, 'edits.mjs')];
  return hashOf(relative(root, from), ...inputs.map((path) => ({ path })));
}

/** build/vendor/src/<name>: a private copy with our edits. Returns the hash of what went into it. */
async function prepare(name, recipe) {
  const hash = sourceHash(name, recipe);
  const to = join(outDir, 'src', name);
  if (stamped(to, hash)) return hash;
  const from = given(name) ?? fetched(name, recipe);
  const edits = join(vendorDir, name, 'edits.mjs');
  log(`preparing ${name}`);
  const part = join(work, `src-${name}`);
  mkdirSync(join(outDir, 'src'), { recursive: true });
  cpSync(from, part, { recursive: true });
  if (existsSync(edits)) (await import(edits)).edit(new Tree(part));
  writeFileSync(join(part, '.stamp'), hash);
  rmSync(to, { recursive: true, force: true });
  renameSync(part, to);
  return hash;
}

const toolchainFile = () => {
  const emcc = ask('sh', ['-c', 'readlink -f "$(command -v emcc)"']).trim();
  return join(emcc, '..', 'cmake', 'Modules', 'Platform', 'Emscripten.cmake');
};

function flavourHash(flavour, sources) {
  const compiler = flavour === 'wasm' ? 'emcc' : (process.env.CC ?? 'cc');
  const version = (ask(compiler, ['--version']) ?? '').split('\n')[0];
  const lists = [{ path: join(vendorDir, 'CMakeLists.txt') }, { path: join(vendorDir, 'targets.cmake') }];
  return hashOf(flavour, version, ...sources, ...lists);
}

const upToDate = (flavour, sources) => stamped(join(outDir, flavour), flavourHash(flavour, sources));

function build(flavour, sources) {
  const hash = flavourHash(flavour, sources);
  const to = join(outDir, flavour);
  if (stamped(to, hash)) return;
  const begin = Date.now();
  log(`building ${flavour} libraries (a minute or two)`);
  const dir = join(work, `build-${flavour}`);
  const part = join(work, `install-${flavour}`);
  const env = { NODE_PATH: '/usr/share/nodejs' };
  run('cmake', [
    '-S', vendorDir, '-B', dir, '-G', 'Ninja',
    `-DFLAVOUR=${flavour}`,
    `-DSOURCES=${join(outDir, 'src')}`,
    `-DCMAKE_INSTALL_PREFIX=${part}`,
    '-DCMAKE_BUILD_TYPE=None',
    ...(flavour === 'wasm' ? [`-DCMAKE_TOOLCHAIN_FILE=${toolchainFile()}`] : []),
  ], { env }); // prettier-ignore
  const jobs = process.env.JOBS ?? String(availableParallelism());
  run('ninja', ['-C', dir, '-j', jobs, 'install'], { env });
  writeFileSync(join(part, '.stamp'), hash);
  rmSync(to, { recursive: true, force: true });
  renameSync(part, to);
  log(`${flavour} libraries ready after ${Math.round((Date.now() - begin) / 1000)} s`);
}

async function main() {
  const unknown = chosen.find((c) => !flavours.includes(c));
  if (unknown) throw new SetupError(`"${unknown}" is none of ${flavours.join(', ')}`);
  const recipes = recipeNames().map((name) => [name, readRecipe(name)]);
  const wanted = options.has('--sources-only') ? [] : flavours.filter((f) => chosen.length === 0 || chosen.includes(f));
  const known = recipes.map(([name, recipe]) => sourceHash(name, recipe));
  if (toolsMissing({ sources: false }).length === 0 && !known.includes(null) && wanted.every((f) => upToDate(f, known))) {
    return;
  }
  lock();
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const sources = recipes.some(([name, recipe]) => !given(name) && !fetched(name, recipe));
  ensureTools({ sources, log });
  fetchAll(recipes);
  const hashes = [];
  for (const [name, recipe] of recipes) hashes.push(await prepare(name, recipe));
  for (const flavour of wanted) build(flavour, hashes);
  rmSync(work, { recursive: true, force: true });
  log(`ready (${Math.round((Date.now() - started) / 1000)} s)`);
}

try {
  await main();
} catch (e) {
  if (!(e instanceof SetupError)) throw e;
  console.error(`setup: error: ${e.message}`);
  process.exit(1);
}
