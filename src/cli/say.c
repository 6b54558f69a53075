/* say.c - one line on standard error, made without the allocator: what it has to say may be that
 * there is no memory. */
#include "cli/say.h"

#include "base/utf8.h"
#include "cli/host.h"

enum { LINE_BYTES = 299, FILE_MAX = 110, PLACE_MAX = 90, ESCAPE_MAX = 16 };

/* The buffer's memory is an array: nothing may be appended that does not fit. */
typedef struct sp_line {
  char bytes[LINE_BYTES + 1 + ESCAPE_MAX];
  sp_buf text;
} sp_line;

/* Moves `at` behind the next character of the text and appends it escaped. */
static void put_character(sp_buf *to, sp_str text, uint32_t *at) {
  uint32_t from = *at;
  sp_utf8_next(text, at);
  sp_terminal_text(to, (sp_str){text.p + from, *at - from});
}

/* Bytes of the next character, escaped. */
static size_t next_length(sp_str text, uint32_t *at) {
  char bytes[ESCAPE_MAX * 2];
  sp_buf one = {.data = bytes, .capacity = sizeof bytes};
  put_character(&one, text, at);
  return one.length;
}

/* Appends the escaped text; if it has more than `most` bytes, its beginning and "...". */
static void put_front(sp_line *l, const char *words, size_t most) {
  sp_str text = sp_str_of(words);
  size_t length = 0;
  uint32_t kept = 0;
  for (uint32_t at = 0; at < text.n && length <= most;) {
    length += next_length(text, &at);
    if (length + 3 <= most) kept = at;
  }
  if (length <= most) kept = text.n;
  for (uint32_t at = 0; at < kept;) put_character(&l->text, text, &at);
  if (kept < text.n) sp_buf_text(&l->text, "...");
}

/* The same, but the end is what stays: a path's last parts tell most. */
static void put_back(sp_line *l, const char *words, size_t most) {
  sp_str text = sp_str_of(words);
  size_t length = 0;
  for (uint32_t at = 0; at < text.n;) length += next_length(text, &at);
  uint32_t at = 0;
  if (length > most) {
    sp_buf_text(&l->text, "...");
    while (length + 3 > most) length -= next_length(text, &at);
  }
  while (at < text.n) put_character(&l->text, text, &at);
}

void sp_say(const char *command, const char *kind, const char *file, const char *place,
            const char *message) {
  sp_line l;
  l.text = (sp_buf){.data = l.bytes, .capacity = sizeof l.bytes};
  sp_buf_text(&l.text, "profscope ");
  if (!command || !*command)
    l.text.length--;
  else
    sp_buf_text(&l.text, command);
  sp_buf_text(&l.text, ": ");
  sp_buf_text(&l.text, kind);
  sp_buf_text(&l.text, ": ");
  if (file && *file) {
    put_back(&l, file, FILE_MAX);
    sp_buf_text(&l.text, ": ");
  }
  if (place && *place) {
    put_front(&l, place, PLACE_MAX);
    sp_buf_text(&l.text, ": ");
  }
  put_front(&l, message, LINE_BYTES - l.text.length);
  sp_buf_char(&l.text, '\n');
  /* standard error is the last resort: there is nobody to tell when it fails */
  sp_host_print(SP_HOST_ERR, l.text.data, l.text.length, NULL);
}

int sp_say_error(const char *command, const char *file, const sp_error *err) {
  const char *message = *err->message ? err->message : sp_status_meaning(err->code);
  sp_say(command, "error", file, err->path, message);
  return sp_status_exit(err->code);
}

int sp_graver(int a, int b) {
  static const int order[] = {2, 5, 3, 4, 1};
  for (size_t i = 0; i < SP_ARRAY_LEN(order); i++)
    if (a == order[i] || b == order[i]) return order[i];
  return a ? a : b;
}
