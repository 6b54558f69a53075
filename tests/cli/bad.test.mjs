// tests/fixtures/bad through the command line: each file has its line or its warning, and nothing
// that commands a terminal gets through.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'node:test';

import { badFixtures, eachBuild, fixturesDir, root, runCli } from '../lib/check.mjs';

const { files } = JSON.parse(readFileSync(join(fixturesDir, 'bad/manifest.json'), 'utf8'));
const listed = new Map(files.map((entry) => [entry.file, entry]));
const commands = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

eachBuild((build) => {
  for (const path of badFixtures()) {
    test(`${basename(path)} does no harm [${build}]`, async () => {
      const { rc, signal, out, err } = await runCli(build, 'inspect', path);
      assert.equal(signal, null);
      assert.ok([0, 3].includes(rc), `exit ${rc}: ${err}`);
      assert.doesNotMatch(out + err, commands);
      for (const line of err.split('\n')) assert.ok(Buffer.byteLength(line) < 300, line);
      const entry = listed.get(basename(path));
      if (rc === 3) {
        assert.equal(out, '');
        assert.match(err, /^profscope inspect: error: [^\n]*\n$/);
        assert.ok(err.includes(basename(path)), err);
        if (entry?.must_say) assert.ok(err.includes(entry.must_say), `${entry.must_say} is not in: ${err}`);
      }
      if (!entry) return;
      const outcome = rc === 3 ? 'error' : err.includes(': warning: ') ? 'partial' : 'ok';
      const accepted = [entry.expect, ...(entry.also_accepted ?? [])];
      if (accepted.includes('ok') && rc === 0) return; // warnings are welcome
      assert.ok(accepted.includes(outcome), `${outcome}, not ${accepted}: ${err}`);
    });
  }

  test(`all bad files at once: the good ones are printed, exit 3 [${build}]`, async () => {
    const { rc, out } = await runCli(build, 'inspect', '--regions-only', ...badFixtures(), { cwd: root });
    assert.equal(rc, 3);
    assert.ok(out.length > 1000);
    assert.doesNotMatch(out, commands);
  });
});
