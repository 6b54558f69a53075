/* source.c - the bounds check, and the source over memory. */
#include "read/source.h"

#include <string.h>

sp_status sp_source_read(sp_source *source, uint64_t offset, size_t n, void *to, sp_error *err) {
  if (offset > source->size || n > source->size - offset)
    return sp_fail(err, SP_CORRUPT, NULL, "refers to byte %llu of a file of %llu bytes",
                   (unsigned long long)(offset + n), (unsigned long long)source->size);
  return n ? source->read_at(source, offset, n, to, err) : SP_OK;
}

static sp_status memory_read(sp_source *self, uint64_t offset, size_t n, void *to, sp_error *err) {
  (void)err;
  memcpy(to, (const char *)self->state + offset, n);
  return SP_OK;
}

sp_source sp_source_memory(const void *bytes, size_t n) {
  /* read only: the const is cast away because `state` also serves sources that write to it */
  return (sp_source){.size = n, .read_at = memory_read, .state = (void *)(uintptr_t)bytes};
}

void sp_source_close(sp_source *source) {
  if (source && source->close) source->close(source);
}
