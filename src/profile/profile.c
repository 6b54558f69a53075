/* profile.c - questions every reader's profile answers the same way. */
#include "profile/profile.h"

#include <stdio.h>
#include <string.h>

sp_status sp_profile_load_calls(const sp_profile *p, const sp_row *row, sp_calls *into,
                                sp_warnings *warnings, sp_error *err) {
  if (!p->ops || !p->ops->load_calls)
    return sp_fail(err, SP_NO_SPANS, NULL, "the profile holds no single calls");
  return p->ops->load_calls(p, row, into, warnings, err);
}

bool sp_profile_has_calls(const sp_profile *p) {
  if (p->layout == SP_LAYOUT_AGGREGATE) return false;
  bool any_row = false;
  for (uint32_t i = 0; i < p->rank_count; i++) {
    for (uint32_t k = 0; k < p->ranks[i].row_count; k++) {
      if (!p->ranks[i].rows[k].is_aggregate) return true;
      any_row = true;
    }
  }
  return !any_row; /* an empty run would have stored them */
}

uint32_t sp_profile_find_rank(const sp_profile *p, uint32_t number) {
  uint32_t low = 0, high = p->rank_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->ranks[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->rank_count && p->ranks[low].number == number ? low : UINT32_MAX;
}

/* Appends the name, cut at a character's start and marked if `room` bytes (at least 3) are too few.
 * A path is C text: NUL bytes are spelled out. */
static size_t put_name(char *to, size_t room, sp_str name) {
  static const char nul[] = "\\x00";
  size_t used = 0, cut = 0; /* `cut`: the last place from which "..." still fits */
  for (uint32_t i = 0; i < name.n; i++) {
    bool is_nul = name.p[i] == '\0';
    size_t wanted = is_nul ? sizeof nul - 1 : 1;
    if (((unsigned char)name.p[i] & 0xC0) != 0x80 && used + 3 <= room) cut = used;
    if (wanted > room - used) {
      memcpy(to + cut, "...", 3);
      return cut + 3;
    }
    if (is_nul)
      memcpy(to + used, nul, wanted);
    else
      to[used] = name.p[i];
    used += wanted;
  }
  return used;
}

void sp_row_path(const sp_profile *p, const sp_row *row, char *to, size_t size) {
  unsigned rank = p->ranks[row->rank].number;
  bool is_group = p->layout == SP_LAYOUT_RANK_GROUPS;
  const char *place = p->layout == SP_LAYOUT_JSON           ? "/regions"
                      : p->layout == SP_LAYOUT_NATIVE_TRACE ? "/"
                                                            : "/rank_region_index";
  char head[64];
  int written = is_group ? snprintf(head, sizeof head, "/rank%u/regions/", rank)
                         : snprintf(head, sizeof head, "%s (rank %u, region ", place, rank);
  size_t n = written > 0 ? (size_t)written : 0, tail = is_group ? 0 : 1;
  if (size < n + tail + 4) { /* too small for any name */
    if (size) snprintf(to, size, "/");
    return;
  }
  memcpy(to, head, n);
  n += put_name(to + n, size - n - tail - 1, p->regions[row->region].name);
  memcpy(to + n, ")", tail);
  to[n + tail] = '\0';
}

void sp_profile_free(sp_profile *p) {
  if (!p) return;
  if (p->ops && p->ops->close) p->ops->close(p);
  sp_arena_free(&p->arena);
  sp_free_block(p);
}
