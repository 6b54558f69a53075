// Files stay small: sources warn at 400 lines and fail at 600, headers fail at 200.
import { files, read, report } from './files.mjs';

const ours = (path) =>
  /^(src|wasm|web|packages|tests|vendor)\/.*\.(c|h|js|mjs|css)$/.test(path) &&
  !/\/dist\/|\.inc$|char_widths\.h|^tests\/fixtures\/|^vendor\/.*\/H5pubconf\.h/.test(path);
const faults = [];
for (const path of files(ours)) {
  const lines = read(path).split('\n').length - 1;
  const limit = /^src\/.*\.h$/.test(path) ? 200 : 600;
  if (lines > limit) faults.push(`${path}: ${lines} lines; the limit is ${limit}`);
  else if (lines > 400) console.log(`note: ${path}: ${lines} lines`);
}
report('sizes', faults);
