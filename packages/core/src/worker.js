// The Engine's calls as promises: the core runs in a worker, which can be lost and replaced.
//
//   page                                   worker (worker-entry.js)
//   job queue  -- one call at a time -->   Engine
//              -- one fetch at a time ->   64 MiB pages of a File
//              <- done, error, progress
//
// Files are known here by number. A worker learns of a file with the first job that needs it, so a
// fresh worker reopens what is still wanted, and only when it is wanted.

import { ProfileError } from './errors.js';
import { compileCore } from './load.js';
import { SECRET, WorkerProfile, checkUsable, mark, stateOf } from './worker-profile.js';

export { WorkerProfile };

const GIB = 1 << 30;
const PATIENCE = 64; // slices, about 50 ms
const decoder = new TextDecoder();
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

export class WorkerEngine extends EventTarget {
  #options;
  #module;
  #worker;
  #url; // of the blob the worker was made from, until it is ready
  #known = new Set(); // ids of files the present worker has seen
  #ready = false;
  #dead; // the error that ended the engine for good
  #jobs = []; // waiting, in order
  #call; // the job in the core
  #fetch; // the fetch under way
  #nextJob = 1;
  #nextProfile = 1;
  #profiles = [];
  #lastSign = 0;
  #timer;
  #toldStalled = 0;
  #started; // {resolve, reject} of create()
  #restarts = 0;

  static async create(options = {}) {
    const engine = new WorkerEngine(SECRET, options);
    engine.#module = await compileCore(options);
    await new Promise((resolve, reject) => {
      engine.#started = { resolve, reject };
      engine.#start();
    });
    return engine;
  }

  constructor(secret, options) {
    super();
    if (secret !== SECRET) throw new TypeError('use WorkerEngine.create()');
    this.#options = { holdLimit: GIB, watchdogMs: 10000, ...options };
  }

  get profiles() {
    return this.#profiles;
  }

  get pending() {
    return this.#jobs.length + (this.#call ? 1 : 0) + (this.#fetch ? 1 : 0);
  }

  get restarts() {
    return this.#restarts;
  }

  // ---- requests --------------------------------------------------------------------------------

  async open(file, { name, lazy = false, ...job } = {}) {
    const profile = new WorkerProfile(SECRET, this, this.#nextProfile++, file, name);
    this.#profiles = [...this.#profiles, profile];
    try {
      if (!lazy) await this.#openNow(profile, job);
    } catch (error) {
      if (!profile.closed) await this.close(profile);
      throw error;
    }
    return profile;
  }

  /** Reads the structure from slices, unless that turns out slow: then the file is fetched first. */
  async #openNow(profile, job) {
    const message = { type: 'open', profiles: [profile], id: profile.id };
    const patience = profile.size <= this.#options.holdLimit ? PATIENCE : undefined;
    const { scattered } = await this.#run({ ...message, patience }, job);
    if (!scattered) return;
    await this.#hold([profile], job);
    await this.#run(message, job);
  }

  summary(profile, options = {}, job) {
    return this.query({ op: 'summary', profile, ...options }, { ...job, hold: false });
  }

  inspect(profiles, options = {}, job) {
    return this.query({ op: 'inspect', profiles, ...options }, job);
  }

  view(plot, profiles, options = {}, job) {
    return this.query({ op: 'view', plot, profiles, ...options }, job);
  }

  version() {
    return this.query({ op: 'version' });
  }

  errors() {
    return this.query({ op: 'errors' });
  }

  async query(request, job) {
    return JSON.parse(await this.queryText(request, job));
  }

  async queryText(request, { hold = true, ...job } = {}) {
    if (request.op === 'close') return this.close(request.profile).then(() => '{}');
    const profiles = [request.profile, ...(request.profiles ?? [])].filter(Boolean);
    for (const profile of profiles) checkUsable(profile);
    const selection = JSON.stringify(request.select ?? {});
    const fresh = profiles.filter((p) => stateOf(p).analysed !== selection);
    if (hold) await this.#hold(fresh, job);
    const plain = { ...request };
    if (request.profile) plain.profile = request.profile.id;
    if (request.profiles) plain.profiles = request.profiles.map((p) => p.id);
    const { bytes } = await this.#run({ type: 'query', op: request.op, profiles, request: plain }, job);
    if (request.op === 'inspect') for (const p of profiles) mark(p, { analysed: selection });
    return decoder.decode(bytes);
  }

  /** Brings the files of a full analysis into memory. One that cannot be is read lazily, and what
   * is wrong with it is told then. */
  async #hold(profiles, job) {
    for (const profile of profiles) {
      if (profile.heldBytes || profile.size > this.#options.holdLimit) continue;
      try {
        await this.fetch(profile, job);
      } catch (error) {
        if (!(error instanceof ProfileError)) throw error;
      }
    }
  }

  async fetch(profile, job = {}) {
    checkUsable(profile);
    if (profile.heldBytes || !profile.size || profile.size > this.#options.holdLimit) return;
    await this.#run({ type: 'fetch', profiles: [profile], id: profile.id }, job);
  }

  async drop(profile) {
    if (this.#known.has(profile.id)) await this.#run({ type: 'drop', profiles: [profile], id: profile.id });
  }

  async close(profile) {
    if (profile.closed) return;
    mark(profile, { closed: true });
    this.#profiles = this.#profiles.filter((p) => p !== profile);
    for (const job of [this.#fetch, ...this.#jobs]) {
      if (job?.type === 'fetch' && job.profiles[0] === profile) this.#end(job, aborted('closed'));
    }
    if (!this.#known.has(profile.id) || this.#dead) return;
    await this.#run({ type: 'close', profiles: [profile], id: profile.id });
    this.#known.delete(profile.id);
  }

  cancel(reason = aborted('cancelled')) {
    for (const job of [...this.#jobs, this.#fetch, this.#call]) if (job) this.#end(job, reason);
  }

  dispose() {
    if (!this.#dead) this.#die(aborted('the engine was disposed'));
  }

  [dispose]() {
    this.dispose();
  }

  // ---- jobs ------------------------------------------------------------------------------------

  #run(message, { signal, onProgress } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#dead) return reject(this.#dead);
      if (signal?.aborted) return reject(signal.reason);
      const job = { ...message, number: this.#nextJob++, resolve, reject, onProgress, signal };
      job.onAbort = () => this.#end(job, signal.reason);
      signal?.addEventListener('abort', job.onAbort);
      this.#jobs.push(job);
      this.#pump();
    });
  }

  /** Starts what can start: one call and one fetch at a time, each in its order. */
  #pump() {
    if (!this.#ready) return;
    if (!this.#call) this.#call = this.#send((job) => job.type !== 'fetch');
    if (!this.#fetch) this.#fetch = this.#send((job) => job.type === 'fetch');
    this.#watch();
  }

  #send(isKind) {
    const index = this.#jobs.findIndex(isKind);
    if (index < 0) return undefined;
    const [job] = this.#jobs.splice(index, 1);
    const failed = job.type !== 'close' && job.profiles.find((p) => p.failed);
    if (failed) {
      this.#settle(job, () => job.reject(failed.failed));
      return this.#send(isKind);
    }
    const files = job.profiles
      .filter((p) => !this.#known.has(p.id))
      .map(({ id, file, name }) => ({ id, file, name }));
    for (const { id } of files) this.#known.add(id);
    const { type, id, request, patience } = job;
    this.#lastSign = Date.now();
    this.#toldStalled = 0;
    try {
      this.#worker.postMessage({ type, job: job.number, id, request, patience, files });
    } catch (cause) {
      for (const file of files) this.#known.delete(file.id);
      this.#settle(job, () => job.reject(cause)); // not a File, Blob or bytes
      return this.#send(isKind);
    }
    return job;
  }

  /** Takes a job out of the books and tells its promise. */
  #settle(job, tell) {
    job.signal?.removeEventListener('abort', job.onAbort);
    if (this.#call === job) this.#call = undefined;
    if (this.#fetch === job) this.#fetch = undefined;
    tell();
  }

  /** Ends one job from this side. */
  #end(job, reason) {
    const waiting = this.#jobs.indexOf(job);
    if (waiting >= 0) {
      this.#jobs.splice(waiting, 1);
      this.#settle(job, () => job.reject(reason));
    } else if (job === this.#fetch) {
      this.#worker.postMessage({ type: 'stop', job: job.number });
      this.#settle(job, () => job.reject(reason));
      this.#pump();
    } else if (job === this.#call) {
      this.#settle(job, () => job.reject(reason));
      this.#replace();
    }
  }

  // ---- the worker ------------------------------------------------------------------------------

  #start() {
    const { worker, workerSource } = this.#options;
    this.#ready = false;
    try {
      if (worker) this.#worker = worker();
      else if (workerSource !== undefined) this.#worker = this.#blobWorker(workerSource);
      else this.#worker = new Worker(new URL('./worker-entry.js', import.meta.url), { type: 'module' });
    } catch (cause) {
      return this.#die(new ProfileError(`no worker can be made: ${cause.message}`, { cause }));
    }
    const own = this.#worker;
    own.onmessage = ({ data }) => own === this.#worker && this.#onMessage(data);
    own.onerror = (event) => {
      event.preventDefault?.();
      if (own === this.#worker) this.#onLost(event.message ?? 'no reason given');
    };
    try {
      own.postMessage({ type: 'init', module: this.#module, holdLimit: this.#options.holdLimit });
    } catch (cause) {
      this.#die(new ProfileError(`the worker cannot be given the core: ${cause.message}`, { cause }));
    }
  }

  #blobWorker(source) {
    this.#url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    return new Worker(this.#url);
  }

  #releaseUrl() {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }

  #stopWorker() {
    if (this.#worker) {
      this.#worker.onmessage = this.#worker.onerror = null;
      this.#worker.terminate();
    }
    this.#worker = undefined;
    this.#releaseUrl();
    this.#known.clear();
    for (const profile of this.#profiles) mark(profile, { heldBytes: 0, analysed: undefined });
  }

  /** A new worker; a fetch that was under way starts again. */
  #replace() {
    this.#stopWorker();
    this.#restarts++;
    if (this.#fetch) this.#jobs.unshift(this.#fetch);
    this.#fetch = undefined;
    this.#start();
    this.#watch();
  }

  /** The end: every promise is rejected, now and later. */
  #die(error) {
    this.#dead = error;
    clearInterval(this.#timer);
    this.#stopWorker();
    const ended = [this.#call, this.#fetch, ...this.#jobs].filter(Boolean);
    this.#jobs = [];
    for (const job of ended) this.#settle(job, () => job.reject(error));
    this.#started?.reject(error);
  }

  #onMessage(message) {
    this.#lastSign = Date.now();
    this.#toldStalled = 0;
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#releaseUrl();
        this.#started?.resolve();
        this.#started = undefined;
        return this.#pump();
      case 'failed':
        return this.#die(new ProfileError(message.error.message, message.error));
      case 'progress':
        return this.#onProgress(message);
      case 'held':
        return mark(this.#profiles.find((p) => p.id === message.id), { heldBytes: message.bytes });
      case 'done':
      case 'error':
        return this.#onReply(message);
    }
  }

  #onReply(message) {
    const job = [this.#call, this.#fetch].find((j) => j?.number === message.job);
    if (!job) return; // ended from this side meanwhile
    if (message.crashed) return this.#onCrash(job, message);
    if (message.type === 'done') this.#settle(job, () => job.resolve(message));
    else this.#settle(job, () => job.reject(new ProfileError(message.error.message, message.error)));
    this.#pump();
  }

  #onProgress({ job: number, phase, done, total }) {
    const job = [this.#call, this.#fetch].find((j) => j?.number === number);
    if (!job) return;
    job.onProgress?.({ phase, done, total });
    this.#tell('progress', { phase, done, total, profiles: job.profiles });
  }

  /** The core crashed in this job: the file is out, everything else goes on in a new worker. */
  #onCrash(job, { error, blame }) {
    const profile = this.#profiles.find((p) => p.id === blame);
    const failure = new ProfileError(error.message, { ...error, file: profile?.name ?? error.file });
    if (profile) mark(profile, { failed: failure });
    this.#settle(job, () => job.reject(failure));
    this.#replace();
    this.#tell('crash', { profile, error: failure });
  }

  /** The worker itself died (its script failed, memory ran out). */
  #onLost(reason) {
    if (!this.#ready) {
      return this.#die(new ProfileError(`the worker cannot start: ${reason}`));
    }
    const job = this.#call;
    if (!job) {
      this.#replace();
      return this.#tell('crash', { profile: undefined, error: new ProfileError(`the worker was lost: ${reason}`) });
    }
    const sole = job.profiles.length === 1 ? job.profiles[0].id : undefined;
    const message = `the reader crashed on this file (the worker was lost: ${reason})`;
    return this.#onCrash(job, { error: { code: 'INTERNAL', message }, blame: sole });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ---- the watchdog ----------------------------------------------------------------------------

  #watch() {
    const busy = this.#call ?? this.#fetch;
    if (!busy) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else {
      const every = Math.min(1000, this.#options.watchdogMs / 4);
      this.#timer ??= setInterval(() => this.#checkAlive(), every);
    }
  }

  #checkAlive() {
    const job = this.#call ?? this.#fetch;
    if (!job) return this.#watch();
    const silentMs = Date.now() - this.#lastSign;
    if (silentMs < this.#options.watchdogMs * (this.#toldStalled + 1)) return;
    this.#toldStalled++;
    const stop = () => this.#end(job, aborted('stopped: no progress'));
    this.#tell('stalled', { profiles: job.profiles, op: job.op ?? job.type, silentMs, stop });
  }
}

const aborted = (message) => new DOMException(message, 'AbortError');
