/* fake_profile.h - profiles for tests, from text.
 *
 *   rank 0: solve 0 9; assemble 1 3; assemble 5 7 @2   a call: name, start, end; @2 = thread 2
 *   rank 3: solve 0 4 #1 gpu 7; idle                   #1 = task 1; a name alone: a row, no calls
 *
 * Calls are recorded in the order of the text. Columns exist for a row when one of its calls names
 * them (others have -1). Ranks must ascend. Names hold no blanks and no ';'. A fault in the text
 * ends the test program. */
#ifndef SP_TESTS_FAKE_PROFILE_H
#define SP_TESTS_FAKE_PROFILE_H

#include "profile/profile.h"

sp_profile *fake_profile(const char *text);

/* From arrays that stay the caller's: what a large test needs. Rows of a rank must be given one
 * after the other; `durations` belongs to `starts`. */
sp_profile *fake_profile_new(void);
uint32_t fake_region(sp_profile *p, const char *name);
void fake_rank(sp_profile *p, uint32_t number);
sp_row *fake_row(sp_profile *p, const char *name, uint64_t count, const int64_t *starts,
                 const int64_t *durations);
/* Optional columns of the row given last. */
void fake_columns(sp_profile *p, const int64_t *thread, const int64_t *task, const int64_t *gpu);
/* Puts ranks and rows in place; nothing may be added afterwards. */
void fake_finish(sp_profile *p);

/* The row of a region on a rank (by number), or NULL. */
sp_row *fake_find(const sp_profile *p, uint32_t rank, const char *name);
/* Gives every row with calls the summary its calls have, and optionally changes nothing else. */
void fake_summaries(sp_profile *p);
/* The last `n` calls of every row count as unsound: stored, but never loaded. */
void fake_leave_out(sp_profile *p, uint64_t n);
/* Loading this region fails, as when a shared column is damaged. */
void fake_damage(sp_profile *p, const char *name);
void fake_metadata_int(sp_profile *p, const char *key, int64_t value);
/* How often rows were loaded. */
uint64_t fake_loads(const sp_profile *p);

void fake_free(sp_profile *p);

#endif
