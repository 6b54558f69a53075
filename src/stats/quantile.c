/* quantile.c - selection instead of sorting.
 *
 * Many values: a sample tells where the percentiles must lie, one pass copies out what is there.
 * Few values, or a sample that failed: quickselect in place, whose three-way partition makes equal
 * durations harmless. All choices depend on the data alone, and whichever way is taken, the result
 * is the same exact value. */
#include "stats/quantile.h"

#include <math.h>

enum { SMALL = 24, SAMPLED = 4096, SAMPLE_MIN = 128, SAMPLE_MAX = 2048, BLOCK = 512 };

static inline void swap(int64_t *a, int64_t *b) {
  int64_t t = *a;
  *a = *b;
  *b = t;
}

static void insertion_sort(int64_t *v, size_t n) {
  for (size_t i = 1; i < n; i++) {
    int64_t x = v[i];
    size_t j = i;
    for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
    v[j] = x;
  }
}

static void sift_down(int64_t *v, size_t root, size_t n) {
  int64_t x = v[root];
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && v[child] < v[child + 1]) child++;
    if (v[child] <= x) break;
    v[root] = v[child];
  }
  v[root] = x;
}

/* The guard against input made to defeat the sample. */
static void heap_sort(int64_t *v, size_t n) {
  for (size_t i = n / 2; i-- > 0;) sift_down(v, i, n);
  for (size_t end = n; end-- > 1;) {
    swap(&v[0], &v[end]);
    sift_down(v, 0, end);
  }
}

static int64_t median_of_3(int64_t a, int64_t b, int64_t c) {
  if (a > b) swap(&a, &b);
  if (b > c) b = c;
  return a > b ? a : b;
}

static int64_t middle_pivot(const int64_t *v, size_t n) {
  size_t step = n / 8, at = n / 2;
  return median_of_3(median_of_3(v[at - 3 * step], v[at - 2 * step], v[at - step]),
                     median_of_3(v[at - step / 2], v[at], v[at + step / 2]),
                     median_of_3(v[at + step], v[at + 2 * step], v[at + 3 * step]));
}

/* Splits v[n] into smaller, equal and larger than `pivot` (which occurs): [0, *low), [*low, *high),
 * [*high, n). No branch depends on the data: a value is always moved, only the counts differ. */
static void partition(int64_t *v, size_t n, int64_t pivot, size_t *low, size_t *high) {
  size_t less = 0;
  for (size_t i = 0; i < n; i++) {
    int64_t x = v[i];
    v[i] = v[less];
    v[less] = x;
    less += x < pivot;
  }
  size_t equal = less;
  for (size_t i = less; i < n; i++) {
    int64_t x = v[i];
    v[i] = v[equal];
    v[equal] = x;
    equal += x == pivot;
  }
  *low = less;
  *high = equal;
}

void sp_select_nth(int64_t *v, size_t n, size_t k) {
  unsigned rounds = 16;
  for (size_t m = n; m; m >>= 1) rounds += 2;
  while (n > SMALL) {
    if (rounds-- == 0) {
      heap_sort(v, n);
      return;
    }
    size_t low, high;
    partition(v, n, middle_pivot(v, n), &low, &high);
    if (k < low) {
      n = low;
    } else if (k < high) {
      return;
    } else {
      v += high;
      n -= high;
      k -= high;
    }
  }
  insertion_sort(v, n);
}

/* Where the percentile q of n values lies: between the sorted values k and k + 1. */
typedef struct quantile_place {
  size_t k;
  double f; /* how far from k to k + 1; 0 = exactly k */
} quantile_place;

static quantile_place place_of(size_t n, unsigned q) {
  uint64_t h = (uint64_t)(n - 1) * q;
  return (quantile_place){(size_t)(h / 100), (double)(h % 100) / 100.0};
}

/* The value at `p` in v[n]; nothing before `*from` is larger than anything behind. False when
 * k + 1 is needed and not there. */
static bool pick(int64_t *v, size_t n, size_t *from, quantile_place p, double *out) {
  if (p.k >= n || (p.f > 0 && p.k + 1 >= n)) return false;
  sp_select_nth(v + *from, n - *from, p.k - *from);
  *from = p.k;
  *out = (double)v[p.k];
  if (p.f > 0) {
    int64_t next = v[p.k + 1];
    for (size_t i = p.k + 2; i < n; i++) next = v[i] < next ? v[i] : next;
    *out += p.f * ((double)next - *out);
  }
  return true;
}

/* Sorts a sample of v[n] into sample[m], m a power of two below n. Places are spread over equal
 * steps, somewhere inside each: durations often repeat with a period. */
static void take_sample(const int64_t *v, size_t n, int64_t *sample, size_t m) {
  uint64_t step = n / m, dice = 0x9E3779B97F4A7C15ULL;
  for (size_t i = 0; i < m; i++) {
    dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
    sample[i] = v[i * step + (dice >> 33) % step];
  }
  heap_sort(sample, m);
}

/* All three percentiles in one reading pass: a sample says between which two values the median
 * must lie, and above which one the others; those few values are copied out.
 *
 *       0 %            |~ 50 ~|            |~ 95 .. 99 .. 100 |
 *                     low   high          tail
 *
 * False when the sample was wrong or too many values are alike. */
static bool percentiles_by_sample(const int64_t *v, size_t n, int64_t *spare, size_t spare_count,
                                  sp_spread *out) {
  if (n < SAMPLED || spare_count < n / 4 + 4 * BLOCK) return false;
  size_t m = SAMPLE_MIN;
  while (m < SAMPLE_MAX && m * 64 <= n) m *= 2;
  take_sample(v, n, spare, m);
  size_t wide = (size_t)(1.8 * sqrt((double)m)), narrow = (size_t)(0.8 * sqrt((double)m));
  int64_t low = spare[m / 2 - wide], high = spare[m / 2 + wide];
  int64_t tail = spare[m - m / 20 - narrow - 1];
  size_t room = spare_count / 2, below = 0, middles = 0, tails = 0;
  int64_t *middle = spare, *top = spare + room;
  for (size_t at = 0; at < n; at += BLOCK) {
    if (middles + BLOCK > room || tails + BLOCK > room) return false;
    size_t end = n - at < BLOCK ? n : at + BLOCK;
    for (size_t i = at; i < end; i++) {
      int64_t x = v[i];
      middle[middles] = x;
      top[tails] = x;
      below += x < low;
      middles += (size_t)(x >= low) & (size_t)(x <= high);
      tails += x >= tail;
    }
  }
  quantile_place p50 = place_of(n, 50), p95 = place_of(n, 95), p99 = place_of(n, 99);
  size_t from = 0, before = n - tails;
  if (p50.k < below || p95.k < before) return false;
  p50.k -= below;
  if (!pick(middle, middles, &from, p50, &out->p50_ns)) return false;
  from = 0;
  p95.k -= before;
  p99.k -= before;
  return pick(top, tails, &from, p95, &out->p95_ns) && pick(top, tails, &from, p99, &out->p99_ns);
}

static void percentiles_in_place(int64_t *v, size_t n, sp_spread *out) {
  size_t from = 0;
  pick(v, n, &from, place_of(n, 50), &out->p50_ns);
  pick(v, n, &from, place_of(n, 95), &out->p95_ns);
  pick(v, n, &from, place_of(n, 99), &out->p99_ns);
}

/* Four sums side by side: one alone would wait for itself. The order of additions is fixed. */
static double squares(const int64_t *v, size_t n, double mean) {
  double sum[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (size_t j = 0; j < 4; j++) {
      double d = (double)v[i + j] - mean;
      sum[j] += d * d;
    }
  }
  for (; i < n; i++) {
    double d = (double)v[i] - mean;
    sum[0] += d * d;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void sp_bounds_of(const int64_t *v, size_t n, int64_t *min_ns, int64_t *max_ns) {
  int64_t min = v[0], max = v[0];
  for (size_t i = 1; i < n; i++) {
    min = v[i] < min ? v[i] : min;
    max = v[i] > max ? v[i] : max;
  }
  *min_ns = min;
  *max_ns = max;
}

void sp_spread_of(int64_t *v, size_t n, sp_i128 sum, int64_t min_ns, int64_t max_ns, int64_t *spare,
                  size_t spare_count, sp_spread *out) {
  *out = (sp_spread){.set = true, .min_ns = min_ns, .max_ns = max_ns};
  if (min_ns == max_ns) {
    out->p50_ns = out->p95_ns = out->p99_ns = (double)min_ns;
    return;
  }
  out->std_ns = sqrt(squares(v, n, (double)sum / (double)n) / (double)n);
  if (!percentiles_by_sample(v, n, spare, spare_count, out)) percentiles_in_place(v, n, out);
}
