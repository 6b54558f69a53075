/* inspect_text.h - one profile for people: headline, metadata, region table, notes, counters,
 * source (cli.md 5).
 *
 * Texts of the profile are escaped (base/utf8.h) and, unless style.full, cut where they are long. */
#ifndef SP_WRITE_INSPECT_TEXT_H
#define SP_WRITE_INSPECT_TEXT_H

#include "profile/privacy.h"
#include "profile/select.h"
#include "write/clip.h"
#include "write/notes_text.h"
#include "write/region_table.h"

typedef struct sp_inspect_text {
  sp_text_style style;
  bool metadata, regions; /* the sections wanted */
  sp_region_table table;
  sp_notes notes;
  const sp_select *select;    /* of the counters; NULL = all */
  const char *const *sources; /* regions whose source is shown */
  uint32_t source_count;
  sp_privacy privacy;
  const char *path; /* as titles print it */
  bool has_span;    /* something was timed */
  int64_t span_ns;  /* of the whole file, whatever was selected */
} sp_inspect_text;

/* Appends the block. `an` may hold no rows when only the metadata is wanted. Fails with NOMEM, or
 * a pattern that hits its limit. */
sp_status sp_inspect_text_write(sp_buf *out, const sp_analysis *an, const sp_inspect_text *wanted,
                                sp_error *err);

#endif
