// The core in this thread: requests in, replies out, profiles behind handles.
//
//   engine.inspect([a, b])
//     request as JSON  -> bytes in the core's memory -> sp_wasm_call
//       sp_source_read <- the core asks for bytes; source.readAt fills its memory directly
//     reply {status, kind, ptr, len} -> copied at once (it is valid until the next call); of a long
//       one the parts before come through sp_reply_part
//
// An exception out of the module leaves half-updated data behind, so it ends the engine.

import { ProfileError } from './errors.js';
import { loadCore } from './load.js';
import { sourceOf } from './sources.js';

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SECRET = Symbol('profile');

export class Engine {
  #core;
  #sources = new Map(); // number -> source
  #nextSource = 1;
  #profiles = new Map(); // handle -> { source, name }
  #lost;
  #busy = false;
  #aborted = false;
  #lastSource; // the source read last: the one to blame for a crash
  #readFailure; // why the last failed read failed
  #parts = []; // of a long reply, copies

  /** Set before a call to hear of progress in it; return false to stop the work. */
  onProgress;

  static async load(options) {
    return new Engine(await loadCore(options));
  }

  constructor(core) {
    this.#core = core;
    core.host.read = (source, offset, n, to) => this.#read(source, offset, n, to);
    core.host.progress = (done, total, phase) => this.#progress(done, total, phase);
    core.host.part = (ptr, n) => this.#part(ptr, n);
    // a net only: a Profile that was forgotten is closed when it is collected
    this.#lost = new FinalizationRegistry((handle) => this.#collect(handle));
  }

  get aborted() {
    return this.#aborted;
  }

  get openCount() {
    return this.#profiles.size;
  }

  get memoryBytes() {
    return this.#core ? this.#core.memory.buffer.byteLength : 0;
  }

  open(input, options = {}) {
    const source = sourceOf(input, options.name);
    if (!Number.isSafeInteger(source.size) || source.size < 0) {
      throw new ProfileError('the size of the source is not a number of bytes', { code: 'USAGE' });
    }
    const id = this.#nextSource++;
    this.#sources.set(id, source);
    try {
      const text = encoder.encode(JSON.stringify({ name: source.name }));
      const { profile: handle } = this.#withBytes(text, (ptr) => {
        this.#lastSource = source;
        return this.#enter((x) => x.sp_wasm_open(id, source.size, ptr, text.length), parseJson, source);
      });
      this.#profiles.set(handle, { id, source });
      const profile = new Profile(SECRET, this, handle, source);
      this.#lost.register(profile, handle, profile);
      return profile;
    } catch (error) {
      this.#dropSource(id);
      throw error;
    }
  }

  query(request) {
    return this.#call(request, parseJson);
  }

  queryText(request) {
    return this.#call(request, textOf);
  }

  queryBytes(request) {
    return this.#call(request, joined);
  }

  inspect(profiles, options = {}) {
    return this.query({ op: 'inspect', profiles, ...options });
  }

  view(plot, profiles, options = {}) {
    return this.query({ op: 'view', plot, profiles, ...options });
  }

  version() {
    return this.query({ op: 'version' });
  }

  errors() {
    return this.query({ op: 'errors' });
  }

  close(profile) {
    this.#lost.unregister(profile);
    this.#closeHandle(profile.handle);
  }

  /** Whether a handle is open here (for Profile.closed). */
  isOpen(handle) {
    return this.#profiles.has(handle);
  }

  dispose() {
    for (const handle of [...this.#profiles.keys()]) this.#closeHandle(handle);
    this.#core = undefined;
  }

  [dispose]() {
    this.dispose();
  }

  // ---- calls -----------------------------------------------------------------------------------

  #call(request, take) {
    if (request.op === 'close' && request.profile instanceof Profile) {
      this.close(request.profile);
      return take([encoder.encode('{}')]);
    }
    const text = encoder.encode(JSON.stringify(request, handlesOf));
    return this.#withBytes(text, (ptr) => {
      this.#lastSource = undefined;
      return this.#enter((x) => x.sp_wasm_call(ptr, text.length), take);
    });
  }

  /** Runs `use(pointer)` with bytes in the core's memory. */
  #withBytes(bytes, use) {
    const ptr = this.#guard((x) => x.sp_wasm_alloc(bytes.length)) >>> 0;
    if (!ptr) throw new ProfileError('the core has no memory left for the request', { code: 'NOMEM' });
    new Uint8Array(this.#core.memory.buffer).set(bytes, ptr);
    try {
      return use(ptr);
    } finally {
      if (!this.#aborted) this.#guard((x) => x.sp_wasm_free(ptr));
    }
  }

  /** Runs one call that replies; `take` gets the parts of the reply and must copy the last one: it is
   * a view of the core's memory. */
  #enter(run, take, source) {
    this.#readFailure = undefined;
    this.#parts = [];
    const reply = this.#guard(run) >>> 0;
    const parts = this.#parts;
    this.#parts = [];
    const memory = this.#core.memory.buffer;
    const [status, , ptr, length] = new Uint32Array(memory, reply, 4);
    const last = new Uint8Array(memory, ptr, length);
    if (status !== 0) throw this.#failure(last, source);
    this.#checkUnchanged();
    return take([...parts, last]);
  }

  #failure(bytes, source) {
    const cause = this.#readFailure;
    if (!bytes.length) return new ProfileError('memory ran out', { code: 'NOMEM', cause });
    const { code, message, path, profile } = parseJson([bytes]);
    const file = (source ?? this.#profiles.get(profile)?.source)?.name;
    const why = cause && code === 'IO' ? `${message}: ${cause.message}` : message;
    return new ProfileError(why, { code, path, file, cause });
  }

  /** Runs something in the module. Whatever it throws ends the engine. */
  #guard(run) {
    if (!this.#core) throw new ProfileError('the engine was disposed');
    if (this.#aborted) throw new ProfileError('the engine crashed before: make a new one');
    if (this.#busy) throw new ProfileError('the engine was called from within a read');
    this.#busy = true;
    try {
      return run(this.#core.exports);
    } catch (cause) {
      this.#aborted = true;
      const log = this.#core.log.join('').trim();
      throw new ProfileError(
        `the reader crashed on this file (${cause.message}${log ? `; ${log}` : ''})`,
        { file: this.#lastSource?.name, cause },
      );
    } finally {
      this.#busy = false;
    }
  }

  #checkUnchanged() {
    for (const { source } of this.#profiles.values()) {
      if (!source.touched) continue;
      source.touched = false;
      if (source.unchanged?.() === false) {
        throw new ProfileError('changed while it was read', { code: 'IO', file: source.name });
      }
    }
  }

  // ---- answers to the module ---------------------------------------------------------------------

  #read(id, offset, n, to) {
    const source = this.#sources.get(id);
    if (!source) return 1;
    this.#lastSource = source;
    source.touched = true;
    try {
      const got = source.readAt(offset, new Uint8Array(this.#core.memory.buffer, to, n));
      if (got === undefined || got >= n) return 0;
      this.#readFailure = new Error(`only ${got} of ${n} bytes at ${offset} could be read`);
    } catch (error) {
      this.#readFailure = error;
    }
    return 1;
  }

  #part(ptr, n) {
    try {
      this.#parts.push(new Uint8Array(this.#core.memory.buffer, ptr, n).slice());
      return 0;
    } catch {
      return 1; // no room: the reply becomes NOMEM
    }
  }

  #progress(done, total, phase) {
    if (!this.onProgress) return 0;
    try {
      return this.onProgress({ phase: this.#cString(phase), done, total }) === false ? 1 : 0;
    } catch {
      return 1; // a listener's fault stops the work; it must not unwind the module
    }
  }

  #cString(ptr) {
    const memory = new Uint8Array(this.#core.memory.buffer);
    return decoder.decode(memory.subarray(ptr, memory.indexOf(0, ptr)));
  }

  // ---- closing -----------------------------------------------------------------------------------

  #closeHandle(handle) {
    const open = this.#profiles.get(handle);
    if (!open) return;
    this.#profiles.delete(handle);
    if (!this.#aborted) this.#guard((x) => x.sp_wasm_close(handle));
    this.#dropSource(open.id);
  }

  #collect(handle) {
    try {
      this.#closeHandle(handle);
    } catch {
      // nobody is there to be told; the engine is marked aborted
    }
  }

  #dropSource(id) {
    const source = this.#sources.get(id);
    this.#sources.delete(id);
    source?.close?.();
  }
}

export class Profile {
  #engine;
  #handle;

  constructor(secret, engine, handle, source) {
    if (secret !== SECRET) throw new TypeError('profiles are made by Engine.open');
    this.#engine = engine;
    this.#handle = handle;
    this.name = source.name;
    this.size = source.size;
  }

  get handle() {
    return this.#handle;
  }

  get closed() {
    return !this.#engine.isOpen(this.#handle);
  }

  summary(options = {}) {
    return this.#engine.query({ op: 'summary', profile: this, ...options });
  }

  inspect(options = {}) {
    return this.#engine.inspect([this], options);
  }

  view(plot, options = {}) {
    return this.#engine.view(plot, [this], options);
  }

  close() {
    this.#engine.close(this);
  }

  [dispose]() {
    this.close();
  }
}

function textOf(parts) {
  if (parts.length === 1) return decoder.decode(parts[0]);
  const stream = new TextDecoder();
  return parts.map((part, i) => stream.decode(part, { stream: i + 1 < parts.length })).join('');
}

function joined(parts) {
  if (parts.length === 1) return parts[0].slice();
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const parseJson = (parts) => JSON.parse(textOf(parts));

// JSON.stringify's replacer: profiles travel as their handles.
const handlesOf = (key, value) => (value instanceof Profile ? value.handle : value);
