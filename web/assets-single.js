// What the page needs, when it is one file: gzip and base64 in blocks of the page itself.

import { closeConnections } from './policy.js';

async function unpack(id) {
  const block = document.getElementById(id);
  if (!block) return null;
  const text = atob(block.textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  block.remove();
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** @returns {Promise<import('./main.js').Assets>} */
export async function loadAssets() {
  closeConnections();
  const [wasm, workerSource, sample] = await Promise.all([
    unpack('asset-core').then((response) => response.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes)),
    unpack('asset-worker').then((response) => response.text()),
    unpack('asset-sample').then((response) => response?.blob() ?? null),
  ]);
  return {
    wasm,
    workerSource,
    sample: sample && (() => new File([sample], 'sample.h5')),
    async loadPlotly() {
      const script = document.createElement('script');
      // Runs because the page's policy names the hash of exactly this text.
      script.textContent = await (await unpack('asset-plotly')).text();
      document.head.append(script);
      return globalThis.Plotly;
    },
  };
}
