/* analysis.h - everything the region table shows, computed in one pass over the calls.
 *
 * Definitions: statistics chapters 2-13 (call tree per rank and lane, exclusive time, coverage,
 * percentiles by linear interpolation = Hyndman-Fan type 7, imbalance, clock domains). Integer
 * nanoseconds throughout; doubles only for means, spreads, percentiles and percentages, made with
 * + - x / sqrt floor so that every build gives the same bits.
 *
 * Memory: 8 bytes per selected call (12 where a region is called from several places) plus 8 per
 * call of the largest rank; ranks are loaded one after the other. Rows that were not recorded in
 * order of time (threads, recursion) need 12 more per call of the largest of them while sorting.
 *
 * Ranks are read once; a second time only when calls of different regions have the same start and
 * end and the order of regions turned out another than assumed (statistics 8, step 2). */
#ifndef SP_STATS_ANALYSIS_H
#define SP_STATS_ANALYSIS_H

#include "profile/profile.h"
#include "profile/select.h"

/* The columns that flat and tree rows share. A value whose flag is not set is "no value". */
typedef struct sp_stats {
  uint64_t calls;
  uint32_t num_ranks;
  sp_i128 total_ns, exclusive_ns, coverage_ns;
  double avg_ns, std_ns, p50_ns, p95_ns, p99_ns, imbalance_pct, gpu_avg_ns;
  int64_t min_ns, max_ns, first_ns, last_ns;
  sp_i128 gpu_total_ns;
  bool has_calls;       /* avg, min, max */
  bool has_ends;        /* first, last */
  bool has_spread;      /* std */
  bool has_percentiles; /* p50, p95, p99 */
  bool has_gpu;
} sp_stats;

typedef struct sp_rank_share {
  uint32_t rank; /* the rank's number */
  uint64_t calls;
  sp_i128 total_ns, exclusive_ns;
} sp_rank_share;

/* One region over the selected ranks (statistics 4). */
typedef struct sp_flat_row {
  uint32_t region;
  sp_stats stats;
  bool has_start;
  int64_t start_ns;              /* smallest start, aligned clock, absolute */
  int64_t end_ns;                /* largest end, aligned clock, absolute; with stats.has_ends */
  const sp_rank_share *per_rank; /* selected ranks that have an entry, ascending */
  uint32_t per_rank_count;
} sp_flat_row;

#define SP_NO_ROW UINT32_MAX

/* One collapsed call path over the selected ranks (statistics 9), or a flat row that stands
 * outside the tree (`in_tree` false, depth 0, parent SP_NO_ROW). */
typedef struct sp_tree_row {
  uint32_t region; /* last name of the path */
  uint32_t parent; /* index of the parent row, SP_NO_ROW for a root */
  uint32_t depth;
  uint32_t order; /* its place in the order by start */
  bool in_tree, recursive, has_children;
  sp_stats stats;
  bool has_start;
  int64_t start_ns; /* smallest start, aligned clock, relative to the origin */
  bool has_session_pct, has_parent_pct;
  double session_pct, parent_pct;         /* of coverage */
  double own_session_pct, own_parent_pct; /* of the exclusive time; same flags, own_parent_pct
                                             against the row's own coverage when that is > 0 */
} sp_tree_row;

typedef enum sp_sort {
  SP_SORT_START,
  SP_SORT_NAME,
  SP_SORT_TOTAL,
  SP_SORT_CALLS,
  SP_SORT_AVG,
  SP_SORT_MIN,
  SP_SORT_MAX,
  SP_SORT_FIRST,
  SP_SORT_LAST,
  SP_SORT_STD,
  SP_SORT_P50,
  SP_SORT_P95,
  SP_SORT_P99,
  SP_SORT_IMBALANCE,
} sp_sort;

/* "start", "name", ...; false for an unknown word. */
bool sp_sort_parse(const char *word, sp_sort *out);

typedef struct sp_analysis {
  const sp_profile *profile;
  const uint32_t *ranks; /* numbers of the selected ranks, ascending */
  uint32_t rank_count;
  bool aligned;
  int64_t origin_ns; /* clock value of time 0; 0 without calls */
  int64_t span_ns;   /* last end - first start of the selected ranks' selected regions */
  bool has_span;     /* something was timed */
  bool has_session;
  sp_i128 session_ns; /* total of the root session row */
  bool has_setup_to_finalize;
  int64_t setup_to_finalize_ns;
  sp_flat_row *regions; /* ordered by first start (statistics 2) */
  uint32_t region_count;
  sp_tree_row *rows; /* pre-order, siblings by start */
  uint32_t row_count;
  sp_warnings warnings; /* those of the profile, of loading, and of the analysis */
} sp_analysis;

/* Told how far the work is; returning false ends it with SP_INTERNAL "cancelled". */
typedef struct sp_progress {
  bool (*step)(void *context, const char *phase, uint64_t done, uint64_t total);
  void *context;
} sp_progress;

/* Analyses the selected regions and ranks. `select` and `progress` may be NULL; results live in
 * `a`. Where single ranks or lanes have calls that cross, those calls stand in flat rows outside
 * the tree with the warning `crossing-calls`. */
sp_status sp_analyse(const sp_profile *p, const sp_select *select, const sp_progress *progress,
                     sp_arena *a, sp_analysis *out, sp_error *err);

/* Flat rows from stored summaries alone (schema 3 first paint): reads no event column. NO_SPANS
 * when the file holds no summaries. rows stay empty; percentiles have no value. */
sp_status sp_analyse_summaries(const sp_profile *p, const sp_select *select, sp_arena *a,
                               sp_analysis *out, sp_error *err);

/* Puts `rows` into the displayed order: siblings by `key` (descending values, none last, ties by
 * name, then as they were), each subtree kept together; with `flat` one global order, ignoring the
 * tree; SP_SORT_NAME is one global order always. SP_SORT_START restores pre-order by start. Parent
 * indices are renumbered. */
sp_status sp_analysis_sort(sp_analysis *an, sp_sort key, bool flat, sp_arena *a, sp_error *err);

#endif
