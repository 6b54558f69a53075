/* json_load.h - the whole text of a JSON file, unpacked where it is gzip. */
#ifndef SP_READ_JSON_LOAD_H
#define SP_READ_JSON_LOAD_H

#include "read/source.h"

/* The text with a NUL behind it; give it back with sp_free_block. At most 1 GiB (512 MiB where
 * pointers have 32 bits): more is TOO_LARGE, decided before a bomb is unpacked to its full size.
 * Damaged gzip is CORRUPT; *text is NULL after a failure. */
sp_status sp_json_load(sp_source *source, bool gzip, char **text, size_t *length, sp_error *err);

#endif
