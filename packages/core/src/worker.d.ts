import type { ErrorCode, ProfileError } from './errors.js';
import type { WasmInput } from './load.js';
import type {
  InspectDocument, InspectOptions, Progress, Request, SummaryOptions, ViewOptions,
} from './engine.js';

export interface WorkerEngineOptions {
  /** The core. Compiled once on this side and handed to every worker. Default: as in `loadCore`. */
  wasm?: WasmInput;
  /** Text of the self-contained classic worker script (`worker-entry.js` bundled as an IIFE). A
   * blob worker is made from it: works on `file:` pages and inherits the page's policy. */
  workerSource?: string;
  /** Or: makes the worker. Default: a module worker from `worker-entry.js` beside this file. */
  worker?: () => WorkerLike;
  /** Files up to this size are held in memory (64 MiB pages outside the core's memory) for the full
   * analysis; larger ones are always read lazily. Default 1 GiB. */
  holdLimit?: number;
  /** Without a sign of life for this long a running job is reported as `stalled`. Default 10000. */
  watchdogMs?: number;
}

/** What a `Worker` needs to offer. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  terminate(): unknown;
  onmessage: ((event: { data: any }) => void) | null;
  onerror: ((event: any) => void) | null;
}

export interface JobOptions {
  /** Ends the job: at once when it waits or fetches; a running call ends with its worker, which is
   * replaced (other files stay open, other jobs are run again). Rejects with the signal's reason. */
  signal?: AbortSignal;
  /** At most every 50 ms. */
  onProgress?: (progress: Progress) => void;
}

export interface WorkerOpenOptions extends JobOptions {
  /** Name in messages and documents. Default `file.name`. */
  name?: string;
  /** Do not read anything yet; the first job that needs the profile opens it. Default false. */
  lazy?: boolean;
}

export interface FullJobOptions extends JobOptions {
  /** Bring the file into memory first when it is no larger than `holdLimit` (several times faster
   * than reading slices). Default true. */
  hold?: boolean;
}

/**
 * The core in a worker: the same calls as promises.
 *
 * ```js
 * const engine = await WorkerEngine.create({ workerSource });
 * const profile = await engine.open(file);                // structure only
 * const first = await profile.summary().catch(ifNoSpans); // stored totals, when the file has any
 * const full = await profile.inspect({}, { onProgress });  // fetches the file, then all statistics
 * await profile.close();
 * ```
 *
 * One worker runs one job after the other. A crash of the core (or of the worker) ends that worker
 * only: the job's promise rejects with a ProfileError about the file, a new worker takes over, the
 * other profiles stay usable and jobs that waited are run there. The file that crashed the core is
 * marked `failed` and refused from then on.
 */
export class WorkerEngine extends EventTarget {
  static create(options?: WorkerEngineOptions): Promise<WorkerEngine>;

  /** Opens a profile from a File, a Blob (give `name`), or bytes. Reads its structure only. */
  open(file: Blob | ArrayBuffer | Uint8Array, options?: WorkerOpenOptions): Promise<WorkerProfile>;
  /** Stored totals alone: no event column is read. NO_SPANS when the file holds none. */
  summary(profile: WorkerProfile, options?: SummaryOptions, job?: JobOptions): Promise<InspectDocument>;
  /** The full region table of all profiles named. */
  inspect(profiles: WorkerProfile[], options?: InspectOptions, job?: FullJobOptions): Promise<InspectDocument>;
  /** A plot payload, e.g. `view('durations', [a, b], { options: { metrics: ['total', 'avg'] } })`. */
  view(plot: string, profiles: WorkerProfile[], options?: ViewOptions, job?: FullJobOptions): Promise<any>;
  /** Any request; profiles are given as objects. Parsed reply. */
  query(request: Request, job?: FullJobOptions): Promise<any>;
  /** Any request; the reply as text, e.g. an inspect document to save byte for byte. */
  queryText(request: Request, job?: FullJobOptions): Promise<string>;
  close(profile: WorkerProfile): Promise<void>;
  version(): Promise<{ version: string; hdf5: string; build: string; abi: number }>;
  errors(): Promise<ErrorCode[]>;

  /** Ends everything that runs or waits (promises reject with an AbortError), replaces the worker
   * and keeps the profiles. Also the answer to `stalled`. */
  cancel(reason?: unknown): void;
  /** Profiles that are open. */
  readonly profiles: readonly WorkerProfile[];
  /** Jobs running or waiting. */
  readonly pending: number;
  /** Times the worker was replaced. */
  readonly restarts: number;
  /** Ends the worker for good. */
  dispose(): void;
  [Symbol.dispose](): void;

  addEventListener<K extends keyof WorkerEngineEvents>(
    type: K, listener: (event: WorkerEngineEvents[K]) => void, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions,
  ): void;
}

export interface WorkerEngineEvents {
  /** Any job moved on. */
  progress: CustomEvent<Progress & { profiles: WorkerProfile[] }>;
  /** No sign of life for `watchdogMs`; sent again after each further period. `stop()` ends the job
   * that hangs as `cancel` would, and only that one. */
  stalled: CustomEvent<{ profiles: WorkerProfile[]; op: string; silentMs: number; stop(): void }>;
  /** The worker was lost and replaced. `profile` is the one to blame, when one could be named. */
  crash: CustomEvent<{ profile: WorkerProfile | undefined; error: ProfileError }>;
}

/** A profile known to a WorkerEngine. The object stays valid when the worker is replaced. */
export class WorkerProfile {
  private constructor();
  /** Counts from 1 in the order of opening. */
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** The File or bytes it was opened from. */
  readonly file: Blob | ArrayBuffer | Uint8Array;
  readonly closed: boolean;
  /** Set when the core crashed on this file: every job with it rejects with this error. */
  readonly failed: ProfileError | undefined;
  /** Bytes of the file held in memory now. */
  readonly heldBytes: number;
  summary(options?: SummaryOptions, job?: JobOptions): Promise<InspectDocument>;
  inspect(options?: InspectOptions, job?: FullJobOptions): Promise<InspectDocument>;
  view(plot: string, options?: ViewOptions, job?: FullJobOptions): Promise<any>;
  /** Brings the file into memory ahead of a full analysis (nothing to do above `holdLimit`). */
  fetch(job?: JobOptions): Promise<void>;
  /** Gives the held bytes back; later reads are lazy again. */
  drop(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
