// Files that are not quite profiles: each gives an error, exact numbers, or exact numbers of its
// sound part with a warning. See tests/fixtures/bad/manifest.json.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { eachBuild, fixturesDir, runCli } from '../../lib/check.mjs';
import { misses } from './manifest.mjs';

const folder = join(fixturesDir, 'bad');
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

eachBuild((build) => {
  for (const entry of manifest.files) {
    // two runs
    const timeout = 2000 * manifest.limits_for_every_file.seconds;
    test(`${entry.file}: ${entry.what} [${build}]`, { timeout }, async () => {
      const text = await runCli(build, 'inspect', entry.file, { cwd: folder });
      const document = await runCli(build, 'inspect', '--json', entry.file, { cwd: folder });
      const problem = misses(entry, text, document);
      assert.equal(problem, undefined, problem);
    });
  }
});
