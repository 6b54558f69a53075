/* json_values.c - what an outline's items stand for. */
#include <math.h>

#include "read/json_outline.h"
#include "read/json_scan.h"

const cJSON *sp_json_get(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

/* Takes the outline's spelling of NUL back. */
static sp_str decode(const char *text, sp_arena *a) {
  size_t n = strlen(text), kept = 0;
  if (n > UINT32_MAX) return (sp_str){0};
  char *copy = sp_arena_copy(a, text, n);
  if (!copy) return (sp_str){0};
  for (size_t i = 0; i < n; i++) {
    bool nul = (unsigned char)copy[i] == 0xC0 && (unsigned char)copy[i + 1] == 0x80;
    copy[kept++] = nul ? '\0' : copy[i];
    i += nul;
  }
  copy[kept] = '\0';
  return (sp_str){copy, (uint32_t)kept};
}

sp_str sp_json_str(const cJSON *item, sp_arena *a) {
  return cJSON_IsString(item) ? decode(item->valuestring, a) : (sp_str){0};
}

sp_str sp_json_key(const cJSON *member, sp_arena *a) {
  return member->string ? decode(member->string, a) : (sp_str){0};
}

static const sp_json_part *part_of(const sp_json_outline *o, const cJSON *item,
                                   sp_json_part_kind kind) {
  if (!cJSON_IsNumber(item)) return NULL;
  const sp_json_part *part = &o->parts[(uint32_t)item->valuedouble];
  return part->kind == kind ? part : NULL;
}

/* A whole real counts as an integer when no other integer is as near. */
static bool whole(const sp_value *v, int64_t *out) {
  if (v->kind == SP_VALUE_INT) *out = v->integer;
  bool fits =
      v->kind == SP_VALUE_FLOAT && fabs(v->real) <= 9007199254740992.0 && v->real == floor(v->real);
  if (fits) *out = (int64_t)v->real;
  return fits || v->kind == SP_VALUE_INT;
}

static double real_of(const sp_value *v) {
  if (v->kind == SP_VALUE_FLOAT) return v->real;
  return v->kind == SP_VALUE_UINT ? (double)(uint64_t)v->integer : (double)v->integer;
}

bool sp_json_int(const sp_json_outline *o, const cJSON *item, int64_t *out) {
  const sp_json_part *part = part_of(o, item, SP_JSON_NUMBER);
  sp_value v;
  if (!part) return false;
  sp_json_number(part->at, &v);
  return whole(&v, out);
}

bool sp_json_real(const sp_json_outline *o, const cJSON *item, double *out) {
  const sp_json_part *part = part_of(o, item, SP_JSON_NUMBER);
  *out = NAN;
  if (!part) return cJSON_IsNull(item);
  sp_value v;
  sp_json_number(part->at, &v);
  *out = real_of(&v);
  return true;
}

const sp_json_part *sp_json_kept(const sp_json_outline *o, const cJSON *item) {
  return part_of(o, item, SP_JSON_TEXT);
}

bool sp_json_count(const sp_json_outline *o, const cJSON *item, uint64_t *count) {
  const sp_json_part *part = part_of(o, item, SP_JSON_NUMBERS);
  *count = part ? part->n : 0;
  return part || (cJSON_IsArray(item) && !item->child);
}

/* To the next number of an array: over blanks and the comma. */
static const char *next(const char *at) {
  at = sp_json_skip_blanks(at);
  return *at == ',' ? sp_json_skip_blanks(at + 1) : at;
}

void sp_json_ints(const sp_json_outline *o, const cJSON *item, int64_t none, int64_t *to) {
  const sp_json_part *part = part_of(o, item, SP_JSON_NUMBERS);
  const char *at = part ? next(part->at) : NULL;
  for (uint64_t i = 0; part && i < part->n; i++) {
    sp_value v;
    at = next(sp_json_number(at, &v));
    if (!whole(&v, &to[i])) to[i] = none;
  }
}

void sp_json_reals(const sp_json_outline *o, const cJSON *item, double *to) {
  const sp_json_part *part = part_of(o, item, SP_JSON_NUMBERS);
  const char *at = part ? next(part->at) : NULL;
  for (uint64_t i = 0; part && i < part->n; i++) {
    sp_value v;
    at = next(sp_json_number(at, &v));
    to[i] = real_of(&v);
  }
}

static bool scalar(const sp_json_outline *o, const cJSON *item, sp_arena *a, sp_value *out) {
  const sp_json_part *part = part_of(o, item, SP_JSON_NUMBER);
  if (part) {
    sp_json_number(part->at, out);
  } else if (cJSON_IsString(item)) {
    *out = (sp_value){.kind = SP_VALUE_TEXT, .text = sp_json_str(item, a)};
    return out->text.p != NULL;
  } else if (cJSON_IsBool(item)) {
    *out = (sp_value){.kind = SP_VALUE_BOOL, .integer = cJSON_IsTrue(item)};
  } else if (cJSON_IsNull(item)) {
    *out = (sp_value){.kind = SP_VALUE_FLOAT, .real = NAN};
  } else {
    return false;
  }
  return true;
}

bool sp_json_value(const sp_json_outline *o, const cJSON *item, sp_arena *a, sp_value *out) {
  const sp_json_part *numbers = part_of(o, item, SP_JSON_NUMBERS);
  if (!numbers && !cJSON_IsArray(item)) return scalar(o, item, a, out);
  uint64_t n = numbers ? numbers->n : (uint64_t)cJSON_GetArraySize(item);
  *out = (sp_value){.kind = SP_VALUE_LIST};
  out->items = n <= UINT32_MAX ? sp_arena_array(a, n, sizeof *out->items) : NULL;
  if (!out->items) return false;
  const char *at = numbers ? next(numbers->at) : NULL;
  const cJSON *child = numbers ? NULL : item->child;
  for (; out->count < n; out->count++) {
    sp_value *to = &out->items[out->count];
    if (numbers) {
      at = next(sp_json_number(at, to));
    } else if (scalar(o, child, a, to)) {
      child = child->next;
    } else {
      return false;
    }
  }
  return true;
}
