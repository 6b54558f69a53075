/* h5_columnar.h - serving calls: from shared event columns, or from the datasets of rank groups. */
#ifndef SP_READ_H5_COLUMNAR_H
#define SP_READ_H5_COLUMNAR_H

#include "read/h5_column.h"

/* Where the calls of one row of the rank-group layout lie. */
typedef struct sp_h5_place {
  uint64_t start_address, end_address; /* plain int64 columns; UINT64_MAX = to be opened again */
  H5O_token_t group;                   /* of the region's group, to open it again */
} sp_h5_place;

/* The shared event columns by their place in sp_h5.events. */
enum {
  SP_H5_START,
  SP_H5_END,
  SP_H5_GPU,
  SP_H5_THREAD,
  SP_H5_TASK,
  SP_H5_AWAIT,
  SP_H5_CALL_ID,
  SP_H5_PARENT_ID,
  SP_H5_EVENT_COLUMNS,
};

sp_status sp_h5_load_placed(sp_h5 *h, const sp_row *row, sp_calls *into, sp_warnings *warnings,
                            sp_error *err);
sp_status sp_h5_load_shared(sp_h5 *h, const sp_row *row, sp_calls *into, sp_warnings *warnings,
                            sp_error *err);
void sp_h5_close_columns(sp_h5 *h);

/* Opens events/: its columns, their common length, and how times are encoded. */
sp_status sp_h5_open_events(sp_h5 *h, sp_error *err);
/* The rows of an aggregate file: `rows` region ids and ranks are given, the five totals are read. */
sp_status sp_h5_read_aggregate(sp_h5 *h, hid_t index, const int64_t *regions, const int64_t *ranks,
                               uint64_t rows, const sp_str *names, sp_error *err);
/* One rank's line_profile/ group. */
sp_status sp_h5_read_lines(sp_h5 *h, hid_t group, const char *path, sp_rank *rank, sp_error *err);
/* likwid/, perf_events/, line_profile/ of all ranks. */
sp_status sp_h5_read_extras(sp_h5 *h, sp_error *err);

#endif
