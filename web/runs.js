// The opened files and what is known of each: one run per file, each with its own way through
// opening, first paint, full statistics, failure and cancelling.

import { HDF5, adviceFor, codeOf, starts } from './advice.js';
import { parseInspect } from './document.js';

const EDGE = 65536;
/** Files above this size give their memory back once they are analysed. */
const KEEP = 256 * 2 ** 20;

/** The same content: equal size, head and tail. */
async function sameContent(a, b) {
  if (a.size !== b.size) return false;
  if (a === b || a.size === 0) return a === b;
  const edges = (file) => Promise.all([
    file.slice(0, EDGE).arrayBuffer(), file.slice(-EDGE).arrayBuffer(),
  ]);
  const [left, right] = await Promise.all([edges(a), edges(b)]);
  return left.every((buffer, at) => {
    const x = new Uint8Array(buffer);
    const y = new Uint8Array(right[at]);
    return x.length === y.length && x.every((byte, i) => byte === y[i]);
  });
}

/**
 * Worth bringing into memory before it is opened (the engine does so up to its limit): structure is
 * scattered over a file, and reading it in slices costs a millisecond each. Anything else is refused
 * by its first bytes.
 */
async function isHdf5(file) {
  const head = new Uint8Array(await file.slice(0, HDF5.length).arrayBuffer());
  return starts(head, HDF5);
}

/** A file that cannot be held is read in slices; what is wrong with it is told then. */
function unlessReadable(error) {
  if (error?.name === 'AbortError') throw error;
}

/**
 * @param {import('@profscope/core/worker').WorkerEngine} engine
 */
export function createRuns(engine) {
  const runs = [];
  const events = new EventTarget();
  let counter = 0;

  const changed = (run, what) => events.dispatchEvent(new CustomEvent('change', { detail: { run, what } }));

  const crashes = new WeakSet();
  engine.addEventListener('crash', ({ detail }) => crashes.add(detail.error));
  engine.addEventListener('stalled', ({ detail }) => {
    const profile = detail.profiles[0];
    const run = runs.find((one) => one.profile === profile) ?? runs.find((one) => isBusy(one));
    if (!run) return;
    run.stalledMs = detail.silentMs;
    changed(run, 'progress');
  });

  /** Takes files in, in order. Files open already are reported, not opened again. */
  async function add(files, { again = false } = {}) {
    const added = [];
    const duplicates = [];
    for (const file of files) {
      const twin = again ? undefined : await findTwin(file);
      if (twin) {
        duplicates.push({ file, run: twin });
        continue;
      }
      const run = {
        id: ++counter, file, name: uniqueName(file.name), size: file.size, state: 'waiting', progress: null,
        stalledMs: 0, profile: null, document: null, partial: false, error: null, ranks: '', rankError: null,
      };
      runs.push(run);
      added.push(run);
      changed(run, 'added');
    }
    for (const run of added) start(run);
    return { added, duplicates };
  }

  async function findTwin(file) {
    for (const run of runs) {
      if (run.state === 'failed' || run.state === 'cancelled') continue;
      try {
        if (await sameContent(run.file, file)) return run;
      } catch {
        // An unreadable file is no twin; opening it tells why.
      }
    }
    return undefined;
  }

  function uniqueName(name) {
    const taken = new Set(runs.map((run) => run.name));
    if (!taken.has(name)) return name;
    let number = 2;
    while (taken.has(`${name} (${number})`)) number += 1;
    return `${name} (${number})`;
  }

  function job(run) {
    return {
      signal: run.controller.signal,
      onProgress: (progress) => {
        run.progress = progress;
        run.stalledMs = 0;
        changed(run, 'progress');
      },
    };
  }

  async function start(run) {
    run.controller = new AbortController();
    Object.assign(run, { state: 'open', error: null, progress: null, partial: false, stalledMs: 0 });
    changed(run, 'state');
    const { signal } = run.controller;
    try {
      run.profile = await engine.open(run.file, { ...job(run), name: run.name, lazy: true });
      if (await isHdf5(run.file)) await run.profile.fetch(job(run)).catch(unlessReadable);
      await firstPaint(run);
      signal.throwIfAborted();
      run.state = 'inspect';
      changed(run, 'state');
      const document = await inspect(run, run.ranks);
      signal.throwIfAborted();
      Object.assign(run, { document, partial: false, state: 'ready', progress: null, stalledMs: 0 });
      giveBack(run);
      changed(run, 'document');
    } catch (error) {
      await fail(run, error);
    }
  }

  /** Stored totals, when the file has some: the table's first form. */
  async function firstPaint(run) {
    run.state = 'summary';
    try {
      const { profiles } = await run.profile.summary({}, job(run));
      if (!profiles[0].regions.length) return;
      Object.assign(run, { document: profiles[0], partial: true });
      changed(run, 'document');
    } catch (error) {
      if (error?.code !== 'NO_SPANS') throw error;
    }
  }

  async function inspect(run, ranks) {
    const select = ranks ? { ranks: [ranks] } : undefined;
    const request = { op: 'inspect', profiles: [run.profile], ...(select ? { select } : {}) };
    return parseInspect(await engine.queryText(request, job(run))).profiles[0];
  }

  async function fail(run, error) {
    if (!runs.includes(run)) return;
    let head = new Uint8Array();
    try {
      head = new Uint8Array(await run.file.slice(0, 4096).arrayBuffer());
    } catch {
      // Unreadable: then the first bytes stay unknown.
    }
    const aborted = run.controller.signal.aborted;
    const known = { size: run.size, head, crashed: Boolean(run.profile?.failed) || crashes.has(error) };
    const code = aborted ? 'cancelled' : codeOf(error, known);
    Object.assign(run, {
      state: aborted ? 'cancelled' : 'failed',
      progress: null,
      stalledMs: 0,
      error: {
        code,
        advice: adviceFor(code),
        message: aborted ? 'Reading was cancelled.' : String(error?.message ?? error),
        path: error?.path ?? '',
        core: error?.code ?? error?.name ?? '',
        head: head.slice(0, 16),
      },
    });
    await release(run);
    changed(run, 'state');
  }

  /** Small files stay in memory for the next question; large ones are fetched again for it. */
  function giveBack(run) {
    if (run.size > KEEP) run.profile?.drop().catch(() => {});
  }

  async function release(run) {
    const { profile } = run;
    run.profile = null;
    await profile?.close().catch(() => {});
  }

  /** Computes a run again for other ranks ("" = all). Wrong text is shown beside its field. */
  async function setRanks(run, text) {
    run.controller?.abort();
    run.controller = new AbortController();
    const mine = run.controller;
    Object.assign(run, { state: 'inspect', rankError: null, progress: null });
    changed(run, 'state');
    try {
      const document = await inspect(run, text);
      if (mine !== run.controller) return;
      Object.assign(run, { document, ranks: text, partial: false });
    } catch (error) {
      if (mine !== run.controller) return;
      if (run.profile?.failed) return void (await fail(run, error));
      run.rankError = error?.name === 'AbortError' ? null : String(error?.message ?? error);
    }
    Object.assign(run, { state: 'ready', progress: null, stalledMs: 0 });
    giveBack(run);
    changed(run, 'document');
  }

  return {
    /** All runs, in order of opening. */
    list: runs,
    on: (listener) => events.addEventListener('change', ({ detail }) => listener(detail.run, detail.what)),
    add,
    setRanks,
    /** Stops what a run is doing; the others go on. */
    cancel: (run) => run.controller?.abort(new DOMException('cancelled', 'AbortError')),
    retry: start,
    async remove(run) {
      const at = runs.indexOf(run);
      if (at < 0) return;
      runs.splice(at, 1);
      run.controller?.abort(new DOMException('removed', 'AbortError'));
      changed(run, 'removed');
      await release(run);
    },
    /** A plot payload of some runs. The core keeps each run's last analysis: no file is fetched for it. */
    view: (plot, of, { ranks, options }) =>
      engine.view(plot, of.map((run) => run.profile), {
        ...(ranks ? { select: { ranks: [ranks] } } : {}), options,
      }, { hold: of.some((run) => run.ranks !== ranks) }),
    /** The inspect document as text, byte for byte what the command line prints. */
    text: (run, privacy) =>
      engine.queryText({
        op: 'inspect', profiles: [run.profile], privacy, ...(run.ranks ? { select: { ranks: [run.ranks] } } : {}),
      }, { hold: false }),
  };
}

/** Is something being computed for this run? */
export const isBusy = (run) => ['waiting', 'open', 'summary', 'inspect'].includes(run.state);
