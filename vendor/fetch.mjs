// Brings the pinned source packages into build/vendor/fetch/<name>-<sum>/ and checks their sums.
// Cargo packages come by one `cargo vendor` (nothing is compiled), Debian source packages by
// `apt-get source` with a private configuration. Both go through a folder that is renamed at the end.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, outDir, run, sha256, SetupError } from './run.mjs';

/** Archives that may stand in for a recipe; the first that can be had is taken. */
const archivesOf = ({ carrier }) =>
  carrier.kind === 'cargo' ? [{ version: carrier.version, sha256: carrier.sha256 }] : carrier.archives;

const folderOf = (name, archive) => join(outDir, 'fetch', `${name}-${archive.sha256.slice(0, 12)}`);

/** The folder with a recipe's unpacked sources, or null when they are not here yet. */
export function fetched(name, recipe) {
  for (const archive of archivesOf(recipe)) {
    const dir = folderOf(name, archive);
    if (existsSync(join(dir, '.stamp'))) return join(dir, 'source', recipe.carrier.folder ?? '');
  }
  return null;
}

function keep(name, archive, from) {
  const to = folderOf(name, archive);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(`${to}.part`, { recursive: true });
  renameSync(from, join(`${to}.part`, 'source'));
  writeFileSync(join(`${to}.part`, '.stamp'), archive.sha256);
  renameSync(`${to}.part`, to);
}

/** Fetches all Cargo packages of `list` ([name, recipe] pairs). */
export function fetchCargo(list, work) {
  const dir = join(work, 'cargo');
  mkdirSync(dir, { recursive: true });
  const dependencies = list.map(
    ([, { carrier: c }]) =>
      `${c.package} = { version = "=${c.version.replace(/\+.*/, '')}", default-features = false }`,
  );
  writeFileSync(
    join(dir, 'Cargo.toml'),
    `[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\npublish = false\n` +
      `[lib]\npath = "lib.rs"\n[dependencies]\n${dependencies.join('\n')}\n`,
  );
  writeFileSync(join(dir, 'lib.rs'), '');
  run('cargo', ['vendor', '--versioned-dirs', 'vendor'], {
    cwd: dir,
    hint: 'the crate registry must be reachable once; check the network and start again',
  });
  for (const [name, { carrier }] of list) {
    const from = join(dir, 'vendor', `${carrier.package}-${carrier.version}`);
    const sums = join(from, '.cargo-checksum.json');
    const got = existsSync(sums) ? JSON.parse(readFileSync(sums, 'utf8')) : {};
    if (got.package !== carrier.sha256) {
      throw new SetupError(
        `${carrier.package} ${carrier.version}: the package is not the pinned one (${got.package}); ` +
          `compare with vendor/${name}/recipe.json`,
      );
    }
    checkFiles(from, got.files);
    keep(name, { sha256: carrier.sha256 }, from);
  }
}

function checkFiles(dir, files) {
  for (const [path, sum] of Object.entries(files)) {
    if (sha256(readFileSync(join(dir, path))) !== sum) {
      throw new SetupError(`${join(dir, path)} is damaged: remove build/vendor and start again`);
    }
  }
}

/** Debian mirrors this machine already uses, as apt itself names them. */
function mirrors() {
  const format = ['indextargets', '--format', '$(ORIGIN) $(LABEL) $(REPO_URI)', 'Created-By: Packages'];
  const lines = (ask('apt-get', format) ?? '').split('\n').map((line) => line.split(' '));
  const uris = lines.filter(([origin, label]) => origin === 'Debian' && label === 'Debian').map((l) => l[2]);
  return [...new Set(uris)];
}

/** Fetches one Debian source package and keeps the upstream archive inside it. */
export function fetchDebian(name, recipe, work, refresh) {
  if (mirrors().length === 0) refresh();
  const uris = mirrors();
  if (uris.length === 0) {
    throw new SetupError(
      `${recipe.name}: no Debian mirror is configured for apt; unpack its source yourself and set ` +
        `${name.toUpperCase()}_SOURCE_DIR`,
    );
  }
  const reasons = [];
  for (const archive of recipe.carrier.archives) {
    for (const uri of uris) {
      const from = debianArchive(recipe, archive, uri, join(work, `${name}-${archive.suite}`));
      if (from.dir) return keep(name, archive, from.dir);
      reasons.push(from.reason);
    }
  }
  throw new SetupError(
    `${recipe.name}: not to be had (${reasons.join('; ')}); check the network and start again, or set ` +
      `${name.toUpperCase()}_SOURCE_DIR to its unpacked source`,
  );
}

function debianArchive(recipe, archive, uri, dir) {
  for (const d of ['parts', 'lists/partial', 'cache/archives/partial', 'out']) {
    mkdirSync(join(dir, d), { recursive: true });
  }
  writeFileSync(
    join(dir, 'parts', 'source.sources'),
    `Types: deb-src\nURIs: ${uri}\nSuites: ${archive.suite}\nComponents: main\n` +
      `Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n`,
  );
  const options = [
    ['Dir::Etc::sourcelist', '/dev/null'],
    ['Dir::Etc::sourceparts', join(dir, 'parts')],
    ['Dir::State::lists', join(dir, 'lists')],
    ['Dir::Cache', join(dir, 'cache')],
    ['APT::Sandbox::User', ''],
    ['Acquire::Retries', '2'],
  ].flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  try {
    run('apt-get', [...options, '-q', 'update']);
    run('apt-get', [...options, '-q', 'source', '--download-only', '--only-source', recipe.carrier.package], {
      cwd: join(dir, 'out'),
    });
  } catch {
    return { reason: `${archive.suite}: apt-get failed` };
  }
  const orig = readdirSync(join(dir, 'out')).find((f) => /\.orig\.tar\.\w+$/.test(f));
  const sum = orig && sha256(readFileSync(join(dir, 'out', orig)));
  if (sum !== archive.sha256) return { reason: `${archive.suite}: has ${orig ?? 'nothing'}, not the pinned archive` };
  mkdirSync(join(dir, 'source'));
  run('tar', ['-xf', join(dir, 'out', orig), '-C', join(dir, 'source'), '--strip-components=1']);
  return { dir: join(dir, 'source') };
}
