/* rows.h - from what was gathered to the rows of the result. */
#ifndef SP_STATS_ROWS_H
#define SP_STATS_ROWS_H

#include "stats/gather.h"

/* Makes out->regions: flat rows in the order of first starts. Fills spreads[path] and has[path] of
 * every path (by number of the path table) on the way, since both need the pooled durations; these
 * are put into another order. `spreads` and `has` have room for all paths. */
sp_status sp_flat_rows_make(sp_gather *g, sp_spread *spreads, sp_arena *a, sp_analysis *out,
                            sp_error *err);

/* Makes out->rows from the paths, and from the flat rows of regions that have none: pre-order,
 * siblings by start. */
sp_status sp_tree_rows_make(sp_gather *g, const sp_spread *spreads, sp_arena *a, sp_analysis *out,
                            sp_error *err);

/* Finds the session row and sets every percentage (statistics 11). */
void sp_percentages_set(sp_analysis *out);

extern const char sp_session_name[]; /* "scope_profiler.session" */

#endif
