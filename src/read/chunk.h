/* chunk.h - undoing the filters of one stored chunk, without HDF5.
 *
 * Known: deflate (zlib format), shuffle, Fletcher-32, LZF (as h5py registers it) and Zstandard. A
 * pipeline holds at most one compression, and the result has exactly the declared size: a chunk
 * that gives more or less is damaged, and no more than that is ever written or asked for. */
#ifndef SP_READ_CHUNK_H
#define SP_READ_CHUNK_H

#include "base/error.h"

#include <stdint.h>

/* HDF5's filter numbers. */
enum {
  SP_FILTER_DEFLATE = 1,
  SP_FILTER_SHUFFLE = 2,
  SP_FILTER_FLETCHER32 = 3,
  SP_FILTER_LZF = 32000,
  SP_FILTER_ZSTD = 32015,
  SP_FILTER_VALUES_MAX = 8,
};

typedef struct sp_filter {
  int id;
  unsigned value_count;
  unsigned values[SP_FILTER_VALUES_MAX]; /* shuffle: [0] is the size of an element */
} sp_filter;

/* Decodes one chunk into exactly `out_n` bytes. `pipeline` is in the order of writing; bit i of
 * `mask` set means that filter i was left out for this chunk. `in` and `out` must not overlap.
 * CORRUPT when the bytes are no such chunk, UNSUPPORTED for a filter not listed above or a second
 * compression, NOMEM; the error's path is left empty for the caller. */
sp_status sp_chunk_decode(const sp_filter *pipeline, unsigned n, uint32_t mask, const void *in,
                          size_t in_n, void *out, size_t out_n, sp_error *err);

/* One decompression: at least `least` and at most `room` bytes into `out`, their number in *got.
 * `id` is SP_FILTER_DEFLATE, _LZF or _ZSTD. */
sp_status sp_chunk_unpack(int id, const void *in, size_t in_n, void *out, size_t least, size_t room,
                          size_t *got, sp_error *err);

/* Gives back the memory that decoding keeps between chunks (decoder states, one buffer). Safe at
 * any time; the next chunk takes it again. */
void sp_chunk_release(void);

#endif
