// Small things every set-up step needs: running programs, hashing, one-line failures.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const vendorDir = join(root, 'vendor');
export const outDir = join(root, 'build', 'vendor');

/** A failure whose message is one line that says what to do. */
export class SetupError extends Error {}

/** Runs a program; its output is shown only when it fails. Returns its standard output. */
export function run(program, args, { cwd = root, env = {}, hint } = {}) {
  const r = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (r.error || r.status !== 0) {
    const output = `${r.stdout ?? ''}${r.stderr ?? ''}`.trimEnd().split('\n').slice(-40).join('\n');
    if (output) process.stderr.write(`${output}\n`);
    const why = r.error ? r.error.message : r.signal ? `ended by ${r.signal}` : `exit ${r.status}`;
    throw new SetupError(`${program} ${args.slice(0, 3).join(' ')} … failed (${why})${hint ? `: ${hint}` : ''}`);
  }
  return r.stdout;
}

/** Standard output of a program, or null when it is missing or fails. */
export function ask(program, args) {
  const r = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return r.status === 0 ? r.stdout : null;
}

export const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** Hash of the texts and file contents given; a folder counts with everything in it. */
export function hashOf(...parts) {
  const h = createHash('sha256');
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else {
      h.update(`${path.slice(root.length)}\0`).update(readFileSync(path));
    }
  };
  for (const part of parts) {
    if (typeof part === 'string') h.update(`${part}\0`);
    else add(part.path);
  }
  return h.digest('hex');
}

/** Whether `dir` was finished by a recipe with this hash. */
export function stamped(dir, hash) {
  const stamp = join(dir, '.stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

export function readRecipe(name) {
  return JSON.parse(readFileSync(join(vendorDir, name, 'recipe.json'), 'utf8'));
}

/** Every library that has a recipe, in a fixed order. */
export function recipeNames() {
  return readdirSync(vendorDir)
    .filter((name) => existsSync(join(vendorDir, name, 'recipe.json')))
    .sort();
}
