/* select.h - which regions and ranks count: --include, --exclude, --ranks.
 *
 * Patterns are PCRE2 regular expressions anchored at the start of the name. A rank list is one or
 * more words; a word is a comma list of N or A-B. */
#ifndef SP_PROFILE_SELECT_H
#define SP_PROFILE_SELECT_H

#include "profile/profile.h"

typedef struct sp_rank_range {
  uint32_t first, last; /* inclusive */
} sp_rank_range;

typedef struct sp_select {
  struct sp_pattern **include, **exclude;
  uint32_t include_count, exclude_count;
  sp_rank_range *ranges; /* sorted, disjoint */
  uint32_t range_count;
  bool has_ranks; /* false: every rank */
} sp_select;

/* Parses the words (arrays of `*_count` texts; counts may be 0). A bad pattern is USAGE with path
 * "--include" or "--exclude", the pattern, and the column of the fault; a bad rank list USAGE with
 * path "--ranks" and the offending text. `out` must be given to sp_select_free also after a
 * failure. */
sp_status sp_select_parse(sp_arena *a, const char *const *include, uint32_t include_count,
                          const char *const *exclude, uint32_t exclude_count,
                          const char *const *ranks, uint32_t ranks_count, sp_select *out,
                          sp_error *err);
void sp_select_free(sp_select *s);

/* keep[i] for every region of the profile. A pattern that hits its match or depth limit is USAGE
 * naming the pattern and the region. `s` may be NULL (keep all). */
sp_status sp_select_regions(const sp_select *s, const sp_profile *p, bool *keep, sp_error *err);

/* The same for one name, as those of counters and line records. */
sp_status sp_select_name(const sp_select *s, sp_str name, bool *keep, sp_error *err);

/* keep[i] for every rank of the profile. A selected number that the run lacks is USAGE naming the
 * number and the ranks there are. `s` may be NULL. */
sp_status sp_select_ranks(const sp_select *s, const sp_profile *p, bool *keep, sp_error *err);

#endif
