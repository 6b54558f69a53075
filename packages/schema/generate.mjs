// Writes the generated files of this package from the core's tables:
//   node packages/schema/generate.mjs [--check]       (npm run generate)
// --check writes nothing and fails when a committed file differs.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const tool = join(here, '../../build/native/generate');
if (!existsSync(tool)) {
  console.error('generate: build/native/generate is missing: npm run build');
  process.exit(1);
}
const print = (...args) => execFileSync(tool, args, { encoding: 'utf8' });

const files = { 'ERRORS.md': print('errors'), 'payloads.d.ts': print('types') };
for (const plot of print('plots').trim().split('\n')) {
  files[`${plot}.schema.json`] = print('schema', plot);
  JSON.parse(files[`${plot}.schema.json`]);
}

let stale = 0;
for (const [name, text] of Object.entries(files)) {
  const path = join(here, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  stale++;
  if (process.argv.includes('--check')) {
    console.error(`generate: packages/schema/${name} is not what the core's tables give: npm run generate`);
  } else {
    writeFileSync(path, text);
    console.log(`packages/schema/${name}`);
  }
}
if (process.argv.includes('--check') && stale) process.exitCode = 1;
