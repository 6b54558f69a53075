/* path_table.c - the hash table of call paths. */
#include "stats/path_table.h"

#include <string.h>

static uint32_t hash_of(uint32_t parent, uint32_t region) {
  uint64_t h = ((uint64_t)parent << 32 | region) * 0x9E3779B97F4A7C15ULL;
  return (uint32_t)(h >> 32);
}

/* The slot that holds the row, or the free one where it belongs. */
static uint32_t slot_of(const sp_path_table *t, uint32_t parent, uint32_t region) {
  uint32_t mask = t->slot_count - 1, i = hash_of(parent, region) & mask;
  for (; t->slots[i]; i = (i + 1) & mask) {
    const sp_path_row *row = &t->rows[t->slots[i]];
    if (row->parent == parent && row->region == region) break;
  }
  return i;
}

static bool grow(sp_path_table *t) {
  uint32_t wanted = t->capacity ? t->capacity * 2 : 128;
  sp_path_row *rows = sp_resize(t->rows, wanted * sizeof *rows);
  if (!rows) return false;
  t->rows = rows;
  sp_path_live *live = sp_resize(t->live, wanted * sizeof *live);
  if (!live) return false;
  memset(live + t->capacity, 0, (wanted - t->capacity) * sizeof *live);
  t->live = live;
  uint32_t *slots = sp_alloc((size_t)wanted * 2 * sizeof *slots);
  if (!slots) return false;
  memset(slots, 0, (size_t)wanted * 2 * sizeof *slots);
  sp_free_block(t->slots);
  t->slots = slots;
  t->slot_count = wanted * 2;
  t->capacity = wanted;
  /* Ascending, so that the newest rows stay the last of their chains: see sp_path_table_cut. */
  for (uint32_t i = 1; i < t->count; i++) slots[slot_of(t, rows[i].parent, rows[i].region)] = i;
  return true;
}

sp_status sp_path_table_init(sp_path_table *t, sp_error *err) {
  if (!grow(t)) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  t->rows[0] = (sp_path_row){.parent = SP_PATH_ROOT, .region = UINT32_MAX};
  t->count = 1;
  return SP_OK;
}

uint32_t sp_path_child(sp_path_table *t, uint32_t parent, uint32_t region) {
  uint32_t slot = slot_of(t, parent, region);
  if (t->slots[slot]) return t->slots[slot];
  if (t->count > SP_PATHS_MAX) {
    t->full = true;
    return 0;
  }
  if (t->count == t->capacity) {
    if (!grow(t)) return 0;
    slot = slot_of(t, parent, region);
  }
  bool nested = parent != SP_PATH_ROOT && parent != SP_PATH_OUTSIDE;
  t->rows[t->count] = (sp_path_row){
      .parent = parent, .region = region, .depth = nested ? t->rows[parent].depth + 1 : 0};
  t->slots[slot] = t->count;
  return t->count++;
}

void sp_path_table_cut(sp_path_table *t, uint32_t count) {
  /* Newest first: what was put in last lies behind everything it collided with, so its slot can
   * simply be freed. */
  while (t->count > count) {
    t->count--;
    t->slots[slot_of(t, t->rows[t->count].parent, t->rows[t->count].region)] = 0;
    t->live[t->count] = (sp_path_live){0};
  }
}

void sp_path_table_shrink(sp_path_table *t) {
  sp_free_block(t->live);
  sp_free_block(t->slots);
  t->live = NULL;
  t->slots = NULL;
}

void sp_path_table_free(sp_path_table *t) {
  sp_path_table_shrink(t);
  sp_free_block(t->rows);
  *t = (sp_path_table){0};
}
