/* clock.h - clocks of ranks on different machines, found apart and aligned (statistics 13.1). */
#ifndef SP_STATS_CLOCK_H
#define SP_STATS_CLOCK_H

#include "profile/profile.h"

typedef struct sp_rank_clock {
  bool has_calls;
  int64_t start_ns, end_ns; /* smallest start and largest end of the rank, all regions */
  int64_t shift_ns;         /* add this to the rank's times to have the aligned clock */
} sp_rank_clock;

/* Sets every shift from the starts and ends of clocks[rank_count] (by index of the profile's
 * ranks); *aligned tells whether any domains were found. Then there is one `clock-domains`
 * warning; `warnings` may be NULL. */
sp_status sp_clocks_align(const sp_profile *p, sp_rank_clock *clocks, sp_warnings *warnings,
                          bool *aligned, sp_error *err);

/* Where a row's calls begin and end. */
typedef struct sp_row_ends {
  bool has_calls;
  int64_t start_ns, end_ns;
} sp_row_ends;

/* Sets ends[row_count] of one rank: from the stored summaries when all its rows with calls have
 * one, else from the calls. Rows that cannot be loaded count as having none. */
sp_status sp_rank_learn_ends(const sp_profile *p, const sp_rank *rank, sp_row_ends *ends,
                             sp_error *err);

/* Whether every row with calls has a stored summary. */
bool sp_rank_has_summaries(const sp_rank *rank);

/* The shift of every rank of the profile, without any analysis (for views and exports). Lives in
 * `a`; indexed like the profile's ranks. */
sp_status sp_clocks_read(const sp_profile *p, sp_arena *a, sp_rank_clock **out, bool *aligned,
                         sp_warnings *warnings, sp_error *err);

#endif
