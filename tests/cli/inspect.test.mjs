// inspect and the top level: what is printed, byte for byte, by every build.

import assert from 'node:assert/strict';
import test from 'node:test';

import { eachBuild, runCli } from '../lib/check.mjs';
import { fits, testCases, words } from './cases.mjs';

test('the runner splits words and skips lines', () => {
  assert.deepEqual(words("inspect 'a b' --include 'x|y'"), ['inspect', 'a b', '--include', 'x|y']);
  assert.ok(fits('a\nb\nc\nd\n', 'a\n...\nd\n'));
  assert.ok(fits('a\nd\n', 'a\n...\nd\n'));
  assert.ok(!fits('a\nb\n', 'a\n...\nd\n'));
});

testCases('top');
testCases('inspect');

eachBuild((build) => test(`--version names the build [${build}]`, async () => {
  const { rc, out, err } = await runCli(build, '--version');
  assert.match(out, new RegExp(`^profscope \\d+\\.\\d+\\.\\d+ \\(HDF5 \\d+\\.\\d+\\.\\d+\\S*, ${build}\\)\\n$`));
  assert.deepEqual([rc, err], [0, '']);
}));
