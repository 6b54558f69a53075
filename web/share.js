// Shares the inspect document does not carry: those of a run without a session row, and those of
// flat rows. The one place where the page divides.

/** What 100 % is: the session's time, or the run's span on every selected rank. */
export function shareBase(profile, rankCount) {
  if (profile.session_ns !== null) return { total: Number(profile.session_ns), kind: 'session' };
  const span = Number(profile.span_ns) * rankCount;
  return { total: span, kind: 'span' };
}

/** A row's share in percent: the document's own, else its coverage against the base. */
export function shareOf(row, base) {
  if (row.session_pct !== undefined && row.session_pct !== null) return row.session_pct;
  return base.total > 0 ? (100 * Number(row.coverage_ns)) / base.total : null;
}
