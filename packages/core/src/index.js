export { Engine, Profile } from './engine.js';
export { ProfileError } from './errors.js';
export { ABI, compileCore, loadCore } from './load.js';
