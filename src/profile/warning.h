/* warning.h - what was left out, altered or found odd, kept as a list in the result.
 *
 * `code` is one of the codes of the inspect document (a literal); `path` the HDF5 object path or
 * "/"; `message` one sentence without program, file and full stop. The same code and path is kept
 * once. Beyond SP_WARNINGS_MAX entries only a count goes on (`dropped`). */
#ifndef SP_PROFILE_WARNING_H
#define SP_PROFILE_WARNING_H

#include "base/arena.h"

enum { SP_WARNINGS_MAX = 1000 };

typedef struct sp_warning {
  const char *code, *path, *message;
} sp_warning;

typedef struct sp_warnings {
  sp_arena *arena; /* where texts live; set by the owner before the first sp_warn */
  sp_warning *items;
  uint32_t count, capacity;
  uint64_t dropped;
} sp_warnings;

/* Adds a warning; texts are copied, cut to 1000 bytes, and control characters and invalid UTF-8
 * in them are kept as they are (sinks escape). `w` may be NULL. */
void sp_warn(sp_warnings *w, const char *code, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Appends all of `from` to `to`. */
void sp_warnings_add(sp_warnings *to, const sp_warnings *from);

#endif
