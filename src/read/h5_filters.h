/* h5_filters.h - the filters HDF5 may use: deflate by libdeflate in place of the library's own
 * (which needs zlib and has no bound), LZF and Zstandard. Reading only; no plugins.
 *
 * HDF5 calls a filter without saying how large the result may be, so the reader says it first:
 * whatever decodes to more or less fails. */
#ifndef SP_READ_H5_FILTERS_H
#define SP_READ_H5_FILTERS_H

#include "read/chunk.h"

/* Registers LZF and Zstandard (deflate is linked in). To be called before the first file is
 * opened; again is fine. False when HDF5 has no room for them. */
bool sp_h5_filters_register(void);

/* Chunks of the dataset that is read next have this many bytes. 0, the state at the start, lets no
 * filter decode anything (HDF5 also compresses parts of groups when asked to; no recorder does). */
void sp_h5_filters_expect(size_t chunk_bytes);

#endif
