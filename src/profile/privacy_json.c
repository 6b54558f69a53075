/* privacy_json.c - JSON text without identity: strings are cleaned as they read, so that neither
 * "\/home\/ada" nor "\u0061da" slips through. */
#include "profile/cleaner.h"

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits at `at`, or -1. */
static int32_t unit_at(sp_str t, uint32_t at) {
  int32_t v = 0;
  if (t.n < 4 || at > t.n - 4) return -1;
  for (uint32_t i = at; i < at + 4; i++) {
    int digit = hex_value(t.p[i]);
    if (digit < 0) return -1;
    v = v << 4 | digit;
  }
  return v;
}

static void put_utf8(sp_buf *b, uint32_t c) {
  if (c >= 0x10000) {
    sp_buf_char(b, (char)(0xF0 | c >> 18));
    sp_buf_char(b, (char)(0x80 | (c >> 12 & 0x3F)));
  } else if (c >= 0x800) {
    sp_buf_char(b, (char)(0xE0 | c >> 12));
  } else if (c >= 0x80) {
    sp_buf_char(b, (char)(0xC0 | c >> 6));
  }
  if (c >= 0x800) sp_buf_char(b, (char)(0x80 | (c >> 6 & 0x3F)));
  sp_buf_char(b, (char)(c < 0x80 ? c : (0x80 | (c & 0x3F))));
}

/* \uXXXX behind the backslash at `at`: decodes it, a pair too, and returns what follows it; 0 when
 * it is none. A lone surrogate becomes U+FFFD. */
static uint32_t decode_unit(sp_buf *b, sp_str t, uint32_t at) {
  int32_t c = unit_at(t, at + 2);
  if (c < 0) return 0;
  uint32_t next = at + 6;
  if (c >= 0xD800 && c < 0xDC00 && next + 1 < t.n && t.p[next] == '\\' && t.p[next + 1] == 'u') {
    int32_t low = unit_at(t, next + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      put_utf8(b, 0x10000 + ((uint32_t)(c - 0xD800) << 10) + (uint32_t)(low - 0xDC00));
      return next + 6;
    }
  }
  put_utf8(b, c >= 0xD800 && c < 0xE000 ? 0xFFFD : (uint32_t)c);
  return next;
}

static void decode(sp_buf *b, sp_str t) {
  static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
  for (uint32_t at = 0; at < t.n;) {
    char c = t.p[at];
    if (c != '\\' || at + 1 == t.n) {
      sp_buf_char(b, c);
      at++;
      continue;
    }
    char kind = t.p[at + 1];
    uint32_t behind = kind == 'u' ? decode_unit(b, t, at) : 0;
    const char *letter = kind ? strchr(letters, kind) : NULL;
    if (!behind) sp_buf_char(b, letter ? meanings[letter - letters] : kind);
    at = behind ? behind : at + 2;
  }
}

static void encode(sp_buf *out, sp_str t) {
  for (uint32_t i = 0; i < t.n; i++) {
    unsigned char c = (unsigned char)t.p[i];
    if (c == '"' || c == '\\') sp_buf_char(out, '\\');
    if (c < 0x20)
      sp_buf_printf(out, "\\u%04x", (unsigned)c);
    else
      sp_buf_char(out, (char)c);
  }
}

bool sp_clean_json(const sp_cleaner *c, sp_str json, sp_buf *out) {
  if (c->level == SP_PRIVACY_FULL || !json.n) return sp_clean_text(c, json, out);
  bool changed = false;
  sp_buf plain = {0}, cleaned = {0};
  uint32_t from = 0; /* what is not yet written */
  for (uint32_t at = 0; at < json.n;) {
    if (json.p[at++] != '"') continue;
    uint32_t end = at;
    while (end < json.n && json.p[end] != '"')
      end += json.p[end] == '\\' && end + 1 < json.n ? 2 : 1;
    sp_buf_clear(&plain);
    sp_buf_clear(&cleaned);
    decode(&plain, (sp_str){json.p + at, end - at});
    sp_str text = {plain.data, (uint32_t)plain.length};
    if (text.n && sp_clean_text(c, text, &cleaned)) { /* others stay as they are written */
      sp_buf_bytes(out, json.p + from, at - from);
      encode(out, (sp_str){cleaned.length ? cleaned.data : "", (uint32_t)cleaned.length});
      from = end;
      changed = true;
    }
    if (plain.failed || cleaned.failed) out->failed = true;
    at = end < json.n ? end + 1 : end;
  }
  sp_buf_bytes(out, json.p + from, json.n - from);
  sp_buf_free(&plain);
  sp_buf_free(&cleaned);
  return changed;
}
