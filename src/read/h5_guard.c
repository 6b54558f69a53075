/* h5_guard.c - look first, then open; look first, then read. */
#include "read/h5_guard.h"

#include <stdio.h>
#include <string.h>

enum { TARGET_MAX = 256, CHUNK_BYTES_MAX = 64 << 20 };

/* The target of a soft or external link, as text for a message. */
static void link_target(hid_t group, const char *name, const H5L_info2_t *info, char *to) {
  char value[TARGET_MAX] = "";
  to[0] = '\0';
  if (info->type == H5L_TYPE_HARD || info->u.val_size == 0 ||
      H5Lget_val(group, name, value, sizeof value - 1, H5P_DEFAULT) < 0)
    return;
  if (info->type == H5L_TYPE_SOFT) {
    snprintf(to, TARGET_MAX, "%.200s", value);
  } else if (info->type == H5L_TYPE_EXTERNAL && info->u.val_size < sizeof value) {
    const char *file = "", *object = "";
    unsigned flags;
    if (H5Lunpack_elink_val(value, info->u.val_size, &flags, &file, &object) >= 0)
      snprintf(to, TARGET_MAX, "file %.200s", file);
  }
}

static sp_h5_kind kind_of(hid_t object) {
  switch (H5Iget_type(object)) {
  case H5I_GROUP: return SP_H5_GROUP;
  case H5I_DATASET: return SP_H5_DATASET;
  default: return SP_H5_OTHER;
  }
}

sp_h5_kind sp_h5_open_link(sp_h5 *h, hid_t group, const char *name, const char *path, bool quiet,
                           hid_t *object) {
  *object = H5I_INVALID_HID;
  H5L_info2_t info;
  if (!name[0] || strcmp(name, ".") == 0 || strchr(name, '/')) return SP_H5_NONE;
  sp_h5_reason(h);
  if (H5Lget_info2(group, name, &info, H5P_DEFAULT) < 0) {
    /* HDF5 has one failure for "not there" and "its group is damaged"; the text tells them apart */
    const char *reason = sp_h5_reason(h);
    if (strcmp(reason, "name doesn't exist") != 0)
      sp_warn(&h->profile->warnings, "missing-dataset", path, "%s cannot be looked up: %s", name,
              reason);
    return SP_H5_NONE;
  }
  sp_warnings *warnings = quiet ? NULL : &h->profile->warnings;
  char target[TARGET_MAX];
  link_target(group, name, &info, target);
  if (info.type != H5L_TYPE_HARD && info.type != H5L_TYPE_SOFT) {
    sp_warn(warnings, "link-refused", path,
            "%s is a link out of the file (to %s) and was not followed", name,
            target[0] ? target : "an unknown place");
    return SP_H5_NONE;
  }
  sp_h5_reason(h);
  *object = H5Oopen(group, name, H5P_DEFAULT);
  if (*object >= 0) return kind_of(*object);
  if (info.type == H5L_TYPE_SOFT)
    sp_warn(warnings, "link-refused", path,
            "%s is a soft link to %s, which leads nowhere in this file", name,
            target[0] ? target : "nothing");
  else
    sp_warn(warnings, "missing-dataset", path, "%s cannot be opened: %s", name, sp_h5_reason(h));
  sp_h5_reason(h);
  return SP_H5_NONE;
}

typedef struct walk {
  sp_h5 *h;
  const char *path;
  sp_h5_visit visit;
  void *context;
  sp_error *err;
  sp_status status;
} walk;

static herr_t visit_link(hid_t group, const char *name, const H5L_info2_t *info, void *data) {
  walk *w = data;
  w->status = sp_h5_spend(&w->h->links_left, 1, "links", w->path, w->err);
  if (w->status == SP_OK)
    w->status = w->visit(w->context, group, name,
                         info->type == H5L_TYPE_HARD ? &info->u.token : NULL, w->err);
  return w->status == SP_OK ? 0 : -1;
}

sp_status sp_h5_each_link(sp_h5 *h, hid_t group, const char *path, sp_h5_visit visit, void *context,
                          sp_error *err) {
  walk w = {h, path, visit, context, err, SP_OK};
  sp_h5_reason(h);
  herr_t done = H5Literate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, &w);
  if (w.status != SP_OK) return w.status;
  return done < 0 ? sp_h5_fail(h, err, path, "the list of its members is damaged") : SP_OK;
}

/* A refusal: the code of the warning and the failure itself. */
#define REFUSE(warning, status, ...) \
  return (*code = (warning), sp_fail(err, (status), path, __VA_ARGS__))

static const char *filter_name(int id) {
  switch (id) {
  case H5Z_FILTER_SZIP: return "szip";
  case H5Z_FILTER_NBIT: return "nbit";
  case H5Z_FILTER_SCALEOFFSET: return "scale-offset";
  case 32001: return "blosc";
  case 32004: return "lz4";
  case 32008: return "bitshuffle";
  case 32026: return "blosc2";
  default: return "an unregistered filter";
  }
}

static sp_status check_filters(hid_t created, const char *path, sp_h5_shape *out, const char **code,
                               sp_error *err) {
  int n = H5Pget_nfilters(created), compressions = 0;
  if (n < 0 || n > SP_H5_FILTERS_MAX)
    REFUSE("filter-missing", SP_UNSUPPORTED, "passes %d filters; no recorder uses more than %d", n,
           SP_H5_FILTERS_MAX);
  for (int i = 0; i < n; i++) {
    sp_filter *f = &out->filters[i];
    unsigned values[SP_FILTER_VALUES_MAX] = {0}, flags;
    size_t count = SP_FILTER_VALUES_MAX;
    int id = H5Pget_filter2(created, (unsigned)i, &flags, &count, values, 0, NULL, NULL);
    if (count > SP_FILTER_VALUES_MAX) count = SP_FILTER_VALUES_MAX;
    bool packs = id == H5Z_FILTER_DEFLATE || id == SP_FILTER_LZF || id == SP_FILTER_ZSTD;
    if (!packs && id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32)
      REFUSE("filter-missing", SP_UNSUPPORTED,
             "compressed with filter %d (%s), which this build cannot read; "
             "h5repack can store it with gzip",
             id, filter_name(id));
    if (packs && ++compressions > 1)
      REFUSE("limit", SP_UNSUPPORTED,
             "is compressed twice, which no recorder does and a bomb does");
    f->id = id;
    f->value_count = (unsigned)count;
    memcpy(f->values, values, sizeof f->values);
  }
  out->filter_count = (unsigned)n;
  return SP_OK;
}

/* Everything that is not plain contiguous storage. */
static sp_status check_storage(sp_h5 *h, hid_t dataset, const char *path, size_t value_bytes,
                               sp_h5_shape *out, const char **code, sp_error *err) {
  hid_t created = H5Dget_create_plist(dataset);
  if (created < 0) {
    *code = "wrong-type";
    return sp_h5_fail(h, err, path, "its storage cannot be understood");
  }
  sp_status status = SP_OK;
  H5D_layout_t layout = H5Pget_layout(created);
  hsize_t chunk = 0;
  uint64_t needed = 0;
  *code = "link-refused";
  if (layout == H5D_VIRTUAL)
    status = sp_fail(err, SP_UNSUPPORTED, path,
                     "is a virtual dataset: its values lie in other files, which are not opened");
  else if (H5Pget_external_count(created) > 0)
    status = sp_fail(err, SP_UNSUPPORTED, path,
                     "keeps its values in another file (external storage), which is not opened");
  else
    status = check_filters(created, path, out, code, err);
  if (status == SP_OK && layout == H5D_CHUNKED) {
    *code = "limit";
    out->storage = SP_H5_CHUNKED;
    if (H5Pget_chunk(created, 1, &chunk) != 1 || chunk == 0) {
      status = sp_h5_fail(h, err, path, "its chunks cannot be understood");
    } else {
      out->chunk = chunk;
      needed = out->count / chunk + (out->count % chunk != 0);
      /* a stored chunk takes at least 24 bytes of index */
      if (chunk > CHUNK_BYTES_MAX / value_bytes)
        status =
            sp_fail(err, SP_TOO_LARGE, path, "has chunks of %llu values; at most 64 MiB is read",
                    (unsigned long long)chunk);
      else if (needed > h->bytes.source->size / 16)
        status = sp_fail(err, SP_CORRUPT, path,
                         "claims %llu values, which a file of %llu bytes cannot hold",
                         (unsigned long long)out->count, (unsigned long long)h->bytes.source->size);
    }
  } else if (status == SP_OK && layout == H5D_COMPACT) {
    out->storage = SP_H5_COMPACT;
    if (out->count > (64 << 10) / value_bytes)
      status = sp_fail(err, SP_CORRUPT, path, "claims %llu values in its header",
                       (unsigned long long)out->count);
  } else if (status == SP_OK && out->count) {
    *code = "limit";
    status = sp_fail(err, SP_CORRUPT, path, "claims %llu values, but none is stored in the file",
                     (unsigned long long)out->count);
  }
  H5Pclose(created);
  return status;
}

sp_status sp_h5_shape_of(sp_h5 *h, hid_t dataset, const char *path, size_t value_bytes,
                         sp_h5_shape *out, const char **code, sp_error *err) {
  *out = (sp_h5_shape){0};
  *code = "wrong-type";
  hid_t space = H5Dget_space(dataset);
  if (space < 0) return sp_h5_fail(h, err, path, "its size cannot be understood");
  int dimensions =
      H5Sget_simple_extent_type(space) == H5S_SIMPLE ? H5Sget_simple_extent_ndims(space) : 0;
  hsize_t count = 0;
  if (dimensions == 1) H5Sget_simple_extent_dims(space, &count, NULL);
  H5Sclose(space);
  if (dimensions != 1)
    return sp_fail(err, SP_CORRUPT, path, "has %d dimensions; a column has one", dimensions);
  out->count = count;
  haddr_t address = H5Dget_offset(dataset);
  /* behind a user block HDF5 adds its size even to "undefined", which then reads as size - 1 */
  if (address != HADDR_UNDEF && address + 1 != h->base) {
    uint64_t bytes;
    out->storage = SP_H5_CONTIGUOUS;
    out->address = address;
    if (__builtin_mul_overflow(count, (uint64_t)value_bytes, &bytes) ||
        address > h->bytes.source->size || bytes > h->bytes.source->size - address ||
        bytes > H5Dget_storage_size(dataset))
      REFUSE("limit", SP_CORRUPT, "claims %llu values, of which the file holds only a part",
             (unsigned long long)count);
    return SP_OK;
  }
  sp_h5_reason(h);
  return check_storage(h, dataset, path, value_bytes, out, code, err);
}
