/* buf.h - a growing byte buffer: the only thing writers write to.
 *
 * A buffer that could not grow becomes sticky-failed and drops what follows, so writers need no
 * check per append; whoever owns the buffer tests `failed` once. */
#ifndef SP_BASE_BUF_H
#define SP_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Takes the content away while more is still being written; false ends the writing (failed). */
typedef bool (*sp_buf_drain)(void *context, const char *bytes, size_t n);

typedef struct sp_buf {
  char *data;
  size_t length, capacity;
  bool failed;
  /* Long output need not be held whole: with `drain` set, it gets the content each time
   * SP_BUF_DRAIN_AT bytes are there. The owner drains the rest. */
  sp_buf_drain drain;
  void *drain_context;
} sp_buf;

enum { SP_BUF_DRAIN_AT = 1 << 20 };

/* A zeroed sp_buf is an empty one. */
void sp_buf_free(sp_buf *b);
/* Forgets the content, keeps the memory, clears `failed`. */
void sp_buf_clear(sp_buf *b);
/* Makes room for `n` more bytes; NULL (and failed) if there is none. Append by writing there and
 * adding to `length`. */
char *sp_buf_reserve(sp_buf *b, size_t n);
void sp_buf_bytes(sp_buf *b, const void *bytes, size_t n);
void sp_buf_text(sp_buf *b, const char *text);
void sp_buf_str(sp_buf *b, sp_str text);
void sp_buf_char(sp_buf *b, char c);
void sp_buf_repeat(sp_buf *b, const char *text, size_t times);
void sp_buf_printf(sp_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
