// Bytes of a File in a worker, at once: FileReaderSync on slices, or pages fetched beforehand.
//
// A synchronous slice costs about 0.8 ms whatever its size, so small reads come out of windows that
// grow while reading goes on forward (64 KiB, 128, ... 4 MiB); 8 of them, least recently used goes.
// A file held in 64 MiB pages is read from those: several times faster, and no garbage.

const WINDOW_MIN = 64 << 10;
const WINDOW_MAX = 4 << 20;
const WINDOWS = 8;
const DIRECT = 128 << 10; // reads this long go past the windows
export const PAGE = 64 << 20;

export class FileSource {
  #blob;
  #reader;
  #windows = [];
  #tick = 0;
  #pages = []; // by index; undefined = not held
  #onRead;

  /** `onRead(bytes)` is told of every read. */
  constructor(blob, name, onRead = () => {}) {
    this.#blob = blob;
    this.name = name;
    this.size = blob.size;
    this.heldBytes = 0;
    /** Slices that may still be read before reads fail with `exhausted` set. */
    this.patience = Infinity;
    this.exhausted = false;
    this.#onRead = onRead;
  }

  readAt(offset, target) {
    this.#onRead(target.length);
    let done = 0;
    while (done < target.length) {
      const at = offset + done;
      const piece = this.#page(at) ?? this.#slice(at, target.length - done);
      if (!piece.length) break;
      const part = piece.subarray(0, target.length - done);
      target.set(part, done);
      done += part.length;
    }
    return done;
  }

  /** The held bytes from `at` to the end of its page, or undefined. */
  #page(at) {
    const page = this.#pages[Math.floor(at / PAGE)];
    return page && page.subarray(at % PAGE);
  }

  /** Bytes from `at` on, at most to the end of a window. */
  #slice(at, wanted) {
    if (wanted >= DIRECT) return this.#readNow(at, Math.min(wanted, PAGE - (at % PAGE)));
    let window = this.#windows.find((w) => at >= w.base && at < w.base + w.bytes.length);
    if (!window) window = this.#fill(at);
    window.used = ++this.#tick;
    return window.bytes.subarray(at - window.base);
  }

  #fill(at) {
    let size = WINDOW_MIN;
    for (const w of this.#windows) {
      const gap = at - (w.base + w.bytes.length);
      if (gap >= 0 && gap < WINDOW_MIN) size = Math.max(size, Math.min(WINDOW_MAX, w.bytes.length * 2));
    }
    const base = at - (at % WINDOW_MIN);
    const window = { base, bytes: this.#readNow(base, size), used: 0 };
    if (this.#windows.length < WINDOWS) {
      this.#windows.push(window);
    } else {
      const oldest = this.#windows.reduce((a, b) => (b.used < a.used ? b : a));
      this.#windows[this.#windows.indexOf(oldest)] = window;
    }
    return window;
  }

  #readNow(offset, length) {
    if (this.patience-- <= 0) {
      this.exhausted = true;
      throw new Error('the file is scattered: fetch it first');
    }
    this.#reader ??= new FileReaderSync();
    const end = Math.min(offset + length, this.size);
    return new Uint8Array(this.#reader.readAsArrayBuffer(this.#blob.slice(offset, end)));
  }

  /** Brings the file into memory, two pages at a time. `onProgress(done)` in bytes. */
  async fetch(signal, onProgress) {
    const count = Math.ceil(this.size / PAGE);
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const index = next++;
        if (this.#pages[index]) continue;
        const start = index * PAGE;
        const page = await this.#blob.slice(start, Math.min(start + PAGE, this.size)).arrayBuffer();
        if (signal.aborted) return;
        this.#pages[index] = new Uint8Array(page);
        this.heldBytes += page.byteLength;
        onProgress(this.heldBytes);
      }
    };
    try {
      await Promise.all([lane(), lane()]);
    } catch (error) {
      this.drop();
      throw error;
    }
    if (signal.aborted) this.drop();
    else this.#windows = [];
  }

  /** Gives the pages back. */
  drop() {
    this.#pages = [];
    this.heldBytes = 0;
  }
}
