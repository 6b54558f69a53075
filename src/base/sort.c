/* sort.c - bottom-up merge sort of indices. */
#include "base/sort.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void sp_sort_by_u32(uint32_t *order, uint32_t *spare, uint32_t n, const uint32_t *key) {
  uint32_t *from = order, *to = spare;
  for (uint64_t width = 1; width < n; width *= 2) {
    for (uint64_t low = 0; low < n; low += 2 * width) {
      uint64_t mid = low + width < n ? low + width : n, high = mid + width < n ? mid + width : n;
      uint64_t i = low, j = mid, k = low;
      while (i < mid || j < high) {
        bool left = j >= high || (i < mid && key[from[i]] <= key[from[j]]);
        to[k++] = left ? from[i++] : from[j++];
      }
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != order && n) memcpy(order, from, (size_t)n * sizeof *order);
}
