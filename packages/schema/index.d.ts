export * from './payloads.js';
export * from './validate.js';
