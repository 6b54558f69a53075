// What is measured: the work, the file it is done on, and the ratio against the reference we want.
// Files named s1_… and s3_… are made by ../shared/bench/make_big.py; the corpus ones are real runs.

/** Arguments of make_big.py for a file of that name: s<schema>[z]_<events>_r<ranks>. */
export function recipe(name) {
  const [, schema, packed, events, ranks] = /^s([13])(z?)_(\w+)_r(\d+)$/.exec(name);
  const args = ['--events', events, '--ranks', ranks, '--regions', '60', '--schema', schema];
  return packed ? [...args, '--compression', 'gzip'] : args;
}

export const cases = [
  { work: 'inspect', file: 'corpus-small', ratio: 30, mib: 16 },
  { work: 'inspect', file: 'corpus-large', ratio: 50 },
  { work: 'inspect', file: 's3_1e6_r1', ratio: 100, mib: 60 },
  { work: 'inspect', file: 's3_1e6_r16', ratio: 100, mib: 60 },
  { work: 'inspect', file: 's3_1e6_r256', ratio: 100, mib: 60 },
  { work: 'inspect', file: 's1_1e6_r16', ratio: 100, mib: 60 },
  { work: 'inspect', file: 's3_1e7_r16', ratio: 150, slow: true },
  { work: 'inspect', file: 's3_1e7_r1', ratio: 150, slow: true },
  { work: 'inspect', file: 's1_1e7_r256', slow: true },
  { work: 'inspect', file: 's3z_1e7_r16', slow: true },
];
