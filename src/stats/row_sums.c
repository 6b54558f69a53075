/* row_sums.c - pooling over ranks. */
#include "stats/row_sums.h"

#include <math.h>

void sp_sums_rank(sp_sums *s, const sp_part *part, sp_i128 total_ns, sp_i128 exclusive_ns,
                  bool in_tree) {
  s->num_ranks++;
  s->calls += part->calls;
  s->total_ns += total_ns;
  s->all_ns += part->all_ns;
  s->exclusive_ns += exclusive_ns;
  s->coverage_ns += part->all_ns - part->overlap_ns;
  s->gpu_ns += part->gpu_ns;
  s->gpu_count += part->gpu_count;
  if (!in_tree && total_ns <= 0) return;
  s->imbalance_ranks++;
  s->ranks_ns += total_ns;
  if (s->imbalance_ranks == 1 || total_ns > s->largest_ns) s->largest_ns = total_ns;
}

void sp_sums_ends(sp_sums *s, int64_t start_ns, int64_t end_ns, int64_t first_ns, int64_t last_ns) {
  if (!s->has_ends || start_ns < s->start_ns) {
    s->start_ns = start_ns;
    s->first_ns = first_ns;
  }
  if (!s->has_ends || end_ns > s->end_ns) {
    s->end_ns = end_ns;
    s->last_ns = last_ns;
  }
  s->has_ends = true;
}

void sp_sums_bounds(sp_sums *s, int64_t min_ns, int64_t max_ns) {
  if (!s->has_bounds || min_ns < s->min_ns) s->min_ns = min_ns;
  if (!s->has_bounds || max_ns > s->max_ns) s->max_ns = max_ns;
  s->has_bounds = true;
}

void sp_sums_moments(sp_sums *s, uint64_t calls, double mean, double m2) {
  if (calls == 0) return;
  /* Chan's update: the same as the formula of statistics 16, without a second walk. */
  double a = (double)s->moments, b = (double)calls, delta = mean - s->mean;
  s->m2 += m2 + delta * delta * (a * b / (a + b));
  s->mean += delta * (b / (a + b));
  s->moments += calls;
}

/* (max / mean - 1) * 100. The difference is taken between integers, so perfect balance is exactly
 * 0 and nothing is negative. */
static double imbalance_of(const sp_sums *s) {
  if (s->imbalance_ranks < 2 || s->ranks_ns <= 0) return 0;
  sp_i128 excess = s->largest_ns * s->imbalance_ranks - s->ranks_ns;
  return 100.0 * ((double)excess / (double)s->ranks_ns);
}

void sp_sums_stats(const sp_sums *s, const sp_spread *spread, sp_stats *out) {
  *out = (sp_stats){.calls = s->calls,
                    .num_ranks = s->num_ranks,
                    .total_ns = s->total_ns,
                    .exclusive_ns = s->exclusive_ns,
                    .coverage_ns = s->coverage_ns,
                    .imbalance_pct = imbalance_of(s)};
  if (s->calls == 0) return;
  out->has_calls = true;
  out->avg_ns = (double)s->all_ns / (double)s->calls;
  out->min_ns = spread ? spread->min_ns : s->min_ns;
  out->max_ns = spread ? spread->max_ns : s->max_ns;
  out->has_ends = s->has_ends;
  if (s->has_ends) {
    out->first_ns = s->first_ns;
    out->last_ns = s->last_ns;
  }
  if (spread) {
    out->has_spread = out->has_percentiles = true;
    out->std_ns = spread->std_ns;
    out->p50_ns = spread->p50_ns;
    out->p95_ns = spread->p95_ns;
    out->p99_ns = spread->p99_ns;
  } else if (s->moments == s->calls) {
    out->has_spread = true;
    out->std_ns = sqrt((s->m2 > 0 ? s->m2 : 0) / (double)s->moments);
  }
  if (s->gpu_count) {
    out->has_gpu = true;
    out->gpu_total_ns = s->gpu_ns;
    out->gpu_avg_ns = (double)s->gpu_ns / (double)s->gpu_count;
  }
}

int64_t sp_time_add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}

int64_t sp_time_sub(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) return a < 0 ? INT64_MIN : INT64_MAX;
  return difference;
}
