/* h5_rank_groups.c - schema 1: a group per rank and region, each with its own two datasets.
 *
 * A name with "/" was written as groups inside groups: every group below regions/ that holds
 * start_times and end_times is a region, named by its path. Plain columns are remembered by
 * address, so that loading them needs no second look through HDF5. */
#include <string.h>

#include "read/h5_columnar.h"
#include "read/h5_plain.h"

enum { DEPTH_MAX = 16, CHILDREN_MAX = 4096 };

/* The groups between the rank and the one at hand: a link back to one of them is a cycle. */
typedef struct ancestry {
  H5O_token_t tokens[DEPTH_MAX + 2];
  int depth;
} ancestry;

/* What a region's group holds. */
typedef struct content {
  sp_h5 *h;
  H5O_token_t token;
  bool starts, ends, gpu, call_ids, parent_ids;
  char **others; /* names of further members, which may be groups */
  uint32_t other_count, other_capacity;
} content;

static sp_status note_member(void *context, hid_t group, const char *name, const H5O_token_t *token,
                             sp_error *err) {
  (void)group, (void)token;
  content *c = context;
  if (strcmp(name, "start_times") == 0)
    c->starts = true;
  else if (strcmp(name, "end_times") == 0)
    c->ends = true;
  else if (strcmp(name, "gpu_durations") == 0)
    c->gpu = true;
  else if (strcmp(name, "call_ids") == 0)
    c->call_ids = true;
  else if (strcmp(name, "parent_ids") == 0)
    c->parent_ids = true;
  else {
    if (c->other_count == c->other_capacity) {
      uint32_t wanted = c->other_capacity ? c->other_capacity * 2 : 8;
      char **grown = sp_resize(c->others, wanted * sizeof *grown);
      if (!grown) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
      c->others = grown;
      c->other_capacity = wanted;
    }
    char *copy = sp_arena_copy(&c->h->profile->arena, name, strlen(name));
    if (!copy) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
    c->others[c->other_count++] = copy;
  }
  return SP_OK;
}

/* Opens one column of a region; a refusal becomes a warning and *fine false. */
static sp_status open_column(sp_h5 *h, hid_t group, const char *path, const char *name,
                             sp_h5_column *out, bool *fine, sp_error *err) {
  char full[SP_H5_PATH_MAX];
  sp_h5_join(full, path, name);
  hid_t object;
  sp_h5_kind kind = sp_h5_open_link(h, group, name, full, false, &object);
  sp_error local = {0};
  const char *code = "wrong-type";
  *out = (sp_h5_column){.dataset = H5I_INVALID_HID};
  if (kind == SP_H5_DATASET) {
    sp_h5_column_open(h, object, full, out, &code, &local);
  } else {
    if (object >= 0) H5Oclose(object);
    if (kind != SP_H5_NONE) sp_fail(&local, SP_CORRUPT, full, "is not a dataset");
  }
  *fine = kind == SP_H5_DATASET && local.code == SP_OK;
  if (local.code == SP_NOMEM || local.code == SP_IO)
    return sp_fail(err, local.code, full, "%s", local.message);
  if (local.code != SP_OK)
    sp_warn(&h->profile->warnings, code, full, "%s %s; its calls on this rank are left out", name,
            local.message);
  return SP_OK;
}

static sp_status read_attributes(sp_h5 *h, hid_t group, sp_row *row) {
  H5O_info2_t info;
  if (H5Oget_info3(group, &info, H5O_INFO_NUM_ATTRS) < 0 || info.num_attrs == 0) return SP_OK;
  sp_str file = sp_h5_attribute_text(h, group, "source_file");
  if (file.n) row->source_file = file;
  int64_t line;
  if (sp_h5_attribute_int(h, group, "source_lineno", &line) && line >= 0) row->source_line = line;
  sp_str text = sp_h5_attribute_text(h, group, "source_text");
  if (text.n) row->source_text = text;
  row->tags = sp_h5_attribute_texts(h, group, "tags", &row->tag_count);
  return SP_OK;
}

static sp_h5_place *new_place(sp_h5 *h) {
  if (h->place_count == h->place_capacity) {
    uint64_t wanted = h->place_capacity ? h->place_capacity * 2 : 64;
    void *grown = wanted <= SIZE_MAX / sizeof *h->places
                      ? sp_resize(h->places, (size_t)wanted * sizeof *h->places)
                      : NULL;
    if (!grown) return NULL;
    h->places = grown;
    h->place_capacity = wanted;
  }
  h->places[h->place_count] = (sp_h5_place){.start_address = UINT64_MAX, .end_address = UINT64_MAX};
  return &h->places[h->place_count++];
}

/* The two columns of a region, as found. */
typedef struct timed {
  uint64_t starts, ends;               /* lengths */
  uint64_t start_address, end_address; /* UINT64_MAX: to be opened again for reading */
  bool real;                           /* one of them is stored as floating point */
} timed;

static timed timed_of(const sp_h5_column *starts, const sp_h5_column *ends) {
  timed t = {starts->shape.count, ends->shape.count, UINT64_MAX, UINT64_MAX,
             starts->is_real || ends->is_real};
  if (starts->direct && starts->shape.storage == SP_H5_CONTIGUOUS && ends->direct &&
      ends->shape.storage == SP_H5_CONTIGUOUS) {
    t.start_address = starts->shape.address;
    t.end_address = ends->shape.address;
  }
  return t;
}

/* Adds the row of one region. */
static sp_status add_row(sp_h5 *h, const char *path, const content *c, uint32_t rank, sp_str name,
                         const timed *t, sp_row **out, sp_error *err) {
  uint64_t n = t->starts < t->ends ? t->starts : t->ends;
  SP_TRY(sp_h5_spend(&h->left.rows, 1, "regions x ranks", path, err));
  SP_TRY(sp_h5_spend(&h->left.calls, n, "calls", path, err));
  sp_row *row = *out = sp_build_row(&h->build, rank, name);
  sp_h5_place *place = row ? new_place(h) : NULL;
  if (!place) return sp_fail(err, SP_NOMEM, path, "out of memory");
  if (h->build.names.count > h->left.names)
    return sp_fail(err, SP_TOO_LARGE, path, "the limit on region names is reached");
  row->count = n;
  row->offset = h->place_count - 1;
  row->columns = (c->gpu ? SP_COLUMN_GPU : 0u) | (c->call_ids ? SP_COLUMN_CALL_ID : 0u) |
                 (c->parent_ids ? SP_COLUMN_PARENT_ID : 0u);
  *place = (sp_h5_place){t->start_address, t->end_address, c->token};
  if (t->real)
    sp_warn(&h->profile->warnings, "wrong-type", "/",
            "times are stored as floating point; whole nanoseconds are taken from them");
  if (t->starts != t->ends)
    sp_warn(&h->profile->warnings, "lengths-differ", path,
            "%llu starts, %llu ends: calls without both are left out",
            (unsigned long long)t->starts, (unsigned long long)t->ends);
  return SP_OK;
}

static sp_status read_timed(sp_h5 *h, hid_t group, const char *path, const content *c,
                            uint32_t rank, sp_str name, sp_error *err) {
  sp_h5_column starts, ends;
  bool starts_fine, ends_fine = false;
  sp_row *row;
  SP_TRY(open_column(h, group, path, "start_times", &starts, &starts_fine, err));
  sp_status status =
      starts_fine ? open_column(h, group, path, "end_times", &ends, &ends_fine, err) : SP_OK;
  if (status == SP_OK && starts_fine && ends_fine) {
    timed t = timed_of(&starts, &ends);
    status = add_row(h, path, c, rank, name, &t, &row, err);
    if (status == SP_OK) status = read_attributes(h, group, row);
  }
  if (starts_fine) sp_h5_column_close(&starts);
  if (ends_fine) sp_h5_column_close(&ends);
  return status;
}

/* The fast way: a plain group whose members are plain columns. *done false: take the other way. */
static sp_status read_plain(sp_h5 *h, hid_t parent, const H5O_token_t *token, const char *path,
                            uint32_t rank, const char *name, bool *done, sp_error *err) {
  sp_h5_plain group, column;
  sp_h5_members members;
  content c = {.h = h, .token = *token};
  timed t = {.start_address = UINT64_MAX, .end_address = UINT64_MAX};
  uint64_t header;
  memcpy(&header, token, sizeof header);
  *done = false;
  if (!sp_h5_plain_object(h, header, &group) || group.kind != SP_H5_PLAIN_GROUP ||
      !sp_h5_plain_members(h, &group, &members))
    return SP_OK;
  for (uint32_t i = 0; i < members.count; i++) {
    if (note_member(&c, parent, members.items[i].name, NULL, err) != SP_OK || c.other_count) break;
    if (!sp_h5_plain_object(h, members.items[i].header, &column) ||
        column.kind != SP_H5_PLAIN_COLUMN)
      break;
    bool is_start = strcmp(members.items[i].name, "start_times") == 0;
    bool is_end = strcmp(members.items[i].name, "end_times") == 0;
    if (is_start) t.starts = column.count, t.start_address = column.address;
    if (is_end) t.ends = column.count, t.end_address = column.address;
    *done = i + 1 == members.count;
  }
  sp_free_block(c.others);
  *done = *done && c.starts && c.ends;
  if (!*done) return SP_OK;
  sp_row *row;
  SP_TRY(add_row(h, path, &c, rank, sp_str_of(name), &t, &row, err));
  if (!group.has_attributes) return SP_OK;
  hid_t object = H5Oopen(parent, name, H5P_DEFAULT);
  if (object < 0) return SP_OK;
  sp_status status = read_attributes(h, object, row);
  H5Oclose(object);
  return status;
}

/* A region's group is opened and checked against the groups it lies in. */
static hid_t open_region(sp_h5 *h, hid_t parent, const char *name, const char *path,
                         ancestry *line) {
  hid_t object;
  sp_h5_kind kind = sp_h5_open_link(h, parent, name, path, false, &object);
  if (kind == SP_H5_NONE) return H5I_INVALID_HID;
  H5O_info2_t info;
  if (kind != SP_H5_GROUP || H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0) {
    sp_warn(&h->profile->warnings, "wrong-type", path, "%s is not a group; it is left out", name);
  } else {
    bool cycle = false;
    for (int i = 0; i < line->depth; i++)
      cycle = cycle || memcmp(&line->tokens[i], &info.token, sizeof info.token) == 0;
    if (!cycle) {
      line->tokens[line->depth] = info.token;
      return object;
    }
    sp_warn(&h->profile->warnings, "link-refused", path,
            "%s is a link back to a group that holds it", name);
  }
  H5Oclose(object);
  return H5I_INVALID_HID;
}

/* One group below regions/, and what lies in it; at most DEPTH_MAX deep. */
static sp_status read_group(sp_h5 *h, hid_t group, const char *path, uint32_t rank,
                            const char *name, ancestry *line, sp_error *err) {
  content c = {.h = h, .token = line->tokens[line->depth]};
  sp_status status = sp_h5_each_link(h, group, path, note_member, &c, err);
  if (status == SP_OK && c.starts && c.ends)
    status = read_timed(h, group, path, &c, rank, sp_str_of(name), err);
  else if (status == SP_OK && (c.starts || c.ends || c.other_count == 0))
    sp_warn(&h->profile->warnings, "missing-dataset", path, "%s has no %s; it is left out", name,
            c.starts ? "end_times"
            : c.ends ? "start_times"
                     : "start_times and end_times");
  line->depth++;
  for (uint32_t i = 0; status == SP_OK && i < c.other_count; i++) {
    char below[SP_H5_PATH_MAX];
    sp_h5_join(below, path, c.others[i]);
    if (line->depth > DEPTH_MAX || i >= CHILDREN_MAX) {
      sp_warn(&h->profile->warnings, "limit", below, "groups lie deeper than %d or are too many",
              DEPTH_MAX);
      break;
    }
    hid_t child = open_region(h, group, c.others[i], below, line);
    if (child < 0) continue;
    size_t n = strlen(name), m = strlen(c.others[i]);
    char *joined = sp_arena_alloc(&h->profile->arena, n + m + 2);
    if (joined) {
      memcpy(joined, name, n);
      joined[n] = '/';
      memcpy(joined + n + 1, c.others[i], m + 1);
      status = read_group(h, child, below, rank, joined, line, err);
    } else {
      status = sp_fail(err, SP_NOMEM, below, "out of memory");
    }
    H5Oclose(child);
  }
  line->depth--;
  sp_free_block(c.others);
  return status;
}

typedef struct rank_context {
  sp_h5 *h;
  const char *path;
  uint32_t number;
  ancestry line;
} rank_context;

static sp_status visit_region(void *context, hid_t group, const char *name,
                              const H5O_token_t *token, sp_error *err) {
  rank_context *r = context;
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, r->path, name);
  bool done = false;
  if (token) SP_TRY(read_plain(r->h, group, token, path, r->number, name, &done, err));
  if (done) return SP_OK;
  hid_t object = open_region(r->h, group, name, path, &r->line);
  if (object < 0) return SP_OK;
  sp_status status = read_group(r->h, object, path, r->number, name, &r->line, err);
  H5Oclose(object);
  return status;
}

static sp_status read_rank(sp_h5 *h, hid_t group, const char *path, uint32_t number,
                           sp_error *err) {
  if (!sp_build_rank(&h->build, number)) return sp_fail(err, SP_NOMEM, path, "out of memory");
  SP_TRY(sp_h5_spend(&h->left.rows, 1, "ranks", path, err));
  char below[SP_H5_PATH_MAX];
  sp_h5_join(below, path, "regions");
  rank_context r = {h, below, number, {.depth = 0}};
  H5O_info2_t info;
  if (H5Oget_info3(group, &info, H5O_INFO_BASIC) >= 0) r.line.tokens[r.line.depth++] = info.token;
  hid_t regions = open_region(h, group, "regions", below, &r.line);
  if (regions < 0) return SP_OK;
  r.line.depth++;
  sp_status status = sp_h5_each_link(h, regions, below, visit_region, &r, err);
  H5Oclose(regions);
  return status;
}

sp_status sp_h5_read_rank_groups(sp_h5 *h, sp_error *err) {
  return sp_h5_each_rank(h, read_rank, err);
}
