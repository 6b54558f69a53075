// What outlives an instance: streams with their counts, files that are fatal, limits.

import fs from 'node:fs';

const MB = 1 << 20;

/** Thrown out of an import to end an instance. */
export class LimitError extends Error {
  limit = true;
}

export class World {
  /** Memory of the instance that runs. */
  memory;
  /** Bytes passed on per stream (1 = output, 2 = error), all attempts together. */
  passed = [0, 0, 0];
  /** Bytes still to drop per stream: printed by an earlier attempt. */
  skip = [0, 0, 0];
  /** Path -> why it must not be touched. */
  fatal = new Map();
  /** Path (Buffer) of the file in work, or undefined. */
  workingOn;
  closed = false;
  memoryLimit = Infinity;
  timeLimit = Infinity; // ms of processor time, at which the file in work is given up

  /** Prepares for another attempt. */
  restart() {
    for (const stream of [1, 2]) this.skip[stream] = this.passed[stream];
    this.workOn(undefined);
  }

  /** Sets the file in work and its limits. */
  workOn(path) {
    this.workingOn = path;
    this.memoryLimit = Infinity;
    this.timeLimit = Infinity;
    if (path === undefined) return;
    const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    this.memoryLimit = 1024 * MB + 32 * size;
    this.timeLimit = processorMs() + 60_000 + size / 1000; // as natively: a minute, and 1 MB a second
  }

  checkMemory() {
    if (this.memory.buffer.byteLength <= this.memoryLimit) return;
    throw new LimitError(`needs more than ${Math.round(this.memoryLimit / MB)} MiB of memory; it is damaged or hostile`);
  }

  checkTime() {
    if (processorMs() <= this.timeLimit) return;
    throw new LimitError('took too much processor time; it is damaged or hostile');
  }

  /** Writes all bytes at once. Returns undefined, or the reason of a failure. */
  print(stream, bytes) {
    const dropped = Math.min(this.skip[stream], bytes.length);
    this.skip[stream] -= dropped;
    const rest = bytes.subarray(dropped);
    this.passed[stream] += rest.length;
    if (this.closed && stream === 1) return undefined;
    try {
      writeAll(stream, rest);
    } catch (error) {
      if (error.code !== 'EPIPE') return reason(error);
      if (stream === 1) this.closed = true;
    }
    return undefined;
  }
}

const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Asked of process.stdout only when it may be one: that loads a good part of Node. */
export function isTerminal(fd) {
  try {
    if (!fs.fstatSync(fd).isCharacterDevice()) return false;
  } catch {
    return false; // closed
  }
  return Boolean(process[['stdin', 'stdout', 'stderr'][fd]].isTTY);
}

let sleeper;

/** Writes to a descriptor; one that is not ready (a full pipe) is tried again. */
export function writeAll(fd, bytes) {
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(fd, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      sleeper ??= new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(sleeper, 0, 0, 2);
    }
  }
}

// The system's words for the failures that happen; Node's own differ from the native program's.
const REASONS = {
  EACCES: 'Permission denied',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  EPERM: 'Operation not permitted',
  EPIPE: 'Broken pipe',
  EROFS: 'Read-only file system',
};

export const reason = (error) => REASONS[error.code] ?? error.message;
