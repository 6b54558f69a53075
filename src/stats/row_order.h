/* row_order.h - the order of table rows (statistics 12). */
#ifndef SP_STATS_ROW_ORDER_H
#define SP_STATS_ROW_ORDER_H

#include <stdint.h>

#include "base/error.h"

/* Pre-order of a forest of n rows: parent[i] is a row or UINT32_MAX, siblings stand in the order
 * in which `sorted` (a permutation of the rows) names them. out[place] = row. */
sp_status sp_rows_preorder(const uint32_t *parent, const uint32_t *sorted, uint32_t n,
                           uint32_t *out, sp_error *err);

#endif
