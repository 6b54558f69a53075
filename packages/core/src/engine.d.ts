import type { ErrorCode } from './errors.js';
import type { Core, LoadOptions } from './load.js';

/** Which regions and ranks count. Patterns are regular expressions from the start of the name. */
export interface Select {
  include?: string[];
  exclude?: string[];
  /** Words like "0", "2-5", "0,4". */
  ranks?: string[];
}

export type Privacy = 'public' | 'team' | 'full';

export type SortKey =
  | 'start' | 'name' | 'total' | 'calls' | 'avg' | 'min' | 'max' | 'first' | 'last' | 'std'
  | 'p50' | 'p95' | 'p99' | 'imbalance';

export interface SummaryOptions {
  select?: Select;
  /** Default "full". */
  privacy?: Privacy;
}

export interface InspectOptions {
  select?: Select;
  /** Default "start". */
  sort?: SortKey;
  /** One global order instead of the call tree's. Default false. */
  flat?: boolean;
  /** Default "full": the document stays on this machine. */
  privacy?: Privacy;
}

export interface ViewOptions {
  select?: Select;
  /** One per profile. Default: the stored label, else the file's name. */
  labels?: string[];
  /** Options of the plot kind, e.g. `{ metrics: ['total'] }` of durations. */
  options?: Record<string, unknown>;
}

/** A request in the core's own words (see src/api/request.h). Profiles may be given as objects. */
export interface Request {
  op: 'version' | 'errors' | 'summary' | 'inspect' | 'view' | 'close';
  [key: string]: unknown;
}

export interface Progress {
  /** "fetch" (bytes of the file into memory), "read" (bytes read by the core) or a phase the core
   * names. */
  phase: string;
  done: number;
  /** 0 = unknown. */
  total: number;
}

/** Bytes read on demand. */
export interface ByteSource {
  /** Shown in messages, and the `path` of inspect documents. */
  name: string;
  /** Bytes; may exceed 4 GiB. */
  size: number;
  /** Fills `target` with the bytes at `offset`, at once. `target` must not be kept: it is a view of
   * memory that moves. A returned number below `target.length`, or a throw, is a read error. */
  readAt(offset: number, target: Uint8Array): number | void;
  /** Called when the profile is closed. */
  close?(): void;
}

export interface OpenOptions {
  /** Name in messages and documents. Default: the source's name, or the path. */
  name?: string;
}

/** The inspect document (format "profscope.inspect"). */
export interface InspectDocument {
  format: 'profscope.inspect';
  format_version: number;
  privacy: Privacy;
  profiles: InspectProfile[];
}

export interface InspectProfile {
  path: string;
  label: string | null;
  schema: number;
  layout: 'rank-groups' | 'columnar' | 'aggregate' | 'json' | 'native-trace';
  num_ranks: number;
  num_nodes: number | null;
  ranks: number[];
  /** Clock value of time 0 in ns, as decimal text. */
  origin: string;
  span_ns: number;
  aligned: boolean;
  session_ns: number | null;
  setup_to_finalize_ns: number | null;
  metadata: Record<string, unknown>;
  warnings: { code: string; path: string; message: string }[];
  regions: FlatRow[];
  rows: TreeRow[];
}

export interface Statistics {
  calls: number;
  num_ranks: number;
  total_ns: number;
  exclusive_ns: number;
  coverage_ns: number;
  avg_ns: number | null;
  min_ns: number | null;
  max_ns: number | null;
  first_ns: number | null;
  last_ns: number | null;
  std_ns: number | null;
  p50_ns: number | null;
  p95_ns: number | null;
  p99_ns: number | null;
  imbalance_pct: number | null;
  gpu_total_ns: number | null;
  gpu_avg_ns: number | null;
}

export interface FlatRow extends Statistics {
  name: string;
  tags: string[];
  source: { file: string; line: number } | null;
  per_rank: { rank: number; calls: number; total_ns: number; exclusive_ns: number }[];
}

export interface TreeRow extends Statistics {
  path: string[];
  depth: number;
  recursive: boolean;
  start_ns: number | null;
  session_pct: number | null;
  parent_pct: number | null;
}

/** The core in this thread. Every call is synchronous. */
export class Engine {
  /** Loads the core and makes an engine. */
  static load(options?: LoadOptions): Promise<Engine>;
  constructor(core: Core);

  /** Opens a profile: bytes, something that reads bytes, or in Node a path. */
  open(input: Uint8Array | ArrayBuffer | ByteSource | string | URL, options?: OpenOptions): Profile;
  /** Runs one request and returns the parsed reply. */
  query(request: Request): any;
  /** The same, unparsed. */
  queryText(request: Request): string;
  queryBytes(request: Request): Uint8Array;
  /** Closes a profile. Closing twice does nothing. */
  close(profile: Profile): void;

  inspect(profiles: Profile[], options?: InspectOptions): InspectDocument;
  view(plot: string, profiles: Profile[], options?: ViewOptions): any;
  version(): { version: string; hdf5: string; build: string; abi: number };
  errors(): ErrorCode[];

  /** Set before a call to hear of progress in it; return false to stop the work. */
  onProgress: ((progress: Progress) => boolean | void) | undefined;
  /** True after an exception came out of the core: make a new engine. */
  readonly aborted: boolean;
  /** Profiles open now. */
  readonly openCount: number;
  /** Bytes of the core's memory. */
  readonly memoryBytes: number;
  /** Closes all profiles. The engine cannot be used afterwards. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** An open profile. Closed by `close()`, by `using`, or when it is collected. */
export class Profile {
  private constructor();
  readonly name: string;
  readonly size: number;
  readonly handle: number;
  readonly closed: boolean;
  summary(options?: SummaryOptions): InspectDocument;
  inspect(options?: InspectOptions): InspectDocument;
  view(plot: string, options?: ViewOptions): any;
  close(): void;
  [Symbol.dispose](): void;
}
