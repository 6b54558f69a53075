/* h5_profile.c - from an open container to a profile: which layout, which metadata, which ranks. */
#include <stdio.h>
#include <string.h>

#include "read/h5_columnar.h"
#include "read/h5_guard.h"
#include "read/run_facts.h"

enum { RANK_NUMBER_MAX = 1 << 24, NEWEST_SCHEMA = 3 };

typedef struct top_level {
  bool metadata, columns, ranks;
  char names[120]; /* of the root's objects, for "not a profile" */
} top_level;

static sp_status note_top(void *context, hid_t group, const char *name, const H5O_token_t *token,
                          sp_error *err) {
  (void)group, (void)token, (void)err;
  top_level *top = context;
  uint32_t number;
  size_t used = strlen(top->names);
  snprintf(top->names + used, sizeof top->names - used, "%s/%s", used ? ", " : "", name);
  if (strcmp(name, "metadata") == 0) top->metadata = true;
  if (strcmp(name, "region_table") == 0 || strcmp(name, "rank_region_index") == 0)
    top->columns = true;
  if (sp_h5_rank_number(name, &number) == SP_H5_RANK) top->ranks = true;
  return SP_OK;
}

/* The root's schema attribute: absent means 1. */
static sp_status read_schema(sp_h5 *h, bool *stated, sp_error *err) {
  static const char path[] = "/@scope_profiler_schema";
  sp_profile *p = h->profile;
  p->schema = 1;
  *stated = H5Aexists(h->file, "scope_profiler_schema") > 0;
  if (!*stated) return SP_OK;
  sp_metadata attributes = {0};
  SP_TRY(sp_h5_attributes(h, h->file, "/", &attributes, err));
  const sp_value *v = sp_metadata_get(&attributes, "scope_profiler_schema");
  if (!v || (v->kind != SP_VALUE_INT && v->kind != SP_VALUE_UINT))
    return sp_fail(err, SP_CORRUPT, path, "the schema version must be one integer");
  bool newer = v->kind == SP_VALUE_UINT || v->integer > NEWEST_SCHEMA;
  if (newer)
    return sp_fail(err, SP_SCHEMA_TOO_NEW, path,
                   "schema version %llu is newer than %d, the newest this build reads; "
                   "a newer profscope is needed",
                   (unsigned long long)v->integer, NEWEST_SCHEMA);
  if (v->integer < 1)
    return sp_fail(err, SP_CORRUPT, path, "schema version %lld: versions are positive (1 to %d)",
                   (long long)v->integer, NEWEST_SCHEMA);
  p->schema = (int)v->integer;
  return SP_OK;
}

sp_status sp_h5_read_metadata(sp_h5 *h, sp_error *err) {
  sp_profile *p = h->profile;
  hid_t group;
  sp_h5_kind kind = sp_h5_open_link(h, h->file, "metadata", "/metadata", false, &group);
  sp_status status = SP_OK;
  if (kind == SP_H5_GROUP)
    status = sp_h5_attributes(h, group, "/metadata", &p->metadata, err);
  else if (kind != SP_H5_NONE)
    sp_warn(&p->warnings, "wrong-type", "/metadata",
            "metadata is not a group; there is no metadata");
  if (group >= 0) H5Oclose(group);
  SP_TRY(status);
  sp_take_run_facts(p);
  return SP_OK;
}

/* Rank groups count themselves; else the largest rank with rows, or mpi_size, decides. */
static void count_ranks(sp_profile *p, bool rank_groups) {
  if (rank_groups) {
    p->num_ranks = p->rank_count;
  } else {
    uint64_t n = 0;
    for (uint32_t i = 0; i < p->rank_count; i++)
      if (p->ranks[i].row_count) n = (uint64_t)p->ranks[i].number + 1;
    bool recorded = n > 0;
    if (n > RANK_NUMBER_MAX) {
      sp_warn(&p->warnings, "ranks-missing", "/rank_region_index/ranks",
              "a rank has number %llu, which cannot be; it is kept under that number",
              (unsigned long long)(n - 1));
      n = p->rank_count;
    }
    uint32_t stated = sp_stated_ranks(p);
    p->num_ranks = recorded && stated > n ? stated : (uint32_t)n;
    sp_warn_silent_ranks(p, "/rank_region_index");
  }
  sp_take_nodes(p);
}

static sp_status read_layout(sp_h5 *h, const top_level *top, bool stated, sp_error *err) {
  sp_profile *p = h->profile;
  if (p->schema == 1) {
    if (top->columns && !top->ranks)
      return sp_fail(err, SP_CORRUPT, "/",
                     "has shared columns but no schema version; the file is damaged");
    if (!top->ranks && !top->metadata && !stated)
      return sp_fail(err, SP_NOT_A_PROFILE, "/",
                     top->names[0] ? "an HDF5 file, but no scope-profiler profile: it holds %s"
                                   : "an HDF5 file, but no scope-profiler profile: it is empty%s",
                     top->names);
    p->layout = SP_LAYOUT_RANK_GROUPS;
    SP_TRY(sp_h5_read_rank_groups(h, err));
    SP_TRY(sp_build_finish(&h->build, err));
  } else {
    p->layout = SP_LAYOUT_COLUMNAR;
    SP_TRY(sp_h5_read_columnar(h, err));
    SP_TRY(sp_list_silent_ranks(&h->build, err));
    SP_TRY(sp_build_finish(&h->build, err));
    SP_TRY(sp_h5_read_lanes(h, err));
  }
  count_ranks(p, p->schema == 1);
  return sp_h5_read_extras(h, err);
}

static sp_status load_calls(const sp_profile *p, const sp_row *row, sp_calls *into,
                            sp_warnings *warnings, sp_error *err) {
  return p->layout == SP_LAYOUT_RANK_GROUPS
             ? sp_h5_load_placed(p->reader, row, into, warnings, err)
             : sp_h5_load_shared(p->reader, row, into, warnings, err);
}

static void close_reader(sp_profile *p) {
  sp_h5 *h = p->reader;
  if (!h) return;
  sp_h5_close_columns(h);
  sp_chunk_release();
  sp_free_block(h->places);
  sp_build_free(&h->build);
  sp_h5_close(h);
  sp_free_block(h);
  p->reader = NULL;
}

static const sp_reader_ops ops = {load_calls, close_reader};

sp_status sp_read_h5(sp_source *source, const sp_read_limits *limits, sp_profile *p,
                     sp_error *err) {
  sp_h5 *h = sp_alloc(sizeof *h);
  if (!h) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  memset(h, 0, sizeof *h);
  h->file = h->access = H5I_INVALID_HID;
  h->profile = p;
  h->left = *limits;
  h->links_left = 8 * limits->rows + 100000;
  p->reader = h;
  p->ops = &ops;
  sp_build_begin(&h->build, p);
  sp_h5_filters_register();
  SP_TRY(sp_h5_open(h, source, err));

  top_level top = {0};
  bool stated = false;
  hid_t root = H5Gopen2(h->file, "/", H5P_DEFAULT);
  if (root < 0) return sp_h5_fail(h, err, "/", "the root group cannot be opened");
  sp_status status = sp_h5_each_link(h, root, "/", note_top, &top, err);
  H5Gclose(root);
  SP_TRY(status);
  SP_TRY(read_schema(h, &stated, err));
  if (top.metadata) SP_TRY(sp_h5_read_metadata(h, err));
  SP_TRY(read_layout(h, &top, stated, err));
  sp_build_free(&h->build);
  return SP_OK;
}
