/* lane_map.c - the hash table of lanes. */
#include "stats/lane_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

/* splitmix64's last step: every bit of the key reaches the slot. */
static uint32_t hash_of(int64_t key) {
  uint64_t h = (uint64_t)key;
  h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ h >> 27) * 0x94D049BB133111EBULL;
  return (uint32_t)(h ^ h >> 31);
}

static uint32_t slot_of(const sp_lane_map *m, int64_t key) {
  uint32_t mask = m->slot_count - 1, i = hash_of(key) & mask;
  while (m->slots[i] && m->keys[m->slots[i] - 1] != key) i = (i + 1) & mask;
  return i;
}

static bool grow(sp_lane_map *m) {
  uint32_t wanted = m->capacity ? m->capacity * 2 : 16;
  if (wanted > (1u << 29)) return false;
  int64_t *keys = sp_resize(m->keys, wanted * sizeof *keys);
  if (!keys) return false;
  m->keys = keys;
  uint32_t *slots = sp_alloc((size_t)wanted * 2 * sizeof *slots);
  if (!slots) return false;
  memset(slots, 0, (size_t)wanted * 2 * sizeof *slots);
  sp_free_block(m->slots);
  m->slots = slots;
  m->slot_count = wanted * 2;
  m->capacity = wanted;
  for (uint32_t i = 0; i < m->count; i++) slots[slot_of(m, keys[i])] = i + 1;
  return true;
}

uint32_t sp_lane_find(sp_lane_map *m, int64_t key) {
  if (m->count == m->capacity && !grow(m)) return UINT32_MAX;
  uint32_t slot = slot_of(m, key);
  if (m->slots[slot]) return m->slots[slot] - 1;
  m->keys[m->count] = key;
  m->slots[slot] = ++m->count;
  return m->count - 1;
}

void sp_lane_map_clear(sp_lane_map *m) {
  /* A map that grew for one rank must not cost its whole size for each later one. */
  if (m->slot_count > 64 && m->count < m->slot_count / 8) {
    for (uint32_t i = m->count; i-- > 0;) m->slots[slot_of(m, m->keys[i])] = 0;
  } else if (m->slots) {
    memset(m->slots, 0, m->slot_count * sizeof *m->slots);
  }
  m->count = 0;
}

void sp_lane_map_free(sp_lane_map *m) {
  sp_free_block(m->keys);
  sp_free_block(m->slots);
  *m = (sp_lane_map){0};
}

void sp_lane_name(int64_t key, char *to, size_t size) {
  if (key >= 0) {
    snprintf(to, size, "task %" PRId64, key);
  } else if (key == SP_LANE_UNKNOWN) {
    snprintf(to, size, "unknown lane");
  } else {
    snprintf(to, size, "thread %" PRIu64, (uint64_t)-(key + 2));
  }
}
