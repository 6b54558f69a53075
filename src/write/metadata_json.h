/* metadata_json.h - stored metadata as JSON, and the document of --export-metadata. */
#ifndef SP_WRITE_METADATA_JSON_H
#define SP_WRITE_METADATA_JSON_H

#include "profile/privacy.h"

/* The object, ordered by key, its members indented by two spaces for each level of `depth`; what
 * the cleaner's level drops is left out. Numbers without a value are null. */
void sp_json_metadata(sp_buf *out, const sp_metadata *m, const sp_cleaner *cleaner,
                      sp_privacy level, unsigned depth);

/* {"files": [{"file_path", "num_ranks", "metadata"}, ...]}: begun, one file after the other, ended.
 * `path` is printed as given. */
void sp_metadata_json_begin(sp_buf *out);
sp_status sp_metadata_json_file(sp_buf *out, bool first, sp_str path, const sp_profile *p,
                                sp_privacy level, sp_error *err);
void sp_metadata_json_end(sp_buf *out, bool any);

#endif
