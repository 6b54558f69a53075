// What must not stand in the repository: paths of a machine, addresses of package registries,
// leftovers. (The patterns are put together so that this file does not match itself.)
import { files, read, report } from './files.mjs';

const join = (...parts) => parts.join('');
const rules = [
  [new RegExp(join('(?<![\\w.])/(', 'work|', 'root|', 'farm)/[A-Za-z]')), 'a path of one machine'],
  [new RegExp(join('https?://[a-z.]*(', 'npmjs|', 'pypi|crates\\.io|', 'debian\\.org|golang\\.org|maven)[a-z.]*/')), 'the address of a package registry'],
  [new RegExp(join('registry\\.', 'npmjs|files\\.', 'pythonhosted|static\\.', 'crates\\.io|deb\\.', 'debian\\.org')), 'the host of a package registry'],
  [new RegExp(join('\\b(TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK)\\b')), 'left for later'],
];
const text = (path) =>
  !/\.(h5|png|wasm|spt|sps|gz|ico|woff2?)$/.test(path) && !/^(tests\/(fixtures|goldens)|vendor\/[^/]+\/LICENSE)/.test(path);
const faults = [];
for (const path of files(text))
  for (const [index, line] of read(path).split('\n').entries())
    for (const [pattern, what] of rules)
      if (pattern.test(line)) faults.push(`${path}:${index + 1}: ${what}: ${line.trim().slice(0, 80)}`);
report('words', faults);
