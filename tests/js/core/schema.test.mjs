import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../../../packages/schema/validate.js';
import { root } from '../../lib/check.mjs';

const schema = {
  type: 'object',
  properties: {
    a: { type: ['integer', 'null'] },
    b: { type: 'array', items: { anyOf: [{ const: 1 }, { enum: ['x', 'y'] }] } },
    c: { type: 'object', additionalProperties: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
  },
  required: ['a'],
  additionalProperties: false,
};

test('validate() names the place of the first fault', () => {
  const fault = (value) => validate(value, schema);
  assert.equal(fault({ a: 1, b: [1, 'x'], c: { k: '#00ff00' } }), undefined);
  assert.equal(fault({ a: null }), undefined);
  assert.match(fault({}), /^\$: lacks a$/);
  assert.match(fault({ a: 1.5 }), /^\$\.a: is number/);
  assert.match(fault({ a: 1, d: 2 }), /d is not a key/);
  assert.match(fault({ a: 1, b: [1, 'z'] }), /^\$\.b\[1\]/);
  assert.match(fault({ a: 1, c: { k: 'red' } }), /^\$\.c\.k/);
  assert.match(fault([]), /is array/);
  assert.match(fault(null), /is null/);
});

const tool = join(root, 'build/native/generate');
const skip = existsSync(tool) ? undefined : 'not built: npm run build';

test('the generated files are what the tables give', { skip }, () => {
  const run = spawnSync(process.execPath, [join(root, 'packages/schema/generate.mjs'), '--check'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
});
