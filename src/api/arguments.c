/* arguments.c - the request's JSON, checked before anything is done with it. */
#include "api/arguments.h"

#include <stdio.h>
#include <string.h>

/* ---- parsing ------------------------------------------------------------------------------- */

static sp_status bad(const char *path, const char *what, sp_error *err) {
  return sp_fail(err, SP_BAD_REQUEST, path, "%s", what);
}

/* One pass over the text: nesting, and the escapes that a C string cannot hold. */
static sp_status scan(const char *json, size_t length, sp_error *err) {
  unsigned depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < length; i++) {
    char c = json[i];
    if (c == '\0') return bad("", "holds a NUL byte", err);
    if (in_text && c == '\\') {
      if (length - i >= 6 && memcmp(json + i, "\\u0000", 6) == 0)
        return bad("", "holds a NUL character in a text", err);
      i++;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == '{' || c == '[')) {
      if (++depth > SP_REQUEST_DEPTH_MAX) return bad("", "is nested too deeply", err);
    } else if (!in_text && (c == '}' || c == ']') && depth) {
      depth--;
    }
  }
  return SP_OK;
}

sp_status sp_request_parse(const char *json, size_t length, cJSON **out, sp_error *err) {
  *out = NULL;
  if (length > SP_REQUEST_BYTES_MAX) return bad("", "is longer than 16 MiB", err);
  SP_TRY(scan(json, length, err));
  cJSON_Hooks hooks = {.malloc_fn = sp_alloc, .free_fn = sp_free_block};
  cJSON_InitHooks(&hooks);
  const char *end = NULL;
  cJSON *parsed = cJSON_ParseWithLengthOpts(json, length, &end, false);
  if (!parsed) return bad("", "is not JSON", err);
  while (end < json + length && strchr(" \t\r\n", *end)) end++;
  if (end == json + length && cJSON_IsObject(parsed)) {
    *out = parsed;
    return SP_OK;
  }
  cJSON_Delete(parsed);
  return bad("", "is not one JSON object", err);
}

/* ---- single values ------------------------------------------------------------------------- */

enum { PATH_MAX_BYTES = 160 };

static sp_status bad_value(const char *path, const char *key, const char *wanted, sp_error *err) {
  char full[PATH_MAX_BYTES];
  snprintf(full, sizeof full, "%s/%s", path, key);
  return sp_fail(err, SP_BAD_REQUEST, full, "must be %s", wanted);
}

sp_status sp_known_keys(const cJSON *object, const char *path, const char *const *keys,
                        sp_error *err) {
  for (const cJSON *item = object->child; item; item = item->next) {
    bool known = false;
    for (const char *const *key = keys; *key && !known; key++)
      known = strcmp(*key, item->string) == 0;
    char full[PATH_MAX_BYTES];
    snprintf(full, sizeof full, "%s/%s", path, item->string);
    if (!known) return sp_fail(err, SP_BAD_REQUEST, full, "is not a key of this request");
    if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item)
      return sp_fail(err, SP_BAD_REQUEST, full, "is given twice");
  }
  return SP_OK;
}

sp_status sp_text_argument(const cJSON *object, const char *path, const char *key, const char **out,
                           sp_error *err) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!item) return SP_OK;
  if (!cJSON_IsString(item)) return bad_value(path, key, "a text", err);
  *out = item->valuestring;
  return SP_OK;
}

sp_status sp_flag_argument(const cJSON *object, const char *path, const char *key, bool *out,
                           sp_error *err) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!item) return SP_OK;
  if (!cJSON_IsBool(item)) return bad_value(path, key, "true or false", err);
  *out = cJSON_IsTrue(item);
  return SP_OK;
}

/* A whole number that doubles hold exactly. Compared before it is cast: the cast of a number out
 * of range is undefined. */
static bool whole(const cJSON *item, double lowest, double highest, double *out) {
  if (!cJSON_IsNumber(item)) return false;
  double v = item->valuedouble;
  if (!(v >= lowest && v <= highest) || v != (double)(int64_t)v) return false;
  *out = v;
  return true;
}

sp_status sp_int_argument(const cJSON *object, const char *path, const char *key, sp_maybe_int *out,
                          sp_error *err) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!item) return SP_OK;
  double v;
  if (!whole(item, -9007199254740992.0, 9007199254740992.0, &v))
    return bad_value(path, key, "a whole number", err);
  *out = (sp_maybe_int){.given = true, .value = (int64_t)v};
  return SP_OK;
}

/* ---- lists --------------------------------------------------------------------------------- */

static uint32_t length_of(const cJSON *list) {
  uint32_t n = 0;
  for (const cJSON *item = list->child; item; item = item->next) n++;
  return n;
}

sp_status sp_texts_argument(const cJSON *object, const char *path, const char *key, sp_arena *a,
                            sp_texts *out, sp_error *err) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!list) return SP_OK;
  if (!cJSON_IsArray(list)) return bad_value(path, key, "a list of texts", err);
  const char **items = sp_arena_array(a, length_of(list), sizeof *items);
  if (!items) return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
  uint32_t n = 0;
  for (const cJSON *item = list->child; item; item = item->next) {
    if (!cJSON_IsString(item)) return bad_value(path, key, "a list of texts", err);
    items[n++] = item->valuestring;
  }
  *out = (sp_texts){.items = items, .count = n, .given = true};
  return SP_OK;
}

static bool handle_of(const cJSON *item, uint32_t *out) {
  double v;
  if (!whole(item, 0, UINT32_MAX, &v)) return false;
  *out = (uint32_t)v;
  return true;
}

sp_status sp_handle_argument(const cJSON *object, const char *key, uint32_t *out, sp_error *err) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return item && handle_of(item, out) ? SP_OK : bad_value("", key, "a handle", err);
}

sp_status sp_handles_argument(const cJSON *object, const char *key, sp_arena *a, uint32_t **out,
                              uint32_t *count, sp_error *err) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!list || !cJSON_IsArray(list) || !list->child)
    return bad_value("", key, "a list of handles", err);
  *count = 0;
  *out = sp_arena_array(a, length_of(list), sizeof **out);
  if (!*out) return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
  for (const cJSON *item = list->child; item; item = item->next)
    if (!handle_of(item, &(*out)[(*count)++])) return bad_value("", key, "a list of handles", err);
  return SP_OK;
}

/* ---- select and options -------------------------------------------------------------------- */

/* Length-prefixed, so that no two selections share a text. */
static void append_texts(sp_buf *b, char mark, const sp_texts *texts) {
  for (uint32_t i = 0; i < texts->count; i++)
    sp_buf_printf(b, "%c%zu:%s", mark, strlen(texts->items[i]), texts->items[i]);
}

sp_status sp_select_argument(const cJSON *object, sp_arena *a, sp_select *out, const char **text,
                             sp_error *err) {
  *out = (sp_select){0};
  *text = "";
  const cJSON *select = cJSON_GetObjectItemCaseSensitive(object, "select");
  if (!select) return SP_OK;
  if (!cJSON_IsObject(select)) return bad_value("", "select", "an object", err);
  static const char *const keys[] = {"include", "exclude", "ranks", NULL};
  SP_TRY(sp_known_keys(select, "/select", keys, err));
  sp_texts include = {0}, exclude = {0}, ranks = {0};
  SP_TRY(sp_texts_argument(select, "/select", "include", a, &include, err));
  SP_TRY(sp_texts_argument(select, "/select", "exclude", a, &exclude, err));
  SP_TRY(sp_texts_argument(select, "/select", "ranks", a, &ranks, err));
  sp_buf b = {0};
  append_texts(&b, 'i', &include);
  append_texts(&b, 'e', &exclude);
  append_texts(&b, 'r', &ranks);
  *text = b.failed ? NULL : sp_arena_copy(a, b.data ? b.data : "", b.length);
  sp_buf_free(&b);
  if (!*text) return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
  return sp_select_parse(a, include.items, include.count, exclude.items, exclude.count, ranks.items,
                         ranks.count, out, err);
}

static sp_status option_argument(const cJSON *options, const sp_option *option, sp_arena *a,
                                 sp_view_options *out, sp_error *err) {
  void *at = (char *)out + option->offset;
  switch (option->kind) {
  case SP_OPTION_TEXTS: return sp_texts_argument(options, "/options", option->name, a, at, err);
  case SP_OPTION_TEXT: return sp_text_argument(options, "/options", option->name, at, err);
  case SP_OPTION_INT: return sp_int_argument(options, "/options", option->name, at, err);
  case SP_OPTION_FLAG: return sp_flag_argument(options, "/options", option->name, at, err);
  }
  return SP_OK;
}

sp_status sp_view_options_argument(const cJSON *object, const sp_view_type *type, sp_arena *a,
                                   sp_view_options *out, sp_error *err) {
  const cJSON *options = cJSON_GetObjectItemCaseSensitive(object, "options");
  if (!options) return SP_OK;
  if (!cJSON_IsObject(options)) return bad_value("", "options", "an object", err);
  const char **keys = sp_arena_array(a, (uint64_t)type->option_count + 1, sizeof *keys);
  if (!keys) return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
  for (uint32_t i = 0; i < type->option_count; i++) keys[i] = type->options[i].name;
  SP_TRY(sp_known_keys(options, "/options", keys, err));
  for (uint32_t i = 0; i < type->option_count; i++)
    SP_TRY(option_argument(options, &type->options[i], a, out, err));
  return SP_OK;
}
