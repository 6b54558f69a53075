/* index_sort.h - stable merge sort of indices by any order (see base/sort.h for why not qsort). */
#ifndef SP_STATS_INDEX_SORT_H
#define SP_STATS_INDEX_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether `b` must stand before `a` (strictly). */
typedef bool (*sp_index_after)(const void *context, uint32_t a, uint32_t b);

/* Sorts `order[n]`; equal ones keep their order. `spare` is working room for n indices. Halves
 * that are in order already are not touched, so sorted input costs n comparisons. */
void sp_index_sort(uint32_t *order, uint32_t *spare, uint32_t n, sp_index_after after,
                   const void *context);

#endif
