/* json_regions.c - the entries of "regions": one row each, with its columns of calls. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read/calls.h"
#include "read/json_profile.h"
#include "read/json_text.h"

enum { PATH_BYTES = 64, NAME_SHOWN = 80 };

static const struct {
  const char *key;
  unsigned column;
} optional_columns[SP_JSON_COLUMNS] = {
    {"gpu_durations_ns", SP_COLUMN_GPU}, {"thread_ids", SP_COLUMN_THREAD},
    {"task_ids", SP_COLUMN_TASK},        {"await_ns", SP_COLUMN_AWAIT},
    {"call_ids", SP_COLUMN_CALL_ID},     {"parent_ids", SP_COLUMN_PARENT_ID},
};

/* One entry and the names its warnings carry. */
typedef struct entry {
  const cJSON *item;
  const char *path;
  sp_str name;
  uint32_t rank;
  int shown; /* bytes of the name */
} entry;

#define WHO "rank %u, region \"%.*s\": "
#define WHO_OF(e) (e)->rank, (e)->shown, (e)->name.p

/* Name and rank; false when the entry has none of use. */
static bool identify(sp_json_reader *r, entry *e) {
  sp_profile *p = r->profile;
  int64_t rank;
  e->name = sp_json_str(sp_json_get(e->item, "name"), &p->arena);
  e->shown = e->name.n > NAME_SHOWN ? NAME_SHOWN : (int)e->name.n;
  if (!e->name.p)
    sp_warn(&p->warnings, "missing-dataset", e->path, "an entry without a name; it is left out");
  else if (!sp_json_int(&r->outline, sp_json_get(e->item, "rank"), &rank) || rank < 0 ||
           rank > UINT32_MAX)
    sp_warn(&p->warnings, "missing-dataset", e->path,
            "region \"%.*s\": an entry without a rank (0 to 2^32 - 1); it is left out", e->shown,
            e->name.p);
  else
    return e->rank = (uint32_t)rank, true;
  return false;
}

static void read_source(sp_json_reader *r, const entry *e, sp_row *row) {
  sp_arena *a = &r->profile->arena;
  sp_str file = sp_json_str(sp_json_get(e->item, "source_file"), a);
  sp_str text = sp_json_str(sp_json_get(e->item, "source_text"), a);
  int64_t line;
  if (file.n) row->source_file = file;
  if (text.n) row->source_text = text;
  if (sp_json_int(&r->outline, sp_json_get(e->item, "source_lineno"), &line) && line >= 0)
    row->source_line = line;
}

static void read_tags(sp_json_reader *r, const entry *e, sp_row *row) {
  sp_profile *p = r->profile;
  const cJSON *tags = sp_json_get(e->item, "tags");
  if (!tags || cJSON_IsNull(tags)) return;
  int n = cJSON_IsArray(tags) ? cJSON_GetArraySize(tags) : -1;
  sp_str *texts = n > 0 ? sp_arena_array(&p->arena, (uint64_t)n, sizeof *texts) : NULL;
  uint32_t kept = 0;
  for (const cJSON *tag = texts ? tags->child : NULL; tag; tag = tag->next) {
    texts[kept] = sp_json_str(tag, &p->arena);
    kept += texts[kept].p != NULL;
  }
  row->tags = texts;
  row->tag_count = kept;
  if (n < 0 || (int)kept < n)
    sp_warn(&p->warnings, "bad-tags", e->path,
            WHO "tags are no list of texts; what is none is left out", WHO_OF(e));
}

static void read_call_metadata(sp_json_reader *r, const entry *e, sp_row *row) {
  sp_profile *p = r->profile;
  const cJSON *item = sp_json_get(e->item, "event_metadata");
  const sp_json_part *kept = sp_json_kept(&r->outline, item);
  if (!item || cJSON_IsNull(item)) return;
  sp_str *texts = NULL;
  uint32_t count = 0;
  bool fine = kept && kept->n <= UINT32_MAX;
  if (fine) {
    /* the objects' texts stay in the profile, so they need a copy that outlives the document */
    sp_str copy = {sp_arena_copy(&p->arena, kept->at, (size_t)kept->n), (uint32_t)kept->n};
    fine = copy.p && sp_json_object_texts(&p->arena, copy, &texts, &count);
  }
  if (fine && count == row->count) {
    row->event_metadata = count ? texts : NULL;
    row->event_metadata_count = count;
  } else if (!fine || count) {
    sp_warn(&p->warnings, "bad-call-metadata", e->path,
            WHO "metadata of calls is not one object for each of %" PRIu64 " calls; it is left out",
            WHO_OF(e), row->count);
  }
}

/* Columns beside the times, which must be as long as these. */
static sp_status read_optional(sp_json_reader *r, const entry *e, sp_row *row, sp_json_calls *calls,
                               sp_error *err) {
  sp_profile *p = r->profile;
  for (size_t k = 0; k < SP_JSON_COLUMNS; k++) {
    const cJSON *item = sp_json_get(e->item, optional_columns[k].key);
    uint64_t n;
    if (!item || cJSON_IsNull(item)) continue;
    if (!sp_json_count(&r->outline, item, &n) || n != row->count) {
      sp_warn(&p->warnings, "lengths-differ", e->path,
              WHO "%s is no list of %" PRIu64 " numbers; the column is left out", WHO_OF(e),
              optional_columns[k].key, row->count);
      continue;
    }
    calls->optional[k] = sp_arena_array(&p->arena, n, sizeof(int64_t));
    if (!calls->optional[k]) return sp_fail(err, SP_NOMEM, e->path, "out of memory");
    sp_json_ints(&r->outline, item, -1, calls->optional[k]);
    row->columns |= optional_columns[k].column;
  }
  return SP_OK;
}

static int64_t int_or(const sp_json_reader *r, const cJSON *object, const char *key,
                      int64_t other) {
  int64_t value;
  return sp_json_int(&r->outline, sp_json_get(object, key), &value) ? value : other;
}

/* The statistics of a summary; NULL when not all are there. */
static const sp_stored_summary *read_summary(sp_json_reader *r, const cJSON *from) {
  static const char *const needed[] = {"first", "last", "start_minimum", "end_maximum", "m2"};
  for (size_t i = 0; i < SP_ARRAY_LEN(needed); i++)
    if (!sp_json_get(from, needed[i])) return NULL;
  sp_stored_summary *s = sp_arena_alloc(&r->profile->arena, sizeof *s);
  if (!s) return NULL;
  *s = (sp_stored_summary){
      .total = int_or(r, from, "total", 0),
      .minimum = int_or(r, from, "minimum", 0),
      .maximum = int_or(r, from, "maximum", 0),
      .first = int_or(r, from, "first", 0),
      .last = int_or(r, from, "last", 0),
      .start_minimum = int_or(r, from, "start_minimum", 0),
      .end_maximum = int_or(r, from, "end_maximum", 0),
      .gpu_total = int_or(r, from, "gpu_total", 0),
      .gpu_count = (uint64_t)int_or(r, from, "gpu_count", 0),
  };
  sp_json_real(&r->outline, sp_json_get(from, "mean"), &s->mean);
  sp_json_real(&r->outline, sp_json_get(from, "m2"), &s->m2);
  return s;
}

/* Totals in place of calls; false when count or total is missing. */
static bool read_aggregate(sp_json_reader *r, const cJSON *from, sp_row *row) {
  int64_t count = int_or(r, from, "count", -1), total;
  if (count < 0 || !sp_json_int(&r->outline, sp_json_get(from, "total"), &total)) return false;
  row->is_aggregate = true;
  row->aggregate_calls = (uint64_t)count;
  row->aggregate_total = total;
  row->aggregate_minimum = int_or(r, from, "minimum", 0);
  row->aggregate_maximum = int_or(r, from, "maximum", 0);
  /* unknown (-1 for ranks whose calls cross): nothing is known to lie inside */
  int64_t exclusive = int_or(r, from, "exclusive", -1);
  row->aggregate_exclusive = exclusive < 0 ? total : exclusive;
  row->summary = read_summary(r, from);
  return true;
}

/* Both columns of times; SP_OK with *fine false and a warning when they are no columns. */
static sp_status read_times(sp_json_reader *r, const entry *e, sp_row *row, sp_json_calls *calls,
                            bool *fine, sp_error *err) {
  sp_profile *p = r->profile;
  const cJSON *starts = sp_json_get(e->item, "start_times_ns");
  const cJSON *ends = sp_json_get(e->item, "end_times_ns");
  uint64_t n, m;
  *fine = sp_json_count(&r->outline, starts, &n) && sp_json_count(&r->outline, ends, &m);
  if (!*fine) {
    bool missing = !starts || !ends;
    const char *what =
        missing ? "start_times_ns or end_times_ns is missing" : "its times are no lists of numbers";
    sp_warn(&p->warnings, missing ? "missing-dataset" : "wrong-type", e->path,
            WHO "%s; the entry is left out", WHO_OF(e), what);
    return SP_OK;
  }
  if (n != m)
    sp_warn(&p->warnings, "lengths-differ", e->path,
            WHO "%" PRIu64 " starts, %" PRIu64 " ends: calls without both are left out", WHO_OF(e),
            n, m);
  row->count = n < m ? n : m;
  SP_TRY(sp_json_spend(&r->left.calls, row->count, "calls", err));
  calls->start_ns = sp_arena_array(&p->arena, n, sizeof(int64_t));
  calls->end_ns = sp_arena_array(&p->arena, m, sizeof(int64_t));
  if (!calls->start_ns || !calls->end_ns) return sp_fail(err, SP_NOMEM, e->path, "out of memory");
  sp_json_ints(&r->outline, starts, SP_NO_TIME, calls->start_ns);
  sp_json_ints(&r->outline, ends, SP_NO_TIME, calls->end_ns);
  return SP_OK;
}

static sp_status read_entry(sp_json_reader *r, entry *e, sp_error *err) {
  if (!identify(r, e)) return SP_OK;
  sp_row found = {.exclusive_ns = -1, .source_line = -1};
  sp_json_calls *calls = &r->calls[r->call_sets];
  const cJSON *aggregate = sp_json_get(e->item, "aggregate");
  if (aggregate && !cJSON_IsNull(aggregate)) {
    if (!read_aggregate(r, aggregate, &found)) {
      sp_warn(&r->profile->warnings, "missing-dataset", e->path,
              WHO "its totals lack a count or a total; the entry is left out", WHO_OF(e));
      return SP_OK;
    }
  } else {
    bool fine;
    SP_TRY(read_times(r, e, &found, calls, &fine, err));
    if (!fine) return SP_OK;
    SP_TRY(read_optional(r, e, &found, calls, err));
    read_call_metadata(r, e, &found);
  }
  read_source(r, e, &found);
  read_tags(r, e, &found);
  int64_t exclusive = int_or(r, e->item, "exclusive_total_ns", -1);
  found.exclusive_ns = exclusive < 0 ? -1 : exclusive;
  found.offset = r->call_sets++;

  SP_TRY(sp_json_spend(&r->left.rows, 1, "regions x ranks", err));
  sp_row *row = sp_build_row(&r->build, e->rank, e->name);
  if (!row) return sp_fail(err, SP_NOMEM, e->path, "out of memory");
  found.region = row->region;
  found.rank = row->rank;
  *row = found;
  if (r->build.names.count > r->left.names)
    return sp_fail(err, SP_TOO_LARGE, e->path, "the limit on region names is reached");
  return SP_OK;
}

sp_status sp_json_regions(sp_json_reader *r, const cJSON *regions, sp_error *err) {
  uint64_t none;
  if (sp_json_count(&r->outline, regions, &none) && none == 0) return SP_OK;
  if (!cJSON_IsArray(regions))
    return sp_fail(err, SP_CORRUPT, "/regions",
                   "the list of regions is missing; the file is damaged");
  uint64_t n = (uint64_t)cJSON_GetArraySize(regions), at = 0;
  r->calls = sp_arena_array(&r->profile->arena, n, sizeof *r->calls);
  if (!r->calls) return sp_fail(err, SP_NOMEM, "/regions", "out of memory");
  for (const cJSON *item = regions->child; item; item = item->next) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "/regions/%" PRIu64, at++);
    entry e = {.item = item, .path = path};
    SP_TRY(read_entry(r, &e, err));
  }
  return r->profile->arena.failed ? sp_fail(err, SP_NOMEM, "/regions", "out of memory") : SP_OK;
}

static void copy_column(int64_t **to, const int64_t *from, uint64_t n) {
  if (!from) *to = NULL;
  if (*to && n) memcpy(*to, from, (size_t)n * sizeof **to);
}

sp_status sp_json_load_calls(const sp_profile *p, const sp_row *row, sp_calls *into,
                             sp_warnings *warnings, sp_error *err) {
  (void)err;
  const sp_json_calls *calls = (const sp_json_calls *)p->reader + row->offset;
  int64_t **optional[SP_JSON_COLUMNS] = {&into->gpu_ns,   &into->thread,  &into->task,
                                         &into->await_ns, &into->call_id, &into->parent_id};
  into->count = row->is_aggregate ? 0 : row->count;
  copy_column(&into->start_ns, calls->start_ns, into->count);
  copy_column(&into->duration_ns, calls->end_ns, into->count);
  for (size_t k = 0; k < SP_JSON_COLUMNS; k++)
    copy_column(optional[k], calls->optional[k], into->count);
  sp_durations_from_ends(p, row, into, warnings);
  return SP_OK;
}
