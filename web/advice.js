// What to do about a failure: one piece of advice per code. The sentence itself comes from the core.

const OPENED = 'profscope opens scope-profiler profiles: .h5 files (every version), JSON profiles, and .spt traces.';

/** Advice by the codes of this page; the core's codes are mapped to them below. */
const ADVICE = {
  'not-a-profile': OPENED,
  'empty-file': 'The file has no bytes. Is the run still writing it? Copy it again when the run has ended.',
  'hdf5-open': 'The file looks cut off or damaged. Compare its size with the original and copy it again.',
  'hdf5-not-scope-profiler': `This is an HDF5 file of another program. ${OPENED} A general HDF5 viewer can show it.`,
  'schema-newer': 'Update this page: the file was written by a newer scope-profiler.',
  'no-regions': 'Either the run ended before finalize, or everything was filtered out while recording.',
  'filter-missing': 'Rewrite the file with gzip or without compression (h5repack -f NONE), then open it again.',
  'folder-empty': 'No files were found in the folder.',
  folder: 'Drop the files themselves, or use “Choose a folder”.',
  archive: 'Unpack the archive and drop the files inside it.',
  'plot-data': 'This is an exported figure, not a profile. Open the .h5 file it was made from.',
  'read-denied': 'The browser could not read the file: it was moved, changed or locked since. Drop it again.',
  memory: 'Select fewer ranks, or use the command line on this machine: it needs less memory.',
  'too-large': 'The command line has options that raise the limits.',
  cancelled: 'You stopped it. It can be read again at any time.',
  'worker-lost': 'The reader stopped and was started again; other files are not affected. The file may be damaged in a way not seen before.',
  internal: 'Please report it with the details below. They hold no data of the profile.',
  'no-spans': 'The profile holds totals only, no single calls; what needs calls cannot be shown.',
};

const BY_CORE_CODE = {
  NOT_A_PROFILE: 'not-a-profile',
  SCHEMA_TOO_NEW: 'schema-newer',
  CORRUPT: 'hdf5-open',
  NO_SPANS: 'no-spans',
  UNSUPPORTED: 'filter-missing',
  TOO_LARGE: 'too-large',
  NOMEM: 'memory',
  IO: 'read-denied',
};

export const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
export const starts = (bytes, signature) => signature.every((byte, at) => bytes[at] === byte);

/** First bytes as text: "89 48 44 46 …". */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/**
 * The page's code for a failure.
 * @param {{ code?: string, name?: string }} error
 * @param {{ size: number, head: Uint8Array, crashed?: boolean }} file What is known of the file.
 */
export function codeOf(error, { size, head, crashed }) {
  if (error?.name === 'AbortError') return 'cancelled';
  if (crashed) return 'worker-lost';
  if (error?.name === 'NotReadableError' || error?.name === 'NotFoundError') return 'read-denied';
  if (size === 0) return 'empty-file';
  const code = BY_CORE_CODE[error?.code] ?? 'internal';
  if (code !== 'not-a-profile') return code;
  if (starts(head, HDF5)) return 'hdf5-not-scope-profiler';
  if (starts(head, [0x50, 0x4b, 3, 4]) || starts(head, [0x1f, 0x8b])) return 'archive';
  if (head[0] === 0x7b && new TextDecoder().decode(head).includes('plot-data')) return 'plot-data';
  return code;
}

/** The advice for a page's code. */
export const adviceFor = (code) => ADVICE[code] ?? ADVICE.internal;
