// C is laid out by clang-format (.clang-format).   node tests/lint/format.mjs [--write] [FILE...]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from '@wasm-fmt/clang-format';
import { files, read, report, root } from './files.mjs';

const write = process.argv.includes('--write');
const named = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const ours = (path) =>
  /^(src|wasm|tests|packages|vendor)\/.*\.[ch]$/.test(path) &&
  !/^vendor\/hdf5\/H5pubconf\.h$|^tests\/fixtures\/|char_widths\.h$/.test(path);
const style = read('.clang-format');
const faults = [];
for (const path of named.length > 0 ? named : files(ours)) {
  const text = read(path);
  const laid = format(text, path, style);
  if (laid === text) continue;
  if (write) writeFileSync(join(root, path), laid);
  else {
    const lines = text.split('\n');
    const line = laid.split('\n').findIndex((l, i) => l !== lines[i]);
    faults.push(`${path}:${line + 1}: not as clang-format lays it out: npm run format`);
  }
}
report('format', faults);
