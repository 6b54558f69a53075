/* intern.c - an open-addressing table of names (FNV-1a, at most half full). */
#include "base/intern.h"

static uint32_t hash_of(sp_str name) {
  uint64_t h = 14695981039346656037ULL;
  for (uint32_t i = 0; i < name.n; i++) h = (h ^ (unsigned char)name.p[i]) * 1099511628211ULL;
  return (uint32_t)(h ^ (h >> 32));
}

/* The slot that holds `name`, or the free one where it belongs. */
static uint32_t slot_of(const sp_intern *pool, sp_str name) {
  uint32_t mask = pool->slot_count - 1, i = hash_of(name) & mask;
  while (pool->slots[i] && !sp_str_equal(pool->names[pool->slots[i] - 1], name)) i = (i + 1) & mask;
  return i;
}

static bool grow(sp_intern *pool) {
  uint32_t wanted = pool->capacity ? pool->capacity * 2 : 32;
  if (wanted > (1u << 28)) return false;
  sp_str *names = sp_resize(pool->names, wanted * sizeof *names);
  if (!names) return false;
  pool->names = names;
  uint32_t *slots = sp_alloc((size_t)wanted * 2 * sizeof *slots);
  if (!slots) return false;
  sp_free_block(pool->slots);
  memset(slots, 0, (size_t)wanted * 2 * sizeof *slots);
  pool->slots = slots;
  pool->slot_count = wanted * 2;
  pool->capacity = wanted;
  for (uint32_t id = 0; id < pool->count; id++) pool->slots[slot_of(pool, names[id])] = id + 1;
  return true;
}

uint32_t sp_intern_add(sp_intern *pool, sp_str name) {
  if (pool->count == pool->capacity && !grow(pool)) return SP_NO_ID;
  uint32_t slot = slot_of(pool, name);
  if (pool->slots[slot]) return pool->slots[slot] - 1;
  char *copy = sp_arena_copy(pool->arena, name.p, name.n);
  if (!copy) return SP_NO_ID;
  pool->names[pool->count] = (sp_str){copy, name.n};
  pool->slots[slot] = ++pool->count;
  return pool->count - 1;
}

uint32_t sp_intern_find(const sp_intern *pool, sp_str name) {
  if (!pool->count) return SP_NO_ID;
  uint32_t slot = slot_of(pool, name);
  return pool->slots[slot] ? pool->slots[slot] - 1 : SP_NO_ID;
}

void sp_intern_free(sp_intern *pool) {
  sp_free_block(pool->names);
  sp_free_block(pool->slots);
  *pool = (sp_intern){.arena = pool->arena};
}
