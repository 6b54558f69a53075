// Programs the build needs. What is missing is installed with apt-get; nothing else on the system
// is touched. Elsewhere than on Debian or Ubuntu the missing programs are named instead.
import { existsSync } from 'node:fs';
import { ask, run, SetupError } from './run.mjs';

const have = (program) => ask('sh', ['-c', `command -v ${program}`]) !== null;

/** Cargo only unpacks sources here. The packages' edition asks for 1.85 or newer. */
export function cargoIsNew() {
  const m = /cargo (\d+)\.(\d+)/.exec(ask('cargo', ['--version']) ?? '');
  return m !== null && (Number(m[1]) > 1 || Number(m[2]) >= 85);
}

export const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const programs = [
  { package: 'cmake', ok: () => have('cmake') },
  { package: 'ninja-build', ok: () => have('ninja') },
  { package: 'gcc', ok: () => have('gcc') },
  { package: 'g++', ok: () => have('g++') },
  { package: 'libc6-dev', ok: () => !existsSync('/etc/debian_version') || existsSync('/usr/include/stdio.h') },
  { package: 'pkg-config', ok: () => have('pkg-config') },
  { package: 'emscripten', ok: () => have('emcc') },
  { package: 'node-acorn', ok: () => !existsSync('/etc/debian_version') || existsSync('/usr/share/nodejs/acorn') },
  { package: 'fonts-dejavu-core', ok: () => !existsSync('/etc/debian_version') || existsSync('/usr/share/fonts/truetype') },
  { package: 'chromium', ok: () => Boolean(process.env.CHROMIUM) || chromiumPaths.some(existsSync) },
];
const cargo = { package: 'cargo-web', ok: cargoIsNew };

/** Runs apt-get as root, or through sudo. */
function aptGet(args) {
  const root = process.getuid() === 0;
  if (!root && !have('sudo')) {
    throw new SetupError(`not root and no sudo: run "apt-get ${args.join(' ')}" as root, then start again`);
  }
  const words = ['apt-get', '-y', '-q', ...args];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const hint = 'see the lines above; check the network and start again';
  if (root) run(words[0], words.slice(1), { env, hint });
  else run('sudo', ['DEBIAN_FRONTEND=noninteractive', ...words], { hint });
}

/** Packages to install. `sources` tells whether third-party sources are still to be fetched. */
export function toolsMissing({ sources }) {
  return [...programs, ...(sources ? [cargo] : [])].filter((p) => !p.ok()).map((p) => p.package);
}

/** Installs what is missing. */
export function ensureTools({ sources, log }) {
  const missing = toolsMissing({ sources });
  if (missing.length === 0) return;
  if (!have('apt-get')) {
    throw new SetupError(`missing, and no apt-get here: install ${missing.join(', ')}, then start again`);
  }
  log(`installing ${missing.join(' ')}`);
  aptGet(['update']);
  aptGet(['install', '--no-install-recommends', ...missing]);
  const still = toolsMissing({ sources });
  if (still.length > 0) {
    throw new SetupError(`installed, but still not usable: ${still.join(', ')} (is an older one first in PATH?)`);
  }
}
