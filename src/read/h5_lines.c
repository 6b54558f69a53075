/* h5_lines.c - line profiles of a rank: line_profile/<i>/, ordered by number. */
#include <string.h>

#include "base/sort.h"
#include "read/h5_columnar.h"

enum { RECORDS_MAX = 100000 };

typedef struct records {
  sp_h5 *h;
  const char *path;
  sp_line_record *items;
  uint32_t *numbers;
  uint32_t count, capacity;
} records;

static bool fill(sp_h5 *h, hid_t group, const char *path, sp_line_record *r) {
  uint64_t lines = 0, hits = 0, times = 0;
  sp_str none = SP_STR("");
  r->region = sp_h5_attribute_text(h, group, "region");
  r->filename = sp_h5_attribute_text(h, group, "filename");
  r->function = sp_h5_attribute_text(h, group, "function");
  if (!r->region.p) r->region = none;
  if (!r->filename.p) r->filename = none;
  if (!r->function.p) r->function = none;
  if (!sp_h5_attribute_int(h, group, "first_lineno", &r->first_lineno)) r->first_lineno = 0;
  if (!sp_h5_attribute_real(h, group, "unit", &r->unit)) r->unit = 1e-9;
  r->source = sp_h5_attribute_text(h, group, "source");
  if (!sp_h5_attribute_int(h, group, "source_first_lineno", &r->source_first_lineno))
    r->source = (sp_str){0};
  bool fine = sp_h5_ints(h, group, path, "line_numbers", true, &r->lines, &lines, NULL) == SP_OK &&
              sp_h5_ints(h, group, path, "hits", true, &r->hits, &hits, NULL) == SP_OK &&
              sp_h5_reals(h, group, path, "times", true, &r->times, &times, NULL) == SP_OK;
  r->line_count = (uint32_t)lines;
  return fine && lines == hits && lines == times && lines <= UINT32_MAX;
}

static bool grow(records *r) {
  uint32_t wanted = r->capacity ? r->capacity * 2 : 16;
  void *items = sp_resize(r->items, wanted * sizeof *r->items);
  if (items) r->items = items;
  void *numbers = items ? sp_resize(r->numbers, wanted * sizeof *r->numbers) : NULL;
  if (!numbers) return false;
  r->numbers = numbers;
  r->capacity = wanted;
  return true;
}

static sp_status visit(void *context, hid_t group, const char *name, const H5O_token_t *token,
                       sp_error *err) {
  (void)token;
  records *r = context;
  char path[SP_H5_PATH_MAX];
  sp_h5_join(path, r->path, name);
  if (r->count >= RECORDS_MAX) return SP_OK;
  if (r->count == r->capacity && !grow(r)) return sp_fail(err, SP_NOMEM, path, "out of memory");
  hid_t object;
  sp_line_record found = {0};
  if (sp_h5_open_link(r->h, group, name, path, false, &object) == SP_H5_GROUP &&
      fill(r->h, object, path, &found)) {
    uint64_t number = 0;
    for (const char *digit = name; *digit >= '0' && *digit <= '9' && number < UINT32_MAX; digit++)
      number = number * 10 + (uint64_t)(*digit - '0');
    r->numbers[r->count] = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    r->items[r->count++] = found;
  } else {
    sp_warn(&r->h->profile->warnings, "wrong-type", path,
            "its line timings are incomplete; they are left out");
  }
  if (object >= 0) H5Oclose(object);
  return SP_OK;
}

/* Name order puts 10 before 2. */
static sp_status keep_sorted(records *r, sp_rank *rank, sp_error *err) {
  rank->lines = sp_arena_array(&r->h->profile->arena, r->count, sizeof *rank->lines);
  uint32_t *order = sp_alloc(((size_t)r->count * 2 + 1) * sizeof *order);
  if (!rank->lines || !order) {
    sp_free_block(order);
    return sp_fail(err, SP_NOMEM, r->path, "out of memory");
  }
  for (uint32_t i = 0; i < r->count; i++) order[i] = i;
  sp_sort_by_u32(order, order + r->count, r->count, r->numbers);
  for (uint32_t i = 0; i < r->count; i++) rank->lines[i] = r->items[order[i]];
  rank->line_record_count = r->count;
  sp_free_block(order);
  return SP_OK;
}

sp_status sp_h5_read_lines(sp_h5 *h, hid_t group, const char *path, sp_rank *rank, sp_error *err) {
  char below[SP_H5_PATH_MAX];
  sp_h5_join(below, path, "line_profile");
  records r = {.h = h, .path = below};
  hid_t object;
  sp_status status = SP_OK;
  if (sp_h5_open_link(h, group, "line_profile", below, false, &object) == SP_H5_GROUP)
    status = sp_h5_each_link(h, object, below, visit, &r, err);
  if (object >= 0) H5Oclose(object);
  if (status == SP_OK && r.count) status = keep_sorted(&r, rank, err);
  sp_free_block(r.items);
  sp_free_block(r.numbers);
  return status;
}
