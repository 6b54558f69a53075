/* json.c - strings as JSON. */
#include "write/json.h"

#include <stdio.h>

#include "base/utf8.h"

static void escape(sp_buf *b, uint32_t c) {
  static const char shorts[] = "btn\0fr"; /* \b \t \n, vertical tab has none, \f \r */
  if (c == '"' || c == '\\') {
    sp_buf_char(b, '\\');
    sp_buf_char(b, (char)c);
  } else if (c >= 8 && c <= 13 && c != 11) {
    sp_buf_char(b, '\\');
    sp_buf_char(b, shorts[c - 8]);
  } else {
    sp_buf_printf(b, "\\u%04x", (unsigned)c);
  }
}

static bool needs_escape(uint32_t c) {
  return c < 0x20 || c == '"' || c == '\\' || c == 0x7F || c == 0x2028 || c == 0x2029;
}

static void quoted(sp_buf *b, sp_str text, bool is_name) {
  if (!text.p) {
    sp_buf_text(b, "null");
    return;
  }
  sp_buf_char(b, '"');
  uint32_t from = 0, at = 0;
  while (at < text.n) {
    uint32_t start = at, c = sp_utf8_next(text, &at);
    bool invalid = (c & SP_BAD_BYTE) != 0;
    if (!invalid && !needs_escape(c)) continue;
    sp_buf_bytes(b, text.p + from, start - from);
    from = at;
    if (!invalid)
      escape(b, c);
    else if (is_name)
      sp_buf_printf(b, "\\\\x%02x", (unsigned)(c & 0xFF));
    else
      sp_buf_text(b, "\xEF\xBF\xBD");
  }
  sp_buf_bytes(b, text.p + from, text.n - from);
  sp_buf_char(b, '"');
}

void sp_json_string(sp_buf *b, sp_str text) { quoted(b, text, false); }

void sp_json_name(sp_buf *b, sp_str name) { quoted(b, name, true); }
