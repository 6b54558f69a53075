/* h5_extras.c - hardware counters of a rank: likwid/ and perf_events/. */
#include "read/h5_columnar.h"

#include <string.h>

enum { COUNTERS_MAX = 100000 };

/* Growable list of one rank's records, moved to the arena at the end. */
typedef struct records {
  sp_h5 *h;
  const char *path;
  char *items;
  size_t size;
  uint32_t count, capacity;
  int depth; /* of groups inside groups (perf events of a name with "/") */
  sp_str prefix;
} records;

static void *new_record(records *r) {
  if (r->count >= COUNTERS_MAX) return NULL;
  if (r->count == r->capacity) {
    uint32_t wanted = r->capacity ? r->capacity * 2 : 16;
    char *grown = sp_resize(r->items, wanted * r->size);
    if (!grown) return NULL;
    r->items = grown;
    r->capacity = wanted;
  }
  return memset(r->items + r->size * r->count++, 0, r->size);
}

/* A matrix or column of reals, whatever its dimensions; NULL when its size is not `n`. */
static double *matrix(sp_h5 *h, hid_t group, const char *name, uint64_t n) {
  double *values = NULL;
  hid_t object;
  sp_h5_kind kind = sp_h5_open_link(h, group, name, "", true, &object);
  if (kind == SP_H5_DATASET) {
    hid_t space = H5Dget_space(object), created = H5Dget_create_plist(object);
    size_t bytes;
    bool plain = created >= 0 && H5Pget_layout(created) != H5D_VIRTUAL &&
                 H5Pget_external_count(created) == 0 && H5Pget_nfilters(created) == 0;
    hssize_t have = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    sp_h5_number number = sp_h5_number_of(object, &bytes);
    if (plain && have >= 0 && (uint64_t)have == n && number != SP_H5_NOT_A_NUMBER &&
        n <= h->bytes.source->size &&
        sp_h5_spend(&h->left.other_bytes, n * 8, "decoded bytes", NULL, NULL) == SP_OK)
      values = sp_arena_array(&h->profile->arena, n, sizeof *values);
    if (values && n &&
        H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      values = NULL;
    if (space >= 0) H5Sclose(space);
    if (created >= 0) H5Pclose(created);
    sp_h5_reason(h);
  }
  if (object >= 0) H5Oclose(object);
  return values;
}

static sp_str text_or_empty(sp_str text) { return text.p ? text : SP_STR(""); }

/* Fills one tag; false when a dataset is missing or of another size. */
static bool fill_likwid(sp_h5 *h, hid_t group, const char *path, const char *name, sp_likwid *l) {
  uint64_t threads = 0, n = 0;
  sp_str tag = sp_h5_attribute_text(h, group, "tag");
  if (!tag.p) {
    const char *copy = sp_arena_copy(&h->profile->arena, name, strlen(name));
    tag = sp_str_of(copy ? copy : "");
  }
  l->tag = tag;
  l->group_name = text_or_empty(sp_h5_attribute_text(h, group, "group_name"));
  l->source = text_or_empty(sp_h5_attribute_text(h, group, "source"));
  if (!sp_h5_attribute_int(h, group, "group_id", &l->group_id)) l->group_id = -1;
  l->event_names = sp_h5_attribute_texts(h, group, "event_names", &l->event_count);
  l->metric_names = sp_h5_attribute_texts(h, group, "metric_names", &l->metric_count);
  uint32_t counters;
  l->counter_names = sp_h5_attribute_texts(h, group, "counter_names", &counters);
  if (counters != l->event_count) l->counter_names = NULL;
  if (sp_h5_reals(h, group, path, "times", true, &l->times, &threads, NULL) != SP_OK ||
      threads > COUNTERS_MAX)
    return false;
  l->thread_count = (uint32_t)threads;
  if (sp_h5_ints(h, group, path, "call_counts", true, &l->call_counts, &n, NULL) != SP_OK ||
      n != threads)
    return false;
  if (sp_h5_ints(h, group, path, "cpus", true, &l->cpus, &n, NULL) != SP_OK || n > COUNTERS_MAX)
    return false;
  l->cpu_count = (uint32_t)n;
  l->events = matrix(h, group, "events", (uint64_t)l->event_count * threads);
  l->metrics = matrix(h, group, "metrics", (uint64_t)l->metric_count * threads);
  return l->events && l->metrics;
}

static sp_status visit_likwid(void *context, hid_t group, const char *name,
                              const H5O_token_t *token, sp_error *err) {
  (void)token, (void)err;
  records *r = context;
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, r->path, name);
  hid_t object;
  sp_likwid found = {0};
  bool fine = sp_h5_open_link(r->h, group, name, path, false, &object) == SP_H5_GROUP &&
              fill_likwid(r->h, object, path, name, &found);
  if (object >= 0) H5Oclose(object);
  if (!fine) {
    sp_warn(&r->h->profile->warnings, "wrong-type", path,
            "its counters are incomplete; they are left out");
    return SP_OK;
  }
  sp_likwid *to = NULL; /* of two groups with one tag the later counts */
  for (uint32_t i = 0; i < r->count && !to; i++) {
    sp_likwid *earlier = (sp_likwid *)(void *)(r->items + r->size * i);
    if (sp_str_equal(earlier->tag, found.tag)) to = earlier;
  }
  if (!to) to = new_record(r);
  if (to) *to = found;
  return SP_OK;
}

static bool fill_perf(sp_h5 *h, hid_t group, const char *path, sp_perf *p) {
  uint64_t n = 0;
  p->event_names = sp_h5_attribute_texts(h, group, "event_names", &p->event_count);
  if (!sp_h5_attribute_int(h, group, "calls", &p->calls)) p->calls = 0;
  char full[SP_H5_PATH_MAX];
  sp_h5_join(full, path, "values");
  hid_t object;
  bool fine = sp_h5_open_link(h, group, "values", full, true, &object) == SP_H5_DATASET;
  sp_h5_shape shape;
  const char *code;
  size_t bytes;
  fine = fine && sp_h5_number_of(object, &bytes) != SP_H5_NOT_A_NUMBER &&
         sp_h5_shape_of(h, object, full, bytes, &shape, &code, NULL) == SP_OK &&
         shape.count <= COUNTERS_MAX;
  n = fine ? shape.count : 0;
  fine = fine && n == p->event_count;
  p->values = fine ? sp_arena_array(&h->profile->arena, n, sizeof *p->values) : NULL;
  sp_h5_filters_expect(fine ? (size_t)shape.chunk * bytes : 0);
  fine = p->values && (n == 0 || H5Dread(object, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                         p->values) >= 0);
  if (object >= 0) H5Oclose(object);
  return fine;
}

static sp_status visit_perf(void *context, hid_t group, const char *name, const H5O_token_t *token,
                            sp_error *err);

/* A region's group, or one that only holds further groups because a name has a "/". */
static sp_status perf_group(records *r, hid_t object, const char *path, sp_str region,
                            sp_error *err) {
  sp_perf found = {.region = region};
  if (H5Aexists(object, "event_names") > 0) {
    if (fill_perf(r->h, object, path, &found)) {
      sp_perf *to = new_record(r);
      if (to) *to = found;
    } else {
      sp_warn(&r->h->profile->warnings, "wrong-type", path,
              "its counters are incomplete; they are left out");
    }
    return SP_OK;
  }
  sp_h5_reason(r->h);
  if (r->depth >= 8) return SP_OK;
  records below = *r;
  below.path = path;
  below.prefix = region;
  below.depth++;
  sp_status status = sp_h5_each_link(r->h, object, path, visit_perf, &below, err);
  r->items = below.items;
  r->count = below.count;
  r->capacity = below.capacity;
  return status;
}

static sp_status visit_perf(void *context, hid_t group, const char *name, const H5O_token_t *token,
                            sp_error *err) {
  (void)token;
  records *r = context;
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, r->path, name);
  hid_t object;
  sp_status status = SP_OK;
  sp_h5_kind kind = sp_h5_open_link(r->h, group, name, path, false, &object);
  if (kind == SP_H5_GROUP) {
    size_t n = strlen(name), before = r->prefix.n ? r->prefix.n + 1 : 0;
    char *full = sp_arena_alloc(&r->h->profile->arena, before + n + 1);
    if (full) {
      if (before) {
        memcpy(full, r->prefix.p, r->prefix.n);
        full[r->prefix.n] = '/';
      }
      memcpy(full + before, name, n);
      status = perf_group(r, object, path, (sp_str){full, (uint32_t)(before + n)}, err);
    } else {
      status = sp_fail(err, SP_NOMEM, path, "out of memory");
    }
  }
  if (object >= 0) H5Oclose(object);
  return status;
}

/* Opens rank<k>/<first>[/<second>] and visits its members into `r`. */
static sp_status collect(records *r, hid_t group, const char *path, const char *first,
                         const char *second, sp_h5_visit visit, sp_metadata *environment,
                         sp_error *err) {
  char outer[SP_H5_PATH_MAX], inner[SP_H5_PATH_MAX];
  sp_h5_join(outer, path, first);
  hid_t object, below = H5I_INVALID_HID;
  sp_status status = SP_OK;
  if (sp_h5_open_link(r->h, group, first, outer, false, &object) == SP_H5_GROUP) {
    r->path = outer;
    if (environment) status = sp_h5_attributes(r->h, object, outer, environment, err);
    if (second) {
      sp_h5_join(inner, outer, second);
      r->path = inner;
      sp_h5_open_link(r->h, object, second, inner, false, &below);
    }
    hid_t in = second ? below : object;
    if (status == SP_OK && in >= 0 && H5Iget_type(in) == H5I_GROUP)
      status = sp_h5_each_link(r->h, in, r->path, visit, r, err);
  }
  if (below >= 0) H5Oclose(below);
  if (object >= 0) H5Oclose(object);
  return status;
}

/* Moves the records into the arena. */
static void *keep(records *r, sp_error *err, sp_status *status) {
  void *kept = r->count ? sp_arena_array(&r->h->profile->arena, r->count, r->size) : NULL;
  if (kept) memcpy(kept, r->items, r->size * r->count);
  if (r->count && !kept && *status == SP_OK)
    *status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  sp_free_block(r->items);
  return kept;
}

static sp_status read_rank(sp_h5 *h, hid_t group, const char *path, uint32_t number,
                           sp_error *err) {
  uint32_t at = sp_profile_find_rank(h->profile, number);
  if (at == UINT32_MAX) return SP_OK;
  sp_rank *rank = &h->profile->ranks[at];
  records likwid = {.h = h, .size = sizeof(sp_likwid)}, perf = {.h = h, .size = sizeof(sp_perf)};
  sp_status status = collect(&likwid, group, path, "likwid", "regions", visit_likwid,
                             &rank->likwid_environment, err);
  if (status == SP_OK)
    status = collect(&perf, group, path, "perf_events", NULL, visit_perf, NULL, err);
  rank->likwid = keep(&likwid, err, &status);
  rank->likwid_count = rank->likwid ? likwid.count : 0;
  rank->perf = keep(&perf, err, &status);
  rank->perf_count = rank->perf ? perf.count : 0;
  SP_TRY(status);
  return sp_h5_read_lines(h, group, path, rank, err);
}

sp_status sp_h5_read_extras(sp_h5 *h, sp_error *err) { return sp_h5_each_rank(h, read_rank, err); }
