/* h5_aggregate.c - runs that kept only counters: five totals per row, no calls. */
#include "read/h5_columnar.h"

static const char *const columns[] = {"aggregate_counts", "aggregate_totals", "aggregate_minimums",
                                      "aggregate_maximums", "aggregate_exclusives"};

sp_status sp_h5_read_aggregate(sp_h5 *h, hid_t index, const int64_t *regions, const int64_t *ranks,
                               uint64_t rows, const sp_str *names, sp_error *err) {
  static const char path[] = "/rank_region_index";
  h->profile->layout = SP_LAYOUT_AGGREGATE;
  if (rows == 0) return SP_OK; /* a run that recorded no region has none of the columns */
  int64_t *values[SP_ARRAY_LEN(columns)];
  for (size_t i = 0; i < SP_ARRAY_LEN(columns); i++) {
    uint64_t n;
    SP_TRY(sp_h5_ints(h, index, path, columns[i], true, &values[i], &n, err));
    if (n != rows)
      return sp_fail(err, SP_CORRUPT, path,
                     "%s has %llu rows, region_ids has %llu; the file is damaged", columns[i],
                     (unsigned long long)n, (unsigned long long)rows);
  }
  for (uint64_t i = 0; i < rows; i++) {
    if (ranks[i] < 0 || ranks[i] > UINT32_MAX || values[0][i] < 0)
      return sp_fail(err, SP_CORRUPT, path,
                     "row %llu has rank %lld and %lld calls; the file is damaged",
                     (unsigned long long)i, (long long)ranks[i], (long long)values[0][i]);
    sp_row *row = sp_build_row(&h->build, (uint32_t)ranks[i], names[regions[i]]);
    if (!row) return sp_fail(err, SP_NOMEM, path, "out of memory");
    row->is_aggregate = true;
    row->aggregate_calls = (uint64_t)values[0][i];
    row->aggregate_total = values[1][i];
    row->aggregate_minimum = values[2][i];
    row->aggregate_maximum = values[3][i];
    row->aggregate_exclusive = values[4][i];
    row->exclusive_ns = values[4][i];
  }
  return SP_OK;
}
