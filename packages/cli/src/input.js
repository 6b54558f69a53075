// Inputs: files read where they lie, pipes and standard input kept in memory.

import fs from 'node:fs';
import { isTerminal, reason } from './world.js';

const PIPE_MAX = 2 ** 31;
const PIECE = 1 << 16;

class InputError extends Error {
  constructor(message, kind) {
    super(message);
    this.kind = kind;
  }
}

/** Opens a path (Buffer; "-" is standard input). A source has size, read, unchanged and close.
 * What it throws has the sentence as `message`, and `kind` 'not found' or 'too large'. */
export function openInput(name) {
  if (name.toString() === '-') return openStandardInput();
  const stat = attempt(() => fs.statSync(name));
  if (stat.isDirectory()) throw new InputError('is a folder, not a profile');
  if (stat.isCharacterDevice() || stat.isBlockDevice()) throw new InputError('is a device, not a profile');
  const fd = attempt(() => fs.openSync(name, 'r'));
  if (!stat.isFIFO()) return fileSource(fd, () => fs.closeSync(fd));
  try {
    return bytesSource(drain(fd));
  } finally {
    fs.closeSync(fd);
  }
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new InputError('no such file', 'not found');
    if (error.code === 'EACCES') throw new InputError('permission denied');
    throw new InputError(`cannot be opened: ${reason(error)}`);
  }
}

function fileSource(fd, close) {
  const start = fs.fstatSync(fd, { bigint: true });
  return {
    size: Number(start.size),
    /** Fills `to` from `at` on; false when the file is shorter now. Throws when it cannot be read. */
    read(to, at, n, offset) {
      for (let done = 0; done < n;) {
        const got = fs.readSync(fd, to, at + done, n - done, offset + done);
        if (!got) return false;
        done += got;
      }
      return true;
    },
    unchanged() {
      const now = fs.fstatSync(fd, { bigint: true });
      return now.size === start.size && now.mtimeNs === start.mtimeNs;
    },
    close,
  };
}

function bytesSource(data) {
  return {
    size: data.length,
    read(to, at, n, offset) {
      to.set(data.subarray(offset, offset + n), at);
      return true;
    },
    unchanged: () => true,
    close() {},
  };
}

let input; // standard input that is a pipe, read once

function openStandardInput() {
  let stat;
  try {
    stat = fs.fstatSync(0);
  } catch {
    throw new InputError('standard input is closed');
  }
  if (isTerminal(0)) throw new InputError('standard input is the terminal; pipe a profile into it');
  if (stat.isDirectory()) throw new InputError('is a folder, not a profile');
  if (stat.isFile()) return fileSource(0, () => {});
  input ??= drain(0);
  return bytesSource(input);
}

/** All bytes of a pipe. */
function drain(fd) {
  const pieces = [];
  let total = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const got = readSome(fd, piece);
    if (!got) return Buffer.concat(pieces, total);
    total += got;
    if (total > PIPE_MAX) {
      throw new InputError('more than 2 GiB through a pipe; give the file by its name', 'too large');
    }
    pieces.push(piece.subarray(0, got));
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function readSome(fd, piece) {
  for (;;) {
    try {
      return fs.readSync(fd, piece, 0, piece.length, null);
    } catch (error) {
      if (error.code === 'EOF') return 0; // Windows
      if (error.code !== 'EAGAIN') throw new InputError(`cannot be read: ${reason(error)}`);
      Atomics.wait(sleeper, 0, 0, 2); // a pipe that is not ready yet
    }
  }
}
