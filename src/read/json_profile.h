/* json_profile.h - one JSON profile being read, seen by the json_* files only. */
#ifndef SP_READ_JSON_PROFILE_H
#define SP_READ_JSON_PROFILE_H

#include "profile/profile.h"
#include "read/build.h"
#include "read/json_outline.h"
#include "read/read.h"

enum { SP_JSON_COLUMNS = 6 }; /* optional columns of calls */

/* The columns of one row; they live in the profile's arena. row->offset is the index of its
 * entry in sp_json_calls_of(profile). */
typedef struct sp_json_calls {
  int64_t *start_ns, *end_ns;
  int64_t *optional[SP_JSON_COLUMNS]; /* NULL = not stored */
} sp_json_calls;

typedef struct sp_json_reader {
  sp_profile *profile;
  sp_json_outline outline;
  sp_build build;
  sp_read_limits left;
  sp_json_calls *calls; /* one per entry of "regions" */
  uint32_t call_sets;
} sp_json_reader;

/* Takes one from a limit; TOO_LARGE naming `what`. */
sp_status sp_json_spend(uint64_t *left, uint64_t n, const char *what, sp_error *err);

/* "regions": rows and their calls. Entries that cannot be used are left out with a warning. */
sp_status sp_json_regions(sp_json_reader *r, const cJSON *regions, sp_error *err);
/* The reader's operation. */
sp_status sp_json_load_calls(const sp_profile *p, const sp_row *row, sp_calls *into,
                             sp_warnings *warnings, sp_error *err);

/* The tables under ranks ("threads", "tasks", "likwid", "line_profile"): first their ranks, before
 * the ranks are put in order, then their rows. */
sp_status sp_json_table_ranks(sp_json_reader *r, const cJSON *root, sp_error *err);
sp_status sp_json_tables(sp_json_reader *r, const cJSON *root, sp_error *err);

#endif
