/* h5_events.c - the shared event columns, and the calls of one row taken from them.
 *
 * Which pair of time columns is there decides the encoding, not the version: start_deltas and
 * durations (running sum within a row), else start_times and end_times. */
#include <string.h>

#include "read/h5_columnar.h"

static const struct {
  const char *name;
  int at;
} optional_columns[] = {
    {"gpu_durations", SP_H5_GPU}, {"thread_ids", SP_H5_THREAD}, {"task_ids", SP_H5_TASK},
    {"await_ns", SP_H5_AWAIT},    {"call_ids", SP_H5_CALL_ID},  {"parent_ids", SP_H5_PARENT_ID},
};

/* Opens a column that may be absent (shape.count stays 0 then). */
static sp_status open_column(sp_h5 *h, hid_t group, const char *name, sp_h5_column *out,
                             bool *found, sp_error *err) {
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, "/events", name);
  hid_t object;
  sp_h5_kind kind = sp_h5_open_link(h, group, name, path, false, &object);
  *out = (sp_h5_column){.dataset = H5I_INVALID_HID};
  *found = kind != SP_H5_NONE;
  if (kind == SP_H5_NONE) return SP_OK;
  if (kind != SP_H5_DATASET) {
    H5Oclose(object);
    return sp_fail(err, SP_CORRUPT, path, "is not a dataset; the file is damaged");
  }
  const char *code;
  return sp_h5_column_open(h, object, path, out, &code, err);
}

static sp_status open_times(sp_h5 *h, hid_t group, sp_error *err) {
  sp_h5_column *start = &h->events[SP_H5_START], *end = &h->events[SP_H5_END];
  bool found;
  SP_TRY(open_column(h, group, "start_deltas", start, &h->deltas, err));
  if (!h->deltas) {
    SP_TRY(open_column(h, group, "start_times", start, &found, err));
    if (!found)
      return sp_fail(err, SP_CORRUPT, "/events",
                     "has neither start_deltas nor start_times; the file is damaged");
  }
  const char *name = h->deltas ? "durations" : "end_times";
  SP_TRY(open_column(h, group, name, end, &found, err));
  if (!found) return sp_fail(err, SP_CORRUPT, "/events", "has no %s; the file is damaged", name);
  h->event_count = start->shape.count;
  if (end->shape.count != h->event_count)
    return sp_fail(err, SP_CORRUPT, end->path,
                   "has %llu values, the starts have %llu; the file is truncated or damaged",
                   (unsigned long long)end->shape.count, (unsigned long long)h->event_count);
  if (start->is_real || end->is_real)
    sp_warn(&h->profile->warnings, "wrong-type", "/events",
            "times are stored as floating point; whole nanoseconds are taken from them");
  return SP_OK;
}

sp_status sp_h5_open_events(sp_h5 *h, sp_error *err) {
  h->events = sp_arena_array(&h->profile->arena, SP_H5_EVENT_COLUMNS, sizeof *h->events);
  if (!h->events) return sp_fail(err, SP_NOMEM, "/events", "out of memory");
  for (int i = 0; i < SP_H5_EVENT_COLUMNS; i++) h->events[i].dataset = H5I_INVALID_HID;
  hid_t group;
  if (sp_h5_open_link(h, h->file, "events", "/events", false, &group) != SP_H5_GROUP) {
    if (group >= 0) H5Oclose(group);
    return sp_fail(err, SP_CORRUPT, "/events", "is missing; schema %d needs it",
                   h->profile->schema);
  }
  sp_status status = open_times(h, group, err);
  for (size_t i = 0; status == SP_OK && i < SP_ARRAY_LEN(optional_columns); i++) {
    sp_h5_column *c = &h->events[optional_columns[i].at];
    sp_error local = {0};
    bool found;
    status = open_column(h, group, optional_columns[i].name, c, &found, &local);
    if (status == SP_NOMEM || status == SP_IO) {
      sp_fail(err, status, local.path, "%s", local.message);
      break;
    }
    if (status == SP_OK && c->shape.count == (found ? h->event_count : 0)) continue;
    if (status == SP_OK)
      sp_fail(&local, SP_CORRUPT, c->path, "has %llu values, the starts have %llu",
              (unsigned long long)c->shape.count, (unsigned long long)h->event_count);
    sp_warn(&h->profile->warnings, "lengths-differ", local.path, "%s; the column is left out",
            local.message);
    sp_h5_column_close(c);
    status = SP_OK;
  }
  H5Oclose(group);
  return status;
}

void sp_h5_close_columns(sp_h5 *h) {
  for (int i = 0; h->events && i < SP_H5_EVENT_COLUMNS; i++) sp_h5_column_close(&h->events[i]);
}

/* Gaps become absolute starts; a sum beyond int64 is damage. */
static sp_status sum_deltas(int64_t *start, uint64_t n, const char *path, sp_error *err) {
  int64_t at = 0;
  bool overflow = false;
  for (uint64_t i = 0; i < n; i++) {
    overflow |= __builtin_add_overflow(at, start[i], &at);
    start[i] = at;
  }
  if (overflow)
    return sp_fail(err, SP_CORRUPT, path,
                   "its running sum does not fit 64 bits; the file is damaged");
  return SP_OK;
}

sp_status sp_h5_load_shared(sp_h5 *h, const sp_row *row, sp_calls *into, sp_warnings *warnings,
                            sp_error *err) {
  uint64_t n = row->count;
  into->count = n;
  if (!h->events) return SP_OK; /* aggregate data has no calls */
  int64_t **optional[] = {&into->gpu_ns,   &into->thread,  &into->task,
                          &into->await_ns, &into->call_id, &into->parent_id};
  SP_TRY(sp_h5_column_read(h, &h->events[SP_H5_START], row->offset, n, into->start_ns, err));
  SP_TRY(sp_h5_column_read(h, &h->events[SP_H5_END], row->offset, n, into->duration_ns, err));
  for (size_t i = 0; i < SP_ARRAY_LEN(optional); i++) {
    sp_h5_column *c = &h->events[SP_H5_GPU + i];
    if (c->shape.count == 0) *optional[i] = NULL;
    if (*optional[i]) SP_TRY(sp_h5_column_read(h, c, row->offset, n, *optional[i], err));
  }
  if (h->deltas) {
    SP_TRY(sum_deltas(into->start_ns, n, h->events[SP_H5_START].path, err));
    sp_drop_unsound(h->profile, row, into, warnings);
  } else {
    sp_durations_from_ends(h->profile, row, into, warnings);
  }
  return SP_OK;
}
