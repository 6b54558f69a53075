/* h5_attributes.c - attributes as typed values: what recorders write (integers, reals, texts, lists
 * of them, booleans); compounds, references and the like are named in a warning and left out. */
#include <stdio.h>
#include <string.h>

#include "read/h5_file.h"

enum { LIST_MAX = 100000 };

/* An open attribute and what it holds. */
typedef struct attribute {
  hid_t id, type;
  H5T_class_t class;
  size_t width;   /* bytes of one stored value */
  uint64_t count; /* values; 1 for a scalar */
  bool is_list;
} attribute;

static void close_attribute(attribute *a) {
  if (a->type >= 0) H5Tclose(a->type);
  if (a->id >= 0) H5Aclose(a->id);
}

/* Opens and looks; false for a kind or size that is not read. */
static bool open_attribute(sp_h5 *h, hid_t object, const char *name, attribute *a) {
  *a = (attribute){.id = H5Aopen(object, name, H5P_DEFAULT), .type = H5I_INVALID_HID};
  hid_t space = a->id < 0 ? H5I_INVALID_HID : H5Aget_space(a->id);
  a->type = a->id < 0 ? H5I_INVALID_HID : H5Aget_type(a->id);
  bool fine = space >= 0 && a->type >= 0;
  if (fine) {
    H5S_class_t extent = H5Sget_simple_extent_type(space);
    hsize_t count = 1;
    a->is_list = extent == H5S_SIMPLE && H5Sget_simple_extent_ndims(space) == 1;
    if (a->is_list) H5Sget_simple_extent_dims(space, &count, NULL);
    a->count = count;
    a->class = H5Tget_class(a->type);
    a->width = H5Tget_size(a->type);
    fine = (extent == H5S_SCALAR || a->is_list) && a->width > 0 && count <= LIST_MAX &&
           a->width <= (64 << 10) &&
           sp_h5_spend(&h->left.other_bytes, count * (a->width + sizeof(sp_value)), "metadata",
                       NULL, NULL) == SP_OK;
  }
  if (space >= 0) H5Sclose(space);
  if (!fine) {
    sp_h5_reason(h);
    close_attribute(a);
  }
  return fine;
}

static bool read_texts(sp_h5 *h, const attribute *a, sp_value *to) {
  sp_arena *arena = &h->profile->arena;
  bool variable = H5Tis_variable_str(a->type) > 0;
  size_t width = variable ? sizeof(char *) : a->width;
  char *raw = sp_arena_array(arena, a->count, width + 1);
  hid_t type = H5Tcopy(H5T_C_S1);
  bool fine = raw && type >= 0 && H5Tset_size(type, variable ? H5T_VARIABLE : a->width) >= 0 &&
              H5Tset_strpad(type, H5Tget_strpad(a->type)) >= 0 &&
              H5Tset_cset(type, H5Tget_cset(a->type)) >= 0 && H5Aread(a->id, type, raw) >= 0;
  for (uint64_t i = 0; fine && i < a->count; i++) {
    char *text = raw + i * width;
    size_t n = width;
    if (variable) {
      memcpy(&text, raw + i * width, sizeof text);
      n = text ? strlen(text) : 0;
      fine =
          n <= (16 << 20) && sp_h5_spend(&h->left.other_bytes, n, "metadata", NULL, NULL) == SP_OK;
    } else {
      n = strnlen(text, width);
    }
    const char *copy = fine ? sp_arena_copy(arena, text, n) : NULL;
    to[i] = (sp_value){.kind = SP_VALUE_TEXT, .text = {copy, (uint32_t)n}};
    if (variable) H5free_memory(text);
    fine = fine && copy;
  }
  if (type >= 0) H5Tclose(type);
  return fine;
}

static bool read_integers(sp_h5 *h, const attribute *a, sp_value *to) {
  bool is_signed = H5Tget_sign(a->type) != H5T_SGN_NONE;
  int64_t *raw = sp_arena_array(&h->profile->arena, a->count, sizeof *raw);
  if (!raw || H5Aread(a->id, is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, raw) < 0)
    return false;
  for (uint64_t i = 0; i < a->count; i++)
    to[i] = (sp_value){.kind = !is_signed && raw[i] < 0 ? SP_VALUE_UINT : SP_VALUE_INT,
                       .integer = raw[i]};
  return true;
}

static bool read_reals(sp_h5 *h, const attribute *a, sp_value *to) {
  double *raw = sp_arena_array(&h->profile->arena, a->count, sizeof *raw);
  if (!raw || H5Aread(a->id, H5T_NATIVE_DOUBLE, raw) < 0) return false;
  for (uint64_t i = 0; i < a->count; i++)
    to[i] = (sp_value){.kind = SP_VALUE_FLOAT, .real = raw[i]};
  return true;
}

/* h5py stores booleans as an enumeration of FALSE 0 and TRUE 1. */
static bool read_booleans(sp_h5 *h, const attribute *a, sp_value *to) {
  signed char *raw = sp_arena_array(&h->profile->arena, a->count, a->width);
  int members = H5Tget_nmembers(a->type);
  char *first = members == 2 ? H5Tget_member_name(a->type, 0) : NULL;
  bool fine = raw && first && a->width == 1 && strcmp(first, "FALSE") == 0 &&
              H5Aread(a->id, a->type, raw) >= 0;
  if (first) H5free_memory(first);
  for (uint64_t i = 0; fine && i < a->count; i++)
    to[i] = (sp_value){.kind = SP_VALUE_BOOL, .integer = raw[i] != 0};
  return fine;
}

/* Reads an attribute into one value; false when it is of an odd kind. */
static bool read_value(sp_h5 *h, const attribute *a, sp_value *out) {
  sp_value *items = sp_arena_array(&h->profile->arena, a->count, sizeof *items);
  if (!items) return false;
  bool fine = false;
  if (a->count == 0)
    fine = a->class == H5T_STRING || a->class == H5T_INTEGER || a->class == H5T_FLOAT;
  else if (a->class == H5T_STRING)
    fine = read_texts(h, a, items);
  else if (a->class == H5T_INTEGER && a->width <= 8 && H5Tget_precision(a->type) > 0)
    fine = read_integers(h, a, items);
  else if (a->class == H5T_FLOAT && a->width <= 8)
    fine = read_reals(h, a, items);
  else if (a->class == H5T_ENUM)
    fine = read_booleans(h, a, items);
  if (!fine) return false;
  *out = a->is_list ? (sp_value){.kind = SP_VALUE_LIST, .items = items, .count = (uint32_t)a->count}
                    : items[0];
  return true;
}

/* Reads one named attribute; false when absent or odd. */
static bool value_of(sp_h5 *h, hid_t object, const char *name, sp_value *out) {
  if (H5Aexists(object, name) <= 0) {
    sp_h5_reason(h);
    return false;
  }
  attribute a;
  if (!open_attribute(h, object, name, &a)) return false;
  bool fine = read_value(h, &a, out);
  close_attribute(&a);
  if (!fine) sp_h5_reason(h);
  return fine;
}

bool sp_h5_attribute_int(sp_h5 *h, hid_t object, const char *name, int64_t *out) {
  sp_value v;
  if (!value_of(h, object, name, &v) || v.kind != SP_VALUE_INT) return false;
  *out = v.integer;
  return true;
}

bool sp_h5_attribute_real(sp_h5 *h, hid_t object, const char *name, double *out) {
  sp_value v;
  if (!value_of(h, object, name, &v)) return false;
  if (v.kind != SP_VALUE_FLOAT && v.kind != SP_VALUE_INT) return false;
  *out = v.kind == SP_VALUE_FLOAT ? v.real : (double)v.integer;
  return true;
}

sp_str sp_h5_attribute_text(sp_h5 *h, hid_t object, const char *name) {
  sp_value v;
  bool fine = value_of(h, object, name, &v) && v.kind == SP_VALUE_TEXT;
  return fine ? v.text : (sp_str){0};
}

sp_str *sp_h5_attribute_texts(sp_h5 *h, hid_t object, const char *name, uint32_t *count) {
  sp_value v;
  *count = 0;
  if (!value_of(h, object, name, &v) || v.kind != SP_VALUE_LIST || v.count == 0 ||
      v.items[0].kind != SP_VALUE_TEXT)
    return NULL;
  sp_str *texts = sp_arena_array(&h->profile->arena, v.count, sizeof *texts);
  for (uint32_t i = 0; texts && i < v.count; i++) texts[i] = v.items[i].text;
  *count = texts ? v.count : 0;
  return texts;
}

typedef struct listing {
  sp_h5 *h;
  const char *path;
  sp_metadata *out;
  sp_error *err;
  sp_status status;
} listing;

static herr_t take(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)info;
  listing *l = data;
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, l->path, name);
  l->status = sp_h5_spend(&l->h->left.other_bytes, 128 + strlen(name), "metadata", path, l->err);
  if (l->status != SP_OK) return -1;
  sp_value v;
  attribute a;
  sp_h5_reason(l->h);
  bool opened = open_attribute(l->h, object, name, &a), fine = opened && read_value(l->h, &a, &v);
  if (opened) close_attribute(&a);
  if (!fine) {
    const char *reason = sp_h5_reason(l->h);
    sp_warn(&l->h->profile->warnings, "wrong-type", path,
            "attribute %s is of a kind that no recorder writes, or damaged (%s); it is left out",
            name, reason);
    return 0;
  }
  sp_arena *arena = &l->h->profile->arena;
  size_t n = strlen(name);
  const char *key = sp_arena_copy(arena, name, n);
  if (!key || !sp_metadata_put(l->out, arena, (sp_str){key, (uint32_t)n}, v)) {
    l->status = sp_fail(l->err, SP_NOMEM, path, "out of memory");
    return -1;
  }
  return 0;
}

sp_status sp_h5_attributes(sp_h5 *h, hid_t object, const char *path, sp_metadata *out,
                           sp_error *err) {
  listing l = {h, path, out, err, SP_OK};
  herr_t done = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, take, &l);
  if (l.status != SP_OK) return l.status;
  if (done < 0)
    sp_warn(&h->profile->warnings, "wrong-type", path,
            "its attributes are damaged (%s); some are left out", sp_h5_reason(h));
  return SP_OK;
}
