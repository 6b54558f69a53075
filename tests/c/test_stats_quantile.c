/* Selection and percentiles against sorting (statistics 5). */
#include <stdlib.h>

#include "check.h"
#include "stats/quantile.h"

enum { MOST = 60000 };

static int64_t values[MOST], sorted[MOST], spare[MOST];
static uint64_t dice_state = 1;

static int64_t dice(int64_t n) {
  dice_state = dice_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int64_t)((dice_state >> 33) % (uint64_t)n);
}

static int by_value(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static double percentile(size_t n, unsigned q) {
  uint64_t h = (uint64_t)(n - 1) * q;
  size_t k = (size_t)(h / 100);
  double f = (double)(h % 100) / 100;
  if (f == 0) return (double)sorted[k];
  return (double)sorted[k] + f * ((double)sorted[k + 1] - (double)sorted[k]);
}

/* Describes values[n] with and without spare room; both must be what sorting gives. */
static void check(size_t n) {
  sp_i128 sum = 0;
  memcpy(sorted, values, n * sizeof *values);
  qsort(sorted, n, sizeof *sorted, by_value);
  for (size_t i = 0; i < n; i++) sum += values[i];
  int64_t min, max;
  sp_bounds_of(values, n, &min, &max);
  CHECK_INT(min, sorted[0]);
  CHECK_INT(max, sorted[n - 1]);
  for (int with_spare = 1; with_spare >= 0; with_spare--) {
    sp_spread s;
    sp_spread_of(values, n, sum, min, max, spare, with_spare ? MOST : 0, &s);
    CHECK(s.p50_ns == percentile(n, 50));
    CHECK(s.p95_ns == percentile(n, 95));
    CHECK(s.p99_ns == percentile(n, 99));
  }
}

static void percentiles_lie_between_values(void) {
  const int64_t three[] = {16, 13, 14};
  memcpy(values, three, sizeof three);
  sp_spread s;
  sp_spread_of(values, 3, 43, 13, 16, NULL, 0, &s);
  CHECK_NEAR(s.p50_ns, 14);
  CHECK_NEAR(s.p95_ns, 15.8);
  CHECK_NEAR(s.p99_ns, 15.96);
  CHECK_NEAR(s.std_ns, sqrt(14.0 / 9)); /* squares of 13, 14, 16 less their mean: 14 / 3 in all */
  values[0] = 7;
  sp_spread_of(values, 1, 7, 7, 7, NULL, 0, &s);
  CHECK(s.p50_ns == 7 && s.p99_ns == 7 && s.std_ns == 0);
}

static void any_number_of_values_will_do(void) {
  for (size_t n = 1; n < 400; n++) {
    for (size_t i = 0; i < n; i++) values[i] = dice(1 + (int64_t)n * (1 + dice(3)));
    check(n);
  }
}

static void large_sets_of_all_shapes_agree_with_sorting(void) {
  for (int shape = 0; shape < 10; shape++) {
    size_t n = 4000 + (size_t)dice(MOST - 4000);
    for (size_t i = 0; i < n; i++) {
      int64_t k = (int64_t)i, m = (int64_t)n;
      switch (shape) {
      case 0: values[i] = dice(1 << 30); break;
      case 1: values[i] = k; break;
      case 2: values[i] = m - k; break;
      case 3: values[i] = dice(3); break;                                 /* mostly alike */
      case 4: values[i] = k == m / 2 ? 0 : 5; break;                      /* all but one alike */
      case 5: values[i] = k < m / 2 ? k : m - k; break;                   /* organ pipe */
      case 6: values[i] = (k % 3) * 1000000 + dice(1000); break;          /* three kinds */
      case 7: values[i] = dice(100) ? 5 + dice(3) : dice(1 << 30); break; /* rare outliers */
      case 8: values[i] = INT64_MAX - dice(1000); break;
      default: values[i] = (k % 17) * (k % 17) * k; break;
      }
    }
    check(n);
  }
}

static void selecting_again_and_again_stays_exact(void) {
  size_t n = MOST;
  for (size_t i = 0; i < n; i++) values[i] = (int64_t)(i * 2654435761u % n) * (i % 8 == 0);
  memcpy(sorted, values, sizeof values);
  qsort(sorted, n, sizeof *sorted, by_value);
  for (size_t k = 0; k < n; k += n / 50) {
    sp_select_nth(values, n, k);
    CHECK_INT(values[k], sorted[k]);
    for (size_t i = 0; i < n; i++) {
      if (i < k ? values[i] > values[k] : values[i] < values[k]) CHECK(!"in two parts");
    }
  }
}

int main(void) {
  RUN(percentiles_lie_between_values);
  RUN(any_number_of_values_will_do);
  RUN(large_sets_of_all_shapes_agree_with_sorting);
  RUN(selecting_again_and_again_stays_exact);
  return CHECK_DONE();
}
