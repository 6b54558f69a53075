// What went wrong, with the code of the C table. The codes themselves are never listed here: they
// come with each reply, and `Engine.errors()` asks the core for the whole table.

export class ProfileError extends Error {
  constructor(message, { code = 'INTERNAL', path = '', file, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProfileError';
    this.code = code;
    this.path = path;
    this.file = file;
  }

  toJSON() {
    return { code: this.code, message: this.message, path: this.path, file: this.file };
  }
}
