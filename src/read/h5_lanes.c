/* h5_lanes.c - thread_table/ and task_table/: one row per rank and thread or task, times relative
 * to the rank's own run start. A missing column reads as -1 or "". */
#include <string.h>

#include "read/h5_guard.h"

enum { INTS_MAX = 7, TEXTS_MAX = 3 };

typedef struct table {
  const char *group;
  const char *ints[INTS_MAX + 1], *texts[TEXTS_MAX + 1]; /* ended by NULL */
  uint64_t rows;
  int64_t *ranks, *int_values[INTS_MAX];
  sp_str *text_values[TEXTS_MAX];
} table;

/* Reads a table; rows stays 0 when it is absent or not usable (then a warning says why). */
static sp_status read_table(sp_h5 *h, table *t, sp_error *err) {
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, "/", t->group);
  hid_t group;
  sp_h5_kind kind = sp_h5_open_link(h, h->file, t->group, path, false, &group);
  sp_error local = {0};
  uint64_t rows = 0, n;
  if (kind == SP_H5_GROUP) {
    sp_h5_ints(h, group, path, "ranks", true, &t->ranks, &rows, &local);
    /* one column that is odd does not take the table with it: it reads as absent */
    for (int i = 0; local.code == SP_OK && t->ints[i]; i++) {
      sp_h5_ints(h, group, path, t->ints[i], false, &t->int_values[i], &n, NULL);
      if (n != rows) t->int_values[i] = NULL;
    }
    for (int i = 0; local.code == SP_OK && t->texts[i]; i++) {
      sp_h5_texts(h, group, path, t->texts[i], false, &t->text_values[i], &n, NULL);
      if (n != rows) t->text_values[i] = NULL;
    }
    if (local.code == SP_OK) t->rows = rows;
  } else if (kind != SP_H5_NONE) {
    sp_fail(&local, SP_CORRUPT, path, "is not a group");
  }
  if (group >= 0) H5Oclose(group);
  if (local.code == SP_NOMEM || local.code == SP_IO)
    return sp_fail(err, local.code, local.path, "%s", local.message);
  if (local.code != SP_OK)
    sp_warn(&h->profile->warnings, "wrong-type", local.path, "%s; the table is left out",
            local.message);
  return SP_OK;
}

static int64_t int_at(const table *t, int column, uint64_t row) {
  return t->int_values[column] ? t->int_values[column][row] : -1;
}

static sp_str text_at(const table *t, int column, uint64_t row) {
  return t->text_values[column] ? t->text_values[column][row] : SP_STR("");
}

/* The rows of one rank, copied one after the other; `size` bytes each, filled by `fill`. */
static sp_status deal(sp_h5 *h, const table *t, size_t size,
                      void (*fill)(const table *, uint64_t, void *), bool tasks, sp_error *err) {
  sp_profile *p = h->profile;
  uint64_t *counts = sp_arena_array(&p->arena, p->rank_count, sizeof *counts);
  if (!counts) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (int pass = 0; pass < 2; pass++) {
    for (uint64_t i = 0; i < t->rows; i++) {
      bool fits = t->ranks[i] >= 0 && t->ranks[i] <= UINT32_MAX;
      uint32_t at = fits ? sp_profile_find_rank(p, (uint32_t)t->ranks[i]) : UINT32_MAX;
      if (at == UINT32_MAX) continue;
      if (pass == 0) {
        counts[at]++;
        continue;
      }
      sp_rank *rank = &p->ranks[at];
      uint32_t *filled = tasks ? &rank->task_count : &rank->thread_count;
      fill(t, i,
           (char *)(tasks ? (void *)rank->tasks : (void *)rank->threads) + size * (*filled)++);
    }
    for (uint32_t r = 0; pass == 0 && r < p->rank_count; r++) {
      if (counts[r] == 0) continue;
      void *rows = sp_arena_array(&p->arena, counts[r], size);
      if (!rows) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
      if (tasks)
        p->ranks[r].tasks = rows;
      else
        p->ranks[r].threads = rows;
    }
  }
  return SP_OK;
}

static void fill_thread(const table *t, uint64_t i, void *to) {
  *(sp_thread *)to = (sp_thread){
      .index = int_at(t, 0, i),
      .ident = int_at(t, 1, i),
      .native_id = int_at(t, 2, i),
      .start_ns = int_at(t, 3, i),
      .end_ns = int_at(t, 4, i),
      .cpu_ns = int_at(t, 5, i),
      .daemon = int_at(t, 6, i) == 1,
      .name = text_at(t, 0, i),
  };
}

static void fill_task(const table *t, uint64_t i, void *to) {
  *(sp_task *)to = (sp_task){
      .index = int_at(t, 0, i),
      .thread_index = int_at(t, 1, i),
      .created_ns = int_at(t, 2, i),
      .done_ns = int_at(t, 3, i),
      .steps = int_at(t, 4, i),
      .running_ns = int_at(t, 5, i),
      .suspended_ns = int_at(t, 6, i),
      .kind = text_at(t, 0, i),
      .name = text_at(t, 1, i),
      .coro_name = text_at(t, 2, i),
  };
}

sp_status sp_h5_read_lanes(sp_h5 *h, sp_error *err) {
  table threads = {
      .group = "thread_table",
      .ints = {"index", "ident", "native_id", "start_ns", "end_ns", "cpu_ns", "daemon"},
      .texts = {"name"}};
  table tasks = {.group = "task_table",
                 .ints = {"index", "thread_index", "created_ns", "done_ns", "steps", "running_ns",
                          "suspended_ns"},
                 .texts = {"kind", "name", "coro_name"}};
  SP_TRY(read_table(h, &threads, err));
  SP_TRY(read_table(h, &tasks, err));
  SP_TRY(deal(h, &threads, sizeof(sp_thread), fill_thread, false, err));
  return deal(h, &tasks, sizeof(sp_task), fill_task, true, err);
}
