// Holding one run of the command line to an entry of a manifest of odd files
// (tests/fixtures/bad/manifest.json): the three outcomes, and what no output may hold.

/** Raw control and direction characters have no place in any output. */
export function rawControl(text) {
  const found = /[\0-\t\v-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.exec(text);
  return found && `raw U+${found[0].codePointAt(0).toString(16).padStart(4, '0')} in the output`;
}

function totals({ ranks, regions }) {
  const sum = (key) => regions.reduce((total, region) => total + (region[key] ?? 0), 0);
  return {
    ranks: ranks.length,
    regions: regions.length,
    calls: sum('calls'),
    total_s: sum('total_ns') / 1e9,
  };
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

function asError(text, entry) {
  const lines = text.err.split('\n').filter((line) => line);
  if (text.rc !== 3) return `exit ${text.rc}, not 3`;
  if (text.out) return 'something on stdout';
  if (lines.length !== 1 || Buffer.byteLength(text.err) > 300) {
    return `${lines.length} lines, ${text.err.length} bytes on stderr`;
  }
  for (const word of [entry.file, entry.must_say ?? '']) {
    if (!lines[0].includes(word)) return `the message lacks "${word}": ${lines[0]}`;
  }
  return rawControl(text.err);
}

function asAnalysed(text, document, entry, partial) {
  if (text.rc !== 0) return `exit ${text.rc}, not 0: ${text.err}`;
  const profile = JSON.parse(document.out).profiles[0];
  const got = totals(profile);
  for (const [key, want] of Object.entries(entry.values ?? {})) {
    if (!near(got[key], want)) return `${key}: ${got[key]}, not ${want}`;
  }
  if (partial) {
    for (const [key, want] of Object.entries(entry.intact_values ?? {})) {
      if (got[key] < want && !near(got[key], want)) {
        return `${key}: ${got[key]}, but ${want} is intact`;
      }
    }
    if (!text.err || !profile.warnings.length) return 'no warning';
    const said = text.err + JSON.stringify(profile.warnings);
    const silent = (entry.must_be_named ?? []).find((word) => !said.includes(word));
    if (silent) return `no warning names "${silent}"`;
  }
  return rawControl(text.out + text.err);
}

/** Why the runs `inspect FILE` and `inspect --json FILE` miss every accepted outcome, or
 * undefined. */
export function misses(entry, text, document) {
  for (const run of [text, document]) {
    if (run.signal || run.rc > 123) {
      return `ended by ${run.signal ?? `exit ${run.rc}`}: ${run.err.slice(0, 500)}`;
    }
    if (/root:x:0:0|SECRET_/.test(run.out + run.err)) return 'shows text of another file';
  }
  const problems = [];
  for (const outcome of [entry.expect, ...(entry.also_accepted ?? [])]) {
    const problem = outcome === 'error' ? asError(text, entry)
      : asAnalysed(text, document, entry, outcome === 'partial');
    if (!problem) return undefined;
    problems.push(`${outcome}: ${problem}`);
  }
  return problems.join('; or ');
}
