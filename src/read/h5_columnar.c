/* h5_columnar.c - schemas 2 and 3: an index of (rank, region) rows over shared event columns. */
#include "read/h5_columnar.h"

#include <stdio.h>
#include <string.h>

#include "read/json_text.h"

/* The index as read, all columns `rows` long or absent. */
typedef struct index_columns {
  uint64_t rows;
  int64_t *regions, *ranks, *offsets, *counts, *lines, *exclusives;
  sp_str *files, *texts, *tags, *event_metadata;
  sp_stored_summary *summaries;
  bool aggregate;
} index_columns;

/* A column of the index; a length other than the number of rows is damage unless it is optional. */
static sp_status index_ints(sp_h5 *h, hid_t group, const char *name, bool required, uint64_t rows,
                            int64_t **out, sp_error *err) {
  uint64_t n;
  SP_TRY(sp_h5_ints(h, group, "/rank_region_index", name, required, out, &n, err));
  if (!*out || n == rows) return SP_OK;
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, "/rank_region_index", name);
  if (required)
    return sp_fail(err, SP_CORRUPT, path, "has %llu rows, region_ids has %llu; the file is damaged",
                   (unsigned long long)n, (unsigned long long)rows);
  sp_warn(&h->profile->warnings, "index", path,
          "has %llu rows, region_ids has %llu; it is left out", (unsigned long long)n,
          (unsigned long long)rows);
  *out = NULL;
  return SP_OK;
}

static sp_status index_texts(sp_h5 *h, hid_t group, const char *name, uint64_t rows, sp_str **out,
                             sp_error *err) {
  uint64_t n;
  sp_error local = {0};
  sp_status status = sp_h5_texts(h, group, "/rank_region_index", name, false, out, &n, &local);
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, "/rank_region_index", name);
  if (status == SP_NOMEM || status == SP_IO || status == SP_TOO_LARGE)
    return sp_fail(err, status, path, "%s", local.message);
  if (status != SP_OK) {
    sp_warn(&h->profile->warnings, "index", path, "is left out: %s", local.message);
    *out = NULL;
  } else if (*out && n != rows) {
    /* an append that was cut short: which text belongs to which row is unclear */
    return sp_fail(err, SP_CORRUPT, path,
                   "has %llu rows, region_ids has %llu; the file was cut off while written",
                   (unsigned long long)n, (unsigned long long)rows);
  }
  return SP_OK;
}

/* The memory form of summary_statistics; HDF5 picks the members by name. */
static hid_t summary_type(void) {
  static const struct {
    const char *name;
    size_t at;
  } integers[] = {
      {"total", offsetof(sp_stored_summary, total)},
      {"minimum", offsetof(sp_stored_summary, minimum)},
      {"maximum", offsetof(sp_stored_summary, maximum)},
      {"first", offsetof(sp_stored_summary, first)},
      {"last", offsetof(sp_stored_summary, last)},
      {"start_minimum", offsetof(sp_stored_summary, start_minimum)},
      {"end_maximum", offsetof(sp_stored_summary, end_maximum)},
      {"gpu_total", offsetof(sp_stored_summary, gpu_total)},
  };
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(sp_stored_summary));
  for (size_t i = 0; i < SP_ARRAY_LEN(integers); i++)
    H5Tinsert(type, integers[i].name, integers[i].at, H5T_NATIVE_INT64);
  H5Tinsert(type, "gpu_count", offsetof(sp_stored_summary, gpu_count), H5T_NATIVE_UINT64);
  H5Tinsert(type, "mean", offsetof(sp_stored_summary, mean), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "m2", offsetof(sp_stored_summary, m2), H5T_NATIVE_DOUBLE);
  return type;
}

/* Whether the stored compound has all members that the memory form asks for. */
static bool has_all_members(hid_t stored, hid_t memory) {
  if (H5Tget_class(stored) != H5T_COMPOUND) return false;
  for (int i = 0; i < H5Tget_nmembers(memory); i++) {
    char *name = H5Tget_member_name(memory, (unsigned)i);
    int at = name ? H5Tget_member_index(stored, name) : -1;
    if (name) H5free_memory(name);
    if (at < 0) return false;
    H5T_class_t class = H5Tget_member_class(stored, (unsigned)at);
    if (class != H5T_INTEGER && class != H5T_FLOAT) return false;
  }
  return true;
}

static sp_status index_summaries(sp_h5 *h, hid_t group, index_columns *x, sp_error *err) {
  static const char path[] = "/rank_region_index/summary_statistics";
  hid_t dataset;
  sp_h5_kind kind = sp_h5_open_link(h, group, "summary_statistics", path, true, &dataset);
  sp_error local = {0};
  if (kind == SP_H5_DATASET) {
    hid_t stored = H5Dget_type(dataset), memory = summary_type();
    sp_h5_shape shape = {0};
    const char *code;
    size_t width = stored < 0 ? 0 : H5Tget_size(stored);
    if (width == 0 || width > 4096 || !has_all_members(stored, memory))
      sp_fail(&local, SP_CORRUPT, path, "does not have the eleven members");
    else if (sp_h5_shape_of(h, dataset, path, width, &shape, &code, &local) == SP_OK &&
             shape.count != x->rows)
      sp_fail(&local, SP_CORRUPT, path, "has %llu rows, region_ids has %llu",
              (unsigned long long)shape.count, (unsigned long long)x->rows);
    sp_status spent =
        local.code == SP_OK
            ? sp_h5_spend(&h->left.other_bytes, shape.count * (width + sizeof *x->summaries),
                          "decoded bytes", path, err)
            : SP_OK;
    if (spent == SP_OK && local.code == SP_OK) {
      x->summaries = sp_arena_array(&h->profile->arena, shape.count, sizeof *x->summaries);
      sp_h5_filters_expect((size_t)shape.chunk * width);
      if (x->summaries && shape.count &&
          H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, x->summaries) < 0) {
        sp_h5_fail(h, &local, path, "cannot be read");
        x->summaries = NULL;
      }
    }
    H5Tclose(memory);
    if (stored >= 0) H5Tclose(stored);
    SP_TRY(spent);
  }
  if (dataset >= 0) H5Oclose(dataset);
  if (local.code != SP_OK)
    sp_warn(&h->profile->warnings, "index", path, "%s; the stored summaries are left out",
            local.message);
  return SP_OK;
}

static sp_status read_index(sp_h5 *h, hid_t group, index_columns *x, sp_error *err) {
  SP_TRY(
      sp_h5_ints(h, group, "/rank_region_index", "region_ids", true, &x->regions, &x->rows, err));
  SP_TRY(sp_h5_spend(&h->left.rows, x->rows, "regions x ranks", "/rank_region_index", err));
  SP_TRY(index_ints(h, group, "ranks", true, x->rows, &x->ranks, err));
  if (x->aggregate) return SP_OK;
  SP_TRY(index_ints(h, group, "event_offsets", true, x->rows, &x->offsets, err));
  SP_TRY(index_ints(h, group, "event_counts", true, x->rows, &x->counts, err));
  SP_TRY(index_ints(h, group, "source_lines", false, x->rows, &x->lines, err));
  SP_TRY(index_ints(h, group, "exclusive_totals", false, x->rows, &x->exclusives, err));
  SP_TRY(index_texts(h, group, "source_files", x->rows, &x->files, err));
  SP_TRY(index_texts(h, group, "source_texts", x->rows, &x->texts, err));
  SP_TRY(index_texts(h, group, "tags", x->rows, &x->tags, err));
  SP_TRY(index_texts(h, group, "event_metadata", x->rows, &x->event_metadata, err));
  return index_summaries(h, group, x, err);
}

/* Regions are listed in the order of the names; a name that no row uses is dropped. */
static sp_status list_regions(sp_h5 *h, const int64_t *ids, uint64_t rows, const sp_str *names,
                              uint64_t name_count, sp_error *err) {
  bool *used = sp_alloc((size_t)name_count);
  if (!used) return sp_fail(err, SP_NOMEM, "/region_table/names", "out of memory");
  memset(used, 0, (size_t)name_count);
  sp_status status = SP_OK;
  for (uint64_t i = 0; i < rows && status == SP_OK; i++) {
    if (ids[i] >= 0 && (uint64_t)ids[i] < name_count)
      used[ids[i]] = true;
    else
      status = sp_fail(err, SP_CORRUPT, "/rank_region_index",
                       "row %llu names region %lld of %llu; the file is damaged",
                       (unsigned long long)i, (long long)ids[i], (unsigned long long)name_count);
  }
  for (uint64_t i = 0; i < name_count && status == SP_OK; i++)
    if (used[i] && sp_intern_add(&h->build.names, names[i]) == SP_NO_ID)
      status = sp_fail(err, SP_NOMEM, "/region_table/names", "out of memory");
  sp_free_block(used);
  return status;
}

/* Tags of one row. A text that is no JSON at all is damage; JSON of another kind is passed over. */
static sp_status take_tags(sp_h5 *h, const index_columns *x, uint64_t i, sp_row *row,
                           sp_error *err) {
  sp_str *tags = NULL;
  bool json;
  if (!sp_json_text_list(&h->profile->arena, x->tags[i], &tags, &row->tag_count, &json)) {
    char path[SP_H5_PATH_MAX];
    snprintf(path, sizeof path, "/rank_region_index/tags[%llu]", (unsigned long long)i);
    if (!json) return sp_fail(err, SP_CORRUPT, path, "is not JSON; the file is damaged");
    sp_warn(&h->profile->warnings, "bad-tags", path,
            "is no JSON list of texts; the tags are left out");
  }
  row->tags = tags;
  return SP_OK;
}

/* Metadata of the calls of one row: one object for each, or none. */
static sp_status take_call_metadata(sp_h5 *h, const index_columns *x, uint64_t i, sp_row *row,
                                    sp_error *err) {
  sp_str *items = NULL;
  uint32_t n = 0;
  bool fine = sp_json_object_texts(&h->profile->arena, x->event_metadata[i], &items, &n);
  if (!fine || (n != 0 && n != row->count)) {
    char path[SP_H5_PATH_MAX];
    snprintf(path, sizeof path, "/rank_region_index/event_metadata[%llu]", (unsigned long long)i);
    if (fine)
      return sp_fail(
          err, SP_CORRUPT, path,
          "describes %u of %llu calls, so which is whose is unclear; the file is damaged", n,
          (unsigned long long)row->count);
    sp_warn(&h->profile->warnings, "bad-call-metadata", path,
            "is no JSON list of objects; it is left out");
    return SP_OK;
  }
  row->event_metadata = n ? items : NULL;
  row->event_metadata_count = n;
  return SP_OK;
}

/* Text columns of one row. */
static sp_status take_texts(sp_h5 *h, const index_columns *x, uint64_t i, sp_row *row,
                            sp_error *err) {
  if (x->files && x->files[i].n) row->source_file = x->files[i];
  /* the collective writer stores "None" where no source was captured */
  if (x->texts && x->texts[i].n && !sp_str_equal(x->texts[i], SP_STR("None")))
    row->source_text = x->texts[i];
  if (x->tags) SP_TRY(take_tags(h, x, i, row, err));
  return x->event_metadata ? take_call_metadata(h, x, i, row, err) : SP_OK;
}

static sp_status add_rows(sp_h5 *h, const index_columns *x, const sp_str *names, sp_error *err) {
  static const char path[] = "/rank_region_index";
  uint64_t covered = 0;
  for (uint64_t i = 0; i < x->rows; i++) {
    int64_t region = x->regions[i], rank = x->ranks[i], offset = x->offsets[i],
            count = x->counts[i];
    if (rank < 0 || rank > UINT32_MAX)
      return sp_fail(err, SP_CORRUPT, path, "row %llu has rank %lld; the file is damaged",
                     (unsigned long long)i, (long long)rank);
    if (count < 0 || offset < 0 || (uint64_t)offset > h->event_count ||
        (uint64_t)count > h->event_count - (uint64_t)offset)
      return sp_fail(
          err, SP_CORRUPT, path,
          "row %llu claims %lld calls from call %lld on, but the event columns hold %llu; the "
          "file is truncated or damaged",
          (unsigned long long)i, (long long)count, (long long)offset,
          (unsigned long long)h->event_count);
    covered += (uint64_t)count;
    SP_TRY(sp_h5_spend(&h->left.calls, (uint64_t)count, "calls", path, err));
    sp_row *row = sp_build_row(&h->build, (uint32_t)rank, names[region]);
    if (!row) return sp_fail(err, SP_NOMEM, path, "out of memory");
    row->count = (uint64_t)count;
    row->offset = (uint64_t)offset;
    for (int k = SP_H5_GPU; k < SP_H5_EVENT_COLUMNS; k++)
      if (h->events[k].shape.count) row->columns |= 1u << (k - SP_H5_GPU);
    if (x->exclusives) row->exclusive_ns = x->exclusives[i] >= 0 ? x->exclusives[i] : -1;
    if (x->lines && x->lines[i] >= 0) row->source_line = x->lines[i];
    if (x->summaries) row->summary = &x->summaries[i];
    SP_TRY(take_texts(h, x, i, row, err));
  }
  if (covered > h->event_count) return SP_OK; /* overlaps are named by check_overlap */
  if (covered < h->event_count)
    sp_warn(&h->profile->warnings, "orphan-calls", "/events",
            "%llu recorded call%s to no row of the index; left out of every number",
            (unsigned long long)(h->event_count - covered),
            h->event_count - covered == 1 ? " belongs" : "s belong");
  return SP_OK;
}

/* Rows sorted by offset must not share calls; zero-count rows may stand anywhere. */
static sp_status check_overlap(sp_h5 *h, const index_columns *x, sp_error *err) {
  uint64_t end = 0;
  bool ordered = true;
  for (uint64_t i = 0; i < x->rows && ordered; i++) {
    if (x->counts[i] == 0) continue;
    ordered = (uint64_t)x->offsets[i] >= end;
    end = (uint64_t)x->offsets[i] + (uint64_t)x->counts[i];
  }
  if (ordered) return SP_OK;
  /* out of order: mark each call once (the calls of the file are within the limit) */
  unsigned char *taken = sp_alloc((size_t)(h->event_count / 8 + 1));
  if (!taken) return sp_fail(err, SP_NOMEM, "/rank_region_index", "out of memory");
  memset(taken, 0, (size_t)(h->event_count / 8 + 1));
  bool overlap = false;
  for (uint64_t i = 0; i < x->rows && !overlap; i++) {
    for (int64_t k = 0; k < x->counts[i] && !overlap; k++) {
      uint64_t call = (uint64_t)(x->offsets[i] + k);
      overlap = (taken[call >> 3] >> (call & 7)) & 1;
      taken[call >> 3] |= (unsigned char)(1u << (call & 7));
    }
  }
  sp_free_block(taken);
  return overlap
             ? sp_fail(err, SP_CORRUPT, "/rank_region_index",
                       "rows of the index claim the same calls; the file is truncated or damaged")
             : SP_OK;
}

sp_status sp_h5_read_columnar(sp_h5 *h, sp_error *err) {
  index_columns x = {0};
  sp_str layout = sp_h5_attribute_text(h, h->file, "storage_layout");
  x.aggregate = sp_str_equal(layout, SP_STR("aggregate"));
  hid_t table, group;
  sp_str *names = NULL;
  uint64_t name_count = 0;
  if (sp_h5_open_link(h, h->file, "region_table", "/region_table", false, &table) != SP_H5_GROUP) {
    if (table >= 0) H5Oclose(table);
    return sp_fail(err, SP_CORRUPT, "/region_table", "is missing; schema %d needs it",
                   h->profile->schema);
  }
  sp_status status =
      sp_h5_texts(h, table, "/region_table", "names", true, &names, &name_count, err);
  H5Oclose(table);
  SP_TRY(status);
  SP_TRY(sp_h5_spend(&h->left.names, name_count, "region names", "/region_table/names", err));
  if (sp_h5_open_link(h, h->file, "rank_region_index", "/rank_region_index", false, &group) !=
      SP_H5_GROUP) {
    if (group >= 0) H5Oclose(group);
    return sp_fail(err, SP_CORRUPT, "/rank_region_index", "is missing; schema %d needs it",
                   h->profile->schema);
  }
  status = read_index(h, group, &x, err);
  if (status == SP_OK) status = list_regions(h, x.regions, x.rows, names, name_count, err);
  if (status == SP_OK && x.aggregate)
    status = sp_h5_read_aggregate(h, group, x.regions, x.ranks, x.rows, names, err);
  H5Oclose(group);
  SP_TRY(status);
  if (x.aggregate) return SP_OK;
  SP_TRY(sp_h5_open_events(h, err));
  SP_TRY(add_rows(h, &x, names, err));
  return check_overlap(h, &x, err);
}
