// Is this a document we can draw? The envelope, the kind, and every row, checked before building.

export const PLOT_DATA_FORMAT = 'scope-profiler-plot-data';
export const SUPPORTED_FORMAT_VERSION = 1;

/** kind → the array it needs and the numbers each row must have. */
const NEEDS = {
  durations: { array: 'bars', numbers: ['value_seconds'] },
};

/** Throws a TypeError about one row. */
export function refuse(array, index, field, reason) {
  throw new TypeError(`${array}[${index}].${field}: ${reason}`);
}

const isRecord = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Checks format and version, when the document names them. */
export function checkEnvelope(payload) {
  if (!isRecord(payload)) throw new TypeError('Plot data must be an object.');
  if (payload.format != null && payload.format !== PLOT_DATA_FORMAT) {
    throw new TypeError(`Not plot data: format must be "${PLOT_DATA_FORMAT}".`);
  }
  if (!Object.hasOwn(payload, 'format_version')) return;
  const version = payload.format_version;
  if (!Number.isInteger(version) || version < 1) {
    throw new TypeError('format_version must be a positive integer.');
  }
  if (version > SUPPORTED_FORMAT_VERSION) {
    throw new TypeError(
      `format_version ${version} is newer than ${SUPPORTED_FORMAT_VERSION}; upgrade @profscope/plotly.`,
    );
  }
}

/** The array of rows of a kind, or a TypeError that names it. */
export function rowsOf(kind, payload) {
  const { array } = NEEDS[kind];
  const rows = payload?.[array];
  if (!Array.isArray(rows)) throw new TypeError(`A ${kind} document needs an array "${array}".`);
  return rows;
}

/** Checks every row of a kind: names are text, numbers are finite (null means "no value"). */
export function checkRows(kind, payload) {
  const { array, numbers } = NEEDS[kind];
  const rows = rowsOf(kind, payload);
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (!isRecord(row)) refuse(array, index, 'record', 'must be an object');
    if (typeof row.region !== 'string') refuse(array, index, 'region', 'must be a string');
    for (const field of numbers) {
      if (row[field] === null) continue;
      if (!Number.isFinite(row[field])) refuse(array, index, field, 'must be a finite number');
    }
    for (const field in row) {
      const value = row[field];
      const timed = field.endsWith('_seconds') || field === 'rank';
      if (value == null || (!timed && typeof value !== 'number')) continue;
      if (!Number.isFinite(value)) refuse(array, index, field, 'must be a finite number');
    }
  }
  return rows;
}

/** The kind of a document older than the envelope, or undefined. Never throws. */
export function inferPlotKind(payload) {
  if (!isRecord(payload)) return undefined;
  if (Array.isArray(payload.intervals)) return 'gantt';
  if (Array.isArray(payload.bins)) return 'histogram';
  if (Array.isArray(payload.files) && payload.files[0]?.region_statistics) return 'region_statistics';
  if (Array.isArray(payload.regions) && Array.isArray(payload.edges)) return 'callgraph';
  if (Array.isArray(payload.bars)) return payload.bars[0]?.series != null ? 'likwid' : 'durations';
  if (Array.isArray(payload.calls)) {
    return payload.calls[0]?.parent_id !== undefined ? 'callgraph' : 'flame';
  }
  const point = Array.isArray(payload.points) ? payload.points[0] : undefined;
  if (!point) return undefined;
  const signs = [
    ['bin_start_seconds', 'density'],
    ['mean_duration_seconds', 'timeseries'],
    ['mean_over_ranks_seconds', 'imbalance'],
    ['speedup', 'speedup'],
    ['normalized_runtime', 'weak_scaling'],
    ['efficiency', 'scaling_efficiency'],
    ['arithmetic_intensity_flops_per_byte', 'roofline'],
    ['rank', 'rank_heatmap'],
  ];
  return signs.find(([field]) => point[field] != null)?.[1];
}
