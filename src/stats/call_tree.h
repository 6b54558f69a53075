/* call_tree.h - walks the calls of one rank and puts each under its call path.
 *
 * Rules: statistics 8. Every lane has its own stack of open calls. A hidden region's calls take
 * part in the nesting, but carry the path of the nearest shown call above them. A lane whose calls
 * cross is tried again without the hidden regions, and if that does not help its calls go to the
 * rows outside the tree.
 *
 * What comes out for the rank: a run that is not mixed has all its calls in `only_path`, so its own
 * part is that row's. Mixed runs have `parts`, one per path. Both are completed by the table's
 * `live` sums. sp_tree_clear puts it all back to nothing for the next rank. */
#ifndef SP_STATS_CALL_TREE_H
#define SP_STATS_CALL_TREE_H

#include "stats/call_merge.h"
#include "stats/path_table.h"

typedef enum sp_lane_state {
  SP_LANE_FULL,     /* all calls nest */
  SP_LANE_FILTERED, /* those of the shown regions nest */
  SP_LANE_OUTSIDE,  /* neither */
} sp_lane_state;

/* The first pair of calls found to cross. */
typedef struct sp_crossing {
  uint32_t lane, outer_region, inner_region;
  int64_t outer_start_ns, outer_end_ns, inner_start_ns, inner_end_ns;
} sp_crossing;

typedef struct sp_open_call {
  int64_t start_ns, end_ns;
  uint32_t below; /* the open call that encloses it, or the next free node */
  uint32_t path;  /* of the nearest shown call, itself included */
  uint32_t owner; /* the row whose own time its children shorten; SP_PATH_ROOT when hidden */
  uint32_t run;
} sp_open_call;

typedef struct sp_tree_lane {
  uint32_t top; /* innermost open call */
  uint8_t state;
  bool crossed; /* found in this walk; its further calls are passed over */
} sp_tree_lane;

/* Where the path of every pooled call of a region is noted down once the region has more than one.
 * Returns NULL when memory ran out. */
typedef uint32_t *(*sp_path_notes)(void *context, const sp_run *run);

typedef struct sp_tree {
  sp_path_table *paths;
  sp_merge merge;
  sp_open_call *open;
  sp_tree_lane *lanes;
  sp_part *parts; /* of mixed runs; their `path` and `run` are set */
  uint32_t open_count, open_room, open_free, lane_room, part_count, part_room;
  bool whole_outside; /* every lane stands outside: no tree is wanted */
  bool crosses;       /* `crossing` is set */
  sp_crossing crossing;
  uint32_t outside_lanes; /* lanes that ended up outside because their calls cross */
  bool has_hidden;        /* the rank has calls of hidden regions */
  bool tied;              /* the order of regions decided between calls of the rank */
  sp_path_notes notes;
  void *context;
  const sp_progress *progress;
  uint64_t done, total; /* calls, for the progress */
} sp_tree;

/* Walks a loaded rank. On failure the tree holds nothing of the rank. */
sp_status sp_tree_walk(sp_tree *t, sp_rank_calls *calls, sp_error *err);

/* Forgets what was found on the rank; its paths stay. */
void sp_tree_clear(sp_tree *t, const sp_rank_calls *calls);
void sp_tree_free(sp_tree *t);

#endif
