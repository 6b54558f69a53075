/* quantile.h - the numbers that need a region's durations side by side: smallest, largest, spread
 * and percentiles (statistics 3 and 5). */
#ifndef SP_STATS_QUANTILE_H
#define SP_STATS_QUANTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

typedef struct sp_spread {
  bool set; /* describes something */
  int64_t min_ns, max_ns;
  double std_ns;                 /* population */
  double p50_ns, p95_ns, p99_ns; /* linear interpolation, Hyndman-Fan type 7 */
} sp_spread;

/* Smallest and largest of values[n], n > 0. */
void sp_bounds_of(const int64_t *values, size_t n, int64_t *min_ns, int64_t *max_ns);

/* Describes values[n], n > 0, whose sum and bounds are known. The values may be put into another
 * order. `spare` is working room for `spare_count` values; about n / 4 + 4096 save half the time,
 * none is fine. */
void sp_spread_of(int64_t *values, size_t n, sp_i128 sum, int64_t min_ns, int64_t max_ns,
                  int64_t *spare, size_t spare_count, sp_spread *out);

/* Puts the k-th smallest (from 0) of values[n] at values[k], nothing larger before it and nothing
 * smaller behind it. Time is linear, also for hostile input up to a logarithm. */
void sp_select_nth(int64_t *values, size_t n, size_t k);

#endif
