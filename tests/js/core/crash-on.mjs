// Preloaded into the Node command line (node --import): the module "crashes" when it begins to work
// on the file named in CRASH_ON ("*": when it is done with any).

import { World } from '../../../packages/cli/src/world.js';

const { workOn } = World.prototype;

World.prototype.workOn = function crashing(path) {
  workOn.call(this, path);
  const wanted = process.env.CRASH_ON;
  const restarting = new Error().stack.includes('restart');
  if (!restarting && (path === undefined ? wanted === '*' : path.toString() === wanted)) {
    throw new WebAssembly.RuntimeError('made by the test');
  }
};
