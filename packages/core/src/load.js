// From "where the wasm is" to an instance of the core. Nothing is touched at import time: no
// document, no WebAssembly, no file; the module can be imported anywhere, also on a server.

import { ProfileError } from './errors.js';

/** Number of the boundary (wasm/README.md), equal to SP_ABI in src/api/request.h. */
export const ABI = 1;

const defaultUrl = () => new URL('../dist/core.wasm', import.meta.url);

const isNode = () =>
  typeof process === 'object' && typeof process?.versions?.node === 'string' && !process.browser;

let fs; // node:fs, once needed

/** node:fs in Node, undefined elsewhere. The name is a variable so that bundlers leave it alone. */
export async function nodeFs() {
  if (!fs && isNode()) {
    const name = 'node:fs';
    fs = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  }
  return fs;
}

/** The same without waiting; undefined before the first `nodeFs()`. */
export const loadedNodeFs = () => fs;

/** Finds and compiles the core. */
export async function compileCore({ wasm } = {}) {
  const input = (await wasm) ?? defaultUrl();
  if (input instanceof WebAssembly.Module) return input;
  const where = typeof Response === 'function' && input instanceof Response ? input.url : `${input}`;
  const bytes = await bytesOf(input);
  checkMagic(bytes, where);
  return WebAssembly.compile(bytes);
}

/** Compiles (unless given a module) and instantiates the core, and checks its ABI number. */
export async function loadCore(options) {
  const [module] = await Promise.all([compileCore(options), nodeFs()]);
  return instantiateCore(module);
}

async function bytesOf(input) {
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  if (typeof Response === 'function' && input instanceof Response) return responseBytes(input);
  const text = `${input}`;
  if (text.startsWith('data:')) return dataBytes(text);
  const node = await nodeFs();
  if (node && (input instanceof URL ? input.protocol === 'file:' : !/^[a-z][a-z\d+.-]+:/i.test(text))) {
    return node.promises.readFile(input);
  }
  if (node && text.startsWith('file:')) return node.promises.readFile(new URL(text));
  return responseBytes(await fetch(input));
}

async function responseBytes(response) {
  if (!response.ok) {
    throw new ProfileError(
      `cannot load the core: ${response.url} answers ${response.status} ${response.statusText}`,
      { code: 'IO' },
    );
  }
  return new Uint8Array(await response.arrayBuffer());
}

// Not by fetch: a policy with connect-src 'none' refuses that even for data: addresses.
function dataBytes(url) {
  const comma = url.indexOf(',');
  const body = url.slice(comma + 1);
  const text = /;base64$/i.test(url.slice(0, comma)) ? atob(body) : decodeURIComponent(body);
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

function checkMagic(bytes, where) {
  if (bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) return;
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  const hint = start.startsWith('<')
    ? 'is a web page, not the core: the server answers unknown addresses with HTML. Copy' +
      ' core.wasm next to the script (bundlers: exclude @profscope/core from dependency' +
      ' pre-bundling) or pass its address as `wasm`'
    : bytes.length === 0 ? 'is empty' : 'is not a WebAssembly module';
  throw new ProfileError(`cannot load the core: ${where || 'the given data'} ${hint}`, {
    code: 'IO',
  });
}

// ---- imports of the module ---------------------------------------------------------------------

const ENOSYS = 52; // as the module's C library numbers it
const LOG_LINES = 100;

/** Makes an instance. `core.host` is where an Engine puts its answers. */
export async function instantiateCore(module) {
  const core = {
    module,
    exports: undefined,
    memory: undefined,
    log: [], // last lines written to standard output and error: messages of failed assertions
    host: { read: () => 1, progress: () => 0, part: () => 1 },
  };
  const instance = await WebAssembly.instantiate(module, importsOf(core));
  core.exports = instance.exports;
  core.memory = instance.exports.memory;
  core.exports._initialize?.();
  const abi = core.exports.sp_wasm_abi?.();
  if (abi !== ABI) {
    throw new ProfileError(
      `core.wasm speaks version ${abi} of the boundary, this package version ${ABI}:` +
        ' the two come from different releases',
    );
  }
  return core;
}

function importsOf(core) {
  const view = () => new DataView(core.memory.buffer);
  const known = {
    sp_source_read: (source, offset, n, to) => core.host.read(source >>> 0, offset, n >>> 0, to >>> 0),
    sp_progress: (done, total, phase) => core.host.progress(done, total, phase >>> 0),
    sp_reply_part: (ptr, n) => core.host.part(ptr >>> 0, n >>> 0),
    emscripten_notify_memory_growth: () => {},
    _dlopen_js: () => 0,
    clock_time_get: (...args) => {
      // realtime or monotonic, ns; the pointer comes last however 64-bit arguments are passed
      const ms = args[0] === 0 ? Date.now() : performance.now();
      view().setBigUint64(args.at(-1) >>> 0, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count, bytes) => {
      view().setUint32(count >>> 0, 0, true);
      view().setUint32(bytes >>> 0, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_write: (fd, vectors, count, written) => {
      view().setUint32(written >>> 0, logVectors(core, vectors >>> 0, count), true);
      return 0;
    },
    proc_exit: (code) => {
      throw new Error(`the core ended itself (${code})`);
    },
  };
  const imports = {};
  for (const { module, name, kind } of WebAssembly.Module.imports(core.module)) {
    if (kind !== 'function') continue;
    const refused = name.startsWith('__syscall_') ? -ENOSYS : ENOSYS;
    (imports[module] ??= {})[name] = known[name] ?? (() => refused);
  }
  return imports;
}

function logVectors(core, vectors, count) {
  const data = new DataView(core.memory.buffer);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const from = data.getUint32(vectors + 8 * i, true);
    const n = data.getUint32(vectors + 8 * i + 4, true);
    core.log.push(new TextDecoder().decode(new Uint8Array(core.memory.buffer, from, n)));
    total += n;
  }
  if (core.log.length > LOG_LINES) core.log.splice(0, core.log.length - LOG_LINES);
  return total;
}
