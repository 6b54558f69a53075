/* durations_bars.h - which bars the durations plot has, and their values per run.
 *
 * A bar is one region, or a group of regions under a name of its own. Regions of all runs are
 * matched by name. */
#ifndef SP_VIEWS_DURATIONS_BARS_H
#define SP_VIEWS_DURATIONS_BARS_H

#include "base/intern.h"
#include "views/view.h"

typedef struct sp_bar {
  sp_str name;
  bool plotted; /* false: only a child in the stacked variant */
} sp_bar;

/* Statistics of one bar's calls in one run. */
typedef struct sp_bar_value {
  uint64_t calls;
  sp_i128 total_ns;
  int64_t min_ns, max_ns, first_ns, last_ns;
  int64_t first_start_ns, last_end_ns;
  bool has_calls, has_ends;
} sp_bar_value;

typedef struct sp_bars {
  sp_intern names;  /* region name -> index into bar_of */
  uint32_t *bar_of; /* bar of each region name */
  sp_bar *bars;     /* regions in order of the first run's first starts, then of later runs */
  uint32_t count;
  uint32_t *order; /* the plotted bars as displayed */
  uint32_t order_count;
  sp_bar_value *values;         /* [run * count + bar] */
  const sp_analysis **analyses; /* per run */
} sp_bars;

/* Analyses the runs and makes the bars; with `whole_tree` the analyses hold every region, else the
 * selected ones. Give `out` to sp_bars_free also after a failure. */
sp_status sp_bars_make(const sp_run_set *runs, const sp_view_options *options, bool whole_tree,
                       sp_arena *a, sp_bars *out, sp_error *err);
void sp_bars_free(sp_bars *b);

/* The bar of a region of a run's profile. */
uint32_t sp_bars_of_region(const sp_bars *b, const sp_profile *p, uint32_t region);

/* The value of a metric word ("avg", "total", ...); none when there is no call. */
sp_time sp_bar_metric(const sp_bar_value *value, const char *metric);

#endif
