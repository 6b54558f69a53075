import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProfileError } from '../../../packages/core/src/index.js';
import { WorkerEngine } from '../../../packages/core/src/worker.js';
import { fixture, root, sharedEngine, skipCore } from '../../lib/check.mjs';
import { NodeFile, NodeWorker } from './node-worker.mjs';

const skip = skipCore;
const nested = join(root, fixture('0.7.5/nested.h5') ?? 'missing');
const other = join(root, fixture('0.7.5/recursion.h5') ?? 'missing');
const wasm = join(root, 'packages/core/dist/core.wasm');

async function make(t, options = {}) {
  const engine = await WorkerEngine.create({ wasm, worker: () => new NodeWorker(), ...options });
  t.after(() => engine.dispose());
  return engine;
}

const isAbort = (error) => error.name === 'AbortError';

test('the worker gives the same document as the engine', { skip }, async (t) => {
  const engine = await make(t);
  const profile = await engine.open(new NodeFile(nested, { name: 'a.h5' }));
  const seen = [];
  const text = await engine.queryText({ op: 'inspect', profiles: [profile] }, { onProgress: (p) => seen.push(p.phase) });
  const plain = await sharedEngine();
  const own = plain.open(nested, { name: 'a.h5' });
  assert.equal(text, plain.queryText({ op: 'inspect', profiles: [own] }));
  own.close();
  assert.equal(profile.heldBytes, profile.size);
  assert.ok(seen.includes('fetch'));
  await profile.drop();
  assert.equal(profile.heldBytes, 0);
  assert.deepEqual(await profile.inspect(), JSON.parse(text));
  await profile.close();
  await profile.close();
  await assert.rejects(profile.inspect(), (error) => error.code === 'NOT_FOUND');
  assert.equal(engine.profiles.length, 0);
});

test('bytes can be opened too', { skip }, async (t) => {
  const engine = await make(t);
  const bytes = readFileSync(nested);
  const a = await engine.open(new Uint8Array(bytes), { name: 'a' });
  const b = await engine.open(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), { name: 'a', lazy: true });
  assert.deepEqual((await a.inspect()).profiles[0].rows, (await b.inspect()).profiles[0].rows);
});

test('a bad file rejects and leaves nothing open', { skip }, async (t) => {
  const engine = await make(t);
  await assert.rejects(engine.open(new TextEncoder().encode('hello'), { name: 'x.h5' }), (error) => {
    assert.ok(error instanceof ProfileError);
    assert.equal(error.code, 'NOT_A_PROFILE');
    assert.equal(error.file, 'x.h5');
    return true;
  });
  assert.equal(engine.profiles.length, 0);
  assert.equal(engine.restarts, 0);
});

test('a read that the browser refuses is IO', { skip }, async (t) => {
  const engine = await make(t);
  await assert.rejects(engine.open(new NodeFile(nested, { fault: 'refuse' })), (error) => {
    assert.equal(error.code, 'IO');
    assert.match(error.message, /the file changed/);
    return true;
  });
});

test('several profiles make one document and one plot', { skip }, async (t) => {
  const engine = await make(t);
  const a = await engine.open(new NodeFile(nested));
  const b = await engine.open(new NodeFile(other));
  const document = await engine.inspect([a, b]);
  assert.equal(document.profiles.length, 2);
  const payload = await engine.view('durations', [a, b], { labels: ['same', 'same'] });
  assert.deepEqual(Object.keys(payload.colors), ['same', 'same (2)']);
});

test('a hanging file is reported as stalled and can be stopped; the others stay usable', { skip }, async (t) => {
  const engine = await make(t, { watchdogMs: 200 });
  const good = await engine.open(new NodeFile(nested));
  const stalled = new Promise((resolve) => engine.addEventListener('stalled', resolve, { once: true }));
  const hanging = engine.open(new NodeFile(other, { fault: 'hang' }));
  const waiting = good.inspect();
  const { detail } = await stalled;
  assert.equal(detail.profiles[0].name, new NodeFile(other).name);
  assert.ok(detail.silentMs >= 200);
  detail.stop();
  await assert.rejects(hanging, isAbort);
  assert.equal((await waiting).profiles.length, 1);
  assert.equal(engine.restarts, 1);
  assert.equal(engine.profiles.length, 1);
});

test('a signal ends a running and a waiting job', { skip }, async (t) => {
  const engine = await make(t);
  const good = await engine.open(new NodeFile(nested));
  const stop = new AbortController();
  const running = engine.open(new NodeFile(other, { fault: 'hang' }), { signal: stop.signal });
  const waiting = engine.inspect([good], {}, { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await assert.rejects(running, isAbort);
  await assert.rejects(waiting, isAbort);
  assert.ok(await good.inspect());
  assert.equal(engine.pending, 0);
});

test('cancel ends everything and keeps the profiles', { skip }, async (t) => {
  const engine = await make(t);
  const good = await engine.open(new NodeFile(nested));
  const running = engine.open(new NodeFile(other, { fault: 'hang' }));
  const waiting = good.inspect();
  setTimeout(() => engine.cancel(), 100);
  await assert.rejects(running, isAbort);
  await assert.rejects(waiting, isAbort);
  assert.ok(await good.inspect());
  assert.deepEqual(engine.profiles, [good]);
});

test('a crash of the core ends its file only', { skip }, async (t) => {
  const engine = await make(t);
  const good = await engine.open(new NodeFile(nested));
  const bad = await engine.open(new NodeFile(other, { name: 'bad.h5', fault: 'trap' }), { lazy: true });
  const crashes = [];
  engine.addEventListener('crash', ({ detail }) => crashes.push(detail.profile));
  const together = engine.inspect([good, bad], {}, { hold: false });
  const waiting = good.inspect();
  await assert.rejects(together, (error) => {
    assert.ok(error instanceof ProfileError);
    assert.match(error.message, /the reader crashed on this file \(unreachable\)/);
    assert.equal(error.file, 'bad.h5');
    assert.equal(error.code, 'INTERNAL');
    return true;
  });
  assert.equal((await waiting).profiles.length, 1);
  assert.deepEqual(crashes, [bad]);
  await assert.rejects(bad.view('durations'), (error) => error === bad.failed);
  assert.ok(await good.view('durations'));
  assert.equal(engine.restarts, 1);
  await bad.close();
  assert.deepEqual(engine.profiles, [good]);
});

test('a lost worker ends its file only', { skip }, async (t) => {
  class Dying extends NodeWorker {
    constructor() {
      super();
      this.worker.on('exit', (rc) => rc && this.onerror?.({ message: `exit ${rc}` }));
    }
  }
  const engine = await make(t, { worker: () => new Dying() });
  const good = await engine.open(new NodeFile(nested));
  const crash = new Promise((resolve) => engine.addEventListener('crash', resolve, { once: true }));
  const bad = await engine.open(new NodeFile(other, { fault: 'lose' }), { lazy: true });
  await assert.rejects(bad.summary(), (error) => error.code === 'INTERNAL' && /crashed on this file/.test(error.message));
  assert.equal((await crash).detail.profile, bad);
  assert.ok(bad.failed);
  await assert.rejects(bad.inspect(), (error) => error === bad.failed);
  assert.ok(await good.inspect());
  assert.equal(engine.restarts, 1);
});

test('above the limit a file is read lazily', { skip }, async (t) => {
  const engine = await make(t, { holdLimit: 100 });
  const profile = await engine.open(new NodeFile(nested));
  await profile.inspect();
  assert.equal(profile.heldBytes, 0);
});

test('the files held longest ago make room', { skip }, async (t) => {
  const a = new NodeFile(nested);
  const engine = await make(t, { holdLimit: a.size });
  const one = await engine.open(a);
  const two = await engine.open(new NodeFile(nested));
  await one.inspect();
  assert.equal(one.heldBytes, a.size);
  await two.inspect();
  assert.equal(one.heldBytes, 0);
  assert.equal(two.heldBytes, a.size);
});

test('a worker that cannot start rejects create()', { skip }, async () => {
  const failing = () => {
    const worker = { onmessage: null, onerror: null, postMessage() {}, terminate() {} };
    setTimeout(() => worker.onerror?.({ message: 'refused by policy' }), 5);
    return worker;
  };
  await assert.rejects(WorkerEngine.create({ wasm, worker: failing }), /refused by policy/);
  await assert.rejects(WorkerEngine.create({ wasm, worker: () => { throw new Error('no workers'); } }), /no workers/);
});

test('a disposed engine rejects what waits and what comes', { skip }, async () => {
  const engine = await WorkerEngine.create({ wasm, worker: () => new NodeWorker() });
  const running = engine.open(new NodeFile(other, { fault: 'hang' }));
  engine.dispose();
  await assert.rejects(running, isAbort);
  await assert.rejects(engine.version(), isAbort);
});
