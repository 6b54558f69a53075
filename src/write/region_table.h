/* region_table.h - the rows of an analysis as a text table (cli.md 4). */
#ifndef SP_WRITE_REGION_TABLE_H
#define SP_WRITE_REGION_TABLE_H

#include "stats/analysis.h"
#include "write/clip.h"

typedef enum sp_region_column {
  SP_SHOW_REGION,
  SP_SHOW_RANKS,
  SP_SHOW_CALLS,
  SP_SHOW_TOTAL,
  SP_SHOW_PERCENT,
  SP_SHOW_PARENT_PERCENT,
  SP_SHOW_AVG,
  SP_SHOW_GPU_TOTAL,
  SP_SHOW_GPU_AVG,
  SP_SHOW_MIN,
  SP_SHOW_MAX,
  SP_SHOW_FIRST,
  SP_SHOW_LAST,
  SP_SHOW_STD,
  SP_SHOW_P50,
  SP_SHOW_P95,
  SP_SHOW_P99,
  SP_SHOW_IMBALANCE,
} sp_region_column;

enum { SP_REGION_COLUMNS = SP_SHOW_IMBALANCE + 1, SP_DRAWN_DEPTH = 64 };

/* The words of --columns, in the order above, NULL behind the last. */
extern const char *const sp_region_column_words[];

typedef struct sp_region_table {
  const sp_region_column *columns; /* none: the default for this analysis */
  uint32_t column_count;
  bool flat;      /* no tree: neither glyphs nor "(own)" rows */
  bool exclusive; /* percentages of the exclusive time */
} sp_region_table;

/* Draws the table; rows are taken in their order. False when memory ran out. */
bool sp_region_table_draw(sp_buf *out, const sp_analysis *an, const sp_region_table *table,
                          const sp_text_style *style);

#endif
