// The steps that the developer's verbs and `npm test` are made of. Only Node's own modules are used,
// so that they work in a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Outside material that makes more checks possible; null when it is not there. */
export const shared = [process.env.PROFSCOPE_SHARED, resolve(root, '../shared')].find((p) => p && existsSync(p)) ?? null;

/** Runs a program with its output on the terminal. Ends this process when it fails, unless `soft`. */
export function run(program, args, { soft = false, env = {}, quiet = false } = {}) {
  const r = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const ok = !r.error && r.status === 0;
  if (!ok && !soft) {
    if (quiet) process.stderr.write(`${r.stdout ?? ''}${r.stderr ?? ''}`);
    console.error(`${program} ${args.slice(0, 3).join(' ')} failed${r.error ? `: ${r.error.message}` : ''}`);
    process.exit(1);
  }
  return { ok, status: r.status, out: `${r.stdout ?? ''}${r.stderr ?? ''}` };
}

export function setup(...flavours) {
  run(process.execPath, [join(root, 'vendor/setup.mjs'), ...flavours]);
}

/** `npm ci` when the packages are missing or older than the lock file. */
export function modules() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const mark = join(root, 'node_modules/.profscope-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log('installing JavaScript packages');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!run('npm', [...args, '--prefer-offline'], { soft: true }).ok) {
    console.error('npm ci failed: the npm registry must be reachable once; check the network and start again');
    process.exit(1);
  }
  writeFileSync(mark, lock);
}

/** Configures when need be and builds one CMake preset. */
export function cmake(preset) {
  const dir = { release: 'native' }[preset] ?? preset;
  const env = preset === 'wasm' ? { NODE_PATH: '/usr/share/nodejs' } : {};
  if (!existsSync(join(root, 'build', dir, 'build.ninja'))) {
    run('cmake', ['--preset', preset], { env, quiet: true });
  }
  const jobs = process.env.JOBS ?? String(availableParallelism());
  run('cmake', ['--build', '--preset', preset, '--parallel', jobs], { env, quiet: !process.stdout.isTTY });
  // a new file list or recipe makes the build configure again by itself
}

export function page() {
  run(process.execPath, ['web/build.mjs']);
}

/** Files below a folder whose path ends so, sorted, relative to the root. */
export function filesBelow(folder, end) {
  const dir = join(root, folder);
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true })
    .map((name) => join(dir, name))
    .filter((path) => path.endsWith(end) && statSync(path).isFile())
    .map((path) => relative(root, path))
    .sort();
}

/** Runs every script under tests/lint; true when all are content. */
export function lint() {
  modules();
  let good = true;
  for (const script of filesBelow('tests/lint', '.mjs')) {
    if (/\/(files|clang-style)\.mjs$/.test(script)) continue;
    good = run(process.execPath, [script], { soft: true }).ok && good;
  }
  good = run(process.execPath, ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'], { soft: true }).ok && good;
  good = run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'], { soft: true }).ok && good;
  return good;
}
