/* inspect_json.c - the region table as one JSON document.
 *
 * Names are quoted once per profile: in the rows of a deep tree every name stands in the paths of
 * all that lies below it. */
#include "write/inspect_json.h"

#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "write/json.h"
#include "write/metadata_json.h"

enum { PATHS_MAX = 256 << 20 }; /* bytes of all rows' paths: more is refused as out of memory */

/* What the rows say of a region beside its numbers. */
typedef struct region_text {
  size_t from, to;     /* its quoted name in writer.names */
  const sp_row *first; /* on the lowest selected rank: its tags count */
  sp_str source_file;  /* zeroed = none */
  int64_t source_line; /* -1 = none */
} region_text;

typedef struct writer {
  sp_buf *out;
  const sp_analysis *an;
  const sp_profile *profile;
  sp_privacy level;
  const sp_cleaner *cleaner;
  sp_arena arena;
  sp_buf names, scratch;
  region_text *regions;
  uint32_t *chain;        /* room for the longest path */
  uint32_t names_changed; /* names that are not UTF-8 */
} writer;

/* ---- pieces -------------------------------------------------------------------------------- */

static void line(sp_buf *out, bool first, unsigned depth) {
  sp_buf_text(out, first ? "\n" : ",\n");
  sp_buf_repeat(out, "  ", depth);
}

/* Starts a member; `name` needs no escape. */
static void key(sp_buf *out, bool first, unsigned depth, const char *name) {
  line(out, first, depth);
  sp_buf_char(out, '"');
  sp_buf_text(out, name);
  sp_buf_text(out, "\": ");
}

static void flag(sp_buf *out, bool value) { sp_buf_text(out, value ? "true" : "false"); }

typedef bool (*clean_fn)(const sp_cleaner *c, sp_str text, sp_buf *out);

/* A text that the level may alter; a zeroed one is null. */
static void cleaned(writer *w, sp_str text, clean_fn clean) {
  if (text.p && w->level != SP_PRIVACY_FULL) {
    sp_buf_clear(&w->scratch);
    clean(w->cleaner, text, &w->scratch);
    w->out->failed = w->out->failed || w->scratch.failed;
    text = (sp_str){w->scratch.length ? w->scratch.data : "", (uint32_t)w->scratch.length};
  }
  sp_json_string(w->out, text);
}

static void i64_or_null(sp_buf *out, bool has, int64_t v) {
  if (has)
    sp_buf_i64(out, v);
  else
    sp_buf_text(out, "null");
}

static void i128_or_null(sp_buf *out, bool has, sp_i128 v) {
  if (has)
    sp_buf_i128(out, v);
  else
    sp_buf_text(out, "null");
}

/* ---- warnings ----------------------------------------------------------------------------- */

static void warning(writer *w, bool first, const char *code, const char *path, sp_str message,
                    bool clean) {
  line(w->out, first, 4);
  sp_buf_char(w->out, '{');
  key(w->out, true, 5, "code");
  sp_json_string(w->out, sp_str_of(code));
  key(w->out, false, 5, "path");
  sp_json_name(w->out, sp_str_of(path)); /* paths are made of names */
  key(w->out, false, 5, "message");
  if (clean)
    cleaned(w, message, sp_clean_text);
  else
    sp_json_string(w->out, message);
  line(w->out, true, 4);
  sp_buf_char(w->out, '}');
}

static void own_warning(writer *w, bool first, const char *code, const char *fmt, uint64_t n) {
  sp_buf text = {0};
  sp_buf_printf(&text, "%llu %s", (unsigned long long)n, fmt);
  if (text.failed)
    w->out->failed = true;
  else
    warning(w, first, code, "/", (sp_str){text.data, (uint32_t)text.length}, false);
  sp_buf_free(&text);
}

static void warnings(writer *w) {
  const sp_warnings *all = &w->an->warnings;
  bool any = false;
  sp_buf_char(w->out, '[');
  for (uint32_t i = 0; i < all->count; i++) {
    const sp_warning *x = &all->items[i];
    /* what a refused link led to is a file name of the machine; HDF5 paths are no secrets */
    warning(w, !any, x->code, x->path, sp_str_of(x->message), strcmp(x->code, "link-refused") == 0);
    any = true;
  }
  if (w->names_changed) {
    own_warning(w, !any, "names-changed",
                w->names_changed == 1
                    ? "region name is not UTF-8; its invalid bytes are written as \\xNN"
                    : "region names are not UTF-8; their invalid bytes are written as \\xNN",
                w->names_changed);
    any = true;
  }
  if (all->dropped) {
    own_warning(w, !any, "limit", "more warnings are not listed", all->dropped);
    any = true;
  }
  if (any) line(w->out, true, 3);
  sp_buf_char(w->out, ']');
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Members of a row. */
static void put_count(sp_buf *out, const char *name, bool has, sp_i128 v) {
  key(out, false, 5, name);
  i128_or_null(out, has, v);
}

static void put_real(sp_buf *out, const char *name, bool has, double v) {
  key(out, false, 5, name);
  if (has)
    sp_buf_double(out, v);
  else
    sp_buf_text(out, "null");
}

static void columns(sp_buf *out, const sp_stats *s) {
  put_count(out, "calls", true, (sp_i128)s->calls);
  put_count(out, "num_ranks", true, s->num_ranks);
  put_count(out, "total_ns", true, s->total_ns);
  put_count(out, "exclusive_ns", true, s->exclusive_ns);
  put_count(out, "coverage_ns", true, s->coverage_ns);
  put_real(out, "avg_ns", s->has_calls, s->avg_ns);
  put_count(out, "min_ns", s->has_calls, s->min_ns);
  put_count(out, "max_ns", s->has_calls, s->max_ns);
  put_count(out, "first_ns", s->has_ends, s->first_ns);
  put_count(out, "last_ns", s->has_ends, s->last_ns);
  put_real(out, "std_ns", s->has_spread, s->std_ns);
  put_real(out, "p50_ns", s->has_percentiles, s->p50_ns);
  put_real(out, "p95_ns", s->has_percentiles, s->p95_ns);
  put_real(out, "p99_ns", s->has_percentiles, s->p99_ns);
  put_real(out, "imbalance_pct", true, s->imbalance_pct);
  put_count(out, "gpu_total_ns", s->has_gpu, s->gpu_total_ns);
  put_real(out, "gpu_avg_ns", s->has_gpu, s->gpu_avg_ns);
}

static void quoted_name(writer *w, uint32_t region) {
  const region_text *r = &w->regions[region];
  sp_buf_bytes(w->out, w->names.data + r->from, r->to - r->from);
}

static void tags_and_source(writer *w, const region_text *r) {
  key(w->out, false, 5, "tags");
  sp_buf_char(w->out, '[');
  for (uint32_t i = 0; r->first && i < r->first->tag_count; i++) {
    if (i) sp_buf_text(w->out, ", ");
    cleaned(w, r->first->tags[i], sp_clean_text);
  }
  sp_buf_char(w->out, ']');
  key(w->out, false, 5, "source");
  if (!r->source_file.p && r->source_line < 0) {
    sp_buf_text(w->out, "null");
    return;
  }
  sp_buf_char(w->out, '{');
  key(w->out, true, 6, "file");
  cleaned(w, r->source_file, sp_clean_source_path);
  key(w->out, false, 6, "line");
  i64_or_null(w->out, r->source_line >= 0, r->source_line);
  line(w->out, true, 5);
  sp_buf_char(w->out, '}');
}

static void flat_row(writer *w, bool first, const sp_flat_row *row) {
  sp_buf *out = w->out;
  line(out, first, 4);
  sp_buf_char(out, '{');
  key(out, true, 5, "name");
  quoted_name(w, row->region);
  columns(out, &row->stats);
  tags_and_source(w, &w->regions[row->region]);
  key(out, false, 5, "per_rank");
  sp_buf_char(out, '[');
  for (uint32_t i = 0; i < row->per_rank_count; i++) {
    const sp_rank_share *share = &row->per_rank[i];
    line(out, i == 0, 6);
    sp_buf_char(out, '{');
    key(out, true, 7, "rank");
    sp_buf_i64(out, share->rank);
    key(out, false, 7, "calls");
    sp_buf_i128(out, (sp_i128)share->calls);
    key(out, false, 7, "total_ns");
    sp_buf_i128(out, share->total_ns);
    key(out, false, 7, "exclusive_ns");
    sp_buf_i128(out, share->exclusive_ns);
    line(out, true, 6);
    sp_buf_char(out, '}');
  }
  if (row->per_rank_count) line(out, true, 5);
  sp_buf_char(out, ']');
  line(out, true, 4);
  sp_buf_char(out, '}');
}

static void path_of(writer *w, const sp_tree_row *row) {
  uint32_t n = 0;
  for (; row->parent != SP_NO_ROW; row = &w->an->rows[row->parent]) w->chain[n++] = row->region;
  w->chain[n++] = row->region;
  sp_buf_char(w->out, '[');
  for (uint32_t i = n; i-- > 0 && !w->out->failed;) {
    quoted_name(w, w->chain[i]);
    if (i) sp_buf_text(w->out, ", ");
  }
  sp_buf_char(w->out, ']');
}

static void tree_row(writer *w, bool first, const sp_tree_row *row) {
  sp_buf *out = w->out;
  line(out, first, 4);
  sp_buf_char(out, '{');
  key(out, true, 5, "path");
  path_of(w, row);
  columns(out, &row->stats);
  put_count(out, "depth", true, row->depth);
  key(out, false, 5, "recursive");
  flag(out, row->recursive);
  put_count(out, "start_ns", row->has_start, row->start_ns);
  put_real(out, "session_pct", row->has_session_pct, row->session_pct);
  put_real(out, "parent_pct", row->has_parent_pct, row->parent_pct);
  line(out, true, 4);
  sp_buf_char(out, '}');
}

static void rows(writer *w) {
  const sp_analysis *an = w->an;
  key(w->out, false, 3, "regions");
  sp_buf_char(w->out, '[');
  for (uint32_t i = 0; i < an->region_count && !w->out->failed; i++)
    flat_row(w, i == 0, &an->regions[i]);
  if (an->region_count) line(w->out, true, 3);
  sp_buf_char(w->out, ']');
  key(w->out, false, 3, "rows");
  sp_buf_char(w->out, '[');
  for (uint32_t i = 0; i < an->row_count && !w->out->failed; i++) tree_row(w, i == 0, &an->rows[i]);
  if (an->row_count) line(w->out, true, 3);
  sp_buf_char(w->out, ']');
}

/* ---- one profile --------------------------------------------------------------------------- */

/* Tags of a region are those of its lowest rank; its source is, field by field, the first one
 * given (hdf5-schema 6.3). */
static void gather_rank(writer *w, const sp_rank *rank) {
  for (uint32_t i = 0; i < rank->row_count; i++) {
    const sp_row *row = &rank->rows[i];
    region_text *r = &w->regions[row->region];
    if (!r->first) r->first = row;
    if (row->source_file.n && !r->source_file.p) r->source_file = row->source_file;
    if (r->source_line < 0) r->source_line = row->source_line;
  }
}

/* The paths of a tree of n nested regions hold n * n / 2 names: a small file can ask for gigabytes. */
static bool paths_fit(const writer *w) {
  const sp_tree_row *rows = w->an->rows;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < w->an->row_count; i++) {
    for (uint32_t k = i; k != SP_NO_ROW; k = rows[k].parent) {
      bytes += w->regions[rows[k].region].to - w->regions[rows[k].region].from + 2;
      if (bytes > PATHS_MAX) return false;
    }
  }
  return true;
}

static bool prepare(writer *w) {
  const sp_profile *p = w->profile;
  uint32_t deepest = 0;
  for (uint32_t i = 0; i < w->an->row_count; i++)
    if (w->an->rows[i].depth > deepest) deepest = w->an->rows[i].depth;
  w->chain = sp_arena_array(&w->arena, (uint64_t)deepest + 1, sizeof *w->chain);
  w->regions = sp_arena_array(&w->arena, p->region_count, sizeof *w->regions);
  sp_cleaner *cleaner;
  if (!w->chain || !w->regions || sp_cleaner_make(p, w->level, &w->arena, &cleaner, NULL) != SP_OK)
    return false;
  w->cleaner = cleaner;
  for (uint32_t i = 0; i < p->region_count; i++) {
    region_text *r = &w->regions[i];
    *r = (region_text){.from = w->names.length, .source_line = -1};
    sp_json_name(&w->names, p->regions[i].name);
    r->to = w->names.length;
    w->names_changed += !sp_utf8_valid(p->regions[i].name);
  }
  for (uint32_t i = 0; i < w->an->rank_count; i++) {
    uint32_t index = sp_profile_find_rank(p, w->an->ranks[i]);
    if (index != UINT32_MAX) gather_rank(w, &p->ranks[index]);
  }
  return !w->names.failed && paths_fit(w);
}

/* Also those that recorded nothing, where the file or its metadata vouches for them. */
static void ranks(sp_buf *out, const sp_profile *p) {
  sp_buf_char(out, '[');
  for (uint32_t i = 0; i < p->rank_count; i++) {
    if (i) sp_buf_text(out, ", ");
    sp_buf_i64(out, p->ranks[i].number);
  }
  sp_buf_char(out, ']');
}

static void facts(writer *w, const char *path) {
  static const char *const layouts[] = {[SP_LAYOUT_RANK_GROUPS] = "rank-groups",
                                        [SP_LAYOUT_COLUMNAR] = "columnar",
                                        [SP_LAYOUT_AGGREGATE] = "aggregate",
                                        [SP_LAYOUT_JSON] = "json",
                                        [SP_LAYOUT_NATIVE_TRACE] = "native-trace"};
  const sp_profile *p = w->profile;
  const sp_analysis *an = w->an;
  sp_buf *out = w->out;
  key(out, true, 3, "path");
  sp_json_string(out, sp_clean_profile_path(sp_str_of(path), w->level));
  key(out, false, 3, "label");
  cleaned(w, p->label, sp_clean_text);
  key(out, false, 3, "schema");
  sp_buf_i64(out, p->schema);
  key(out, false, 3, "layout");
  sp_json_string(out, sp_str_of(layouts[p->layout]));
  key(out, false, 3, "num_ranks");
  sp_buf_i64(out, p->num_ranks);
  key(out, false, 3, "num_nodes");
  i64_or_null(out, p->num_nodes >= 0, p->num_nodes);
  key(out, false, 3, "ranks");
  ranks(out, p);
  key(out, false, 3, "origin");
  sp_buf_char(out, '"');
  sp_buf_i64(out, an->origin_ns);
  sp_buf_char(out, '"');
  key(out, false, 3, "span_ns");
  sp_buf_i64(out, an->has_span ? an->span_ns : 0);
  key(out, false, 3, "aligned");
  flag(out, an->aligned);
  key(out, false, 3, "session_ns");
  i128_or_null(out, an->has_session, an->session_ns);
  key(out, false, 3, "setup_to_finalize_ns");
  i64_or_null(out, an->has_setup_to_finalize, an->setup_to_finalize_ns);
  key(out, false, 3, "metadata");
  sp_json_metadata(out, &p->metadata, w->cleaner, w->level, 3);
  key(out, false, 3, "warnings");
  warnings(w);
}

void sp_inspect_json_begin(sp_buf *out, sp_privacy level) {
  sp_buf_char(out, '{');
  key(out, true, 1, "format");
  sp_buf_text(out, "\"profscope.inspect\"");
  key(out, false, 1, "format_version");
  sp_buf_i64(out, 1);
  key(out, false, 1, "privacy");
  sp_json_string(out, sp_str_of(sp_privacy_name(level)));
  key(out, false, 1, "profiles");
  sp_buf_char(out, '[');
}

void sp_inspect_json_profile(sp_buf *out, bool first, const char *path, const sp_analysis *an,
                             sp_privacy level) {
  writer w = {.out = out, .an = an, .profile = an->profile, .level = level};
  if (prepare(&w)) {
    line(out, first, 2);
    sp_buf_char(out, '{');
    facts(&w, path);
    rows(&w);
    line(out, true, 2);
    sp_buf_char(out, '}');
  } else {
    out->failed = true;
  }
  sp_buf_free(&w.names);
  sp_buf_free(&w.scratch);
  sp_arena_free(&w.arena);
}

void sp_inspect_json_end(sp_buf *out, bool any) {
  if (any) line(out, true, 1);
  sp_buf_char(out, ']');
  line(out, true, 0);
  sp_buf_text(out, "}\n");
}
