/* view_json.c - the payload of any plot kind, from its column table. */
#include "write/view_json.h"

#include "base/num.h"
#include "write/json.h"

typedef struct writer {
  sp_buf *out;
  bool indent;
} writer;

/* Starts an item of a container at this depth. */
static void item(const writer *w, bool first, unsigned depth, bool line) {
  if (!first) sp_buf_char(w->out, ',');
  if (w->indent) {
    sp_buf_char(w->out, '\n');
    sp_buf_repeat(w->out, "  ", depth);
  } else if (line) {
    sp_buf_char(w->out, '\n');
  }
}

/* Ends a container whose items stood one deeper. */
static void end(const writer *w, bool empty, unsigned depth, char bracket) {
  if (w->indent && !empty) {
    sp_buf_char(w->out, '\n');
    sp_buf_repeat(w->out, "  ", depth);
  }
  sp_buf_char(w->out, bracket);
}

static void key(const writer *w, const char *name) {
  sp_json_string(w->out, sp_str_of(name));
  sp_buf_text(w->out, w->indent ? ": " : ":");
}

static void seconds(sp_buf *out, int64_t ns) {
  char *to = sp_buf_reserve(out, SP_NUM_MAX);
  if (to) out->length += sp_format_seconds(to, ns);
}

static void cell(sp_buf *out, sp_cell c) {
  switch (c.kind) {
  case SP_CELL_NULL: sp_buf_text(out, "null"); return;
  case SP_CELL_TEXT: sp_json_string(out, c.text); return;
  case SP_CELL_NAME: sp_json_name(out, c.text); return;
  case SP_CELL_INT: sp_buf_i64(out, c.integer); return;
  case SP_CELL_SECONDS: seconds(out, c.integer); return;
  case SP_CELL_REAL: sp_buf_double(out, c.real); return;
  }
}

static void row(const writer *w, const sp_view *v, const void *at) {
  const sp_view_type *type = v->type;
  sp_buf_char(w->out, '{');
  bool first = true;
  for (uint32_t i = 0; i < type->column_count; i++) {
    const sp_column *column = &type->columns[i];
    if ((column->flags & SP_COLUMN_STACKED) && !v->stacked) continue;
    item(w, first, 3, false);
    first = false;
    key(w, column->name);
    cell(w->out, sp_column_cell(column, at));
  }
  end(w, false, 2, '}');
}

static void rows(const writer *w, const sp_view *v) {
  sp_buf_char(w->out, '[');
  for (uint64_t i = 0; i < v->row_count && !w->out->failed; i++) {
    item(w, i == 0, 2, true);
    row(w, v, (const char *)v->rows + i * v->type->row_size);
  }
  end(w, v->row_count == 0, 1, ']');
}

static void extra_value(const writer *w, sp_extra_kind kind, const sp_extra *extra, uint32_t i) {
  sp_str name = extra->names[i];
  if (extra->names_are_regions)
    sp_json_name(w->out, name);
  else
    sp_json_string(w->out, name);
  if (kind == SP_EXTRA_TEXTS) return;
  sp_buf_text(w->out, w->indent ? ": " : ":");
  if (kind == SP_EXTRA_COLORS)
    sp_json_string(w->out, sp_str_of(extra->colors[i]));
  else
    sp_buf_text(w->out, extra->flags[i] ? "true" : "false");
}

static void extra(const writer *w, sp_extra_kind kind, const sp_extra *x) {
  bool is_list = kind == SP_EXTRA_TEXTS;
  sp_buf_char(w->out, is_list ? '[' : '{');
  for (uint32_t i = 0; i < x->count; i++) {
    item(w, i == 0, 2, false);
    extra_value(w, kind, x, i);
  }
  end(w, x->count == 0, 1, is_list ? ']' : '}');
}

void sp_view_json(sp_buf *out, const sp_view *v, bool indent) {
  writer w = {.out = out, .indent = indent};
  sp_buf_char(out, '{');
  item(&w, true, 1, false);
  key(&w, "format");
  sp_json_string(out, SP_STR(SP_PLOT_FORMAT));
  item(&w, false, 1, false);
  key(&w, "format_version");
  sp_buf_i64(out, SP_PLOT_FORMAT_VERSION);
  item(&w, false, 1, false);
  key(&w, "plot");
  sp_json_string(out, sp_str_of(v->type->plot));
  item(&w, false, 1, true);
  key(&w, v->type->rows_key);
  rows(&w, v);
  for (uint32_t i = 0; i < v->type->extra_count; i++) {
    item(&w, false, 1, true);
    key(&w, v->type->extras[i].key);
    extra(&w, v->type->extras[i].kind, &v->extras[i]);
  }
  end(&w, false, 0, '}');
  sp_buf_char(out, '\n');
}
