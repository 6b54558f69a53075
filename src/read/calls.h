/* calls.h - which calls count, for every reader.
 *
 * A call that ends before it starts, never ended (end 0 or -1), or has no valid time is left out
 * of all arrays of `into`, each kind with one warning that names region, rank and count. */
#ifndef SP_READ_CALLS_H
#define SP_READ_CALLS_H

#include "profile/profile.h"

/* Stands for a stored time that is no 64-bit integer. */
#define SP_NO_TIME INT64_MIN

/* into->duration_ns holds ends: turns them into durations in place. */
void sp_durations_from_ends(const sp_profile *p, const sp_row *row, sp_calls *into,
                            sp_warnings *warnings);
/* The same for calls whose durations are stored: those with a negative duration, or an end beyond
 * 64 bits, are left out. */
void sp_drop_unsound(const sp_profile *p, const sp_row *row, sp_calls *into, sp_warnings *warnings);

#endif
