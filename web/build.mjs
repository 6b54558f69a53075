// Builds the page: a folder of static files, and one HTML file that works from disk.
//
//   node web/build.mjs [--out build/page] [--core packages/core/dist/core.wasm] [--sample FILE]
//
// Prints what was made with sizes; a budget exceeded is a failure (exit 1).

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const web = dirname(fileURLToPath(import.meta.url));
const root = dirname(web);
const require = createRequire(import.meta.url);

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'build/page') },
    core: { type: 'string', default: join(root, 'packages/core/dist/core.wasm') },
    sample: { type: 'string', default: join(root, 'tests/fixtures/sample.h5') },
  },
});

/** gzip bytes allowed: shell, styles and scripts without wasm and Plotly; and the one file. */
const SHELL_BUDGET = 150_000;
const SINGLE_BUDGET = 3_000_000;
const SAMPLE_BUDGET = 100_000;

const SINGLE_POLICY = (hashes) =>
  `default-src 'none'; script-src ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')} 'wasm-unsafe-eval'; `
  + "worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";

const alias = {
  '@profscope/core/worker': join(root, 'packages/core/src/worker.js'),
  '@profscope/plotly/dashboard': join(root, 'packages/plotly/src/dashboard/index.js'),
};

const shared = {
  bundle: true,
  minify: true,
  write: false,
  target: ['chrome109', 'firefox115', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'silent' },
  alias,
};

async function bundle(entry, extra) {
  const result = await build({ ...shared, entryPoints: [entry], ...extra });
  return result.outputFiles[0].text;
}

/** main.js with the assets of a folder, or those inside the page. */
function mainScript(single) {
  const swap = {
    name: 'assets',
    setup: (plugin) => plugin.onResolve({ filter: /^\.\/assets\.js$/ }, () => ({
      path: join(web, single ? 'assets-single.js' : 'assets.js'),
    })),
  };
  return bundle(join(web, 'main.js'), { format: 'esm', plugins: [swap] });
}

const sha256 = (text) => createHash('sha256').update(text).digest('base64');
const packed = (data) => gzipSync(data, { level: 9 }).toString('base64');
const gzipSize = (data) => gzipSync(data, { level: 9 }).length;

/** Plotly's bundle as a module with a default export: a module can be preloaded without running. */
function plotlyModule(text) {
  return `const module={exports:{}},exports=module.exports;\n(function(){${text}\n}).call(globalThis);\nexport default module.exports;\n`;
}

async function readInputs() {
  if (!existsSync(options.core)) {
    throw new Error(`${options.core} is missing: build the core first (npm run build:wasm)`);
  }
  const [core, plotly, html, version] = await Promise.all([
    readFile(options.core),
    readFile(require.resolve('plotly.js-cartesian-dist-min'), 'utf8'),
    readFile(join(web, 'index.html'), 'utf8'),
    readFile(join(root, 'package.json'), 'utf8').then((text) => JSON.parse(text).version),
  ]);
  const sample = existsSync(options.sample) ? await readFile(options.sample) : null;
  if (sample && sample.length > SAMPLE_BUDGET) throw new Error(`${options.sample} is larger than ${SAMPLE_BUDGET} bytes`);
  return { core, plotly: plotly.trim(), html, sample, version };
}

/** Replaces exactly one occurrence; a page that lost its anchor must not be built in silence. */
function replaceOnce(text, from, to) {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`index.html must hold exactly one ${from}`);
  return parts.join(to);
}

async function buildFolder(inputs, css, worker, html) {
  const main = await mainScript(false);
  const theme = await bundle(join(web, 'theme.js'), { format: 'iife' });
  const files = {
    'index.html': html, 'style.css': css, 'theme.js': theme, 'main.js': main, 'worker.js': worker,
    'core.wasm': inputs.core, 'plotly.js': plotlyModule(inputs.plotly),
    ...(inputs.sample ? { 'sample.h5': inputs.sample } : {}),
  };
  await rm(options.out, { recursive: true, force: true });
  await mkdir(options.out, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, data]) => writeFile(join(options.out, name), data)));
  return files;
}

async function buildSingle(inputs, css, worker, page) {
  const main = await mainScript(true);
  const theme = await bundle(join(web, 'theme.js'), { format: 'iife' });
  for (const [name, text] of Object.entries({ main, theme, css })) {
    if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} cannot stand inside a page`);
  }
  const blocks = [
    ['asset-core', inputs.core], ['asset-worker', worker], ['asset-plotly', inputs.plotly], ['asset-sample', inputs.sample],
  ].filter(([, data]) => data)
    .map(([id, data]) => `<script type="text/plain" id="${id}">${packed(data)}</script>`).join('\n');
  let html = page.replace('<html lang="en"', '<html lang="en" data-single');
  html = html.replace(/(<meta http-equiv="Content-Security-Policy" content=")[^"]*(">)/,
    (_, before, after) => before + SINGLE_POLICY([theme, main, inputs.plotly].map(sha256)) + after);
  html = replaceOnce(html, '<script src="theme.js"></script>', `<script>${theme}</script>`);
  html = replaceOnce(html, '<link rel="stylesheet" href="style.css">', `<style>${css}</style>`);
  html = replaceOnce(html, '<script type="module" src="main.js"></script>\n', '');
  html = replaceOnce(html, '</body>', `${blocks}\n<script type="module">${main}</script>\n</body>`);
  await writeFile(join(options.out, 'profscope.html'), html);
  return html;
}

async function run() {
  const inputs = await readInputs();
  const css = await bundle(join(web, 'style.css'), { loader: { '.css': 'css' } });
  const worker = await bundle(join(root, 'packages/core/src/worker-entry.js'), { format: 'iife' });
  const page = inputs.html.replace('<html lang="en"', `<html lang="en" data-version="${inputs.version}"`);
  const files = await buildFolder(inputs, css, worker, page);
  const single = await buildSingle(inputs, css, worker, page);

  let shell = 0;
  for (const [name, data] of Object.entries(files)) {
    const size = gzipSize(data);
    if (!['core.wasm', 'plotly.js', 'sample.h5'].includes(name)) shell += size;
    console.log(`${name.padEnd(16)} ${String(Buffer.byteLength(data)).padStart(9)} bytes ${String(size).padStart(8)} gzip`);
  }
  const bytes = Buffer.byteLength(single);
  console.log(`${'profscope.html'.padEnd(16)} ${String(bytes).padStart(9)} bytes (budget ${SINGLE_BUDGET})`);
  console.log(`shell, styles, scripts: ${shell} bytes gzip (budget ${SHELL_BUDGET})`);
  console.log(`in ${resolve(options.out)}`);
  if (shell > SHELL_BUDGET || bytes > SINGLE_BUDGET) throw new Error('a size budget is exceeded');
}

run().catch((error) => {
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
});
