/* metadata.c - a sorted array: found by halving, grown by doubling. */
#include "profile/metadata.h"

#include <string.h>

/* The first place whose key is not below `key`. */
static uint32_t place_of(const sp_metadata *m, sp_str key) {
  uint32_t low = 0, high = m->count;
  /* attributes mostly come in order: look behind the last one first */
  if (high && sp_str_compare(m->items[high - 1].key, key) < 0) return high;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (sp_str_compare(m->items[middle].key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool make_room(sp_metadata *m, sp_arena *a) {
  if (m->count < m->capacity) return true;
  if (m->capacity > UINT32_MAX / 4) return false;
  uint32_t wanted = m->capacity ? m->capacity * 2 : 32;
  sp_meta *items = sp_arena_array(a, wanted, sizeof *items);
  if (!items) return false;
  if (m->count) memcpy(items, m->items, m->count * sizeof *items);
  m->items = items;
  m->capacity = wanted;
  return true;
}

bool sp_metadata_put(sp_metadata *m, sp_arena *a, sp_str key, sp_value value) {
  uint32_t at = place_of(m, key);
  if (at < m->count && sp_str_equal(m->items[at].key, key)) {
    m->items[at].value = value;
    return true;
  }
  if (!make_room(m, a)) return false;
  memmove(m->items + at + 1, m->items + at, (m->count - at) * sizeof *m->items);
  m->items[at] = (sp_meta){key, value};
  m->count++;
  return true;
}

const sp_value *sp_metadata_get(const sp_metadata *m, const char *key) {
  sp_str wanted = sp_str_of(key);
  uint32_t at = place_of(m, wanted);
  return at < m->count && sp_str_equal(m->items[at].key, wanted) ? &m->items[at].value : NULL;
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A whole decimal number, blanks around it allowed. */
static bool parse_int(sp_str text, int64_t *out) {
  const char *at = text.p, *end = text.p + text.n;
  while (at < end && is_blank(*at)) at++;
  while (end > at && is_blank(end[-1])) end--;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  if (at == end) return false;
  int64_t n = 0; /* counted downwards: INT64_MIN has no positive twin */
  for (; at < end; at++) {
    if (*at < '0' || *at > '9') return false;
    if (__builtin_mul_overflow(n, 10, &n) || __builtin_sub_overflow(n, *at - '0', &n)) return false;
  }
  if (!negative && n == INT64_MIN) return false;
  *out = negative ? n : -n;
  return true;
}

bool sp_metadata_int(const sp_metadata *m, const char *key, int64_t *out) {
  const sp_value *v = sp_metadata_get(m, key);
  if (!v) return false;
  switch (v->kind) {
  case SP_VALUE_INT: *out = v->integer; return true;
  case SP_VALUE_FLOAT:
    /* compared before it is cast: the cast of a value out of range is undefined */
    if (!(v->real >= -0x1p63 && v->real < 0x1p63) || v->real != (double)(int64_t)v->real)
      return false;
    *out = (int64_t)v->real;
    return true;
  case SP_VALUE_TEXT: return parse_int(v->text, out);
  case SP_VALUE_UINT:
  case SP_VALUE_BOOL:
  case SP_VALUE_LIST: break;
  }
  return false;
}

sp_str sp_metadata_text(const sp_metadata *m, const char *key) {
  const sp_value *v = sp_metadata_get(m, key);
  return v && v->kind == SP_VALUE_TEXT ? v->text : (sp_str){0};
}
