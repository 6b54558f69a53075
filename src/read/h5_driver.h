/* h5_driver.h - the only way HDF5 ever sees bytes: a read-only virtual file driver over a source.
 *
 * Small reads are served from 64 KiB windows (least recently used goes first); large ones pass
 * straight through. The same windows serve the reader's own direct reads of columns. */
#ifndef SP_READ_H5_DRIVER_H
#define SP_READ_H5_DRIVER_H

#include <hdf5.h>

#include "base/arena.h"
#include "read/source.h"

enum { SP_H5_WINDOWS = 16, SP_H5_WINDOW_BYTES = 64 << 10, SP_H5_PATCH_MAX = 96 };

/* Bytes of one open file. `patch` replaces the bytes at `patch_at` (a superblock whose "being
 * written" mark is cleared); the file itself is never changed. */
typedef struct sp_h5_bytes {
  sp_source *source;
  sp_error failure; /* first failed read: HDF5 itself only says that something failed */
  uint64_t patch_at;
  uint32_t patch_size;
  unsigned char patch[SP_H5_PATCH_MAX];
  struct {
    uint64_t base, used;
    uint32_t length;
    unsigned char *bytes;
  } windows[SP_H5_WINDOWS];
  uint64_t tick;
} sp_h5_bytes;

/* Reads exactly `n` bytes; bytes beyond the end of the source are CORRUPT. */
sp_status sp_h5_bytes_read(sp_h5_bytes *b, uint64_t offset, size_t n, void *to, sp_error *err);
void sp_h5_bytes_free(sp_h5_bytes *b);

/* A file access list with the driver set to read from `b`, which must outlive the file opened
 * with it. Negative on failure; close with H5Pclose. */
hid_t sp_h5_access_list(sp_h5_bytes *b);

#endif
