// The developer's verbs: node tests/verbs.mjs start | build | build:wasm | build:debug | build:page |
// dev | lint | generate | bench. Each does what it needs first; `npm install` is never required before.
import { spawn } from 'node:child_process';
import { cmake, lint, modules, page, root, run, setup } from './steps.mjs';

const [verb, ...rest] = process.argv.slice(2);

/** Runs a server until it is stopped. */
function serve(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 130));
}

function buildPage() {
  modules();
  setup('wasm');
  cmake('wasm');
  page();
}

const verbs = {
  start() {
    setup('native', 'wasm');
    modules();
    cmake('release');
    cmake('wasm');
    page();
    serve(['web/serve.mjs', ...rest]);
  },
  build() {
    setup('native');
    cmake('release');
    console.log('build/native/profscope');
  },
  'build:wasm'() {
    setup('wasm');
    cmake('wasm');
    console.log('packages/core/dist/core.wasm, packages/cli/dist/cli.wasm');
  },
  'build:debug'() {
    setup('debug');
    cmake('debug');
    console.log('build/debug: ctest --preset debug');
  },
  'build:page': buildPage,
  dev() {
    buildPage();
    serve(['web/serve.mjs', ...rest]);
  },
  lint() {
    if (!lint()) process.exit(1);
  },
  generate() {
    setup('native');
    cmake('release');
    run(process.execPath, ['packages/schema/generate.mjs', ...rest]);
  },
  bench() {
    modules();
    setup('native', 'wasm');
    cmake('release');
    cmake('wasm');
    run(process.execPath, ['tests/bench/bench.mjs', ...rest]);
  },
};

if (!verbs[verb]) {
  console.error(`"${verb}" is none of ${Object.keys(verbs).join(', ')}`);
  process.exit(2);
}
verbs[verb]();
