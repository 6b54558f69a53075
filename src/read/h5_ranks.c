/* h5_ranks.c - the rank<k> groups of the root, in order of their numbers. */
#include <string.h>

#include "base/sort.h"
#include "read/h5_guard.h"

enum { NAME_MAX_BYTES = 24 };

typedef struct rank_list {
  sp_h5 *h;
  char (*names)[NAME_MAX_BYTES];
  uint32_t *numbers;
  uint32_t count, capacity;
} rank_list;

sp_h5_rank_name sp_h5_rank_number(const char *name, uint32_t *number) {
  if (strncmp(name, "rank", 4) != 0) return SP_H5_NO_RANK;
  if (strcmp(name, "rank_region_index") == 0) return SP_H5_NO_RANK;
  uint64_t n = 0;
  for (const char *digit = name + 4; *digit; digit++) {
    if (*digit < '0' || *digit > '9') return SP_H5_ODD_RANK;
    n = n * 10 + (uint64_t)(*digit - '0');
    if (n > UINT32_MAX) return SP_H5_ODD_RANK;
  }
  *number = (uint32_t)n;
  return name[4] && strlen(name) < NAME_MAX_BYTES ? SP_H5_RANK : SP_H5_ODD_RANK;
}

static bool grow(rank_list *list) {
  uint32_t wanted = list->capacity ? list->capacity * 2 : 64;
  void *names = sp_resize(list->names, wanted * sizeof *list->names);
  if (names) list->names = names;
  void *numbers = names ? sp_resize(list->numbers, wanted * sizeof *list->numbers) : NULL;
  if (!numbers) return false;
  list->numbers = numbers;
  list->capacity = wanted;
  return true;
}

static sp_status note_rank(void *context, hid_t group, const char *name, const H5O_token_t *token,
                           sp_error *err) {
  (void)group, (void)token;
  rank_list *list = context;
  uint32_t number = 0;
  char path[SP_H5_PATH_MAX];
  switch (sp_h5_rank_number(name, &number)) {
  case SP_H5_NO_RANK: return SP_OK;
  case SP_H5_ODD_RANK:
    sp_h5_join(path, "/", name);
    sp_warn(&list->h->profile->warnings, "ranks-missing", path,
            "%s is no rank (\"rank\" and a number below 2^32); it is left out", name);
    return SP_OK;
  case SP_H5_RANK: break;
  }
  if (list->count == list->capacity && !grow(list))
    return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  memcpy(list->names[list->count], name, strlen(name) + 1);
  list->numbers[list->count++] = number;
  return SP_OK;
}

/* Of several spellings of one number ("rank1", "rank01") the plain one counts; the others are named
 * in a warning. Returns the index after the group that starts at `at`, *best the one to use. */
static uint32_t same_number(rank_list *list, const uint32_t *order, uint32_t at, uint32_t *best) {
  uint32_t end = at, shortest = at;
  while (end < list->count && list->numbers[order[end]] == list->numbers[order[at]]) {
    if (strlen(list->names[order[end]]) < strlen(list->names[order[shortest]])) shortest = end;
    end++;
  }
  *best = order[shortest];
  for (uint32_t i = at; i < end; i++) {
    if (i == shortest) continue;
    char path[SP_H5_PATH_MAX];
    sp_h5_join(path, "/", list->names[order[i]]);
    sp_warn(&list->h->profile->warnings, "ranks-missing", path,
            "%s is rank %u once more; it is left out beside %s", list->names[order[i]],
            list->numbers[*best], list->names[*best]);
  }
  return end;
}

sp_status sp_h5_each_rank(sp_h5 *h, sp_h5_visit_rank visit, sp_error *err) {
  rank_list list = {.h = h};
  hid_t root = H5Gopen2(h->file, "/", H5P_DEFAULT);
  if (root < 0) return sp_h5_fail(h, err, "/", "the root group cannot be opened");
  sp_status status = sp_h5_each_link(h, root, "/", note_rank, &list, err);
  uint32_t *order = sp_alloc(((size_t)list.count * 2 + 1) * sizeof *order);
  if (status == SP_OK && !order) status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  if (status == SP_OK) {
    for (uint32_t i = 0; i < list.count; i++) order[i] = i;
    sp_sort_by_u32(order, order + list.count, list.count, list.numbers);
  }
  for (uint32_t i = 0; status == SP_OK && i < list.count;) {
    uint32_t best;
    i = same_number(&list, order, i, &best);
    char path[SP_H5_PATH_MAX];
    sp_h5_join(path, "/", list.names[best]);
    hid_t group;
    sp_h5_kind kind = sp_h5_open_link(h, root, list.names[best], path, false, &group);
    if (kind == SP_H5_GROUP)
      status = visit(h, group, path, list.numbers[best], err);
    else if (kind != SP_H5_NONE)
      sp_warn(&h->profile->warnings, "ranks-missing", path,
              "%s is not a group; the rank is left out", list.names[best]);
    if (group >= 0) H5Oclose(group);
  }
  sp_free_block(order);
  sp_free_block(list.names);
  sp_free_block(list.numbers);
  H5Gclose(root);
  return status;
}
