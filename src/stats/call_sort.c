/* call_sort.c - merge sort of indices, then one pass that moves the columns. */
#include "stats/call_sort.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 16 };

static inline bool after(const sp_call_columns *c, uint32_t a, uint32_t b) {
  int64_t sa = c->start_ns[a], sb = c->start_ns[b];
  return sa > sb || (sa == sb && c->duration_ns[a] < c->duration_ns[b]);
}

static void sort_block(const sp_call_columns *c, uint32_t *order, size_t n) {
  for (size_t i = 1; i < n; i++) {
    uint32_t x = order[i];
    size_t j = i;
    for (; j > 0 && after(c, order[j - 1], x); j--) order[j] = order[j - 1];
    order[j] = x;
  }
}

static void merge(const sp_call_columns *c, uint32_t *order, uint32_t *spare, size_t mid,
                  size_t high) {
  size_t i = 0, j = mid, k = 0;
  memcpy(spare, order, mid * sizeof *order);
  while (i < mid && j < high) {
    bool right = after(c, spare[i], order[j]);
    order[k++] = right ? order[j] : spare[i];
    j += right;
    i += !right;
  }
  memcpy(order + k, spare + i, (mid - i) * sizeof *order);
}

/* Out of place: the order is made of a few forward streams, which following its cycles in place
 * would turn into leaps all over the memory. */
static void apply(int64_t *column, const uint32_t *order, size_t n, int64_t *spare) {
  if (!column) return;
  for (size_t i = 0; i < n; i++) spare[i] = column[order[i]];
  memcpy(column, spare, n * sizeof *column);
}

static void apply_lanes(uint32_t *lane, const uint32_t *order, size_t n, uint32_t *spare) {
  if (!lane) return;
  for (size_t i = 0; i < n; i++) spare[i] = lane[order[i]];
  memcpy(lane, spare, n * sizeof *lane);
}

void sp_calls_sort(const sp_call_columns *c, size_t n, uint32_t *order, int64_t *spare) {
  uint32_t *left = (uint32_t *)spare;
  for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
  for (size_t i = 0; i < n; i += BLOCK) sort_block(c, order + i, n - i < BLOCK ? n - i : BLOCK);
  for (size_t width = BLOCK; width < n; width *= 2) {
    for (size_t low = 0; low + width < n; low += 2 * width) {
      size_t high = low + 2 * width < n ? 2 * width : n - low;
      if (after(c, order[low + width - 1], order[low + width])) {
        merge(c, order + low, left, width, high);
      }
    }
  }
  apply(c->start_ns, order, n, spare);
  apply(c->duration_ns, order, n, spare);
  apply(c->gpu_ns, order, n, spare);
  apply_lanes(c->lane, order, n, left);
}
