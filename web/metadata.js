// What the run wrote down about itself, in groups. What tells of people, machines and paths is not
// even put into the page until asked for.

import { h } from './dom.js';
import { formatCount, plural } from './format.js';

const RUN = [
  'timestamp', 'start_time_ns', 'finalize_time_ns', 'user', 'hostname', 'working_directory',
  'scope_profiler_version', 'python_version',
];
const SYSTEM = ['platform', 'uname', 'chip_information'];
const PARALLELISM = ['mpi_size', 'num_nodes', 'omp_num_threads', 'total_cores'];

/** Keys that tell nothing of people or machines. All others are shown on request. */
const OPEN = new Set([
  'timestamp', 'start_time_ns', 'finalize_time_ns', 'mpi_size', 'mpi_rank', 'num_nodes', 'omp_num_threads',
  'total_cores', 'python_version', 'scope_profiler_version', 'source', 'source_language',
  'trace_format_version', 'label', 'platform', 'chip_information',
  'SLURM_NNODES', 'SLURM_JOB_NUM_NODES', 'SLURM_STEP_NUM_NODES', 'SLURM_NTASKS', 'SLURM_NPROCS',
  'SLURM_STEP_NUM_TASKS', 'SLURM_NTASKS_PER_NODE', 'SLURM_CPUS_PER_TASK', 'SLURM_DISTRIBUTION', 'SLURM_MPI_TYPE',
]);
const LONG = 96;

/** Sections in order, each a list of keys. */
function sectionsOf(metadata) {
  const keys = Object.keys(metadata).sort();
  const taken = new Set();
  const take = (list) => list.filter((key) => Object.hasOwn(metadata, key) && !taken.has(key) && taken.add(key));
  return [
    ['Run', take(RUN)],
    ['System', take(SYSTEM)],
    ['Parallelism', take(PARALLELISM)],
    ['Slurm', take(keys.filter((key) => /^SLURMD?_/.test(key)))],
    ['Environment', take(keys.filter((key) => /^[A-Z][A-Z0-9_]*$/.test(key)))],
    ['Other', take(keys.filter((key) => key !== 'modules'))],
    ['Modules', take(['modules'])],
  ].filter(([, list]) => list.length);
}

/** A stored value as text: numbers as they are, lists on lines. */
export function valueText(value) {
  if (value === null) return 'no value';
  if (Array.isArray(value)) return value.map(valueText).join('\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function valueNode(value) {
  const text = valueText(value);
  if (text.length <= LONG) return h('span', {}, text);
  return h('details', { class: 'long' },
    h('summary', {}, `${text.slice(0, LONG - 4)} …`, h('span', { class: 'muted' }, ` (${plural(text.length, 'character')})`)),
    h('pre', { tabindex: 0 }, text));
}

export function createMetadata() {
  const body = h('div', { class: 'metadata-body' });
  const toggle = h('button', { type: 'button', class: 'button', 'aria-pressed': 'false', onclick: flip });
  const note = h('p', { class: 'muted small' });
  const element = h('section', { class: 'metadata', 'aria-labelledby': 'metadata-title' },
    h('div', { class: 'section-head' }, h('h3', { id: 'metadata-title' }, 'Metadata'), h('div', { class: 'section-tools' }, toggle)),
    note, body);
  let shownRun = null;
  let metadata = {};
  let everything = false;

  function flip() {
    everything = !everything;
    draw();
  }

  function draw() {
    const keys = Object.keys(metadata);
    const hidden = keys.filter((key) => !OPEN.has(key));
    toggle.hidden = hidden.length === 0;
    toggle.setAttribute('aria-pressed', String(everything));
    toggle.textContent = everything ? 'Hide names, paths and environment' : `Show names, paths and environment (${formatCount(hidden.length)})`;
    note.textContent = !keys.length ? 'None recorded.'
      : hidden.length && !everything ? 'What tells of people, machines and paths stays hidden until asked for.' : '';
    body.replaceChildren(...sectionsOf(metadata).map(([title, list]) => section(title, list)).filter(Boolean));
  }

  function section(title, list) {
    const shown = everything ? list : list.filter((key) => OPEN.has(key));
    const rest = list.length - shown.length;
    if (!shown.length) return null;
    return h('section', { class: 'metadata-group' },
      h('h4', {}, title),
      h('dl', {}, shown.map((key) => h('div', {}, h('dt', {}, key), h('dd', {}, valueNode(metadata[key]))))),
      rest ? h('p', { class: 'muted small' }, `${plural(rest, 'more entry', 'more entries')} hidden`) : null);
  }

  return {
    element,
    show(run) {
      if (run !== shownRun) everything = false;
      shownRun = run;
      metadata = run.document.metadata ?? {};
      draw();
    },
  };
}
