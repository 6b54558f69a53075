/* index_sort.c - bottom-up merge sort in place, with one spare array for the left half. */
#include "stats/index_sort.h"

#include <stddef.h>
#include <string.h>

/* Merges order[low, mid) and order[mid, high). */
static void merge(uint32_t *order, uint32_t *spare, uint64_t low, uint64_t mid, uint64_t high,
                  sp_index_after after, const void *context) {
  uint64_t left = mid - low, i = 0, j = mid, k = low;
  memcpy(spare, order + low, (size_t)left * sizeof *order);
  while (i < left && j < high) {
    if (after(context, spare[i], order[j])) {
      order[k++] = order[j++];
    } else {
      order[k++] = spare[i++];
    }
  }
  memcpy(order + k, spare + i, (size_t)(left - i) * sizeof *order);
}

void sp_index_sort(uint32_t *order, uint32_t *spare, uint32_t n, sp_index_after after,
                   const void *context) {
  for (uint64_t width = 1; width < n; width *= 2) {
    for (uint64_t low = 0; low + width < n; low += 2 * width) {
      uint64_t mid = low + width, high = mid + width < n ? mid + width : n;
      if (after(context, order[mid - 1], order[mid])) {
        merge(order, spare, low, mid, high, after, context);
      }
    }
  }
}
