/* utf8.c - strict decoding, and what of a text a terminal may see. */
#include "base/utf8.h"

#include "base/char_widths.h"

/* ---- decoding ------------------------------------------------------------------------------ */

uint32_t sp_utf8_next(sp_str text, uint32_t *at) {
  const unsigned char *p = (const unsigned char *)text.p + *at;
  uint32_t left = text.n - *at, first = p[0];
  (*at)++;
  if (first < 0x80) return first;
  uint32_t n = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1; /* bytes that follow */
  if (first < 0xC2 || first > 0xF4 || n >= left) return SP_BAD_BYTE | first;
  uint32_t c = first & (0x3Fu >> n);
  for (uint32_t i = 1; i <= n; i++) {
    if ((p[i] & 0xC0) != 0x80) return SP_BAD_BYTE | first;
    c = c << 6 | (p[i] & 0x3F);
  }
  bool overlong = (n == 2 && c < 0x800) || (n == 3 && c < 0x10000);
  if (overlong || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) return SP_BAD_BYTE | first;
  *at += n;
  return c;
}

bool sp_utf8_valid(sp_str text) {
  for (uint32_t at = 0; at < text.n;)
    if (sp_utf8_next(text, &at) & SP_BAD_BYTE) return false;
  return true;
}

/* ---- columns ------------------------------------------------------------------------------- */

static bool in_table(const uint32_t *table, size_t n, uint32_t c) {
  size_t low = 0, high = n; /* the last range that begins at or before c */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table[middle] >> 11 <= c)
      low = middle + 1;
    else
      high = middle;
  }
  return low && c - (table[low - 1] >> 11) <= (table[low - 1] & 0x7FF);
}

int sp_char_width(uint32_t c) {
  if (c < 0x300) return 1;
  if (in_table(zero_columns, sizeof zero_columns / sizeof *zero_columns, c)) return 0;
  return in_table(two_columns, sizeof two_columns / sizeof *two_columns, c) ? 2 : 1;
}

/* ---- terminal text ------------------------------------------------------------------------- */

/* Characters that command a terminal, break its lines, reorder what is seen, or cannot be seen. */
static bool is_hidden(uint32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return true;
  if (c < 0x61C) return false;
  return c == 0x61C || c == 0x180E ||    /* Arabic letter mark, Mongolian vowel separator */
         (c >= 0x200B && c <= 0x200F) || /* zero-width space and joiners, direction marks */
         (c >= 0x2028 && c <= 0x202E) || /* line and paragraph separator, embeddings */
         (c >= 0x2060 && c <= 0x206F) || /* word joiner, invisible operators, isolates */
         c == 0xFEFF ||                  /* zero-width no-break space */
         (c >= 0xFFF9 && c <= 0xFFFB) || /* interlinear annotation */
         (c >= 0xE0000 && c <= 0xE007F); /* tags */
}

/* The escape of a hidden character or an invalid byte. */
static size_t escape(char to[12], uint32_t c) {
  static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
  size_t n = 0;
  to[n++] = '\\';
  if (c == '\t' || c == '\n') {
    to[n++] = c == '\t' ? 't' : 'n';
  } else if ((c & SP_BAD_BYTE) || c < 0x80) {
    to[n++] = 'x';
    to[n++] = lower[c >> 4 & 15];
    to[n++] = lower[c & 15];
  } else {
    to[n++] = 'u';
    to[n++] = '{';
    int shift = 20;
    while (!(c >> shift & 15)) shift -= 4;
    for (; shift >= 0; shift -= 4) to[n++] = upper[c >> shift & 15];
    to[n++] = '}';
  }
  return n;
}

/* `out` may be NULL: only count. */
static size_t terminal_text(sp_buf *out, sp_str text) {
  size_t columns = 0;
  uint32_t from = 0, at = 0;
  while (at < text.n) {
    uint32_t start = at, c = sp_utf8_next(text, &at);
    if (!(c & SP_BAD_BYTE) && !is_hidden(c)) {
      columns += (size_t)sp_char_width(c);
      continue;
    }
    char escaped[12];
    size_t n = escape(escaped, c);
    columns += n;
    if (out) {
      sp_buf_bytes(out, text.p + from, start - from);
      sp_buf_bytes(out, escaped, n);
    }
    from = at;
  }
  if (out) sp_buf_bytes(out, text.p + from, text.n - from);
  return columns;
}

size_t sp_terminal_text(sp_buf *out, sp_str text) { return text.p ? terminal_text(out, text) : 0; }

size_t sp_terminal_width(sp_str text) { return text.p ? terminal_text(NULL, text) : 0; }

/* ---- names --------------------------------------------------------------------------------- */

void sp_name_text(sp_buf *out, sp_str name) {
  uint32_t from = 0, at = 0;
  while (at < name.n) {
    uint32_t start = at, c = sp_utf8_next(name, &at);
    if (!(c & SP_BAD_BYTE)) continue;
    char escaped[12];
    size_t n = escape(escaped, c);
    sp_buf_bytes(out, name.p + from, start - from);
    sp_buf_bytes(out, escaped, n);
    from = at;
  }
  if (name.p) sp_buf_bytes(out, name.p + from, name.n - from);
}
