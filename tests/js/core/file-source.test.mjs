import test from 'node:test';
import assert from 'node:assert/strict';
import { FileSource, PAGE } from '../../../packages/core/src/file-source.js';

/** A file whose byte at offset k is a function of k; slices are counted. */
class FakeBlob {
  slices = [];

  constructor(size) {
    this.size = size;
  }

  slice(start, end) {
    this.slices.push([start, end]);
    const bytes = () => {
      const out = new Uint8Array(end - start);
      for (let i = 0; i < out.length; i += 1) out[i] = byteAt(start + i);
      return out.buffer;
    };
    return { bytes, arrayBuffer: async () => bytes() };
  }
}

const byteAt = (k) => (k % 251) ^ (Math.floor(k / 65536) % 256);
globalThis.FileReaderSync = class {
  readAsArrayBuffer(slice) {
    return slice.bytes();
  }
};

function check(source, offset, n) {
  const target = new Uint8Array(n);
  assert.equal(source.readAt(offset, target), n);
  for (const i of [0, 1, n >> 1, n - 1]) assert.equal(target[i], byteAt(offset + i), `byte ${offset + i}`);
}

test('reading on forward takes few slices that grow', () => {
  const blob = new FakeBlob(32 << 20);
  const source = new FileSource(blob, 'a');
  for (let at = 0; at < blob.size; at += 8192) check(source, at, 8192);
  assert.ok(blob.slices.length < 16, `${blob.slices.length} slices`);
  const sizes = blob.slices.map(([a, b]) => b - a);
  assert.equal(sizes[0], 64 << 10);
  assert.equal(Math.max(...sizes), 4 << 20);
});

test('scattered small reads keep to small slices, and repeated ones cost nothing', () => {
  const blob = new FakeBlob(1 << 30);
  const source = new FileSource(blob, 'a');
  const places = [1, 7, 3, 5].map((k) => k * (100 << 20) + 17);
  for (let round = 0; round < 3; round += 1) for (const at of places) check(source, at, 100);
  assert.equal(blob.slices.length, 4);
  assert.ok(blob.slices.every(([a, b]) => b - a === 64 << 10));
});

test('the window used longest ago goes', () => {
  const blob = new FakeBlob(1 << 30);
  const source = new FileSource(blob, 'a');
  for (let k = 0; k < 9; k += 1) check(source, k * (10 << 20), 10);
  check(source, 8 * (10 << 20), 10);
  assert.equal(blob.slices.length, 9);
  check(source, 0, 10);
  assert.equal(blob.slices.length, 10);
});

test('large reads go past the windows', () => {
  const blob = new FakeBlob(16 << 20);
  const source = new FileSource(blob, 'a');
  check(source, 100, 1 << 20);
  assert.deepEqual(blob.slices, [[100, 100 + (1 << 20)]]);
});

test('reads across windows, at the end, and beyond it', () => {
  const blob = new FakeBlob(200_000);
  const source = new FileSource(blob, 'a');
  check(source, 65_000, 2000);
  check(source, 199_000, 1000);
  assert.equal(source.readAt(199_500, new Uint8Array(1000)), 500);
});

test('offsets beyond 4 GiB are exact', () => {
  const blob = new FakeBlob(5 * 2 ** 30);
  const source = new FileSource(blob, 'a');
  for (const at of [2 ** 31 - 5, 2 ** 32 - 5, 2 ** 32 + 12345, blob.size - 10]) check(source, at, 10);
});

test('a fetched file is read from its pages', async () => {
  const blob = new FakeBlob(PAGE + 1000);
  const source = new FileSource(blob, 'a');
  const seen = [];
  await source.fetch(new AbortController().signal, (done) => seen.push(done));
  assert.equal(source.heldBytes, blob.size);
  assert.equal(seen.at(-1), blob.size);
  blob.slices.length = 0;
  check(source, PAGE - 500, 1200);
  check(source, 0, 300_000);
  assert.equal(blob.slices.length, 0);
  source.drop();
  check(source, PAGE - 500, 1200);
  assert.ok(blob.slices.length > 0);
});

test('a stopped fetch holds nothing', async () => {
  const source = new FileSource(new FakeBlob(3 * PAGE), 'a');
  const stop = new AbortController();
  await source.fetch(stop.signal, () => stop.abort());
  assert.equal(source.heldBytes, 0);
});

test('patience ends in a failed read', () => {
  const source = new FileSource(new FakeBlob(1 << 30), 'a');
  source.patience = 2;
  check(source, 0, 10);
  check(source, 10 << 20, 10);
  assert.throws(() => source.readAt(20 << 20, new Uint8Array(10)), /fetch it first/);
  assert.equal(source.exhausted, true);
  check(source, 0, 10); // what is in a window stays readable
});
