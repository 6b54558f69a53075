/* column.c - from a row struct to one cell. */
#include "views/column.h"

#include <math.h>

static sp_cell real_cell(double value) {
  if (!isfinite(value)) return (sp_cell){.kind = SP_CELL_NULL};
  return (sp_cell){.kind = SP_CELL_REAL, .real = value};
}

static sp_cell text_cell(sp_str text, bool is_name) {
  if (!text.p) return (sp_cell){.kind = SP_CELL_NULL};
  return (sp_cell){.kind = is_name ? SP_CELL_NAME : SP_CELL_TEXT, .text = text};
}

static sp_cell time_cell(const sp_time *time) {
  if (time->kind == SP_TIME_NONE) return (sp_cell){.kind = SP_CELL_NULL};
  if (time->kind == SP_TIME_REAL) return real_cell(time->real_ns / 1e9);
  if (time->ns < INT64_MIN || time->ns > INT64_MAX) return real_cell((double)time->ns / 1e9);
  return (sp_cell){.kind = SP_CELL_SECONDS, .integer = (int64_t)time->ns};
}

sp_cell sp_column_cell(const sp_column *column, const void *row) {
  const void *at = (const char *)row + column->offset;
  switch (column->kind) {
  case SP_COLUMN_KIND_TEXT: return text_cell(*(const sp_str *)at, false);
  case SP_COLUMN_KIND_NAME: return text_cell(*(const sp_str *)at, true);
  case SP_COLUMN_KIND_INT: return (sp_cell){.kind = SP_CELL_INT, .integer = *(const int64_t *)at};
  case SP_COLUMN_KIND_TIME: return time_cell(at);
  case SP_COLUMN_KIND_REAL: return real_cell(*(const double *)at);
  }
  return (sp_cell){.kind = SP_CELL_NULL};
}
