/* error.c - the status table and the one function that fills an error. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *meaning;
  int exit_code;
} table[] = {
#define X(name, text, exit_code, meaning) {text, meaning, exit_code},
#include "base/error_codes.def"
#undef X
};

/* Marks a text that did not fit: cut back to a character's start, then "...". */
static void mark_cut(char *text, size_t size) {
  size_t end = size - 4;
  while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  memcpy(text + end, "...", 4);
}

sp_status sp_fail(sp_error *err, sp_status code, const char *path, const char *fmt, ...) {
  if (!err || err->code != SP_OK) return code;
  err->code = code;
  va_list args;
  va_start(args, fmt);
  int length = vsnprintf(err->message, sizeof err->message, fmt, args);
  va_end(args);
  if (length < 0) err->message[0] = '\0';
  if (length >= (int)sizeof err->message) mark_cut(err->message, sizeof err->message);
  length = snprintf(err->path, sizeof err->path, "%s", path ? path : "");
  if (length >= (int)sizeof err->path) mark_cut(err->path, sizeof err->path);
  return code;
}

void sp_error_clear(sp_error *err) {
  if (err) *err = (sp_error){.code = SP_OK};
}

const char *sp_status_name(sp_status code) { return table[code].name; }

const char *sp_status_meaning(sp_status code) { return table[code].meaning; }

int sp_status_exit(sp_status code) { return table[code].exit_code; }
