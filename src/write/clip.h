/* clip.h - texts from profiles, escaped for the terminal and cut where they are too long. */
#ifndef SP_WRITE_CLIP_H
#define SP_WRITE_CLIP_H

#include "base/buf.h"

/* How text for people looks. */
typedef struct sp_text_style {
  bool ascii;     /* no box-drawing characters or other signs of our own outside ASCII */
  bool color;     /* escape sequences for colour */
  bool full;      /* nothing is cut for its length */
  uint32_t width; /* columns that tables may use; 0 = any number */
} sp_text_style;

enum { SP_CLIP_COLUMNS = 200 }; /* of labels and names */

/* Appends the text; of more than `most` columns only so many, and how many bytes were cut:
 * "aaaa [+59800 bytes]". Returns the columns written. */
size_t sp_clip_end(sp_buf *out, sp_str text, size_t most, const sp_text_style *style);

/* Appends the text in at most `most` columns, its middle replaced by an ellipsis if need be. */
size_t sp_clip_middle(sp_buf *out, sp_str text, size_t most, const sp_text_style *style);

#endif
