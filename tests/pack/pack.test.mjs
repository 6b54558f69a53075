// What a user of the packages gets: packed tarballs, checked by publint, with the files they should
// have, installed into an empty project, type-checked and run there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { golden } from '../lib/check.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'build/pack');
const names = ['core', 'cli', 'plotly', 'schema'];
const packed = {};

function npm(args, cwd = root) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

before(() => {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const name of names)
    [packed[name]] = JSON.parse(npm(['pack', '--json', '--pack-destination', out, '-w', `packages/${name}`]));
});

for (const name of names) {
  test(`@profscope/${name} packs the files it should`, () => {
    golden(`pack/${name}`, packed[name].files.map((f) => f.path).sort());
    assert.ok(packed[name].files.some((f) => f.path === 'LICENSE'), 'carries its licence');
  });

  test(`publint finds nothing wrong in @profscope/${name}`, async () => {
    const tarball = readFileSync(join(out, packed[name].filename));
    const { messages, pkg } = await publint({
      pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) },
      strict: true,
    });
    assert.deepEqual(messages.filter((m) => m.type !== 'suggestion').map((m) => formatMessage(m, pkg)), []);
  });
}

test('the packed packages install, type-check and read a profile in an empty project', () => {
  const project = join(out, 'consumer');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  npm(['install', '--offline', '--no-audit', '--no-fund', ...names.map((n) => join(out, packed[n].filename))], project);
  cpSync(join(root, 'tests/fixtures/sample.h5'), join(project, 'run.h5'));
  cpSync(join(root, 'tests/pack/consumer.ts'), join(project, 'consumer.ts'));
  cpSync(join(root, 'tests/pack/consumer.mjs'), join(project, 'consumer.mjs'));
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext',
      '--lib', 'es2022,dom,esnext.disposable', '--skipLibCheck', 'false', 'consumer.ts'],
    { cwd: project, stdio: 'inherit' },
  );
  const told = execFileSync(process.execPath, ['consumer.mjs'], { cwd: project, encoding: 'utf8' });
  assert.match(told, /^\d+ regions, \d+ bars\n$/);
  const text = execFileSync('npx', ['--offline', 'profscope', 'inspect', '--regions-only', 'run.h5'], { cwd: project, encoding: 'utf8' });
  assert.match(text, /region/);
});
