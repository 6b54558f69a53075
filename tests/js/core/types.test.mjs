import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/check.mjs';

const tsc = join(root, 'node_modules/typescript/bin/tsc');

test('the declarations of @profscope/core hold for a strict user', { skip: existsSync(tsc) ? undefined : 'not installed: npm ci' }, () => {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,esnext.disposable'];
  const run = spawnSync(process.execPath, [tsc, ...options, join(root, 'tests/js/core/types.ts')], { cwd: join(root, 'packages'), encoding: 'utf8' });
  assert.equal(run.status, 0, run.stdout);
});
