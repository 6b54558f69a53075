/* stats_fixture.h - a fake profile and its analysis, and rows as short text. */
#ifndef SP_TESTS_STATS_FIXTURE_H
#define SP_TESTS_STATS_FIXTURE_H

#include "fake_profile.h"
#include "stats/analysis.h"

typedef struct fixture {
  sp_profile *profile;
  sp_arena arena;
  sp_analysis an;
  sp_status status;
  sp_error err;
  char text[4000];
} fixture;

/* Analyses f->profile; single patterns and a rank list, or NULL. */
void analyse(fixture *f, const char *include, const char *exclude, const char *ranks);
fixture analysed(const char *text);
fixture analysed_with(const char *text, const char *include, const char *exclude,
                      const char *ranks);
/* Frees everything and checks that nothing is left. */
void done(fixture *f);

/* "A 30; A>B 25; *A>C 5; -D 7": path and own time of every row; * recursive, - outside the tree. */
const char *rows_of(fixture *f);
/* The tree row with this path ("A>B"); "-A" = the one outside the tree. Ends the test program when
 * there is none. */
const sp_tree_row *row(const fixture *f, const char *path);
/* The flat row of a region. */
const sp_flat_row *flat(const fixture *f, const char *name);

#endif
