/** Where the core's WebAssembly comes from. */
export type WasmInput =
  | URL
  /** A URL (relative ones against the page), a `data:` URL, or in Node a path. */
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Response
  | PromiseLike<Response>
  | WebAssembly.Module;

export interface LoadOptions {
  /** Default: `core.wasm` beside the package's sources, found when first needed. */
  wasm?: WasmInput;
}

/** Version of the boundary between package and core.wasm. */
export const ABI: number;

/** Finds and compiles the core. A module can be posted to workers and used many times. */
export function compileCore(options?: LoadOptions): Promise<WebAssembly.Module>;

/** Compiles (unless given a module) and instantiates the core and checks its ABI number. */
export function loadCore(options?: LoadOptions): Promise<Core>;

/** One instance of the core: what `Engine` stands on. */
export interface Core {
  readonly module: WebAssembly.Module;
  readonly exports: WebAssembly.Exports;
  readonly memory: WebAssembly.Memory;
}
