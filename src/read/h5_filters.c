/* h5_filters.c - filter classes for HDF5's pipeline around the decoders of chunk.c. */
#include "read/h5_filters.h"

#include <hdf5.h>

/* Checksums that a pipeline may put in front of the compression make its result longer. */
enum { CHECKSUMS_MAX = 4 * 4 };

static size_t expected;

void sp_h5_filters_expect(size_t chunk_bytes) { expected = chunk_bytes; }

/* The contract of a filter: 0 is failure; else the number of bytes in *buffer, which may have been
 * replaced (the old one freed) with its capacity in *capacity. Buffers belong to HDF5's own
 * allocator. */
static size_t decode(int id, unsigned flags, size_t n, size_t *capacity, void **buffer) {
  if (!(flags & H5Z_FLAG_REVERSE) || expected == 0) return 0;
  size_t room = expected + CHECKSUMS_MAX, got;
  void *out = H5allocate_memory(room, false);
  if (!out) return 0;
  if (sp_chunk_unpack(id, *buffer, n, out, expected, room, &got, NULL) != SP_OK) {
    H5free_memory(out);
    return 0;
  }
  H5free_memory(*buffer);
  *buffer = out;
  *capacity = room;
  return got;
}

static size_t decode_deflate(unsigned flags, size_t value_count, const unsigned values[], size_t n,
                             size_t *capacity, void **buffer) {
  (void)value_count, (void)values;
  return decode(SP_FILTER_DEFLATE, flags, n, capacity, buffer);
}

static size_t decode_lzf(unsigned flags, size_t value_count, const unsigned values[], size_t n,
                         size_t *capacity, void **buffer) {
  (void)value_count, (void)values;
  return decode(SP_FILTER_LZF, flags, n, capacity, buffer);
}

static size_t decode_zstd(unsigned flags, size_t value_count, const unsigned values[], size_t n,
                          size_t *capacity, void **buffer) {
  (void)value_count, (void)values;
  return decode(SP_FILTER_ZSTD, flags, n, capacity, buffer);
}

/* HDF5 refers to this name; its own H5Zdeflate.c is not part of the build. */
extern const H5Z_class2_t H5Z_DEFLATE[1];
const H5Z_class2_t H5Z_DEFLATE[1] = {{
    .version = H5Z_CLASS_T_VERS,
    .id = H5Z_FILTER_DEFLATE,
    .encoder_present = 0,
    .decoder_present = 1,
    .name = "deflate",
    .filter = decode_deflate,
}};

static const H5Z_class2_t lzf = {
    .version = H5Z_CLASS_T_VERS,
    .id = SP_FILTER_LZF,
    .decoder_present = 1,
    .name = "lzf",
    .filter = decode_lzf,
};

static const H5Z_class2_t zstd = {
    .version = H5Z_CLASS_T_VERS,
    .id = SP_FILTER_ZSTD,
    .decoder_present = 1,
    .name = "zstd",
    .filter = decode_zstd,
};

bool sp_h5_filters_register(void) { return H5Zregister(&lzf) >= 0 && H5Zregister(&zstd) >= 0; }
