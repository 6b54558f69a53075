// Runs one command in cli.wasm, and survives its death (src/cli/host.h, "Containment"): whatever the
// module throws while it works on a file, a new instance runs the command again with that file
// marked as fatal, and drops the bytes that were printed before.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { World } from './world.js';
import { imports } from './host.js';

const wasmFile = new URL('../dist/cli.wasm', import.meta.url);

/** Runs the command and returns its exit code. */
export function run(args) {
  const world = new World();
  let module;
  startLazily();
  try {
    module = new WebAssembly.Module(readFileSync(wasmFile));
  } catch (error) {
    world.print(2, Buffer.from(`profscope: error: ${error.message}\n`));
    return 3;
  }
  for (;;) {
    const outcome = attempt(module, world, args);
    if (outcome.code !== undefined) return outcome.code;
    const path = world.workingOn;
    const name = path?.toString();
    if (path === undefined || world.fatal.has(name)) return giveUp(world, args, `died: ${outcome.error.message}`);
    world.fatal.set(name, reasonOf(outcome.error));
    world.restart();
  }
}

/** Functions are checked when they are first called: the command starts 40 ms earlier. Only where the
 * flag is known to exist; elsewhere V8 would complain on standard error. */
function startLazily() {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= 20 && major <= 24) setFlagsFromString('--wasm-lazy-validation');
}

function attempt(module, world, args) {
  const instance = new WebAssembly.Instance(module, imports(module, world));
  const { memory, _initialize, sp_js_alloc, sp_js_main } = instance.exports;
  world.memory = memory;
  try {
    _initialize?.();
    const argv = writeArguments(memory, sp_js_alloc, ['profscope', ...args]);
    return { code: sp_js_main(args.length + 1, argv) };
  } catch (error) {
    return { error };
  }
}

/** argv as C wants it: pointers, a null, and the texts behind them. */
function writeArguments(memory, alloc, args) {
  const texts = args.map((arg) => Buffer.from(`${arg}\0`));
  const size = texts.reduce((sum, text) => sum + text.length, 4 * (args.length + 1));
  const start = alloc(size) >>> 0;
  if (!start) throw new RangeError('no memory for the arguments');
  const pointers = new Uint32Array(memory.buffer, start, args.length + 1);
  let at = start + 4 * pointers.length;
  for (const [i, text] of texts.entries()) {
    pointers[i] = at;
    new Uint8Array(memory.buffer).set(text, at);
    at += text.length;
  }
  return start;
}

/** Anything thrown ends the attempt: a trap, a stack overflow, or one of our limits. */
function reasonOf(error) {
  if (error?.limit) return error.message;
  return `the HDF5 library crashed on this file (${error.message}); it is damaged or hostile`;
}

function giveUp(world, args, reason) {
  world.restart();
  world.skip.fill(0); // this line was not printed before
  const command = /^[a-z]/.test(args[0] ?? '') ? ` ${args[0].slice(0, 40)}` : '';
  world.print(2, Buffer.from(`profscope${command}: error: ${reason}; this is a fault of profscope itself\n`));
  return 3;
}
