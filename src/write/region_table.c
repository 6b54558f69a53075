/* region_table.c - one cell writer, and the choice of columns that fit.
 *
 *   name            total              depth 0
 *   └─ (own)           own             the row's own time, before its children
 *   └─ child           total           depth 1: cells of times are indented like the name
 *   │ └─ child           total         depth 2
 */
#include "write/region_table.h"

#include "write/figures.h"
#include "write/table.h"

enum { SHORTEST_NAME = 16 }; /* columns that --width leaves to the names */

const char *const sp_region_column_words[] = {
    "region",    "ranks",   "calls", "total",     "percent", "parent_percent", "avg",
    "gpu_total", "gpu_avg", "min",   "max",       "first",   "last",           "std",
    "p50",       "p95",     "p99",   "imbalance", NULL};

static const char *const headers[] = {
    "region",       "ranks",         "n",           "total [s]", "% session", "% parent",
    "avg/call [s]", "gpu total [s]", "gpu avg [s]", "min [s]",   "max [s]",   "first [s]",
    "last [s]",     "std [s]",       "p50 [s]",     "p95 [s]",   "p99 [s]",   "imbalance [%]"};

/* A line of the table: a row, or its "(own)" line. */
typedef struct table_line {
  const sp_tree_row *row;
  bool is_own;
} table_line;

typedef struct drawing {
  const sp_analysis *an;
  const sp_region_table *shape;
  const sp_text_style *style;
  sp_arena arena;
  table_line *lines;
  uint32_t line_count;
  sp_region_column columns[SP_REGION_COLUMNS + 2];
  uint32_t column_count;
  bool has_calls_column;
  size_t name_room; /* columns for names, SIZE_MAX = any */
  sp_table table;
} drawing;

/* ---- the name ------------------------------------------------------------------------------ */

static uint32_t depth_of(const drawing *d, const table_line *l) {
  return d->shape->flat ? 0 : l->row->depth + l->is_own;
}

/* Characters of the tree's glyphs at a depth; deeper levels than are drawn share the last. */
static uint32_t indent_of(const drawing *d, uint32_t depth) {
  if (depth > SP_DRAWN_DEPTH) depth = SP_DRAWN_DEPTH;
  return depth ? 2 * (depth - 1) + (d->style->ascii ? 4 : 3) : 0;
}

static size_t put_glyphs(const drawing *d, sp_buf *out, uint32_t depth) {
  if (!depth) return 0;
  bool ascii = d->style->ascii;
  uint32_t drawn = depth > SP_DRAWN_DEPTH ? SP_DRAWN_DEPTH : depth;
  sp_buf_repeat(out, ascii ? "| " : "│ ", drawn - 1);
  sp_buf_text(out, ascii ? "'-- " : "└─ ");
  size_t width = indent_of(d, depth);
  if (depth == drawn) return width;
  size_t before = out->length;
  sp_buf_printf(out, "[%u] ", (unsigned)depth);
  return width + (out->length - before);
}

/* " ↻ (10x)" */
static size_t put_marks(const drawing *d, sp_buf *out, const sp_tree_row *row) {
  size_t width = 0;
  if (row->recursive) {
    sp_buf_text(out, d->style->ascii ? " @" : " ↻");
    width += 2;
  }
  if (d->has_calls_column || row->stats.calls == 1) return width;
  size_t before = out->length;
  sp_buf_text(out, " (");
  sp_put_count(out, row->stats.calls);
  sp_buf_text(out, "x)");
  return width + (out->length - before);
}

static size_t put_name(const drawing *d, sp_buf *out, const table_line *l) {
  size_t width = put_glyphs(d, out, depth_of(d, l));
  if (l->is_own) {
    sp_buf_text(out, "(own)");
    return width + 5;
  }
  sp_str name = d->an->profile->regions[l->row->region].name;
  if (d->name_room == SIZE_MAX) {
    width += sp_clip_end(out, name, SP_CLIP_COLUMNS, d->style);
  } else {
    size_t before = out->length, taken = width + put_marks(d, out, l->row);
    out->length = before; /* only their width was wanted */
    size_t room = d->name_room > taken + 5 ? d->name_room - taken : 5;
    width += sp_clip_middle(out, name, room, d->style);
  }
  return width + put_marks(d, out, l->row);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static double seconds(sp_i128 ns) { return (double)ns / 1e9; }

static void put_if(sp_buf *out, bool has, const char *format, double v) {
  if (has)
    sp_buf_printf(out, format, v); /* formats are those of put_value */
  else
    sp_buf_char(out, '-');
}

static bool is_session(const drawing *d, const sp_tree_row *row) {
  return row->parent == SP_NO_ROW &&
         sp_str_equal(d->an->profile->regions[row->region].name, SP_STR("scope_profiler.session"));
}

static void put_percent(const drawing *d, sp_buf *out, const sp_tree_row *row) {
  double v = d->shape->exclusive ? row->own_session_pct : row->session_pct;
  bool has = row->has_session_pct && row->stats.calls > 0;
  if (has && d->shape->exclusive && is_session(d, row))
    v = 100 * (double)row->stats.total_ns / (double)d->an->session_ns;
  put_if(out, has, "%.2f%%", v);
}

static void put_value(const drawing *d, sp_buf *out, const sp_tree_row *row, sp_region_column c) {
  const sp_stats *s = &row->stats;
  bool any = s->calls > 0;
  switch (c) {
  case SP_SHOW_REGION: return;
  case SP_SHOW_RANKS: sp_buf_printf(out, "%u", (unsigned)s->num_ranks); return;
  case SP_SHOW_CALLS: sp_put_count(out, s->calls); return;
  case SP_SHOW_TOTAL: put_if(out, any, "%.6f", seconds(s->total_ns)); return;
  case SP_SHOW_PERCENT: put_percent(d, out, row); return;
  case SP_SHOW_PARENT_PERCENT: put_if(out, row->has_parent_pct, "%.2f%%", row->parent_pct); return;
  case SP_SHOW_AVG: put_if(out, s->has_calls, "%.3e", s->avg_ns / 1e9); return;
  case SP_SHOW_GPU_TOTAL: put_if(out, s->has_gpu, "%.6f", seconds(s->gpu_total_ns)); return;
  case SP_SHOW_GPU_AVG: put_if(out, s->has_gpu, "%.3f", s->gpu_avg_ns / 1e9); return;
  case SP_SHOW_MIN: put_if(out, s->has_calls, "%.3f", seconds(s->min_ns)); return;
  case SP_SHOW_MAX: put_if(out, s->has_calls, "%.3f", seconds(s->max_ns)); return;
  case SP_SHOW_FIRST: put_if(out, s->has_ends, "%.3f", seconds(s->first_ns)); return;
  case SP_SHOW_LAST: put_if(out, s->has_ends, "%.3f", seconds(s->last_ns)); return;
  case SP_SHOW_STD: put_if(out, s->has_spread, "%.3f", s->std_ns / 1e9); return;
  case SP_SHOW_P50: put_if(out, s->has_percentiles, "%.3f", s->p50_ns / 1e9); return;
  case SP_SHOW_P95: put_if(out, s->has_percentiles, "%.3f", s->p95_ns / 1e9); return;
  case SP_SHOW_P99: put_if(out, s->has_percentiles, "%.3f", s->p99_ns / 1e9); return;
  case SP_SHOW_IMBALANCE: sp_buf_printf(out, "%.2f", s->imbalance_pct); return;
  }
}

/* The "(own)" line fills four columns; the others stay empty. */
static void put_own(sp_buf *out, const sp_tree_row *row, sp_region_column c) {
  double own = seconds(row->stats.exclusive_ns);
  if (c == SP_SHOW_TOTAL) sp_buf_printf(out, "%.6f", own);
  if (c == SP_SHOW_AVG) put_if(out, row->stats.calls > 0, "%.3e", own / (double)row->stats.calls);
  if (c == SP_SHOW_PERCENT) put_if(out, row->has_session_pct, "%.2f%%", row->own_session_pct);
  if (c == SP_SHOW_PARENT_PERCENT) {
    bool has = row->stats.coverage_ns > 0; /* the base is the row itself, also of a root */
    put_if(out, has, "%.2f%%",
           has ? 100 * (double)row->stats.exclusive_ns / (double)row->stats.coverage_ns : 0);
  }
}

static bool is_indented(sp_region_column c) {
  return c == SP_SHOW_TOTAL || c == SP_SHOW_PERCENT || c == SP_SHOW_PARENT_PERCENT ||
         c == SP_SHOW_AVG;
}

static void fill_column(drawing *d, sp_region_column c) {
  sp_buf *text = &d->table.text;
  sp_table_column(&d->table, sp_str_of(headers[c]));
  for (uint32_t i = 0; i < d->line_count; i++) {
    const table_line *l = &d->lines[i];
    if (c == SP_SHOW_REGION) {
      sp_table_cell(&d->table, put_name(d, text, l));
      continue;
    }
    size_t before = text->length;
    if (is_indented(c)) sp_buf_repeat(text, " ", indent_of(d, depth_of(d, l)));
    if (l->is_own)
      put_own(text, l->row, c);
    else
      put_value(d, text, l->row, c);
    sp_table_cell(&d->table, text->length - before);
  }
}

/* ---- the table ----------------------------------------------------------------------------- */

static void choose_columns(drawing *d) {
  const sp_region_table *shape = d->shape;
  if (shape->column_count) {
    for (uint32_t i = 0; i < shape->column_count && d->column_count < SP_REGION_COLUMNS; i++)
      d->columns[d->column_count++] = shape->columns[i];
  } else {
    bool has_gpu = false;
    for (uint32_t i = 0; i < d->an->row_count && !has_gpu; i++)
      has_gpu = d->an->rows[i].stats.has_gpu;
    d->columns[d->column_count++] = SP_SHOW_REGION;
    if (d->an->has_session) d->columns[d->column_count++] = SP_SHOW_PERCENT;
    d->columns[d->column_count++] = SP_SHOW_TOTAL;
    if (has_gpu) d->columns[d->column_count++] = SP_SHOW_GPU_TOTAL;
    if (has_gpu) d->columns[d->column_count++] = SP_SHOW_GPU_AVG;
  }
  for (uint32_t i = 0; i < d->column_count; i++)
    d->has_calls_column = d->has_calls_column || d->columns[i] == SP_SHOW_CALLS;
}

static bool list_lines(drawing *d) {
  const sp_analysis *an = d->an;
  d->lines = sp_arena_array(&d->arena, 2 * (uint64_t)an->row_count, sizeof *d->lines);
  if (!d->lines) return false;
  for (uint32_t i = 0; i < an->row_count; i++) {
    d->lines[d->line_count++] = (table_line){&an->rows[i], false};
    if (an->rows[i].has_children && !d->shape->flat)
      d->lines[d->line_count++] = (table_line){&an->rows[i], true};
  }
  return true;
}

/* Draws without limit of width: columns are filled in their order. */
static void draw_whole(drawing *d, sp_buf *out) {
  for (uint32_t i = 0; i < d->column_count; i++) fill_column(d, d->columns[i]);
  sp_table_draw(out, &d->table, SP_TABLE_REGIONS, d->style->ascii, NULL, 0);
}

/* Fills the numbers first; names get what they leave. Where that is too little, columns are left
 * out from the right. `order` says where the column of each place was filled. */
static void draw_narrow(drawing *d, sp_buf *out) {
  uint32_t order[SP_REGION_COLUMNS + 2], names = 0, numbers = 0;
  for (uint32_t i = 0; i < d->column_count; i++) names += d->columns[i] == SP_SHOW_REGION;
  for (uint32_t i = 0; i < d->column_count; i++) {
    if (d->columns[i] == SP_SHOW_REGION) continue;
    order[i] = numbers++;
    fill_column(d, d->columns[i]);
  }
  uint32_t kept = d->column_count, last_name = 0;
  size_t others = 0, width = d->style->width;
  for (uint32_t i = 0; i < d->column_count; i++)
    if (d->columns[i] == SP_SHOW_REGION) last_name = i;
  for (;; kept--) {
    others = 6 + 4 * (size_t)(kept - 1); /* indentation, frame and gaps */
    for (uint32_t i = 0; i < kept; i++)
      if (d->columns[i] != SP_SHOW_REGION) others += d->table.widths[order[i]];
    if (!names || others + names * SHORTEST_NAME <= width || kept <= last_name + 1) break;
  }
  if (!names)
    while (kept > 1 && sp_table_width(&d->table, SP_TABLE_REGIONS, kept) > width) kept--;
  d->name_room = others + names * SHORTEST_NAME <= width ? (width - others) / (names ? names : 1)
                                                         : SHORTEST_NAME;
  for (uint32_t i = 0; i < kept; i++) {
    if (d->columns[i] != SP_SHOW_REGION) continue;
    order[i] = d->table.columns;
    fill_column(d, SP_SHOW_REGION);
  }
  sp_table_draw(out, &d->table, SP_TABLE_REGIONS, d->style->ascii, order, kept);
}

bool sp_region_table_draw(sp_buf *out, const sp_analysis *an, const sp_region_table *table,
                          const sp_text_style *style) {
  drawing d = {.an = an, .shape = table, .style = style, .name_room = SIZE_MAX};
  choose_columns(&d);
  bool fine =
      list_lines(&d) && sp_table_begin(&d.table, &d.arena, d.line_count, d.column_count + 1);
  if (fine && style->width)
    draw_narrow(&d, out);
  else if (fine)
    draw_whole(&d, out);
  sp_table_free(&d.table);
  sp_arena_free(&d.arena);
  return fine && !out->failed;
}
