// Containers ↔ figures: remembers what each container shows, draws it again when theme or filter
// change, keeps the reader's zoom, and takes figures out when their containers leave.

import {
  buildFigure, disposeFigure, getPointIdentity, renderFigure, setTheme, updateFigure,
} from '../index.js';
import { regionFilter } from './filter.js';
import { documentTheme, observeTheme } from './theme.js';

const inNextFrame = (work) =>
  typeof globalThis.requestAnimationFrame === 'function'
    ? globalThis.requestAnimationFrame(work)
    : queueMicrotask(work);

const isLive = (container) => container?.isConnected !== false;

/** Shows a failure in the container as text; the next good draw replaces it. */
function showFailure(error, container) {
  if (typeof container?.replaceChildren !== 'function' || !globalThis.document) return;
  const note = globalThis.document.createElement('p');
  note.setAttribute('role', 'alert');
  note.className = 'figure-error';
  note.textContent = String(error?.message ?? error);
  container.replaceChildren(note);
}

class FigureRegistry {
  #plotly;
  #options;
  #entries = new Map();
  #watches = new Set();
  #sharedWatch = null;
  #listeners = new Set();
  #filter;
  #queued = false;
  #views = 0;

  constructor(plotly, options) {
    this.#plotly = plotly;
    this.#options = options;
    for (const name of ['render', 'update', 'refresh', 'forget', 'clear', 'watch', 'setFilter', 'get',
      'onSelect', 'dispose']) {
      this[name] = this[name].bind(this);
    }
  }

  get size() {
    return this.#entries.size;
  }

  /** Draws a payload into a container and remembers it. Options replace the earlier ones. */
  render(container, payload, options = {}) {
    if (!container) return undefined;
    const known = this.#entries.get(container);
    const { resetView, ...kept } = options;
    const entry = known ?? { drawn: false, turn: 0, latest: null };
    if (!known || resetView || known.payload !== payload || known.options.plot !== kept.plot) {
      entry.view = `view-${++this.#views}`;
    }
    Object.assign(entry, { payload, options: kept });
    this.#entries.set(container, entry);
    return this.#draw(container, entry);
  }

  /** Merges changes into the remembered options and draws again. */
  update(container, changes = {}) {
    const entry = this.#entries.get(container);
    if (!entry) return undefined;
    const { payload = entry.payload, ...options } = changes;
    return this.render(container, payload, { ...entry.options, ...options });
  }

  /** What is remembered of a container. */
  get(container) {
    const entry = this.#entries.get(container);
    return entry && { payload: entry.payload, options: { ...entry.options } };
  }

  /** One filter text for all containers that name none of their own (`filter: false` opts out). */
  setFilter(text) {
    this.#filter = text;
    this.#queueRefresh();
  }

  /** Draws every container again. Rejects only when every figure failed. */
  async refresh() {
    setTheme(this.#theme());
    const draws = [];
    for (const [container, entry] of this.#entries) {
      if (isLive(container)) draws.push(this.#draw(container, entry));
      else this.forget(container);
    }
    const results = await Promise.allSettled(draws);
    const failed = results.filter((result) => result.status === 'rejected');
    if (failed.length && failed.length === results.length) {
      throw new AggregateError(failed.map((result) => result.reason), 'No figure could be drawn.');
    }
    return results.map((result) => result.value);
  }

  /** Stops tracking a container and takes its figure out. True if it was tracked. */
  forget(container) {
    const entry = this.#entries.get(container);
    if (!entry) return false;
    this.#entries.delete(container);
    entry.turn += 1;
    if (entry.drawn && typeof this.#plotly?.purge === 'function') disposeFigure(this.#plotly, container);
    return true;
  }

  clear() {
    for (const container of [...this.#entries.keys()]) this.forget(container);
  }

  /**
   * Draws again when the theme changed. Without arguments: on `themechanged`, `data-theme`, `class`
   * and the system's preference, shared by all callers. Returns the function that stops.
   */
  watch(target, event = 'themechanged') {
    const stop = target ? this.#listen(target, event) : this.#shareWatch();
    const once = () => {
      if (this.#watches.delete(once)) stop();
    };
    this.#watches.add(once);
    return once;
  }

  /** One listener for clicks in all figures: (identity, container, event). Returns the stop. */
  onSelect(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose() {
    this.clear();
    for (const stop of [...this.#watches]) stop();
    this.#listeners.clear();
  }

  [Symbol.dispose ?? Symbol.for('dispose')]() {
    this.dispose();
  }

  #listen(target, event) {
    if (typeof target?.addEventListener !== 'function') return () => {};
    const react = () => this.#queueRefresh();
    target.addEventListener(event, react);
    return () => target.removeEventListener(event, react);
  }

  #shareWatch() {
    this.#sharedWatch ??= { users: 0, stop: null, theme: null };
    const shared = this.#sharedWatch;
    if (shared.users++ === 0) {
      shared.theme = JSON.stringify(this.#theme());
      shared.stop = observeTheme(() => {
        const now = JSON.stringify(this.#theme());
        if (now === shared.theme) return;
        shared.theme = now;
        this.#queueRefresh();
      });
    }
    return () => {
      if (--shared.users === 0) shared.stop();
    };
  }

  /** Any number of triggers in a frame: one draw per container in the next one. */
  #queueRefresh() {
    if (this.#queued) return;
    this.#queued = true;
    inNextFrame(() => {
      this.#queued = false;
      this.refresh().catch(() => {});
    });
  }

  #theme() {
    const theme = this.#options.theme ?? (() => documentTheme({ followSystem: true }));
    return typeof theme === 'function' ? theme() : theme;
  }

  /** Builds and draws; with a synchronous builder everything happens before this returns. */
  #draw(container, entry) {
    const turn = ++entry.turn;
    const fail = (error) => {
      if (turn === entry.turn && this.#entries.get(container) === entry) {
        entry.failed = true;
        (this.#options.onError ?? showFailure)(error, container);
      }
      throw error;
    };
    const show = (figure) => (turn === entry.turn ? this.#show(container, entry, figure) : entry.latest);
    let drawing;
    try {
      const figure = this.#build(entry);
      drawing = typeof figure?.then === 'function' ? figure.then(show) : Promise.resolve(show(figure));
    } catch (error) {
      drawing = Promise.reject(error);
    }
    entry.latest = drawing.then((result) => (turn === entry.turn ? result : entry.latest), fail);
    entry.latest.catch(() => {});
    return entry.latest;
  }

  #build(entry) {
    const { build = this.#options.build ?? buildFigure, regionFilter: text, filter, ...options } = entry.options;
    const box = text ?? (filter === false ? undefined : this.#filter);
    const keep = box === null || box === undefined ? undefined : regionFilter(box);
    return build(entry.payload, {
      theme: this.#theme(),
      emptyFilterNote: true,
      ...(keep ? { filterRegion: keep } : {}),
      ...options,
    });
  }

  #show(container, entry, figure) {
    const layout = { uirevision: entry.view, ...figure.layout };
    const config = this.#options.config ?? {};
    if (entry.failed) {
      container.replaceChildren?.();
      entry.drawn = false;
      entry.failed = false;
    }
    const drawn = { data: figure.data, layout };
    if (entry.drawn) return updateFigure(this.#plotly, container, drawn, config);
    const result = renderFigure(this.#plotly, container, drawn, config);
    entry.drawn = true;
    entry.hooked = false;
    Promise.resolve(result).then(() => this.#hookClicks(container, entry), () => {});
    return result;
  }

  #hookClicks(container, entry) {
    if (entry.hooked || typeof container?.on !== 'function') return;
    entry.hooked = true;
    container.on('plotly_click', (event) => {
      const identity = getPointIdentity(event?.points?.[0]);
      if (identity) for (const listener of this.#listeners) listener(identity, container, event);
    });
  }
}

/**
 * @param {import('../index.js').PlotlyLike} plotly
 * @param {import('./index.js').FigureRegistryOptions} [options]
 * @returns {import('./index.js').FigureRegistry}
 */
export function createFigureRegistry(plotly, options = {}) {
  return new FigureRegistry(plotly, options);
}
