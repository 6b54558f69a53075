/* inspect_json.h - the machine-readable region table (format "profscope.inspect", version 1). */
#ifndef SP_WRITE_INSPECT_JSON_H
#define SP_WRITE_INSPECT_JSON_H

#include "base/buf.h"
#include "profile/privacy.h"
#include "stats/analysis.h"

/* A document is begun, gets one profile after the other, and is ended; the bytes are the same
 * however the caller splits the work. `path` is printed as given, at public as its file name.
 * Texts, source files and metadata follow the level; numbers and region names never do. What the
 * document itself alters is said in its warnings (names-changed, limit). Out of memory shows in
 * `out`. */
void sp_inspect_json_begin(sp_buf *out, sp_privacy level);
void sp_inspect_json_profile(sp_buf *out, bool first, const char *path, const sp_analysis *an,
                             sp_privacy level);
void sp_inspect_json_end(sp_buf *out, bool any);

#endif
