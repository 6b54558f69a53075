// The worker's side of WorkerEngine: one Engine, files by number, one message per job. The client
// (worker.js) decides what runs when; nothing here waits for anything but a fetch.
//
// in   {type: 'init', module, holdLimit}
//      {type: 'open' | 'query' | 'fetch' | 'drop' | 'close', job, files, ...}   see `jobs`
//      {type: 'stop', job}                                 ends a fetch
// out  {type: 'ready'} | {type: 'failed', error}
//      {type: 'done', job, bytes?, scattered?}
//      {type: 'error', job, error, crashed?, blame?}       crashed: this worker is of no use any more
//      {type: 'progress', job, phase, done, total} | {type: 'alive'}
//      {type: 'held', id, bytes}
//
// Bundled as one classic script it also runs from a blob: on `file:` pages and under a policy.

import { Engine } from './engine.js';
import { FileSource } from './file-source.js';
import { loadCore } from './load.js';

const PROGRESS_EVERY_MS = 50;
const ALIVE_EVERY_MS = 1000;

let engine;
let holdLimit;
let current; // {job, type, id} of the call in the core
let bytesRead = 0;
let lastPost = 0;
const files = new Map(); // id -> {id, name, source, profile?, used}
const fetches = new Map(); // job -> AbortController
let useCount = 0;

const post = (message, transfer = []) => self.postMessage(message, transfer);

function postProgress(job, phase, done, total) {
  const now = performance.now();
  if (now - lastPost < PROGRESS_EVERY_MS && done !== total) return;
  lastPost = now;
  post({ type: 'progress', job, phase, done, total });
}

/** Called for every read: a sign of life, and while opening the only progress there is. */
function onRead(file, n) {
  if (current) current.id = file.id; // to blame, should the core crash now
  bytesRead += n;
  const now = performance.now();
  if (now - lastPost < (current?.type === 'open' ? PROGRESS_EVERY_MS : ALIVE_EVERY_MS)) return;
  lastPost = now;
  if (current?.type !== 'open') post({ type: 'alive' });
  else post({ type: 'progress', job: current.job, phase: 'read', done: bytesRead, total: file.source.size });
}

/** Files that this worker has not seen yet, sent along with the job that needs them. */
function learn(list = []) {
  for (const { id, file, name } of list) {
    const entry = { id, name, used: 0 };
    entry.source = new FileSource(asBlob(file), name, (n) => onRead(entry, n));
    files.set(id, entry);
  }
}

const asBlob = (file) => (file.arrayBuffer ? file : new Blob([file]));

function profileOf(id) {
  const entry = files.get(id);
  entry.used = ++useCount;
  entry.profile ??= engine.open(entry.source);
  return entry.profile;
}

/** Room for `bytes` more: the files used longest ago are dropped. */
function makeRoom(bytes, keep) {
  const held = [...files.values()].filter((f) => f.source.heldBytes && f !== keep);
  held.sort((a, b) => a.used - b.used);
  let total = held.reduce((sum, f) => sum + f.source.heldBytes, bytes);
  for (const file of held) {
    if (total <= holdLimit) return;
    total -= file.source.heldBytes;
    drop(file);
  }
}

function drop(file) {
  if (!file?.source.heldBytes) return;
  file.source.drop();
  post({ type: 'held', id: file.id, bytes: 0 });
}

const jobs = {
  /** {id, patience?}: opens the file now. One whose structure lies scattered takes a slice for every
   * dataset: after `patience` of them it is given up, and the client fetches the file first. */
  open({ id, patience = Infinity }) {
    const { source } = files.get(id);
    source.patience = patience;
    source.exhausted = false;
    try {
      profileOf(id);
    } catch (error) {
      if (!source.exhausted) throw error;
      return { scattered: true };
    } finally {
      source.patience = Infinity;
    }
    return {};
  },

  /** {request}: with `profile` and `profiles` as file numbers. */
  query({ request }) {
    const real = { ...request };
    if (request.profile !== undefined) real.profile = profileOf(request.profile);
    if (request.profiles) real.profiles = request.profiles.map(profileOf);
    const bytes = engine.queryBytes(real);
    return { bytes };
  },

  /** {id}: brings the file into memory. */
  async fetch({ job, id }) {
    const file = files.get(id);
    file.used = ++useCount;
    makeRoom(file.source.size, file);
    const stop = new AbortController();
    fetches.set(job, stop);
    try {
      await file.source.fetch(stop.signal, (done) => postProgress(job, 'fetch', done, file.source.size));
    } finally {
      fetches.delete(job);
    }
    if (!files.has(id)) file.source.drop();
    else post({ type: 'held', id, bytes: file.source.heldBytes });
    return {};
  },

  /** {id}: gives the memory back. */
  drop({ id }) {
    drop(files.get(id));
    return {};
  },

  /** {id} */
  close({ id }) {
    const file = files.get(id);
    files.delete(id);
    file?.source.drop();
    file?.profile?.close();
    return {};
  },
};

async function run(message) {
  const { type, job } = message;
  const inCore = type !== 'fetch' && type !== 'drop';
  learn(message.files);
  try {
    if (inCore) {
      const only = message.id ?? message.request?.profile ?? soleProfile(message.request?.profiles);
      current = { job, type, id: only };
      bytesRead = 0;
    }
    const result = jobs[type](message);
    const { bytes, scattered } = result instanceof Promise ? await result : result;
    post({ type: 'done', job, bytes, scattered }, bytes ? [bytes.buffer] : []);
  } catch (error) {
    const crashed = inCore && engine.aborted;
    post({ type: 'error', job, error: plain(error), crashed, blame: crashed ? current?.id : undefined });
  } finally {
    if (inCore) current = undefined;
  }
}

const soleProfile = (list) => (list?.length === 1 ? list[0] : undefined);

function plain(error) {
  const { code, message, path, file } = error;
  if (error.name === 'ProfileError') return { code, message, path, file };
  // a DOMException is the browser's refusal to read (moved, changed, not permitted)
  return { code: error instanceof DOMException ? 'IO' : 'INTERNAL', message, path: '', file };
}

self.onmessage = ({ data }) => {
  if (data.type === 'init') return init(data);
  if (data.type === 'stop') return fetches.get(data.job)?.abort();
  return run(data);
};

async function init(data) {
  try {
    holdLimit = data.holdLimit;
    engine = new Engine(await loadCore({ wasm: data.module }));
    engine.onProgress = ({ phase, done, total }) => {
      if (current) postProgress(current.job, phase, done, total);
    };
    post({ type: 'ready' });
  } catch (error) {
    post({ type: 'failed', error: plain(error) });
  }
}
