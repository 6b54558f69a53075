/* sort.h - stable sorting of indices (never the C library's qsort: in WebAssembly it is eight
 * times slower than natively, and its order of equal keys is anybody's). */
#ifndef SP_BASE_SORT_H
#define SP_BASE_SORT_H

#include <stdint.h>

/* Sorts `order[n]`, indices into `key`, by ascending key; equal keys keep their order. `spare` is
 * working room for n indices. */
void sp_sort_by_u32(uint32_t *order, uint32_t *spare, uint32_t n, const uint32_t *key);

#endif
