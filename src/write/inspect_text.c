/* inspect_text.c - the block of one profile, section after section. */
#include "write/inspect_text.h"

#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "write/counter_text.h"
#include "write/metadata_text.h"

enum { RULE_WIDTH = 78, SOURCE_LINES_MAX = 2000 };

typedef struct writer {
  sp_buf *out;
  const sp_analysis *an;
  const sp_profile *profile;
  const sp_inspect_text *wanted;
  const sp_cleaner *cleaner;
  sp_buf scratch;
} writer;

static sp_str scratch_text(const writer *w) {
  return (sp_str){w->scratch.length ? w->scratch.data : "", (uint32_t)w->scratch.length};
}

/* Empties the scratch buffer; that it failed is not forgotten. */
static sp_buf *fresh(writer *w) {
  w->out->failed = w->out->failed || w->scratch.failed;
  sp_buf_clear(&w->scratch);
  return &w->scratch;
}

static double seconds(int64_t ns) { return (double)ns / 1e9; }

/* ---- the headline -------------------------------------------------------------------------- */

static void put_rule(sp_buf *out) {
  sp_buf_repeat(out, "=", RULE_WIDTH);
  sp_buf_char(out, '\n');
}

static void put_headline(writer *w) {
  const sp_profile *p = w->profile;
  sp_buf *out = w->out;
  put_rule(out);
  if (p->label.n) {
    sp_clean_text(w->cleaner, p->label, fresh(w));
    sp_clip_end(out, scratch_text(w), SP_CLIP_COLUMNS, &w->wanted->style);
    sp_buf_text(out, " - ");
  }
  sp_terminal_text(out, sp_clean_profile_path(sp_str_of(w->wanted->path), w->wanted->privacy));
  sp_buf_printf(out, "\n%u rank(s), %u region(s), %.2f MiB", (unsigned)p->num_ranks,
                (unsigned)p->region_count, (double)p->bytes / 1048576.0);
  if (w->wanted->has_span) sp_buf_printf(out, ", %.6g s wall clock", seconds(w->wanted->span_ns));
  if (p->has_start_time && p->has_finalize_time) {
    double total = (double)p->finalize_time_ns - (double)p->start_time_ns;
    int64_t exact;
    if (!__builtin_sub_overflow(p->finalize_time_ns, p->start_time_ns, &exact))
      total = (double)exact;
    sp_buf_printf(out, ", %.6g s total (setup to finalize)", total / 1e9);
  }
  sp_buf_char(out, '\n');
  put_rule(out);
  sp_buf_char(out, '\n');
}

/* ---- regions ------------------------------------------------------------------------------- */

static sp_status put_regions(writer *w, sp_error *err) {
  const sp_inspect_text *wanted = w->wanted;
  if (!w->an->row_count) {
    sp_buf_text(w->out, "Regions (0)\n  (no regions recorded)\n");
  } else {
    bool fine = sp_region_table_draw(w->out, w->an, &wanted->table, &wanted->style);
    sp_buf_char(w->out, '\n');
    fine = fine && sp_put_notes(w->out, w->an, &wanted->notes, &wanted->style);
    if (!fine) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
    sp_buf_char(w->out, '\n');
  }
  size_t before = w->out->length;
  SP_TRY(sp_put_counters(w->out, w->profile, wanted->select, &wanted->style, err));
  bool sets_apart = !w->an->row_count && w->out->length > before;
  if (!sets_apart) return SP_OK;
  char *room =
      sp_buf_reserve(w->out, 1); /* an empty line between "(no regions ...)" and counters */
  if (!room) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  memmove(w->out->data + before + 1, w->out->data + before, w->out->length++ - before);
  w->out->data[before] = '\n';
  return SP_OK;
}

/* ---- source -------------------------------------------------------------------------------- */

static uint32_t find_region(const sp_profile *p, sp_str name) {
  uint32_t i = 0;
  while (i < p->region_count && !sp_str_equal(p->regions[i].name, name)) i++;
  return i;
}

/* Source of a region: of the lowest rank that has it, field by field. */
typedef struct source_text {
  sp_str file, text;
  int64_t line;
} source_text;

static source_text source_of(const sp_profile *p, uint32_t region) {
  source_text found = {.line = -1};
  for (uint32_t r = 0; r < p->rank_count; r++) {
    for (uint32_t i = 0; i < p->ranks[r].row_count; i++) {
      const sp_row *row = &p->ranks[r].rows[i];
      if (row->region != region) continue;
      if (!found.file.n) found.file = row->source_file;
      if (!found.text.n) found.text = row->source_text;
      if (found.line < 0) found.line = row->source_line;
    }
  }
  return found;
}

/* The text's lines, each indented; tabs stay, other control characters are escaped. */
static void put_lines(writer *w, sp_str text) {
  if (text.n && text.p[text.n - 1] == '\n') text.n--;
  uint32_t lines = 0, from = 0;
  for (; from <= text.n; lines++) {
    if (lines == SOURCE_LINES_MAX && !w->wanted->style.full) {
      sp_buf_printf(w->out, "    [+%u bytes]\n", (unsigned)(text.n - from));
      return;
    }
    const char *stop = from < text.n ? memchr(text.p + from, '\n', text.n - from) : NULL;
    uint32_t end = stop ? (uint32_t)(stop - text.p) : text.n;
    sp_str line = {text.p + from, end - from};
    if (line.n && line.p[line.n - 1] == '\r') line.n--;
    if (line.n) sp_buf_text(w->out, "    ");
    for (uint32_t at = 0; at < line.n;) {
      const char *tab = memchr(line.p + at, '\t', line.n - at);
      uint32_t piece = tab ? (uint32_t)(tab - line.p) - at : line.n - at;
      sp_terminal_text(w->out, (sp_str){line.p + at, piece});
      if (tab) sp_buf_char(w->out, '\t');
      at += piece + (tab != NULL);
    }
    sp_buf_char(w->out, '\n');
    from = end + 1;
  }
}

/* Like Python's repr of a list of texts. */
static void put_available(writer *w) {
  const sp_profile *p = w->profile;
  enum { SHOWN = 200 };
  sp_buf_char(w->out, '[');
  for (uint32_t i = 0; i < p->region_count; i++) {
    if (i) sp_buf_text(w->out, ", ");
    if (i == SHOWN && !w->wanted->style.full) {
      sp_buf_printf(w->out, "and %u more", (unsigned)(p->region_count - i));
      break;
    }
    sp_str name = p->regions[i].name;
    const char *quote = name.n && memchr(name.p, '\'', name.n) ? "\"" : "'";
    sp_buf_text(w->out, quote);
    sp_clip_end(w->out, name, SP_CLIP_COLUMNS, &w->wanted->style);
    sp_buf_text(w->out, quote);
  }
  sp_buf_text(w->out, "]\n");
}

static void put_source(writer *w, const char *word) {
  sp_str name = sp_str_of(word);
  uint32_t region = find_region(w->profile, name);
  sp_buf_text(w->out, "  ");
  if (region == w->profile->region_count) {
    sp_buf_char(w->out, '\'');
    sp_terminal_text(w->out, name);
    sp_buf_text(w->out, "': no such region. Available regions: ");
    put_available(w);
    return;
  }
  sp_terminal_text(w->out, name);
  source_text source = source_of(w->profile, region);
  if (!source.text.n) {
    sp_buf_text(w->out, ": source not captured\n");
    return;
  }
  sp_clean_source_path(w->cleaner, source.file, fresh(w));
  sp_buf_text(w->out, "  (");
  sp_terminal_text(w->out, source.file.n ? scratch_text(w) : SP_STR("unknown file"));
  if (source.line >= 0) sp_buf_printf(w->out, ":%lld", (long long)source.line);
  sp_buf_text(w->out, ")\n");
  sp_clean_text(w->cleaner, source.text, fresh(w));
  put_lines(w, scratch_text(w));
}

sp_status sp_inspect_text_write(sp_buf *out, const sp_analysis *an, const sp_inspect_text *wanted,
                                sp_error *err) {
  writer w = {.out = out, .an = an, .profile = an->profile, .wanted = wanted};
  sp_arena arena = {0};
  sp_cleaner *cleaner;
  sp_status status = sp_cleaner_make(an->profile, wanted->privacy, &arena, &cleaner, err);
  if (status == SP_OK) {
    w.cleaner = cleaner;
    put_headline(&w);
    if (wanted->metadata)
      sp_put_metadata(out, &an->profile->metadata, cleaner, wanted->privacy, &wanted->style);
    if (wanted->regions) status = put_regions(&w, err);
  }
  if (status == SP_OK && wanted->source_count) {
    sp_buf_printf(out, "Source (%u)\n", (unsigned)wanted->source_count);
    for (uint32_t i = 0; i < wanted->source_count; i++) put_source(&w, wanted->sources[i]);
    sp_buf_char(out, '\n');
  }
  if (status == SP_OK && (out->failed || w.scratch.failed))
    status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  sp_buf_free(&w.scratch);
  sp_arena_free(&arena);
  return status;
}
