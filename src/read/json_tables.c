/* json_tables.c - threads, tasks, hardware counters and line profiles of a JSON profile: objects
 * whose keys are ranks in decimal. A row that is no object is passed over; a missing field has
 * the value that means "unknown". */
#include <stdio.h>

#include "read/json_profile.h"

enum { ROWS_MAX = 1000000 };

static const char *const tables[] = {"threads", "tasks", "likwid", "line_profile"};

/* A key as a rank: decimal digits only. */
static bool rank_of(const cJSON *member, uint32_t *rank) {
  uint64_t value = 0;
  const char *at = member->string;
  if (!at || !*at) return false;
  for (; *at; at++) {
    if (*at < '0' || *at > '9') return false;
    value = value * 10 + (uint64_t)(*at - '0');
    if (value > UINT32_MAX) return false;
  }
  *rank = (uint32_t)value;
  return true;
}

sp_status sp_json_table_ranks(sp_json_reader *r, const cJSON *root, sp_error *err) {
  for (size_t t = 0; t < SP_ARRAY_LEN(tables); t++) {
    const cJSON *table = sp_json_get(root, tables[t]);
    for (const cJSON *member = table ? table->child : NULL; member; member = member->next) {
      uint32_t rank;
      if (!rank_of(member, &rank)) {
        sp_warn(&r->profile->warnings, "ranks-missing", "/",
                "%s of \"%.60s\", which is no rank; left out", tables[t],
                member->string ? member->string : "");
        continue;
      }
      SP_TRY(sp_json_spend(&r->left.rows, 1, "ranks", err));
      if (!sp_build_rank(&r->build, rank)) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
    }
  }
  return SP_OK;
}

/* Fields of one row. */
typedef struct fields {
  sp_json_reader *r;
  const cJSON *row;
} fields;

static int64_t int_field(fields f, const char *key, int64_t none) {
  int64_t value;
  return sp_json_int(&f.r->outline, sp_json_get(f.row, key), &value) ? value : none;
}

static double real_field(fields f, const char *key, double none) {
  double value;
  return sp_json_real(&f.r->outline, sp_json_get(f.row, key), &value) ? value : none;
}

static sp_str text_field(fields f, const char *key) {
  sp_str text = sp_json_str(sp_json_get(f.row, key), &f.r->profile->arena);
  return text.p ? text : SP_STR("");
}

/* A list of texts; items that are none become "". */
static sp_str *texts_field(fields f, const char *key, uint32_t *count) {
  const cJSON *list = sp_json_get(f.row, key);
  int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
  sp_str *texts = sp_arena_array(&f.r->profile->arena, (uint64_t)n, sizeof *texts);
  *count = 0;
  for (const cJSON *item = n && texts ? list->child : NULL; item; item = item->next) {
    sp_str text = sp_json_str(item, &f.r->profile->arena);
    texts[(*count)++] = text.p ? text : SP_STR("");
  }
  return texts;
}

/* A list of integers; NULL when it is none or memory ran out. */
static int64_t *ints_field(fields f, const char *key, uint32_t *count) {
  const cJSON *list = sp_json_get(f.row, key);
  uint64_t n;
  if (!sp_json_count(&f.r->outline, list, &n) || n > ROWS_MAX) return NULL;
  int64_t *values = sp_arena_array(&f.r->profile->arena, n, sizeof *values);
  if (values) sp_json_ints(&f.r->outline, list, -1, values);
  *count = (uint32_t)n;
  return values;
}

static double *reals_field(fields f, const char *key, uint32_t *count) {
  const cJSON *list = sp_json_get(f.row, key);
  uint64_t n;
  if (!sp_json_count(&f.r->outline, list, &n) || n > ROWS_MAX) return NULL;
  double *values = sp_arena_array(&f.r->profile->arena, n, sizeof *values);
  if (values) sp_json_reals(&f.r->outline, list, values);
  *count = (uint32_t)n;
  return values;
}

/* A list of `rows` lists of `columns` numbers each. */
static double *matrix_field(fields f, const char *key, uint32_t rows, uint32_t columns) {
  const cJSON *list = sp_json_get(f.row, key);
  uint64_t size = (uint64_t)rows * columns;
  if (size > ROWS_MAX) return NULL;
  double *values = sp_arena_array(&f.r->profile->arena, size, sizeof *values);
  if (rows == 0) return values;
  if (!values || !cJSON_IsArray(list) || (uint32_t)cJSON_GetArraySize(list) != rows) return NULL;
  double *to = values;
  for (const cJSON *row = list->child; row; row = row->next, to += columns) {
    uint64_t n;
    if (!sp_json_count(&f.r->outline, row, &n) || n != columns) return NULL;
    sp_json_reals(&f.r->outline, row, to);
  }
  return values;
}

static bool fill_thread(fields f, void *to) {
  *(sp_thread *)to = (sp_thread){
      .index = int_field(f, "index", -1),
      .ident = int_field(f, "ident", -1),
      .native_id = int_field(f, "native_id", 0),
      .start_ns = int_field(f, "start_ns", -1),
      .end_ns = int_field(f, "end_ns", -1),
      .cpu_ns = int_field(f, "cpu_ns", -1),
      .daemon = cJSON_IsTrue(sp_json_get(f.row, "daemon")) || int_field(f, "daemon", 0) != 0,
      .name = text_field(f, "name"),
  };
  return true;
}

static bool fill_task(fields f, void *to) {
  *(sp_task *)to = (sp_task){
      .index = int_field(f, "index", -1),
      .thread_index = int_field(f, "thread_index", -1),
      .created_ns = int_field(f, "created_ns", -1),
      .done_ns = int_field(f, "done_ns", -1),
      .steps = int_field(f, "steps", -1),
      .running_ns = int_field(f, "running_ns", -1),
      .suspended_ns = int_field(f, "suspended_ns", -1),
      .kind = text_field(f, "kind"),
      .name = text_field(f, "name"),
      .coro_name = text_field(f, "coro_name"),
  };
  return true;
}

static bool fill_likwid(fields f, void *to) {
  sp_likwid *l = to;
  sp_arena *a = &f.r->profile->arena;
  uint32_t counters = 0, counts = 0;
  *l = (sp_likwid){.group_id = int_field(f, "group_id", -1),
                   .group_name = text_field(f, "group_name"),
                   .source = text_field(f, "source")};
  l->tag = sp_json_get(f.row, "tag") ? text_field(f, "tag") : sp_json_key(f.row, a);
  l->event_names = texts_field(f, "event_names", &l->event_count);
  l->metric_names = texts_field(f, "metric_names", &l->metric_count);
  l->counter_names = texts_field(f, "counter_names", &counters);
  if (counters != l->event_count) l->counter_names = NULL;
  l->times = reals_field(f, "times", &l->thread_count);
  l->call_counts = ints_field(f, "call_counts", &counts);
  l->cpus = ints_field(f, "cpus", &l->cpu_count);
  if (!l->times || !l->call_counts || !l->cpus || counts != l->thread_count) return false;
  l->events = matrix_field(f, "events", l->event_count, l->thread_count);
  l->metrics = matrix_field(f, "metrics", l->metric_count, l->thread_count);
  return l->events && l->metrics;
}

static bool fill_lines(fields f, void *to) {
  sp_line_record *l = to;
  uint32_t hits = 0, times = 0;
  *l = (sp_line_record){.region = text_field(f, "region"),
                        .filename = text_field(f, "filename"),
                        .function = text_field(f, "function"),
                        .first_lineno = int_field(f, "first_lineno", -1),
                        .source_first_lineno = int_field(f, "source_first_lineno", -1),
                        .unit = real_field(f, "unit", 1e-9)};
  sp_str source = text_field(f, "source");
  if (source.n) l->source = source;
  l->lines = ints_field(f, "line_numbers", &l->line_count);
  l->hits = ints_field(f, "hits", &hits);
  l->times = reals_field(f, "times", &times);
  return l->lines && l->hits && l->times && hits == l->line_count && times == l->line_count;
}

/* The rows of one table on one rank: members of `list`, each filled by `fill`. */
static void *fill_rows(sp_json_reader *r, const cJSON *list, const char *path, size_t size,
                       bool (*fill)(fields f, void *to), uint32_t *count) {
  int n = list ? cJSON_GetArraySize(list) : 0;
  *count = 0;
  char *rows = n ? sp_arena_array(&r->profile->arena, (uint64_t)n, size) : NULL;
  for (const cJSON *row = rows ? list->child : NULL; row; row = row->next) {
    if (cJSON_IsObject(row) && fill((fields){r, row}, rows + *count * size))
      ++*count;
    else
      sp_warn(&r->profile->warnings, "wrong-type", path,
              "a row of %s is incomplete; it is left out", path + 1);
  }
  return rows;
}

sp_status sp_json_tables(sp_json_reader *r, const cJSON *root, sp_error *err) {
  sp_profile *p = r->profile;
  for (size_t t = 0; t < SP_ARRAY_LEN(tables); t++) {
    const cJSON *table = sp_json_get(root, tables[t]);
    for (const cJSON *member = table ? table->child : NULL; member; member = member->next) {
      uint32_t number;
      uint32_t at = rank_of(member, &number) ? sp_profile_find_rank(p, number) : UINT32_MAX;
      if (at == UINT32_MAX) continue;
      sp_rank *rank = &p->ranks[at];
      char path[64];
      snprintf(path, sizeof path, "/%s/%u", tables[t], number);
      switch (t) {
      case 0:
        rank->threads =
            fill_rows(r, member, path, sizeof *rank->threads, fill_thread, &rank->thread_count);
        break;
      case 1:
        rank->tasks = fill_rows(r, member, path, sizeof *rank->tasks, fill_task, &rank->task_count);
        break;
      case 2:
        rank->likwid =
            fill_rows(r, member, path, sizeof *rank->likwid, fill_likwid, &rank->likwid_count);
        break;
      default:
        rank->lines =
            fill_rows(r, member, path, sizeof *rank->lines, fill_lines, &rank->line_record_count);
      }
    }
  }
  return p->arena.failed ? sp_fail(err, SP_NOMEM, NULL, "out of memory") : SP_OK;
}
