// npm test: sets up, builds and checks everything, and ends with "N passed, N failed".
//
//   node tests/run.mjs [--bless] [--only lint,c,node,conformance,size]
//
// --bless rewrites goldens (look at `git diff` then). With CI set, a missing golden is a failure.
// Checks that stop nothing: a failure is counted and the rest still runs; a build that fails ends it.
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { cmake, filesBelow, lint, modules, page, root, run, setup, shared } from './steps.mjs';

const { values: options } = parseArgs({
  options: { bless: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const parts = options.only ? options.only.split(',') : ['lint', 'c', 'node', 'conformance', 'size'];
if (options.bless) process.env.UPDATE = '1';
const sum = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

function count(name, { passed = 0, failed = 0, skipped = 0 }) {
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  if (failed > 0) failures.push(`${name}: ${failed} failed`);
}

function headline(text) {
  console.log(`\n== ${text}`);
}

function build() {
  headline('set-up and build');
  setup();
  modules();
  cmake('debug');
  cmake('release');
  cmake('wasm');
  page();
}

/** C unit tests, under the sanitizers. */
function ctest() {
  headline('C tests (address and undefined-behaviour sanitizers)');
  const jobs = process.env.JOBS ?? '2';
  const { out } = run('ctest', ['--preset', 'debug', '--no-tests=error', '-j', jobs], { soft: true, quiet: true });
  console.log(out.trimEnd());
  const line = /(\d+) tests? failed out of (\d+)/.exec(out);
  if (!line) return count('ctest', { failed: 1 });
  count('ctest', { passed: line[2] - line[1], failed: Number(line[1]) });
}

/** Everything written for node:test, in one run per folder so that browsers do not compete. */
function nodeTests() {
  for (const [folder, jobs] of [['tests/js', 2], ['tests/cli', 2], ['tests/browser', 1], ['tests/pack', 1]]) {
    const files = filesBelow(folder, '.test.mjs');
    if (files.length === 0) continue;
    headline(folder);
    // this Node has no such flag for everyone: 22 added more, 20 has this one since 20.10
    const args = ['--test', '--test-reporter=spec', `--test-concurrency=${jobs}`, ...files];
    const { ok, out } = run(process.execPath, args, { soft: true, quiet: true });
    console.log(ok ? out.slice(out.lastIndexOf('ℹ tests')).trimEnd() : out.trimEnd());
    const number = (name) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(out)?.[1] ?? 0);
    const failed = number('fail') + number('cancelled');
    count(folder, { passed: number('pass'), failed: ok ? 0 : Math.max(1, failed), skipped: number('skipped') + number('todo') });
  }
}

const native = 'build/native/profscope';
const node = 'node packages/cli/bin/profscope.mjs';

/** What outside material says is right, when it is there. */
function conformance() {
  headline('conformance');
  if (!shared) {
    console.log('skipped: no ../shared (or PROFSCOPE_SHARED) with profiles and expectations');
    return count('conformance', { skipped: 1 });
  }
  const at = (path) => join(shared, path);
  const common = Array.from({ length: 20 }, (_, i) => String(i + 1));
  const judges = [
    ['fixtures', 'tools/check_inspect.py', ['--run', `${native} inspect --json`, at('fixtures/generated/expected'), at('fixtures/generated')]],
    ['real profiles', 'tools/check_inspect.py', ['--run', `${native} inspect --json`, at('profiles-expected'), at('profiles')]],
    ['fixtures, Node', 'tools/check_inspect.py', ['--run', `${node} inspect --json`, at('fixtures/generated/expected'), at('fixtures/generated')]],
    ['real profiles, Node', 'tools/check_inspect.py', ['--run', `${node} inspect --json`, at('profiles-expected'), at('profiles')]],
    ['damaged files', 'tools/run_badfiles.py', [at('badfiles/manifest_open.json'), native]],
    ['damaged files, Node', 'tools/run_badfiles.py', [at('badfiles/manifest_open.json'), ...node.split(' ')]],
    ['terminal output', 'goldens-cli/run_cli.py', ['--cli', native, ...common]],
    ['terminal output, Node', 'goldens-cli/run_cli.py', ['--cli', node, ...common]],
  ];
  for (const [name, script, args] of judges) {
    if (!existsSync(at(script))) continue;
    judge(name, 'python3', [at(script), ...args]);
  }
  // the plot kinds that have a builder here
  const figures = at('goldens-js/compare-figures.mjs');
  for (const file of existsSync(figures) ? filesBelow('packages/plotly/src/figures', '.js') : []) {
    const kind = basename(file, '.js');
    judge(`figures, ${kind}`, process.execPath, [figures, 'packages/plotly', '--only', kind]);
  }
}

function judge(name, program, args) {
  const { ok, out } = run(program, args, { soft: true, quiet: true });
  const line = [...out.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  const [passed, failed, skipped] = line ? line.slice(1).map((n) => Number(n ?? 0)) : [0, 1, 0];
  if (!ok) console.log(out.trimEnd().split('\n').slice(-25).join('\n'));
  console.log(`${name}: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  count(`conformance, ${name}`, { passed, failed: ok ? failed : Math.max(1, failed), skipped });
}

function size() {
  headline('sizes');
  count('sizes', run(process.execPath, ['tests/size.mjs'], { soft: true }).ok ? { passed: 1 } : { failed: 1 });
}

const started = Date.now();
rmSync(join(root, 'build/test-failures'), { recursive: true, force: true });
setup('--sources-only', '--quiet');
if (parts.includes('lint')) {
  headline('lint');
  count('lint', lint() ? { passed: 1 } : { failed: 1 });
}
if (parts.some((part) => part !== 'lint')) build();
if (parts.includes('c')) ctest();
if (parts.includes('node')) nodeTests();
if (parts.includes('conformance')) conformance();
if (parts.includes('size')) size();

console.log(`\n${Math.round((Date.now() - started) / 1000)} s`);
for (const failure of failures) console.log(failure);
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`);
process.exit(sum.failed > 0 ? 1 : 0);
