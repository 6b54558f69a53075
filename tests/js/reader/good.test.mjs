// The good fixtures: what make.py computed by itself, then the whole document against a golden.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { eachBuild, fixturesDir, golden, root, runCli } from '../../lib/check.mjs';

/** JSON whose integers of 16 digits and more are BigInts: such totals are compared exactly too. */
function parseExact(text) {
  const quoted = text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,\]}])/g, '"int:$&"');
  return JSON.parse(quoted, (key, value) => (
    typeof value === 'string' && value.startsWith('int:') ? BigInt(value.slice(4)) : value));
}

const truths = parseExact(readFileSync(join(root, 'tests/goldens/inspect/truth.json'), 'utf8'));

function checkRegion(region, want, name) {
  for (const key of ['calls', 'num_ranks', 'total_ns', 'min_ns', 'max_ns', 'gpu_total_ns']) {
    assert.equal(region[key], want[key], `${name}: ${key}`);
  }
  // calls that cross have no own time of their own; what is shown then is no one's truth
  if (want.exclusive_ns !== null) {
    assert.equal(region.exclusive_ns, want.exclusive_ns, `${name}: exclusive_ns`);
  }
  assert.deepEqual(region.tags, want.tags, `${name}: tags`);
  assert.deepEqual(region.source, want.source, `${name}: source`);
  const found = region.per_rank.map((r) => [r.rank, r.calls, r.total_ns]);
  assert.deepEqual(found, want.per_rank.map((r) => r.slice(0, 3)), `${name}: per_rank`);
  for (const [i, [rank, , , own]] of want.per_rank.entries()) {
    if (own === null) continue;
    assert.equal(region.per_rank[i].exclusive_ns, own, `${name}: exclusive_ns of rank ${rank}`);
  }
}

eachBuild((build) => {
  for (const [file, want] of Object.entries(truths)) {
    test(`${file} is read exactly [${build}]`, async () => {
      const path = join(fixturesDir, file);
      const run = await runCli(build, 'inspect', '--json', path);
      assert.equal(run.rc, 0, run.err);
      const [profile] = parseExact(run.out).profiles;
      for (const key of ['schema', 'layout', 'label', 'num_ranks']) {
        assert.equal(profile[key], want[key], key);
      }
      assert.deepEqual(profile.ranks, want.ranks);
      const codes = new Set(profile.warnings.map((w) => w.code));
      assert.deepEqual([...codes].sort(), [...want.warnings].sort());
      const names = Object.keys(want.regions);
      assert.deepEqual(profile.regions.map((r) => r.name).sort(), names.sort());
      for (const region of profile.regions) {
        checkRegion(region, want.regions[region.name], region.name);
      }

      const [whole] = JSON.parse(run.out).profiles;
      golden(`inspect/${file}`, { ...whole, path: file });
      const text = await runCli(build, 'inspect', path);
      assert.equal(text.rc, 0, text.err);
    });
  }
});
