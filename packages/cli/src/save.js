// A file whole or not at all: a temporary file beside it, flushed, renamed over it.

import fs from 'node:fs';
import { reason, writeAll } from './world.js';

const TRIES = 100;

// Paths are handled as latin1 texts: one character per byte, whatever the bytes are.
const bytesOf = (text) => Buffer.from(text, 'latin1');
const real = (text) => fs.realpathSync(bytesOf(text), { encoding: 'latin1' });
const folderOf = (text) => text.slice(0, text.lastIndexOf('/') + 1);

/** Writes a file. `name` is a Buffer; what it throws has the sentence as `message`. */
export function save(name, bytes) {
  const text = name.toString('latin1');
  const old = orNothing(() => fs.statSync(name));
  if (old?.isDirectory()) throw new Error('is a folder');
  if (old && !old.isFile()) return writeInPlace(name, bytes);
  if (orNothing(() => fs.lstatSync(name))?.isSymbolicLink()) return replace(followLink(text), old, bytes);
  if (!old) makeFolder(folderOf(text));
  return replace(text, old, bytes);
}

function orNothing(run) {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function orFail(what, run) {
  try {
    return run();
  } catch (error) {
    throw new Error(`${what}: ${reason(error)}`, { cause: error });
  }
}

/** A link is followed when the file behind it lies in the link's own folder. */
function followLink(text) {
  const target = orNothing(() => real(text));
  const folder = orNothing(() => real(folderOf(text) || './'));
  if (!target || !folder || folderOf(target) !== folderOf(`${folder === '/' ? '' : folder}/`)) {
    throw new Error('is a link that leads out of its folder');
  }
  return target;
}

function makeFolder(folder) {
  if (!folder) return;
  orFail('its folder cannot be made', () => {
    try {
      fs.mkdirSync(bytesOf(folder), { recursive: true });
    } catch (error) {
      // said again, more to the point, when the file is written
      if (!['EEXIST', 'EISDIR', 'EROFS', 'EACCES'].includes(error.code)) throw error;
    }
  });
}

function openTemporary(target) {
  for (let i = 0; ; i += 1) {
    const name = bytesOf(`${folderOf(target)}.profscope-${process.pid}-${i}.tmp`);
    try {
      return { name, fd: fs.openSync(name, 'wx', 0o666) };
    } catch (error) {
      if (error.code !== 'EEXIST' || i === TRIES) throw error;
    }
  }
}

function replace(target, old, bytes) {
  orFail('cannot be written', () => {
    const { name, fd } = openTemporary(target);
    try {
      try {
        if (old) fs.fchmodSync(fd, old.mode & 0o777);
        writeAll(fd, bytes);
        flush(fd);
      } finally {
        fs.closeSync(fd);
      }
      fs.renameSync(name, bytesOf(target));
    } catch (error) {
      fs.rmSync(name, { force: true });
      throw error;
    }
  });
}

function flush(fd) {
  try {
    fs.fsyncSync(fd);
  } catch (error) {
    if (error.code !== 'EINVAL' && error.code !== 'EROFS') throw error;
  }
}

/** A device, a pipe: there is nothing to put aside. */
function writeInPlace(name, bytes) {
  orFail('cannot be written', () => {
    const fd = fs.openSync(name, fs.constants.O_WRONLY);
    try {
      writeAll(fd, bytes);
    } finally {
      fs.closeSync(fd);
    }
  });
}
