/* buf.c - doubling growth with sticky failure. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

void sp_buf_free(sp_buf *b) {
  sp_free_block(b->data);
  *b = (sp_buf){0};
}

void sp_buf_clear(sp_buf *b) {
  b->length = 0;
  b->failed = false;
}

char *sp_buf_reserve(sp_buf *b, size_t n) {
  if (b->failed) return NULL;
  if (b->drain && b->length >= SP_BUF_DRAIN_AT) {
    b->failed = !b->drain(b->drain_context, b->data, b->length);
    b->length = 0;
    if (b->failed) return NULL;
  }
  if (n > b->capacity - b->length) {
    size_t wanted = b->capacity ? b->capacity : 512;
    while (wanted - b->length < n) {
      if (wanted > SIZE_MAX / 4) {
        b->failed = true;
        return NULL;
      }
      wanted *= 2;
    }
    char *grown = sp_resize(b->data, wanted);
    if (!grown) {
      b->failed = true;
      return NULL;
    }
    b->data = grown;
    b->capacity = wanted;
  }
  return b->data + b->length;
}

void sp_buf_bytes(sp_buf *b, const void *bytes, size_t n) {
  char *at = sp_buf_reserve(b, n);
  if (!at || !n) return;
  memcpy(at, bytes, n);
  b->length += n;
}

void sp_buf_text(sp_buf *b, const char *text) { sp_buf_bytes(b, text, strlen(text)); }

void sp_buf_str(sp_buf *b, sp_str text) { sp_buf_bytes(b, text.p, text.n); }

void sp_buf_char(sp_buf *b, char c) { sp_buf_bytes(b, &c, 1); }

void sp_buf_repeat(sp_buf *b, const char *text, size_t times) {
  size_t n = strlen(text);
  while (times-- && !b->failed) sp_buf_bytes(b, text, n);
}

void sp_buf_printf(sp_buf *b, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  va_end(args);
  char *at = n < 0 ? NULL : sp_buf_reserve(b, (size_t)n + 1);
  if (at) {
    vsnprintf(at, (size_t)n + 1, fmt, again);
    b->length += (size_t)n;
  } else {
    b->failed = true;
  }
  va_end(again);
}
