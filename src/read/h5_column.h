/* h5_column.h - a one-dimensional numeric dataset, read in pieces as int64.
 *
 * Plain little-endian int64 columns are read straight from the source by address (contiguous) or
 * chunk by chunk through our own decoders; every other stored type goes through HDF5's conversion
 * in blocks. Reading forward never decodes a chunk twice. */
#ifndef SP_READ_H5_COLUMN_H
#define SP_READ_H5_COLUMN_H

#include "read/calls.h"
#include "read/h5_guard.h"

typedef struct sp_h5_chunk {
  uint64_t address; /* UINT64_MAX = not stored */
  uint32_t bytes, filter_mask;
} sp_h5_chunk;

typedef struct sp_h5_column {
  sp_h5_shape shape;
  char path[SP_H5_PATH_MAX];
  hid_t dataset;      /* valid while the library has to read it; else invalid */
  bool direct;        /* plain int64: read without HDF5 */
  size_t value_bytes; /* of a stored value */
  bool is_real;       /* stored as floating point */
  sp_h5_chunk *chunks;
  uint64_t chunk_count, cached; /* cached chunk number, UINT64_MAX = none */
  int64_t *cache;               /* one decoded chunk */
  void *packed;                 /* one stored chunk */
  size_t packed_bytes;
} sp_h5_column;

/* Takes over `dataset` (closed with the column, or at once when it is not needed any more; also on
 * failure). A refusal is in `err`, *code is the warning that fits. */
sp_status sp_h5_column_open(sp_h5 *h, hid_t dataset, const char *path, sp_h5_column *out,
                            const char **code, sp_error *err);
/* Values first .. first + n - 1 into `to`. */
sp_status sp_h5_column_read(sp_h5 *h, sp_h5_column *c, uint64_t first, uint64_t n, int64_t *to,
                            sp_error *err);
void sp_h5_column_close(sp_h5_column *c);

/* Whether a dataset's stored type is little-endian signed 64-bit; else what it is. */
typedef enum sp_h5_number { SP_H5_I64, SP_H5_INTEGER, SP_H5_REAL, SP_H5_NOT_A_NUMBER } sp_h5_number;
sp_h5_number sp_h5_number_of(hid_t dataset, size_t *value_bytes);

#endif
