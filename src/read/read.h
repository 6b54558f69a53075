/* read.h - bytes in, profile out. The content decides the kind, never the name.
 *
 * HDF5 profiles (signature at 0, 512, 1024, ...), JSON profiles, gzip around JSON, .spt traces.
 * Anything else is NOT_A_PROFILE with a sentence that says what it looks like. */
#ifndef SP_READ_READ_H
#define SP_READ_READ_H

#include "profile/profile.h"
#include "read/source.h"

/* Limits; a zero field means the default given behind it. Each is named in the message when hit. */
typedef struct sp_read_limits {
  uint64_t calls;       /* of the whole file: 100,000,000 */
  uint64_t rows;        /* regions x ranks: 1,000,000 */
  uint64_t names;       /* region names: 200,000 */
  uint64_t other_bytes; /* decoded bytes of everything but event columns: 256 MiB */
} sp_read_limits;

/* Reads structure, index, stored summaries and metadata; event columns stay in the file. On
 * success *out is freed with sp_profile_free, before the source is closed. On failure *out is
 * NULL. `limits` may be NULL. */
sp_status sp_read(sp_source *source, const sp_read_limits *limits, sp_profile **out, sp_error *err);

/* The readers behind it (each gets a profile whose arena, bytes and warnings.arena are set). */
sp_status sp_read_h5(sp_source *source, const sp_read_limits *limits, sp_profile *p, sp_error *err);
sp_status sp_read_json(sp_source *source, const sp_read_limits *limits, bool gzip, sp_profile *p,
                       sp_error *err);
sp_status sp_read_native_trace(sp_source *source, const sp_read_limits *limits, sp_profile *p,
                               sp_error *err);

#endif
