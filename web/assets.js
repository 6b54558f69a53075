// What the page needs beside itself, when it is a folder on a server: fetched once at the start.

import { closeConnections } from './policy.js';

const near = (name) => new URL(name, document.baseURI);

async function fetchOk(name, options) {
  const response = await fetch(near(name), options);
  if (!response.ok) throw new Error(`${name} could not be loaded (status ${response.status})`);
  return response;
}

async function compile(response) {
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Everything a file can need, then no more connections.
 * @returns {Promise<import('./main.js').Assets>}
 */
export async function loadAssets() {
  const [wasm, workerSource, sample] = await Promise.all([
    fetchOk('core.wasm').then(compile),
    fetchOk('worker.js').then((response) => response.text()),
    fetchOk('sample.h5').then((response) => response.blob(), () => null),
  ]);
  closeConnections();
  preload();
  return {
    wasm,
    workerSource,
    sample: sample && (() => new File([sample], 'sample.h5')),
    loadPlotly: async () => (await import(near('plotly.js').href)).default,
  };
}

/** Fetches Plotly in the background without running it: the chart needs no request later. */
function preload() {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = near('plotly.js').href;
  link.fetchPriority = 'low';
  document.head.append(link);
}
