import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { adviceFor, codeOf } from '../../../web/advice.js';
import { availableColumns, defaultColumns } from '../../../web/columns.js';
import { parseInspect } from '../../../web/document.js';
import { createPageServer, fileOf, listen } from '../../../web/serve.mjs';
import { shareBase, shareOf } from '../../../web/share.js';

const bytes = (...list) => Uint8Array.from(list);
const HDF5 = bytes(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);

for (const [error, file, expected] of [
  [{ code: 'NOT_A_PROFILE' }, { size: 5, head: bytes(1, 2) }, 'not-a-profile'],
  [{ code: 'NOT_A_PROFILE' }, { size: 5, head: HDF5 }, 'hdf5-not-scope-profiler'],
  [{ code: 'NOT_A_PROFILE' }, { size: 5, head: bytes(0x50, 0x4b, 3, 4) }, 'archive'],
  [{ code: 'NOT_A_PROFILE' }, { size: 0, head: bytes() }, 'empty-file'],
  [{ code: 'CORRUPT' }, { size: 5, head: HDF5 }, 'hdf5-open'],
  [{ code: 'SCHEMA_TOO_NEW' }, { size: 5, head: HDF5 }, 'schema-newer'],
  [{ code: 'UNSUPPORTED' }, { size: 5, head: HDF5 }, 'filter-missing'],
  [{ code: 'NOMEM' }, { size: 5, head: HDF5 }, 'memory'],
  [{ code: 'INTERNAL' }, { size: 5, head: HDF5, crashed: true }, 'worker-lost'],
  [{ name: 'AbortError' }, { size: 5, head: HDF5 }, 'cancelled'],
  [{ name: 'NotReadableError' }, { size: 5, head: bytes() }, 'read-denied'],
  [{ code: 'SOMETHING' }, { size: 5, head: bytes() }, 'internal'],
]) {
  test(`${error.code ?? error.name} is told as ${expected}, with advice`, () => {
    assert.equal(codeOf(error, file), expected);
    assert.match(adviceFor(expected), /\.$/);
  });
}

test('integers beyond 2^53 stay exact where the source text is told', { skip: !supportsSource() && 'this Node does not tell source text' }, () => {
  const document = parseInspect('{"total_ns": 9007199254740993, "avg_ns": 9007199254740993.5, "origin": "9007199254740993"}');
  assert.equal(document.total_ns, 9007199254740993n);
  assert.equal(typeof document.avg_ns, 'number');
  assert.equal(document.origin, '9007199254740993');
});

function supportsSource() {
  let source;
  JSON.parse('1', (key, value, context) => { source = context?.source; return value; });
  return source === '1';
}

test('ordinary documents take the quick way', () => {
  assert.deepEqual(parseInspect('{"a": 123456789012345, "s": "1234567890123456789"}'), { a: 123456789012345, s: '1234567890123456789' });
});

test('shares are of the session, or of the span on every rank when there is none', () => {
  const session = shareBase({ session_ns: 200, span_ns: 100 }, 2);
  assert.deepEqual(session, { total: 200, kind: 'session' });
  assert.equal(shareOf({ session_pct: 12.5, coverage_ns: 1 }, session), 12.5);
  const span = shareBase({ session_ns: null, span_ns: 100 }, 2);
  assert.equal(shareOf({ session_pct: null, coverage_ns: 50 }, span), 25);
  assert.equal(shareOf({ coverage_ns: 50 }, { total: 0 }), null);
});

test('columns are offered only where the document fills them', () => {
  const row = { gpu_total_ns: null };
  const ids = (profile, view) => availableColumns(profile, view).map((column) => column.id);
  const plain = ids({ regions: [row] }, { tree: true, baseKind: 'span', ranks: 1 });
  assert.ok(!plain.includes('gpu_total') && !plain.includes('imbalance') && plain.includes('parent'));
  const gpu = availableColumns({ regions: [{ gpu_total_ns: 4 }] }, { tree: false, baseKind: 'session', ranks: 4 });
  assert.ok(gpu.some((column) => column.id === 'gpu_total') && !gpu.some((column) => column.id === 'parent'));
  assert.equal(gpu.find((column) => column.id === 'share').label, '% session');
  assert.ok(defaultColumns().includes('total'));
});

test('the server never leaves its folder', () => {
  assert.equal(fileOf('/srv/page', '/../secret'), undefined);
  assert.equal(fileOf('/srv/page', '/%2e%2e/secret'), undefined);
  assert.equal(fileOf('/srv/page', '/..%2fsecret'), undefined);
  assert.equal(fileOf('/srv/page', '/%zz'), undefined);
  assert.equal(fileOf('/srv/page', '/a%00b'), undefined);
  assert.equal(fileOf('/srv/page', '/?x'), '/srv/page/index.html');
});

test('the server tells types, 404 and 405, and takes the next free port', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  await writeFile(join(folder, 'core.wasm'), 'x');
  const first = createPageServer(folder);
  const second = createPageServer(folder);
  try {
    const port = await listen(first, 0);
    const next = await listen(second, port);
    assert.notEqual(next, port);
    const base = `http://127.0.0.1:${port}`;
    assert.equal((await fetch(`${base}/core.wasm`)).headers.get('content-type'), 'application/wasm');
    assert.equal((await fetch(`${base}/none`)).status, 404);
    assert.equal((await fetch(`${base}/core.wasm`, { method: 'POST' })).status, 405);
  } finally {
    for (const server of [first, second]) {
      server.closeAllConnections();
      server.close();
    }
    await rm(folder, { recursive: true });
  }
});
