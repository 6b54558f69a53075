// Runs worker-entry.js in a worker thread of Node: `new NodeWorker()` is what WorkerEngine's `worker`
// option wants. Files are stand-ins (NodeFile) that travel as { path, size, name }.

import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** A File that is read from a path; `fault` makes reads fail ('refuse'), hang, end the worker ('lose')
 * or end the core ('trap'). */
export class NodeFile {
  constructor(path, { name = basename(path), fault } = {}) {
    Object.assign(this, { path, name, size: statSync(path).size, fault });
  }
}

export class NodeWorker {
  constructor() {
    this.worker = new Worker(new URL(import.meta.url));
    this.worker.on('message', (data) => this.onmessage?.({ data }));
    this.worker.on('error', (error) => this.onerror?.({ message: error.message }));
  }

  postMessage(message, transfer) {
    this.worker.postMessage(message, transfer);
  }

  terminate() {
    return this.worker.terminate();
  }
}

if (!isMainThread) {
  let trap = false;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (module, imports) => {
    const { sp_source_read: read } = imports.env;
    imports.env.sp_source_read = (...args) => {
      const result = read(...args);
      if (trap) throw new WebAssembly.RuntimeError('unreachable');
      return result;
    };
    return instantiate(module, imports);
  };
  const read = ({ path, fault }, start, end) => {
    if (fault === 'hang') for (;;);
    if (fault === 'refuse') throw new DOMException('the file changed', 'NotReadableError');
    if (fault === 'lose') process.exit(1);
    if (fault === 'trap') trap = true;
    const fd = openSync(path, 'r');
    const bytes = new Uint8Array(Math.max(0, Math.min(end, fstatSync(fd).size) - start));
    readSync(fd, bytes, 0, bytes.length, start);
    closeSync(fd);
    return bytes.buffer;
  };
  const slice = (file, start, end) => ({
    file, start, end, arrayBuffer: async () => read({ ...file, fault: undefined }, start, end),
  });
  // what travelled as plain data becomes a file again where FileSource takes it
  const revive = (file) => (file?.path ? { ...file, slice: (a, b) => slice(file, a, b), arrayBuffer: true } : file);
  // Node's own Blobs cannot be read at once
  globalThis.Blob = class {
    constructor([bytes]) {
      this.bytes = new Uint8Array(bytes);
      this.size = this.bytes.length;
    }

    slice(start, end) {
      const part = this.bytes.slice(start, end);
      return { bytes: part, arrayBuffer: async () => part.buffer };
    }
  };
  globalThis.FileReaderSync = class {
    readAsArrayBuffer({ bytes, file, start, end }) {
      return bytes ? bytes.buffer : read(file, start, end);
    }
  };
  globalThis.self = {
    postMessage: (message, transfer) => parentPort.postMessage(message, transfer),
  };
  await import('../../../packages/core/src/worker-entry.js');
  parentPort.on('message', (data) => {
    const files = data.files?.map((entry) => ({ ...entry, file: revive(entry.file) }));
    globalThis.self.onmessage({ data: { ...data, files } });
  });
}
