// What Engine.open takes, as one kind of thing: { name, size, readAt(offset, target), unchanged?,
// close? }.

import { ProfileError } from './errors.js';
import { loadedNodeFs } from './load.js';

export function sourceOf(input, name) {
  if (input instanceof ArrayBuffer) return bytesSource(new Uint8Array(input), name);
  if (ArrayBuffer.isView(input)) {
    return bytesSource(new Uint8Array(input.buffer, input.byteOffset, input.byteLength), name);
  }
  if (typeof input === 'string' || input instanceof URL) return pathSource(input, name);
  if (typeof input?.readAt !== 'function') {
    throw new TypeError('open() takes bytes, { name, size, readAt }, or in Node a path');
  }
  return {
    name: name ?? input.name ?? 'profile',
    size: input.size,
    readAt: (offset, target) => input.readAt(offset, target),
    close: () => input.close?.(),
  };
}

function bytesSource(bytes, name = 'profile') {
  return {
    name,
    size: bytes.length,
    readAt(offset, target) {
      target.set(bytes.subarray(offset, offset + target.length));
    },
  };
}

function pathSource(path, name) {
  const fs = loadedNodeFs();
  if (!fs) throw new TypeError('paths can be opened in Node only: pass bytes or a File');
  const shown = name ?? (path instanceof URL ? path.pathname : path);
  const refuse = (cause) => {
    const code = cause.code === 'ENOENT' || cause.code === 'ENOTDIR' ? 'NOT_FOUND' : 'IO';
    const why = code === 'NOT_FOUND' ? 'there is no such file' : cause.message;
    return new ProfileError(why, { code, file: shown, cause });
  };
  let fd, start;
  try {
    const kind = fs.statSync(path); // before opening: a pipe without a writer would block
    if (!kind.isFile()) throw new Error(kind.isDirectory() ? 'is a folder' : 'is not a regular file');
    fd = fs.openSync(path, 'r');
    start = fs.fstatSync(fd);
  } catch (cause) {
    if (fd !== undefined) fs.closeSync(fd);
    throw refuse(cause);
  }
  return {
    name: shown,
    size: start.size,
    readAt(offset, target) {
      let done = 0;
      while (done < target.length) {
        const n = fs.readSync(fd, target, done, target.length - done, offset + done);
        if (!n) break;
        done += n;
      }
      return done;
    },
    unchanged() {
      const now = fs.fstatSync(fd);
      return now.size === start.size && now.mtimeMs === start.mtimeMs;
    },
    close: () => fs.closeSync(fd),
  };
}
