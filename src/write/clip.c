/* clip.c - cutting at characters, counting in columns. */
#include "write/clip.h"

#include "base/utf8.h"

/* Columns of the escaped character at text.p[*at]; moves on. */
static size_t next_width(sp_str text, uint32_t *at) {
  uint32_t from = *at;
  sp_utf8_next(text, at);
  return sp_terminal_width((sp_str){text.p + from, *at - from});
}

/* The longest front of at most `most` columns. */
static uint32_t front(sp_str text, size_t most) {
  size_t used = 0;
  for (uint32_t at = 0, from = 0;; from = at) {
    if (at == text.n) return at;
    used += next_width(text, &at);
    if (used > most) return from;
  }
}

/* Where the longest end of at most `most` columns begins. */
static uint32_t back(sp_str text, size_t most) {
  size_t rest = sp_terminal_width(text);
  uint32_t at = 0;
  while (rest > most) rest -= next_width(text, &at);
  return at;
}

size_t sp_clip_end(sp_buf *out, sp_str text, size_t most, const sp_text_style *style) {
  if (style->full || !text.n) return sp_terminal_text(out, text);
  uint32_t kept = front(text, most);
  size_t width = sp_terminal_text(out, (sp_str){text.p, kept});
  if (kept == text.n) return width;
  size_t before = out->length;
  sp_buf_printf(out, " [+%u bytes]", (unsigned)(text.n - kept));
  return width + (out->length - before);
}

size_t sp_clip_middle(sp_buf *out, sp_str text, size_t most, const sp_text_style *style) {
  if (!text.n || front(text, most) == text.n) return sp_terminal_text(out, text);
  const char *mark = style->ascii ? "..." : "…";
  size_t mark_width = style->ascii ? 3 : 1;
  if (most <= mark_width) {
    uint32_t kept = front(text, most);
    return sp_terminal_text(out, (sp_str){text.p, kept});
  }
  size_t room = most - mark_width, head = room - room / 2;
  uint32_t kept = front(text, head), from = back(text, room - head);
  size_t width = sp_terminal_text(out, (sp_str){text.p, kept});
  sp_buf_text(out, mark);
  return width + mark_width + sp_terminal_text(out, (sp_str){text.p + from, text.n - from});
}
