/* json_text.c - tags through cJSON; call metadata only needs to be cut at the right commas. */
#include "read/json_text.h"

#include <cJSON.h>

enum { TAGS_BYTES_MAX = 1 << 20, OBJECTS_BYTES_MAX = 64 << 20, DEPTH_MAX = 64 };

/* Whether brackets nest no deeper than DEPTH_MAX (cJSON recurses). */
static bool is_shallow(sp_str text) {
  int depth = 0;
  bool quoted = false;
  for (uint32_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    if (quoted && c == '\\')
      i++;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > DEPTH_MAX)
      return false;
    else if (!quoted && (c == ']' || c == '}'))
      depth--;
  }
  return true;
}

bool sp_json_text_list(sp_arena *a, sp_str text, sp_str **out, uint32_t *count, bool *json) {
  *out = NULL;
  *count = 0;
  *json = false;
  if (text.n == 0 || sp_str_equal(text, SP_STR("[]"))) return true;
  if (text.n > TAGS_BYTES_MAX || !is_shallow(text)) return false;
  cJSON *list = cJSON_ParseWithLength(text.p, text.n);
  *json = list != NULL;
  bool fine = cJSON_IsArray(list);
  int n = fine ? cJSON_GetArraySize(list) : 0;
  sp_str *items = fine ? sp_arena_array(a, (uint64_t)n, sizeof *items) : NULL;
  fine = items != NULL;
  for (const cJSON *item = fine ? list->child : NULL; item; item = item->next) {
    if (!cJSON_IsString(item)) continue;
    size_t length = strlen(item->valuestring);
    const char *copy = sp_arena_copy(a, item->valuestring, length);
    if (!copy) break;
    items[(*count)++] = (sp_str){copy, (uint32_t)length};
  }
  cJSON_Delete(list);
  if (fine) *out = items;
  return fine;
}

static uint32_t skip_blanks(sp_str text, uint32_t at) {
  while (at < text.n &&
         (text.p[at] == ' ' || text.p[at] == '\t' || text.p[at] == '\n' || text.p[at] == '\r'))
    at++;
  return at;
}

/* The index behind the object that opens at `at`; 0 when it never closes. */
static uint32_t object_end(sp_str text, uint32_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.n; at++) {
    char c = text.p[at];
    if (quoted) {
      if (c == '\\')
        at++;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > DEPTH_MAX) return 0;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return 0;
}

bool sp_json_object_texts(sp_arena *a, sp_str text, sp_str **out, uint32_t *count) {
  *out = NULL;
  *count = 0;
  if (text.n == 0 || sp_str_equal(text, SP_STR("[]"))) return true;
  if (text.n > OBJECTS_BYTES_MAX) return false;
  for (int pass = 0; pass < 2; pass++) { /* count, then keep */
    uint32_t at = skip_blanks(text, 0), found = 0;
    if (at >= text.n || text.p[at] != '[') return false;
    at = skip_blanks(text, at + 1);
    while (at < text.n && text.p[at] == '{') {
      uint32_t end = object_end(text, at);
      if (!end) return false;
      if (pass) (*out)[found] = (sp_str){text.p + at, end - at};
      found++;
      at = skip_blanks(text, end);
      if (at < text.n && text.p[at] == ',')
        at = skip_blanks(text, at + 1);
      else
        break;
    }
    if (at >= text.n || text.p[at] != ']' || skip_blanks(text, at + 1) != text.n) return false;
    if (pass)
      *count = found;
    else if (!(*out = sp_arena_array(a, found, sizeof **out)))
      return false;
  }
  return true;
}
