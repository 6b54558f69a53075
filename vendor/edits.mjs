// Textual edits on a private copy of a source tree, each checked to have matched exactly.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './run.mjs';

export class Tree {
  constructor(dir) {
    this.dir = dir;
  }

  read(file) {
    const path = join(this.dir, file);
    if (!existsSync(path)) throw new SetupError(`${file}: not in this source tree; is it the pinned version?`);
    return readFileSync(path, 'utf8');
  }

  write(file, text) {
    writeFileSync(join(this.dir, file), text);
  }

  remove(file) {
    this.read(file);
    rmSync(join(this.dir, file));
  }

  /** Replaces `from`, which must occur exactly `times` times. */
  replace(file, from, to, times = 1) {
    const parts = this.read(file).split(from);
    if (parts.length !== times + 1) {
      throw new SetupError(`${file}: expected ${times} × "${from.split('\n')[0]}", found ${parts.length - 1}`);
    }
    this.write(file, parts.join(to));
  }

  /** Replaces everything from the start of `first` up to (without) `last`, each found exactly once. */
  cut(file, first, last, to) {
    const text = this.read(file);
    const a = text.indexOf(first);
    const b = text.indexOf(last, a + first.length);
    if (a < 0 || text.indexOf(first, a + 1) >= 0 || b < 0) {
      throw new SetupError(`${file}: "${first.split('\n')[0]}" … "${last.split('\n')[0]}" not found as expected`);
    }
    this.write(file, text.slice(0, a) + to + text.slice(b));
  }
}
