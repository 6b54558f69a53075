/* build.h - putting a profile's regions, ranks and rows together, in whatever order a file has
 * them. Used by every reader. */
#ifndef SP_READ_BUILD_H
#define SP_READ_BUILD_H

#include "base/intern.h"
#include "profile/profile.h"

typedef struct sp_build {
  sp_profile *profile;
  sp_intern names;  /* region names in order of first use */
  sp_row *rows;     /* row.rank holds the rank's number until sp_build_finish */
  uint32_t *silent; /* numbers of ranks to list even without rows */
  uint32_t count, capacity, silent_count, silent_capacity;
} sp_build;

void sp_build_begin(sp_build *b, sp_profile *p);
/* A new row, zeroed but for exclusive_ns and source_line (-1); NULL when memory ran out. Valid
 * until the next call. */
sp_row *sp_build_row(sp_build *b, uint32_t rank_number, sp_str region);
/* Lists a rank even if no row names it. False when memory ran out. */
bool sp_build_rank(sp_build *b, uint32_t rank_number);
/* Sorts rows under their ranks (ascending, rows in the order they were added), fills regions,
 * ranks and call_count of the profile. Two rows of one rank and region are CORRUPT. */
sp_status sp_build_finish(sp_build *b, sp_error *err);
/* Gives working memory back; safe at any time, also after a failure. */
void sp_build_free(sp_build *b);

#endif
