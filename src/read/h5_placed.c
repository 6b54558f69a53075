/* h5_placed.c - loading the calls of one row of the rank-group layout. */
#include <string.h>

#include "read/h5_columnar.h"

/* A column that has to be opened again: by the group's address, then by name. */
static sp_status read_again(sp_h5 *h, hid_t group, const char *path, const char *name, uint64_t n,
                            int64_t *to, sp_error *err) {
  char full[SP_H5_PATH_MAX];
  sp_h5_join(full, path, name);
  hid_t object;
  sp_h5_kind kind = sp_h5_open_link(h, group, name, full, true, &object);
  if (kind != SP_H5_DATASET) {
    if (object >= 0) H5Oclose(object);
    return sp_fail(err, SP_CORRUPT, full, "is no dataset");
  }
  sp_h5_column column;
  const char *code;
  SP_TRY(sp_h5_column_open(h, object, full, &column, &code, err));
  sp_status status = sp_h5_column_read(h, &column, 0, n, to, err);
  sp_h5_column_close(&column);
  return status;
}

/* An optional column; one that cannot be read is dropped with a warning. */
static void read_optional(sp_h5 *h, hid_t group, const char *path, const char *name, bool stored,
                          uint64_t n, int64_t **to, sp_warnings *warnings) {
  if (!*to) return;
  sp_error local = {0};
  if (stored && read_again(h, group, path, name, n, *to, &local) == SP_OK) return;
  *to = NULL;
  if (stored)
    sp_warn(warnings, "lengths-differ", path, "%s is left out: it %s", name, local.message);
}

static sp_status read_times(sp_h5 *h, const sp_h5_place *place, hid_t group, const char *path,
                            uint64_t n, sp_calls *into, sp_error *err) {
  if (place->start_address != UINT64_MAX) {
    SP_TRY(sp_h5_bytes_read(&h->bytes, place->start_address, (size_t)n * 8, into->start_ns, err));
    return sp_h5_bytes_read(&h->bytes, place->end_address, (size_t)n * 8, into->duration_ns, err);
  }
  SP_TRY(read_again(h, group, path, "start_times", n, into->start_ns, err));
  return read_again(h, group, path, "end_times", n, into->duration_ns, err);
}

sp_status sp_h5_load_placed(sp_h5 *h, const sp_row *row, sp_calls *into, sp_warnings *warnings,
                            sp_error *err) {
  const sp_h5_place *place = &h->places[row->offset];
  char path[SP_H5_PATH_MAX];
  sp_row_path(h->profile, row, path, sizeof path);
  into->thread = into->task = into->await_ns = NULL;
  into->count = row->count;
  hid_t group = H5I_INVALID_HID;
  bool wants_more = into->gpu_ns || into->call_id || into->parent_id;
  if (place->start_address == UINT64_MAX || (wants_more && row->columns))
    group = H5Oopen_by_token(h->file, place->group);
  sp_error local = {0};
  sp_status status =
      row->count ? read_times(h, place, group, path, row->count, into, &local) : SP_OK;
  if (status == SP_OK) {
    read_optional(h, group, path, "gpu_durations", (row->columns & SP_COLUMN_GPU) != 0, row->count,
                  &into->gpu_ns, warnings);
    read_optional(h, group, path, "call_ids", (row->columns & SP_COLUMN_CALL_ID) != 0, row->count,
                  &into->call_id, warnings);
    read_optional(h, group, path, "parent_ids", (row->columns & SP_COLUMN_PARENT_ID) != 0,
                  row->count, &into->parent_id, warnings);
    sp_durations_from_ends(h->profile, row, into, warnings);
  } else if (status == SP_CORRUPT || status == SP_UNSUPPORTED || status == SP_TOO_LARGE) {
    /* the damage is confined to this region on this rank */
    sp_warn(warnings, "missing-dataset", path, "its calls are left out: %s", local.message);
    into->count = 0;
    status = SP_OK;
  } else {
    sp_fail(err, local.code, path, "%s", local.message);
  }
  if (group >= 0) H5Oclose(group);
  return status;
}
