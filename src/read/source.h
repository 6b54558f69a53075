/* source.h - where bytes come from: a size and read_at(offset, n). Memory, a file descriptor or a
 * JavaScript callback; HDF5 never sees anything else. A source is borrowed by whoever reads from
 * it; the one who opened it closes it afterwards. */
#ifndef SP_READ_SOURCE_H
#define SP_READ_SOURCE_H

#include "base/error.h"

#include <stdint.h>

typedef struct sp_source sp_source;

struct sp_source {
  uint64_t size; /* bytes, fixed when the source was opened */
  /* Reads exactly `n` bytes at `offset` (offset + n <= size was checked) or fails with IO. */
  sp_status (*read_at)(sp_source *self, uint64_t offset, size_t n, void *to, sp_error *err);
  /* IO when the input changed since it was opened; NULL where that cannot be known. */
  sp_status (*unchanged)(sp_source *self, sp_error *err);
  void (*close)(sp_source *self); /* may be NULL */
  void *state;
};

/* Bounds-checked read: CORRUPT when offset + n lies beyond the end. */
sp_status sp_source_read(sp_source *source, uint64_t offset, size_t n, void *to, sp_error *err);
/* A source over bytes that outlive it. */
sp_source sp_source_memory(const void *bytes, size_t n);
void sp_source_close(sp_source *source);

#endif
