/* column.h - a view is a table of plain structs, and a table is data.
 *
 * One sp_column says where a value lies in the row struct, what it is, and what it is called.
 * The JSON and CSV writers, the JSON Schema and the TypeScript types all follow from the same
 * array, so a column is described once, in its view's file. */
#ifndef SP_VIEWS_COLUMN_H
#define SP_VIEWS_COLUMN_H

#include "base/int128.h"
#include "base/str.h"

typedef enum sp_column_kind {
  SP_COLUMN_KIND_TEXT, /* sp_str: a label, a path, a word; invalid UTF-8 becomes U+FFFD */
  SP_COLUMN_KIND_NAME, /* sp_str: a region name; each invalid byte becomes \xNN */
  SP_COLUMN_KIND_INT,  /* int64_t */
  SP_COLUMN_KIND_TIME, /* sp_time, written in seconds */
  SP_COLUMN_KIND_REAL, /* double; null when not finite */
} sp_column_kind;

enum {
  SP_COLUMN_NULLABLE =
      1,                 /* null is a possible value (a TEXT or NAME with p NULL, a TIME of none) */
  SP_COLUMN_STACKED = 2, /* only present in the stacked variant of its view */
  SP_COLUMN_NO_CSV = 4,  /* left out of CSV */
};

/* A time or duration: none, exact nanoseconds, or nanoseconds with a fraction (a mean). */
typedef struct sp_time {
  enum { SP_TIME_NONE, SP_TIME_EXACT, SP_TIME_REAL } kind;
  sp_i128 ns;
  double real_ns;
} sp_time;

typedef struct sp_column {
  const char *name;
  sp_column_kind kind;
  size_t offset; /* in the row struct */
  unsigned flags;
  const char *words; /* the only values a TEXT column takes, "a b c"; NULL = any */
  const char *doc;   /* one phrase, for schema, types and README */
} sp_column;

#define SP_COL(row, member, text, type, bits, help) \
  {.name = (text),                                  \
   .kind = SP_COLUMN_KIND_##type,                   \
   .offset = offsetof(row, member),                 \
   .flags = (bits),                                 \
   .doc = (help)}

/* One value, ready to be written. */
typedef struct sp_cell {
  enum {
    SP_CELL_NULL,
    SP_CELL_TEXT,
    SP_CELL_NAME,
    SP_CELL_INT,
    SP_CELL_SECONDS, /* `integer` nanoseconds, written exactly */
    SP_CELL_REAL,
  } kind;
  sp_str text;
  int64_t integer;
  double real;
} sp_cell;

/* The value of a column in the row at `row`. */
sp_cell sp_column_cell(const sp_column *column, const void *row);

#endif
