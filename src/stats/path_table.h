/* path_table.h - one row per collapsed call path.
 *
 * A path is its last region and the row of the path before it; nothing is copied per level. Row 0
 * stands for "no parent", real rows count from 1 in order of first appearance. Besides tree rows
 * there is at most one row per region for its calls outside the tree. */
#ifndef SP_STATS_PATH_TABLE_H
#define SP_STATS_PATH_TABLE_H

#include "stats/row_sums.h"

enum { SP_PATH_ROOT = 0, SP_PATHS_MAX = 1000000 };
#define SP_PATH_OUTSIDE UINT32_MAX /* the parent of rows outside the tree */

typedef struct sp_path_row {
  uint32_t parent, region, depth;
  bool recursive, has_children;
  sp_sums sums;
} sp_path_row;

/* What one rank adds to a row, gathered call by call while its tree is walked. */
typedef struct sp_path_live {
  sp_i128 children_ns; /* durations of direct children of the row's calls */
  sp_i128 nested_ns;   /* durations of self-nested calls */
  uint32_t part;       /* its part + 1, 0 = none yet */
  bool nested;         /* some call is self-nested (nested_ns may be 0 all the same) */
} sp_path_live;

typedef struct sp_path_table {
  sp_path_row *rows;
  sp_path_live *live;
  uint32_t count, capacity; /* row 0 included */
  uint32_t *slots;          /* open addressing by (parent, region); 0 = free */
  uint32_t slot_count;
  bool full; /* a row was refused because there are SP_PATHS_MAX */
} sp_path_table;

/* A zeroed table is an empty one; the first call of sp_path_child makes row 0. */
sp_status sp_path_table_init(sp_path_table *t, sp_error *err);
/* The row of `region` under `parent`, made if needed; 0 when memory ran out or (`full`) there are
 * too many. */
uint32_t sp_path_child(sp_path_table *t, uint32_t parent, uint32_t region);
/* Forgets the rows from `count` on. */
void sp_path_table_cut(sp_path_table *t, uint32_t count);
/* Gives back all but the rows; nothing can be added any more. */
void sp_path_table_shrink(sp_path_table *t);
void sp_path_table_free(sp_path_table *t);

#endif
