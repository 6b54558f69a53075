/** A failure of the core. `code` is a name of the C table (packages/schema/ERRORS.md). */
export class ProfileError extends Error {
  constructor(message: string, fields?: ProfileErrorFields);
  readonly name: 'ProfileError';
  /** "CORRUPT", "NOT_A_PROFILE", "NO_SPANS", ... */
  readonly code: string;
  /** Where: an HDF5 object path, a JSON pointer, or an option. Empty when it is the whole file. */
  readonly path: string;
  /** Name of the file it is about, when known. */
  readonly file: string | undefined;
  toJSON(): { code: string; message: string; path: string; file: string | undefined };
}

export interface ProfileErrorFields {
  code?: string;
  path?: string;
  file?: string | undefined;
  cause?: unknown;
}

/** One row of the error table as the core tells it. */
export interface ErrorCode {
  name: string;
  /** Exit code of the command line. */
  exit: number;
  meaning: string;
}
