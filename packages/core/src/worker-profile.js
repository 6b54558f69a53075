// A profile as the page sees it: it outlives workers. What only WorkerEngine may change is kept apart.

import { ProfileError } from './errors.js';

const asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** Lets WorkerEngine, and nobody else, make engines and profiles. */
export const SECRET = Symbol('worker');

const states = new WeakMap(); // { closed, failed, heldBytes, analysed }

export const stateOf = (profile) => states.get(profile);

export function mark(profile, change) {
  if (profile) Object.assign(states.get(profile), change);
}

export function checkUsable(profile) {
  if (profile.failed) throw profile.failed;
  if (profile.closed) {
    throw new ProfileError('the profile is closed', { code: 'NOT_FOUND', file: profile.name });
  }
}

export class WorkerProfile {
  #engine;

  constructor(secret, engine, id, file, name) {
    if (secret !== SECRET) throw new TypeError('profiles are made by WorkerEngine.open');
    this.#engine = engine;
    this.id = id;
    this.file = file;
    this.name = name ?? file.name ?? 'profile';
    this.size = file.size ?? file.byteLength;
    states.set(this, { closed: false, failed: undefined, heldBytes: 0 });
  }

  get closed() {
    return states.get(this).closed;
  }

  get failed() {
    return states.get(this).failed;
  }

  get heldBytes() {
    return states.get(this).heldBytes;
  }

  summary(options, job) {
    return this.#engine.summary(this, options, job);
  }

  inspect(options, job) {
    return this.#engine.inspect([this], options, job);
  }

  view(plot, options, job) {
    return this.#engine.view(plot, [this], options, job);
  }

  fetch(job) {
    return this.#engine.fetch(this, job);
  }

  drop() {
    return this.#engine.drop(this);
  }

  close() {
    return this.#engine.close(this);
  }

  async [asyncDispose]() {
    await this.close();
  }
}
