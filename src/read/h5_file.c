/* h5_file.c - whole small datasets: index columns, texts, counters. */
#include "read/h5_file.h"

#include <stdio.h>
#include <string.h>

#include "read/h5_column.h"

enum { TEXT_BYTES_MAX = 64 << 10 }; /* of one fixed-size text */

void sp_h5_join(char *to, const char *parent, const char *name) {
  bool root = parent[0] == '/' && !parent[1];
  snprintf(to, SP_H5_PATH_MAX, "%s/%s", root ? "" : parent, name);
}

sp_status sp_h5_spend(uint64_t *left, uint64_t n, const char *what, const char *path,
                      sp_error *err) {
  if (n > *left)
    return sp_fail(err, SP_TOO_LARGE, path, "the limit on %s is reached: %llu more are not read",
                   what, (unsigned long long)n);
  *left -= n;
  return SP_OK;
}

/* Opens a named column below a group. SP_OK with an invalid *dataset: absent and not required. */
static sp_status open_dataset(sp_h5 *h, hid_t group, const char *parent, const char *name,
                              bool required, char *path, hid_t *dataset, sp_error *err) {
  sp_h5_join(path, parent, name);
  sp_h5_kind kind = sp_h5_open_link(h, group, name, path, !required, dataset);
  if (kind == SP_H5_DATASET) return SP_OK;
  if (*dataset >= 0) H5Oclose(*dataset);
  *dataset = H5I_INVALID_HID;
  if (kind != SP_H5_NONE)
    return sp_fail(err, SP_CORRUPT, path, "is not a dataset; the file is damaged");
  if (required) return sp_fail(err, SP_CORRUPT, path, "is missing; the file is damaged");
  return SP_OK;
}

static sp_status read_numbers(sp_h5 *h, hid_t group, const char *parent, const char *name,
                              bool required, bool real, void **out, uint64_t *count,
                              sp_error *err) {
  char path[SP_H5_PATH_MAX];
  hid_t dataset;
  *out = NULL;
  *count = 0;
  SP_TRY(open_dataset(h, group, parent, name, required, path, &dataset, err));
  if (dataset < 0) return SP_OK;
  sp_h5_column column;
  const char *code;
  SP_TRY(sp_h5_column_open(h, dataset, path, &column, &code, err));
  uint64_t n = column.shape.count;
  sp_status status = sp_h5_spend(&h->left.other_bytes, n > UINT64_MAX / 8 ? UINT64_MAX : n * 8,
                                 "decoded bytes", path, err);
  if (status == SP_OK) *out = sp_arena_array(&h->profile->arena, n, 8);
  if (status == SP_OK && !*out) status = sp_fail(err, SP_NOMEM, path, "out of memory");
  if (status == SP_OK && !real) {
    status = sp_h5_column_read(h, &column, 0, n, *out, err);
  } else if (status == SP_OK && n) {
    hid_t again = H5Dopen2(group, name, H5P_DEFAULT); /* a direct column gave its dataset back */
    sp_h5_filters_expect((size_t)column.shape.chunk * column.value_bytes);
    if (again < 0 || H5Dread(again, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0)
      status = sp_h5_fail(h, err, path, "its values cannot be read");
    if (again >= 0) H5Dclose(again);
  }
  sp_h5_column_close(&column);
  if (status == SP_OK) *count = n;
  return status;
}

sp_status sp_h5_ints(sp_h5 *h, hid_t group, const char *parent, const char *name, bool required,
                     int64_t **out, uint64_t *count, sp_error *err) {
  void *values;
  sp_status status = read_numbers(h, group, parent, name, required, false, &values, count, err);
  *out = values;
  return status;
}

sp_status sp_h5_reals(sp_h5 *h, hid_t group, const char *parent, const char *name, bool required,
                      double **out, uint64_t *count, sp_error *err) {
  void *values;
  sp_status status = read_numbers(h, group, parent, name, required, true, &values, count, err);
  *out = values;
  return status;
}

/* HDF5 allocates variable-length texts through these two, so that a record that lies about its
 * size spends the budget instead of the machine's memory. They go to the arena and stay there. */
static void *vlen_alloc(size_t n, void *data) {
  sp_h5 *h = data;
  if (n > h->left.other_bytes) return NULL;
  h->left.other_bytes -= n;
  return sp_arena_alloc(&h->profile->arena, n);
}

static void vlen_free(void *block, void *data) { (void)block, (void)data; }

/* The memory type that reads texts stored as `stored`: same kind, same character set. */
static hid_t text_type(hid_t stored) {
  hid_t type = H5Tcopy(H5T_C_S1);
  size_t size = H5Tis_variable_str(stored) > 0 ? H5T_VARIABLE : H5Tget_size(stored);
  if (type >= 0 &&
      (size == 0 || H5Tset_size(type, size) < 0 || H5Tset_strpad(type, H5Tget_strpad(stored)) < 0 ||
       H5Tset_cset(type, H5Tget_cset(stored)) < 0)) {
    H5Tclose(type);
    return H5I_INVALID_HID;
  }
  return type;
}

/* The text in a fixed field: up to the first NUL, or without trailing ones (blanks if padded so). */
static sp_str fixed_text(const char *at, size_t width, H5T_str_t pad) {
  size_t n = width;
  if (pad == H5T_STR_NULLTERM) {
    const char *end = memchr(at, 0, width);
    if (end) n = (size_t)(end - at);
  }
  char fill = pad == H5T_STR_SPACEPAD ? ' ' : '\0';
  while (n && (at[n - 1] == fill || at[n - 1] == '\0')) n--;
  return (sp_str){at, (uint32_t)n};
}

static sp_status read_text_values(sp_h5 *h, hid_t dataset, const char *path, hid_t stored,
                                  const sp_h5_shape *shape, sp_str *to, sp_error *err) {
  sp_arena *arena = &h->profile->arena;
  bool variable = H5Tis_variable_str(stored) > 0;
  size_t width = variable ? sizeof(char *) : H5Tget_size(stored);
  H5T_str_t pad = H5Tget_strpad(stored);
  hid_t type = text_type(stored), transfer = H5Pcreate(H5P_DATASET_XFER);
  char *raw = sp_arena_array(arena, shape->count, width);
  sp_status status = SP_OK;
  sp_h5_filters_expect((size_t)shape->chunk * H5Tget_size(stored));
  if (!raw)
    status = sp_fail(err, SP_NOMEM, path, "out of memory");
  else if (type < 0 || H5Pset_vlen_mem_manager(transfer, vlen_alloc, h, vlen_free, h) < 0 ||
           (shape->count && H5Dread(dataset, type, H5S_ALL, H5S_ALL, transfer, raw) < 0))
    status = sp_h5_fail(h, err, path, "its texts cannot be read");
  for (uint64_t i = 0; status == SP_OK && i < shape->count; i++) {
    if (variable) {
      const char *text;
      memcpy(&text, raw + i * width, sizeof text);
      to[i] = sp_str_of(text ? text : ""); /* a text that was never set is stored as none */
    } else {
      to[i] = fixed_text(raw + i * width, width, pad);
    }
  }
  if (type >= 0) H5Tclose(type);
  if (transfer >= 0) H5Pclose(transfer);
  return status;
}

sp_status sp_h5_texts(sp_h5 *h, hid_t group, const char *parent, const char *name, bool required,
                      sp_str **out, uint64_t *count, sp_error *err) {
  char path[SP_H5_PATH_MAX];
  hid_t dataset;
  *out = NULL;
  *count = 0;
  SP_TRY(open_dataset(h, group, parent, name, required, path, &dataset, err));
  if (dataset < 0) return SP_OK;
  hid_t stored = H5Dget_type(dataset);
  sp_h5_shape shape = {0};
  const char *code;
  sp_status status = SP_OK;
  size_t width = stored < 0 ? 0 : H5Tget_size(stored);
  if (stored < 0 || H5Tget_class(stored) != H5T_STRING || width == 0)
    status = sp_fail(err, SP_CORRUPT, path, "holds no texts");
  else if (H5Tis_variable_str(stored) <= 0 && width > TEXT_BYTES_MAX)
    status =
        sp_fail(err, SP_TOO_LARGE, path, "has texts of %llu bytes each; at most 64 KiB is read",
                (unsigned long long)width);
  else
    status = sp_h5_shape_of(h, dataset, path, width, &shape, &code, err);
  uint64_t bytes = 0;
  if (status == SP_OK &&
      __builtin_mul_overflow(shape.count, (uint64_t)width + sizeof(sp_str), &bytes))
    bytes = UINT64_MAX;
  if (status == SP_OK)
    status = sp_h5_spend(&h->left.other_bytes, bytes, "decoded bytes", path, err);
  if (status == SP_OK && !(*out = sp_arena_array(&h->profile->arena, shape.count, sizeof **out)))
    status = sp_fail(err, SP_NOMEM, path, "out of memory");
  if (status == SP_OK) status = read_text_values(h, dataset, path, stored, &shape, *out, err);
  if (status == SP_OK) *count = shape.count;
  if (stored >= 0) H5Tclose(stored);
  H5Dclose(dataset);
  return status;
}
