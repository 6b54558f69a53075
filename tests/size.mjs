// Sizes of what is shipped, against budgets. npm run size; part of npm test.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Budgets in bytes; what is not named is not limited. `made` names the verb for what is missing. */
const items = [
  { name: 'core.wasm', files: () => ['packages/core/dist/core.wasm'], gzip: 640_000, brotli: 500_000, made: 'build:wasm' },
  { name: 'cli.wasm', files: () => ['packages/cli/dist/cli.wasm'], gzip: 700_000, made: 'build:wasm' },
  { name: '@profscope/core scripts', files: () => scripts('packages/core/src'), bundled: true, gzip: 20_000 },
  { name: '@profscope/plotly figures', files: () => scripts('packages/plotly/src').filter((f) => !f.includes('/dashboard/')), bundled: true, gzip: 20_000 },
  { name: '@profscope/plotly dashboard', files: () => scripts('packages/plotly/src/dashboard'), bundled: true, gzip: 5_000 },
  {
    name: 'page: shell, styles, scripts',
    files: () => below('build/page').filter((f) => /\.(html|js|css|svg|webmanifest)$/.test(f) && !/profscope\.html$|plotly/.test(f)),
    gzip: 150_000,
    made: 'build:page',
  },
  { name: 'page as one file', files: () => ['build/page/profscope.html'], raw: 3_000_000, made: 'build:page' },
];

function below(folder) {
  const dir = join(root, folder);
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(root, path)).isFile());
}

const scripts = (folder) => below(folder).filter((path) => path.endsWith('.js'));

// scripts of a package reach a page bundled, so they are measured together
function measure(files, bundled) {
  const sizes = { raw: 0, gzip: 0, brotli: 0 };
  const contents = files.map((file) => readFileSync(join(root, file)));
  for (const bytes of bundled ? [Buffer.concat(contents)] : contents) {
    sizes.raw += bytes.length;
    sizes.gzip += gzipSync(bytes, { level: 9 }).length;
    sizes.brotli += brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }).length;
  }
  return sizes;
}

const text = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
let over = 0;
console.log(`${'bytes'.padEnd(30)}${['raw', 'gzip', 'brotli'].map((h) => h.padStart(11)).join('')}   budget`);
for (const item of items) {
  const files = item.files();
  if (files.length === 0 || files.some((f) => !existsSync(join(root, f)))) {
    console.log(`${item.name.padEnd(30)}  not built${item.made ? `: npm run ${item.made}` : ''}`);
    if (process.env.CI) over++;
    continue;
  }
  const sizes = measure(files, item.bundled);
  const kinds = ['raw', 'gzip', 'brotli'].filter((kind) => item[kind]);
  const marks = kinds.map((kind) => `${kind} ${text(item[kind])}${sizes[kind] > item[kind] ? ' EXCEEDED' : ''}`);
  if (kinds.some((kind) => sizes[kind] > item[kind])) over++;
  const columns = [sizes.raw, sizes.gzip, sizes.brotli].map((n) => text(n).padStart(11)).join('');
  console.log(`${item.name.padEnd(30)}${columns}   ${marks.join(', ')}`);
}
if (over > 0) console.log(`${over} over budget or missing`);
process.exit(over > 0 ? 1 : 0);
