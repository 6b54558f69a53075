/* metadata_text.h - the metadata of a profile for people, in sections (cli.md 5.2). */
#ifndef SP_WRITE_METADATA_TEXT_H
#define SP_WRITE_METADATA_TEXT_H

#include "profile/privacy.h"
#include "write/clip.h"

/* Values longer than 96 characters are cut to 92 unless style->full. What the level drops is left
 * out; the cleaner must have been made for the same level. */
void sp_put_metadata(sp_buf *out, const sp_metadata *m, const sp_cleaner *cleaner, sp_privacy level,
                     const sp_text_style *style);

#endif
