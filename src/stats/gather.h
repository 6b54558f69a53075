/* gather.h - everything that is gathered from the ranks, one after the other, before rows are made.
 *
 *   pool      all durations of the shown regions on the selected ranks:
 *             | region 0: rank 0, rank 1, ... | region 1: rank 0, rank 1, ... | ...
 *   regions   sums per region; which path its pooled calls have
 *   paths     the call paths with their sums
 *   ends      first and last calls per rank, kept apart until the clocks are known
 *
 * The order of regions decides between calls with equal times, but is itself a result (of first
 * starts on aligned clocks). So ranks are gathered with an assumed order; if it was wrong and
 * mattered, once more with the right one. */
#ifndef SP_STATS_GATHER_H
#define SP_STATS_GATHER_H

#include "stats/call_tree.h"
#include "stats/clock.h"

typedef struct sp_region_work {
  bool kept;
  bool has_start;       /* was called somewhere, selected rank or not */
  int64_t start_ns;     /* first start of all ranks, aligned clock */
  uint32_t place;       /* in the assumed order */
  uint32_t only_path;   /* path of all pooled calls; SP_PATH_ROOT while there are none */
  uint32_t *call_paths; /* or, when there are several: by place in the region's piece of the pool */
  uint64_t pool_begin, pool_used, pool_room;
  sp_rank_share *shares; /* in the result's arena */
  uint32_t share_count, share_room;
  sp_sums sums;
} sp_region_work;

/* The ends of one row's or path's calls on one rank. */
typedef struct sp_rank_ends {
  uint32_t owner, rank; /* region or path; index of the rank */
  int64_t start_ns, end_ns, first_ns, last_ns;
} sp_rank_ends;

typedef struct sp_ends_list {
  sp_rank_ends *items;
  size_t count, room;
} sp_ends_list;

typedef struct sp_gather {
  const sp_profile *profile;
  bool *keep_region, *keep_rank;
  sp_region_work *regions;
  uint32_t *order; /* of regions, as assumed; after gathering: as it is */
  bool has_order;  /* something is known of the order beyond that of the file */
  sp_tie_pairs tie_pairs;
  sp_rank_clock *clocks; /* by index of rank, all ranks */
  bool aligned;
  int64_t *pool;
  sp_rank_calls calls;
  sp_path_table paths;
  sp_tree tree;
  sp_ends_list region_ends;  /* shown regions on selected ranks */
  sp_ends_list other_starts; /* start_ns only: hidden regions and ranks not selected */
  sp_ends_list path_ends;
  sp_arena scratch;
  sp_warnings warnings; /* of loading and walking, in scratch */
} sp_gather;

/* Gathers all ranks. `g` is zeroed before, and goes to sp_gather_free whatever the outcome. Shares
 * live in `a`. */
sp_status sp_gather_all(sp_gather *g, const sp_profile *p, const sp_select *select,
                        const sp_progress *progress, sp_arena *a, sp_error *err);
/* Gives back what only loading and walking needed. */
void sp_gather_shrink(sp_gather *g);
/* Gives back regions and pool as well; paths stay. */
void sp_gather_free_regions(sp_gather *g);
void sp_gather_free(sp_gather *g);

/* Sets the order of regions, and their places, from the starts known of them. */
sp_status sp_gather_order(sp_gather *g, sp_error *err);
/* Takes in that a region was called on a rank. */
void sp_gather_start(sp_gather *g, uint32_t region, uint32_t rank, int64_t start_ns);

/* One rank of the selected ones, and one of the others. */
sp_status sp_gather_rank(sp_gather *g, uint32_t rank, sp_error *err);
sp_status sp_gather_other_rank(sp_gather *g, uint32_t rank, sp_error *err);

bool sp_ends_add(sp_ends_list *list, const sp_rank_ends *ends);

#endif
