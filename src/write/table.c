/* table.c - cells lie one behind the other in one buffer; drawing pads them. */
#include "write/table.h"

#include <string.h>

#include "base/utf8.h"

enum { HEADER_ROOM = 2, BETWEEN = 4 }; /* spaces between two cells of the region style */

bool sp_table_begin(sp_table *t, sp_arena *a, uint32_t rows, uint32_t columns) {
  uint64_t cells = ((uint64_t)rows + 1) * columns;
  *t = (sp_table){.rows = rows};
  t->widths = sp_arena_array(a, columns, sizeof *t->widths);
  t->ends = sp_arena_array(a, cells + 1, sizeof *t->ends);
  t->cells = sp_arena_array(a, cells, sizeof *t->cells);
  return t->widths && t->ends && t->cells;
}

void sp_table_free(sp_table *t) { sp_buf_free(&t->text); }

static size_t place_of(const sp_table *t, uint32_t column, uint32_t row) {
  return (size_t)column * ((size_t)t->rows + 1) + row;
}

void sp_table_cell(sp_table *t, size_t width) {
  uint32_t column = t->columns - 1, clipped = width < UINT32_MAX ? (uint32_t)width : UINT32_MAX;
  size_t place = place_of(t, column, t->row++);
  t->ends[place + 1] = t->text.length;
  t->cells[place] = clipped;
  if (clipped > t->widths[column]) t->widths[column] = clipped;
}

void sp_table_cell_text(sp_table *t, const char *text) {
  sp_buf_text(&t->text, text);
  sp_table_cell(t, strlen(text));
}

void sp_table_column(sp_table *t, sp_str header) {
  t->columns++;
  t->row = 0;
  sp_table_cell(t, sp_terminal_text(&t->text, header));
  t->widths[t->columns - 1] += HEADER_ROOM;
}

size_t sp_table_width(const sp_table *t, sp_table_style style, uint32_t columns) {
  size_t total = 2 + 4; /* indentation, frame */
  for (uint32_t i = 0; i < columns; i++)
    total += t->widths[i] + (i ? (style == SP_TABLE_GRID ? 3 : BETWEEN) : 0);
  return total;
}

/* ---- drawing ------------------------------------------------------------------------------- */

typedef struct frame {
  const char *line, *side;
  const char *left[3], *middle[3], *right[3]; /* top, under the header, bottom */
} frame;

static const frame frames[] = {
    {"─", "│", {"╭", "├", "╰"}, {"┬", "┼", "┴"}, {"╮", "┤", "╯"}},
    {"-", "|", {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}},
};

typedef struct drawing {
  sp_buf *out;
  const sp_table *t;
  const frame *f;
  sp_table_style style;
  const uint32_t *order;
  uint32_t count;
} drawing;

static uint32_t column_of(const drawing *d, uint32_t i) { return d->order ? d->order[i] : i; }

static void draw_rule(const drawing *d, unsigned which) {
  sp_buf_text(d->out, "  ");
  sp_buf_text(d->out, d->f->left[which]);
  for (uint32_t i = 0; i < d->count; i++) {
    size_t width = (size_t)d->t->widths[column_of(d, i)] + 2;
    if (i && d->style == SP_TABLE_GRID)
      sp_buf_text(d->out, d->f->middle[which]);
    else if (i)
      width += BETWEEN - 2;
    sp_buf_repeat(d->out, d->f->line, width);
  }
  sp_buf_text(d->out, d->f->right[which]);
  sp_buf_char(d->out, '\n');
}

static void draw_row(const drawing *d, uint32_t row) {
  const sp_table *t = d->t;
  sp_buf_text(d->out, "  ");
  sp_buf_text(d->out, d->f->side);
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t column = column_of(d, i);
    size_t place = place_of(t, column, row);
    if (i && d->style == SP_TABLE_GRID) sp_buf_text(d->out, d->f->side);
    sp_buf_text(d->out, i && d->style == SP_TABLE_REGIONS ? "   " : " ");
    sp_buf_bytes(d->out, t->text.data + t->ends[place], t->ends[place + 1] - t->ends[place]);
    sp_buf_repeat(d->out, " ", (size_t)(t->widths[column] - t->cells[place]) + 1);
  }
  sp_buf_text(d->out, d->f->side);
  sp_buf_char(d->out, '\n');
}

void sp_table_draw(sp_buf *out, const sp_table *t, sp_table_style style, bool ascii,
                   const uint32_t *order, uint32_t count) {
  drawing d = {out, t, &frames[ascii], style, order, order ? count : t->columns};
  if (t->text.failed) {
    out->failed = true;
    return;
  }
  draw_rule(&d, 0);
  draw_row(&d, 0);
  draw_rule(&d, 1);
  for (uint32_t row = 1; row <= t->rows && !out->failed; row++) draw_row(&d, row);
  draw_rule(&d, 2);
}
