/* table.h - text tables with box-drawing frames, every column left-aligned.
 *
 *   region style             grid style
 *   ╭──────────────────╮     ╭──────┬──────╮
 *   │ region    total  │     │ a    │ b    │
 *   ├──────────────────┤     ├──────┼──────┤
 *   │ solve     0.05   │     │ 1    │ 2    │
 *   ╰──────────────────╯     ╰──────┴──────╯
 *
 * A table is filled column by column, each from its header to its last row. A column is as wide as
 * its widest cell, and at least two wider than its header. Widths are terminal columns. */
#ifndef SP_WRITE_TABLE_H
#define SP_WRITE_TABLE_H

#include "base/arena.h"
#include "base/buf.h"

typedef enum sp_table_style { SP_TABLE_REGIONS, SP_TABLE_GRID } sp_table_style;

typedef struct sp_table {
  uint32_t rows, columns; /* columns so far */
  uint32_t row;           /* cells of the newest column so far, its header included */
  uint32_t *widths;       /* by column */
  size_t *ends;           /* of the cells in `text`, the one before the first is 0 */
  uint32_t *cells;        /* their widths */
  sp_buf text;
} sp_table;

/* An empty table of `rows` rows with room for `columns`. False when memory ran out (a->failed).
 * Give it to sp_table_free in any case. */
bool sp_table_begin(sp_table *t, sp_arena *a, uint32_t rows, uint32_t columns);
void sp_table_free(sp_table *t);

/* Starts a column; the header is escaped. Then comes one cell for each row: append its text to
 * t->text, and end it with its width. */
void sp_table_column(sp_table *t, sp_str header);
void sp_table_cell(sp_table *t, size_t width);
/* A whole cell of ASCII text. */
void sp_table_cell_text(sp_table *t, const char *text);

/* Columns of a line of the table as drawn, indentation included, when only the first `columns` are
 * drawn. */
size_t sp_table_width(const sp_table *t, sp_table_style style, uint32_t columns);

/* Draws columns order[count] (NULL: all), two spaces before each line. */
void sp_table_draw(sp_buf *out, const sp_table *t, sp_table_style style, bool ascii,
                   const uint32_t *order, uint32_t count);

#endif
