// The files of the repository that are ours: tracked or new, without what is generated or vendored.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Paths relative to the root for which `wanted` is true. */
export function files(wanted = () => true) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return [...new Set(listed.split('\0').filter((path) => path && wanted(path)))].sort();
}

export function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return ''; // deleted, but not yet from the index
    throw error;
  }
}

/** Prints what was found and ends with 1 if anything was. */
export function report(name, faults) {
  for (const fault of faults) console.error(fault);
  console.log(`${name}: ${faults.length === 0 ? 'ok' : `${faults.length} fault${faults.length === 1 ? '' : 's'}`}`);
  if (faults.length > 0) process.exitCode = 1;
}
