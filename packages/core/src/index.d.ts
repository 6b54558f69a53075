export * from './engine.js';
export * from './errors.js';
export * from './load.js';
