/* notes_text.c - lines are gathered first, since the frame is as wide as the widest. */
#include "write/notes_text.h"

#include <string.h>

#include "base/utf8.h"

enum { NAMES_SHOWN = 8, INDENT = 2 };

/* ---- the GPU warning ----------------------------------------------------------------------- */

static bool is_suspicious(const sp_tree_row *row) {
  return row->stats.has_gpu && row->stats.gpu_total_ns > 2 * row->stats.total_ns;
}

/* The smallest suspicious name above `after` (none: the smallest), or a zeroed text. */
static sp_str next_name(const sp_analysis *an, sp_str after) {
  sp_str best = {0};
  for (uint32_t i = 0; i < an->row_count; i++) {
    sp_str name = an->profile->regions[an->rows[i].region].name;
    if (!is_suspicious(&an->rows[i]) || (after.p && sp_str_compare(name, after) <= 0)) continue;
    if (!best.p || sp_str_compare(name, best) < 0) best = name;
  }
  return best;
}

bool sp_put_gpu_warning(sp_buf *out, const sp_analysis *an, const sp_text_style *style) {
  sp_str name = next_name(an, (sp_str){0});
  if (!name.p) return false;
  sp_buf_text(out, "Warning: GPU time exceeds CPU time by more than 2x for ");
  for (uint32_t shown = 0; name.p; shown++, name = next_name(an, name)) {
    if (shown == NAMES_SHOWN) {
      sp_buf_text(out, " and others");
      break;
    }
    if (shown) sp_buf_text(out, ", ");
    sp_clip_end(out, name, 60, style);
  }
  sp_buf_text(out, ". CPU time may only measure how long launching the work took; compare the GPU"
                   " columns.");
  return true;
}

/* ---- the box ------------------------------------------------------------------------------- */

typedef struct box {
  sp_buf text; /* lines, each ending in a newline */
  size_t room, widest;
} box;

/* Ends a line that begins at `start` of the text. */
static void end_line(box *b, size_t start) {
  size_t width =
      sp_terminal_width((sp_str){b->text.data + start, (uint32_t)(b->text.length - start)});
  if (width > b->widest) b->widest = width;
  sp_buf_char(&b->text, '\n');
}

/* Adds a text, wrapped at blanks; what follows is indented like the text, and two columns more. */
static void add(box *b, const char *text) {
  size_t lead = strspn(text, " "), start = b->text.length, used = 0, gap = lead;
  text += lead;
  while (*text && !b->text.failed) {
    size_t n = strcspn(text, " "), width = sp_terminal_width((sp_str){text, (uint32_t)n});
    if (used > lead + INDENT && used + gap + width > b->room) {
      end_line(b, start);
      start = b->text.length;
      used = 0;
      gap = lead + INDENT;
    }
    sp_buf_repeat(&b->text, " ", gap);
    sp_buf_bytes(&b->text, text, n);
    used += gap + width;
    text += n;
    gap = strspn(text, " ");
    text += gap;
  }
  end_line(b, start);
}

static void add_facts(box *b, const sp_analysis *an, const sp_notes *notes,
                      const sp_text_style *style) {
  bool recursive = false, idle = false;
  uint32_t deepest = 0;
  for (uint32_t i = 0; i < an->row_count; i++) {
    recursive = recursive || an->rows[i].recursive;
    idle = idle || an->rows[i].stats.calls == 0;
    if (an->rows[i].depth > deepest) deepest = an->rows[i].depth;
  }
  add(b, "Durations are in seconds.");
  if (an->row_count > 1)
    add(b, "Regions may nest, so the summed total can exceed the wall-clock time.");
  if (recursive)
    add(b, style->ascii ? "@ Recursive rows pool every level of the recursion: the call count "
                          "includes nested calls, the total only the outermost ones."
                        : "↻ Recursive rows pool every level of the recursion: the call count "
                          "includes nested calls, the total only the outermost ones.");
  if (an->has_session)
    add(b, notes->exclusive
               ? "% session uses exclusive time for each region."
               : "% session uses wall-clock coverage; overlapping recursive calls count once.");
  if (idle) add(b, "Regions shown without timing recorded no calls on the selected ranks.");
  if (deepest > 64)
    add(b, "Rows below level 64 are drawn at that level, with their own in brackets.");
}

static void draw(sp_buf *out, const box *b, bool ascii) {
  const char *line = ascii ? "-" : "─", *side = ascii ? "|" : "│";
  size_t w = b->widest;
  sp_buf_printf(out, "  %s Info ", ascii ? "+-" : "╭─");
  sp_buf_repeat(out, line, w > 6 ? w - 5 : 1);
  sp_buf_printf(out, "%s\n", ascii ? "+" : "╮");
  for (const char *at = b->text.data, *end = at + b->text.length; at < end;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    sp_str text = {at, (uint32_t)(stop - at)};
    sp_buf_printf(out, "  %s ", side);
    sp_buf_str(out, text);
    sp_buf_repeat(out, " ", w - sp_terminal_width(text));
    sp_buf_printf(out, " %s\n", side);
    at = stop + 1;
  }
  sp_buf_printf(out, "  %s", ascii ? "+" : "╰");
  sp_buf_repeat(out, line, w + 2);
  sp_buf_printf(out, "%s\n", ascii ? "+" : "╯");
}

bool sp_put_notes(sp_buf *out, const sp_analysis *an, const sp_notes *notes,
                  const sp_text_style *style) {
  box b = {.room = notes->width > 46 ? notes->width - 6 : 40};
  sp_buf line = {0};
  if (sp_put_gpu_warning(&line, an, style)) {
    sp_buf_char(&line, '\0');
    if (!line.failed) add(&b, line.data);
  }
  bool fine = !line.failed;
  sp_buf_clear(&line);
  sp_buf_printf(&line, "Summary: Regions (%u)", (unsigned)an->row_count);
  sp_buf_char(&line, '\0');
  if (!line.failed) add(&b, line.data);
  for (const char *const *hint = notes->hints; hint && *hint; hint++) add(&b, *hint);
  if (notes->hints) add(&b, "");
  add_facts(&b, an, notes, style);
  fine = fine && !b.text.failed && !line.failed;
  if (fine) draw(out, &b, style->ascii);
  sp_buf_free(&line);
  sp_buf_free(&b.text);
  return fine && !out->failed;
}
