// The imports of cli.wasm (wasm/host_js.c), over Node's file system.
//
// Paths are bytes: names that are not UTF-8 work. Reads go straight into the module's memory.

import fs from 'node:fs';
import { openInput } from './input.js';
import { save } from './save.js';
import { isTerminal, reason } from './world.js';

const OK = 0;
const NOT_FOUND = 1;
const FAILED = 2;
const SHORT = 3;
const TOO_LARGE = 4;
const KIND = { nothing: 0, file: 1, folder: 2, other: 3 };
const ENOSYS = 52; // as the module's C library numbers it
const TIME_CHECK_EVERY = 256; // reads

/** The import object of one instance. */
export function imports(module, world) {
  const known = { ...hostImports(world), ...systemImports(world) };
  const result = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') continue;
    const refused = name.startsWith('__syscall_') ? -ENOSYS : ENOSYS;
    (result[from] ??= {})[name] = known[name] ?? (() => refused);
  }
  return result;
}

// ---- memory --------------------------------------------------------------------------------------

/** The module's bytes, always of the present buffer: growing detaches the old one. */
function memoryOf(world) {
  let view = new Uint8Array(0);
  return () => (view.buffer === world.memory.buffer ? view : (view = new Uint8Array(world.memory.buffer)));
}

function hostImports(world) {
  const bytes = memoryOf(world);
  const view = () => new DataView(world.memory.buffer);
  const sources = new Map();
  const listings = new Map();
  let numbers = 0;
  let reads = 0;

  /** A C string as a copy. */
  const path = (ptr) => {
    const all = bytes();
    return Buffer.from(all.slice(ptr >>> 0, all.indexOf(0, ptr >>> 0)));
  };

  /** Writes a text with a NUL, cut to `size`; returns its full length. */
  const write = (text, ptr, size) => {
    const data = Buffer.isBuffer(text) ? text : Buffer.from(text);
    const part = data.subarray(0, Math.max(0, size - 1));
    bytes().set(part, ptr >>> 0);
    if (size) bytes()[(ptr >>> 0) + part.length] = 0;
    return data.length;
  };

  const fail = (why, ptr, size) => {
    write(why, ptr, size);
    return FAILED;
  };

  return {
    sp_js_look: (name) => kindOf(statOf(path(name))),

    sp_js_open(name, number, size, why, whySize) {
      try {
        const source = openInput(path(name));
        sources.set(++numbers, source);
        view().setUint32(number >>> 0, numbers, true);
        view().setFloat64(size >>> 0, source.size, true);
        return OK;
      } catch (error) {
        write(error.message, why, whySize);
        return { 'not found': NOT_FOUND, 'too large': TOO_LARGE }[error.kind] ?? FAILED;
      }
    },

    sp_js_read(number, offset, n, to, why, whySize) {
      if (++reads % TIME_CHECK_EVERY === 0) world.checkTime();
      try {
        return sources.get(number).read(bytes(), to >>> 0, n >>> 0, offset) ? OK : SHORT;
      } catch (error) {
        return fail(reason(error), why, whySize);
      }
    },

    sp_js_unchanged: (number) => (sources.get(number).unchanged() ? 1 : 0),

    sp_js_close(number) {
      sources.get(number)?.close();
      sources.delete(number);
    },

    sp_js_list(folder) {
      const base = path(folder);
      try {
        const entries = fs.readdirSync(base.length ? base : '.', { encoding: 'buffer', withFileTypes: true });
        listings.set(++numbers, { base, entries });
        return numbers;
      } catch {
        return 0;
      }
    },

    sp_js_next(number, name, size) {
      const { base, entries } = listings.get(number);
      for (;;) {
        const entry = entries.pop();
        if (!entry) break;
        if (entry.name.length >= size) continue;
        write(entry.name, name, size);
        return entryKind(base, entry);
      }
      listings.delete(number);
      return -1;
    },

    sp_js_print(stream, from, n, why, whySize) {
      const failed = world.print(stream + 1, bytes().subarray(from >>> 0, (from >>> 0) + (n >>> 0)));
      const name = stream === 0 ? 'standard output' : 'standard error';
      return failed === undefined ? OK : fail(`cannot write ${name}: ${failed}`, why, whySize);
    },

    sp_js_closed: () => (world.closed ? 1 : 0),

    sp_js_save(name, from, n, why, whySize) {
      try {
        save(path(name), bytes().subarray(from >>> 0, (from >>> 0) + (n >>> 0)));
        return OK;
      } catch (error) {
        return fail(error.message, why, whySize);
      }
    },

    sp_js_same_file(a, b) {
      const [x, y] = [a, b].map((p) => statOf(path(p), { bigint: true }));
      return x && y && x.dev === y.dev && x.ino === y.ino ? 1 : 0;
    },

    sp_js_is_terminal: (stream) => (isTerminal(stream + 1) ? 1 : 0),
    sp_js_columns: () => (isTerminal(1) ? process.stdout.columns ?? 0 : 0),

    sp_js_variable(name, to, size) {
      const value = process.env[path(name).toString()];
      return value === undefined ? -1 : write(value, to, size);
    },

    sp_js_folder(to, size) {
      try {
        return write(process.cwd(), to, size);
      } catch {
        return 0; // the folder was removed
      }
    },

    sp_js_working_on: (name) => world.workOn(name ? path(name) : undefined),

    sp_js_fatal(name, to, size) {
      const why = world.fatal.get(path(name).toString());
      return why === undefined ? -1 : write(why, to, size);
    },
  };
}

// ---- files ---------------------------------------------------------------------------------------

/** undefined when there is nothing to see. */
function statOf(name, options) {
  try {
    return fs.statSync(name, { ...options, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function kindOf(stat) {
  if (!stat) return KIND.nothing;
  return stat.isFile() ? KIND.file : stat.isDirectory() ? KIND.folder : KIND.other;
}

function entryKind(base, entry) {
  if (!entry.isSymbolicLink()) return kindOf(entry);
  const slash = base.length && base.at(-1) !== 0x2f ? [base, Buffer.from('/'), entry.name] : [base, entry.name];
  return kindOf(statOf(Buffer.concat(slash)));
}

// ---- what the C library asks for -----------------------------------------------------------------

function systemImports(world) {
  const view = () => new DataView(world.memory.buffer);
  return {
    emscripten_notify_memory_growth: () => world.checkMemory(),
    clock_time_get: (...args) => {
      const ms = args[0] === 0 ? Date.now() : performance.now();
      view().setBigUint64(args.at(-1) >>> 0, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count, size) => {
      view().setUint32(count >>> 0, 0, true);
      view().setUint32(size >>> 0, 0, true);
      return 0;
    },
    environ_get: () => 0,
    _dlopen_js: () => 0,
    proc_exit: (code) => {
      throw new Error(`the program ended itself (${code})`);
    },
  };
}
