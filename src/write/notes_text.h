/* notes_text.h - the box behind a region table: its size, what its marks mean, hints. */
#ifndef SP_WRITE_NOTES_TEXT_H
#define SP_WRITE_NOTES_TEXT_H

#include "stats/analysis.h"
#include "write/clip.h"

typedef struct sp_notes {
  bool exclusive;           /* percentages are of the exclusive time */
  uint32_t width;           /* columns for the box, at least 40 */
  const char *const *hints; /* lines for a person at a terminal ("" = empty line), NULL behind */
} sp_notes;

/* The names of rows whose GPU time is more than twice their CPU time (statistics 15), sorted, each
 * once, as a sentence; nothing without such rows. */
bool sp_put_gpu_warning(sp_buf *out, const sp_analysis *an, const sp_text_style *style);

/* The box. False when memory ran out. */
bool sp_put_notes(sp_buf *out, const sp_analysis *an, const sp_notes *notes,
                  const sp_text_style *style);

#endif
