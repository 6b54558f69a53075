// Profiles made on the spot, as JSON profiles: for what needs a certain shape rather than real data.

import { writeFileSync } from 'node:fs';

/** Writes a JSON profile of region rows `{ name, rank, start_times_ns, end_times_ns, … }`. */
export function writeProfile(path, regions, { metadata = {}, ranks = 1 } = {}) {
  writeFileSync(path, JSON.stringify({
    format: 'scope-profiler-profile', format_version: 1, exporter: 'scope-profiler@0.7.5', time_unit: 'nanoseconds',
    num_ranks: ranks, event_data_available: true, metadata, regions,
  }));
  return path;
}

const MS = 1_000_000;

/*  main  |==================|   every rank
      a     |====| |====|
        b    |==|   |==|        slower with the rank
      c                 |=|     */
export function nestedRegions(ranks) {
  const rows = [];
  for (let rank = 0; rank < ranks; rank += 1) {
    const slow = rank * 3;
    const call = (name, ...spans) => rows.push({
      name, rank, start_times_ns: spans.map(([from]) => from * MS), end_times_ns: spans.map(([, to]) => to * MS),
    });
    call('main', [0, 100 + slow]);
    call('alpha', [5, 30], [40, 70]);
    call('beta: inner', [10, 20], [45, 50 + rank]);
    call('gamma', [80, 90]);
  }
  return rows;
}

/** `count` regions called once each below one root. */
export function manyRegions(count) {
  const rows = [{ name: 'root', rank: 0, start_times_ns: [0], end_times_ns: [count * 10 + 10] }];
  for (let i = 0; i < count; i += 1) {
    rows.push({
      name: `region ${String(i).padStart(6, '0')}`, rank: 0,
      start_times_ns: [i * 10 + 1], end_times_ns: [i * 10 + 2 + (i % 7)],
    });
  }
  return rows;
}

/** Names that try to be markup, script, templates, or prototype keys. */
export const hostileNames = [
  '<img src=x onerror="document.documentElement.dataset.owned=1">', '</script><script>document.documentElement.dataset.owned=1</script>',
  '<b>bold</b>', '%{y} %{customdata}', '$\\href{javascript:1}{x}$', '__proto__', 'constructor', 'toString',
  '\u202egnp.exe', 'a\u0000b', '🚀'.repeat(50), 'x'.repeat(5000), '=1+1', ' leading and trailing ',
];
