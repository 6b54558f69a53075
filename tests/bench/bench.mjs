// npm run bench [-- --rounds 3] [--only TEXT] [--full] [--readers]
// Interleaved runs of our programs and the reference on the same files: every round runs every command
// once, so that drift of a shared machine falls on all alike. Medians are printed, and ratios against
// the reference. --full lets the reference also do the files that take it minutes and gigabytes;
// --readers adds plain readers (h5py, h5wasm, jsfive) of the same files.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cases, recipe } from './cases.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const shared = process.env.PROFSCOPE_SHARED ?? resolve(root, '../shared');
const folder = join(root, 'build/bench');
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    full: { type: 'boolean', default: false },
    readers: { type: 'boolean', default: false },
  },
});

/** A Python with the reference in it, made on first use. */
function reference() {
  const venv = join(folder, 'venv');
  const program = join(venv, 'bin/scope-profiler');
  if (!existsSync(program)) {
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
    execFileSync(join(venv, 'bin/pip'), ['install', '-q', 'scope-profiler[pproc]==0.7.5', 'h5py', 'numpy'], {
      stdio: 'inherit',
    });
  }
  return { program, python: join(venv, 'bin/python') };
}

/** Real profiles, smallest first. */
function corpus() {
  const found = [];
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.name.endsWith('.h5')) found.push({ path, bytes: statSync(path).size });
    }
  };
  walk(join(shared, 'profiles'));
  return found.sort((a, b) => a.bytes - b.bytes).map((f) => f.path);
}

function fileOf(name, python) {
  if (name === 'corpus-small') return corpus()[0];
  if (name === 'corpus-large') return corpus().at(-1);
  const path = join(folder, `${name}.h5`);
  if (!existsSync(path)) {
    console.error(`making ${name}.h5`);
    execFileSync(python, [join(shared, 'bench/make_big.py'), path, ...recipe(name)], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return path;
}

/** h5wasm and jsfive beside copies of the scripts that read with them. */
function readers(python) {
  const js = join(folder, 'readers');
  if (!existsSync(join(js, 'node_modules/jsfive'))) {
    mkdirSync(js, { recursive: true });
    for (const script of ['read_h5wasm.mjs', 'read_jsfive.mjs']) copyFileSync(join(shared, 'bench', script), join(js, script));
    execFileSync('npm', ['install', '--no-save', '--prefix', js, 'h5wasm@0.10.3', 'jsfive@0.4.2'], { stdio: 'ignore' });
  }
  return (file) => ({
    h5py: [python, join(shared, 'bench/read_h5py.py'), file],
    h5wasm: ['node', join(js, 'read_h5wasm.mjs'), file],
    jsfive: ['node', join(js, 'read_jsfive.mjs'), file],
  });
}

function run(command) {
  const done = spawnSync('python3', [join(here, 'measure.py'), ...command], { encoding: 'utf8' });
  const result = JSON.parse(done.stdout);
  if (result.code !== 0) throw new Error(`${command.join(' ')}: exit ${result.code}`);
  return result;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

if (!existsSync(join(shared, 'bench/make_big.py'))) {
  console.log('skipped: the benchmark needs ../shared/bench (generators and real profiles)');
  process.exit(0);
}
mkdirSync(folder, { recursive: true });
const theirs = reference();
const others = options.readers ? readers(theirs.python) : () => ({});
const rows = cases
  .filter((c) => `${c.work} ${c.file}`.includes(options.only))
  .map((c) => {
    const file = fileOf(c.file, theirs.python);
    const commands = {
      native: [join(root, 'build/native/profscope'), c.work, file],
      node: ['node', join(root, 'packages/cli/bin/profscope.mjs'), c.work, file],
      ...(c.slow && !options.full ? {} : { reference: [theirs.program, c.work, file] }),
      ...others(file),
    };
    return { ...c, commands, samples: Object.fromEntries(Object.keys(commands).map((k) => [k, []])) };
  });
for (let round = 0; round < Number(options.rounds); round++)
  for (const row of rows)
    for (const [who, command] of Object.entries(row.commands)) row.samples[who].push(run(command));

const table = rows.map((row) => {
  const cell = { work: `${row.work} ${row.file}` };
  for (const [who, samples] of Object.entries(row.samples)) {
    cell[`${who} s`] = Number(median(samples.map((s) => s.wall)).toFixed(4));
    cell[`${who} MiB`] = Math.round(median(samples.map((s) => s.mib)));
  }
  if (cell['reference s']) cell.ratio = Number((cell['reference s'] / cell['native s']).toFixed(1));
  cell.wanted = row.ratio ?? '';
  return cell;
});
console.table(table);
