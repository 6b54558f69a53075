/* row_sums.h - from single calls to the sums of a row.
 *
 *   calls of a rank --sp_part_call--> sp_part --sp_sums_rank--> sp_sums --sp_sums_stats--> sp_stats
 *
 * A part is what one rank has of a region or of a call path; sums pool the parts of all selected
 * ranks. First and last come in by themselves (sp_sums_ends), when the ranks' clocks are known. */
#ifndef SP_STATS_ROW_SUMS_H
#define SP_STATS_ROW_SUMS_H

#include "stats/analysis.h"
#include "stats/quantile.h"

typedef struct sp_part {
  sp_i128 all_ns;     /* all durations */
  sp_i128 overlap_ns; /* what calls cover a second time; coverage = all - overlap */
  sp_i128 gpu_ns;
  uint64_t calls, gpu_count;
  int64_t start_ns, first_ns; /* smallest start and that call's duration */
  int64_t end_ns, last_ns;    /* largest end and that call's duration */
  uint32_t path, run;         /* whose part it is: the caller's business */
} sp_part;

/* Takes in one call; calls come by ascending start. */
static inline void sp_part_call(sp_part *part, int64_t start_ns, int64_t duration_ns) {
  int64_t end_ns = start_ns + duration_ns;
  part->all_ns += duration_ns;
  if (part->calls++ == 0) {
    part->start_ns = start_ns;
    part->end_ns = end_ns;
    part->first_ns = part->last_ns = duration_ns;
    return;
  }
  if (start_ns < part->end_ns) {
    part->overlap_ns += (end_ns < part->end_ns ? end_ns : part->end_ns) - start_ns;
  }
  if (end_ns > part->end_ns) {
    part->end_ns = end_ns;
    part->last_ns = duration_ns;
  }
}

/* Negative values are "not measured". */
static inline void sp_part_gpu(sp_part *part, int64_t gpu_ns) {
  if (gpu_ns < 0) return;
  part->gpu_ns += gpu_ns;
  part->gpu_count++;
}

typedef struct sp_sums {
  sp_i128 total_ns; /* recursive rows: outermost calls only */
  sp_i128 all_ns;   /* every call: what the average is of */
  sp_i128 exclusive_ns, coverage_ns, gpu_ns;
  sp_i128 largest_ns, ranks_ns; /* imbalance: largest total of a rank, and their sum */
  uint64_t calls, gpu_count;
  double m2, mean; /* of stored summaries, combined; mean over `moments` calls */
  uint64_t moments;
  int64_t min_ns, max_ns;
  int64_t start_ns, first_ns, end_ns, last_ns;
  uint32_t num_ranks, imbalance_ranks;
  bool has_ends, has_bounds; /* first and last; min and max */
} sp_sums;

/* Adds one rank. `total_ns` is the rank's total for the row; idle ranks count in the imbalance of
 * tree rows only (statistics 6). */
void sp_sums_rank(sp_sums *sums, const sp_part *part, sp_i128 total_ns, sp_i128 exclusive_ns,
                  bool in_tree);

/* Takes in where a rank's calls begin and end. Ranks come in ascending order. */
void sp_sums_ends(sp_sums *sums, int64_t start_ns, int64_t end_ns, int64_t first_ns,
                  int64_t last_ns);

void sp_sums_bounds(sp_sums *sums, int64_t min_ns, int64_t max_ns);

/* Combines the moments of `calls` calls (statistics 16). */
void sp_sums_moments(sp_sums *sums, uint64_t calls, double mean, double m2);

/* The columns of a row. `spread` is that of its single calls, or NULL. */
void sp_sums_stats(const sp_sums *sums, const sp_spread *spread, sp_stats *out);

/* a + b and a - b, held inside int64. */
int64_t sp_time_add(int64_t a, int64_t b);
int64_t sp_time_sub(int64_t a, int64_t b);

#endif
