/* call_sort.h - the calls of one row, put into the order of the call tree. */
#ifndef SP_STATS_CALL_SORT_H
#define SP_STATS_CALL_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Columns that move together; NULL = not there. */
typedef struct sp_call_columns {
  int64_t *start_ns, *duration_ns, *gpu_ns;
  uint32_t *lane;
} sp_call_columns;

/* Sorts n calls by start ascending, then end descending; equal ones keep their order. `order` and
 * `spare` are working room for n indices and n values. Regions that call themselves are recorded innermost
 * first and threads one after the other: input is made of ordered pieces, which cost little. */
void sp_calls_sort(const sp_call_columns *columns, size_t n, uint32_t *order, int64_t *spare);

#endif
