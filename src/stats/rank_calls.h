/* rank_calls.h - the calls of one rank in memory, ready to be walked.
 *
 *   run = the calls of one row (a region on this rank): columns by start ascending, end descending,
 *         recorded order; plus what the row alone says (its part, its bounds)
 *
 * One sp_rank_calls is filled for one rank after the other and keeps its memory. Durations go
 * where the caller says (the pool of all durations); everything else is overwritten by the next
 * rank. */
#ifndef SP_STATS_RANK_CALLS_H
#define SP_STATS_RANK_CALLS_H

#include "stats/lane_map.h"
#include "stats/row_sums.h"

typedef struct sp_run {
  const sp_row *row;
  uint32_t region;
  uint32_t place; /* of the region in the order of first starts: decides between equal calls */
  bool hidden;    /* filtered out: nests, but is not shown */
  bool mixed;     /* its calls have more than one path */
  bool nested;    /* the path remembered below continues its parent's region */
  uint32_t parent_path, path; /* of the call before: the next is nearly always alike */
  uint32_t only_path;         /* of all calls so far, unless mixed */
  uint32_t *paths;            /* mixed: the path of every call, in the order of the columns */
  size_t count, at;           /* calls; the next one to be walked */
  int64_t *start_ns, *duration_ns, *gpu_ns; /* gpu NULL = none */
  uint32_t *lane;                           /* NULL = one lane */
  sp_part part;                             /* of all its calls; first and last in tree order */
  int64_t first_ns, last_ns;                /* the same in recorded order (differ only for ties) */
  int64_t min_ns, max_ns;
} sp_run;

typedef struct sp_rank_calls {
  sp_run *runs; /* rows with calls only, in file order */
  uint32_t run_count;
  size_t call_count;
  bool has_calls;
  int64_t start_ns, end_ns; /* smallest start, largest end */
  sp_lane_map lanes;
  uint32_t lane_count; /* at least 1 */
  /* room, by sp_rank_calls_room */
  int64_t *starts, *hidden, *gpu, *thread, *task, *spare;
  uint32_t *lane, *order;
  size_t order_room;
} sp_rank_calls;

/* Where a row's durations go (room for row->count values), or NULL when the row is hidden. */
typedef int64_t *(*sp_duration_place)(void *context, const sp_row *row);

/* Makes room for any single rank of the profile that `wanted` (by index) names. */
sp_status sp_rank_calls_room(sp_rank_calls *c, const sp_profile *p, const bool *wanted,
                             const bool *kept_regions, sp_error *err);

/* Loads the rank with this index. Regions' places are left 0. */
sp_status sp_rank_calls_load(sp_rank_calls *c, const sp_profile *p, uint32_t rank,
                             sp_duration_place place, void *context, sp_warnings *warnings,
                             sp_error *err);

void sp_rank_calls_free(sp_rank_calls *c);

#endif
