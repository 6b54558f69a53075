/* session.c - the handle table.
 *
 *   handle = generation << 16 | slot + 1        slot 0 .. 65534
 *
 * Closing raises the slot's generation, so an old handle never matches again; a slot whose
 * generations are used up is retired. */
#include "api/session.h"

#include <string.h>

#include "api/session_private.h"
#include "read/read.h"

enum { SLOTS_MAX = 65535, GENERATIONS_MAX = 65535 };

typedef struct slot {
  sp_profile *profile; /* NULL = free */
  sp_source *source;
  char *name;
  uint16_t generation;
  sp_session_cache cache;
} slot;

struct sp_session {
  slot *slots;
  uint32_t count, capacity;
  uint64_t requests;
};

sp_session *sp_session_new(void) {
  sp_session *s = sp_alloc(sizeof *s);
  if (s) *s = (sp_session){0};
  return s;
}

static void empty_slot(slot *at) {
  sp_arena_free(&at->cache.arena);
  at->cache = (sp_session_cache){0};
  sp_profile_free(at->profile);
  sp_source_close(at->source);
  sp_free_block(at->name);
  at->profile = NULL;
  at->source = NULL;
  at->name = NULL;
}

void sp_session_free(sp_session *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->slots[i].profile) empty_slot(&s->slots[i]);
  sp_free_block(s->slots);
  sp_free_block(s);
}

/* A free slot, its generation below the last one; NULL when there is none. */
static slot *free_slot(sp_session *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (!s->slots[i].profile && s->slots[i].generation < GENERATIONS_MAX) return &s->slots[i];
  if (s->count == SLOTS_MAX) return NULL;
  if (s->count == s->capacity) {
    uint32_t wanted = s->capacity ? s->capacity * 2 : 8;
    slot *grown = sp_resize(s->slots, wanted * sizeof *grown);
    if (!grown) return NULL;
    s->slots = grown;
    s->capacity = wanted;
  }
  s->slots[s->count] = (slot){0};
  return &s->slots[s->count++];
}

static char *copy_text(const char *text) {
  size_t n = strlen(text) + 1;
  char *copy = sp_alloc(n);
  if (copy) memcpy(copy, text, n);
  return copy;
}

sp_status sp_session_open(sp_session *s, sp_source *source, const char *name, uint32_t *handle,
                          sp_error *err) {
  *handle = 0;
  sp_profile *profile = NULL;
  sp_status status = sp_read(source, NULL, &profile, err);
  if (status != SP_OK) {
    sp_source_close(source);
    return status;
  }
  char *own_name = copy_text(name);
  slot *at = own_name ? free_slot(s) : NULL;
  if (!at) {
    sp_free_block(own_name);
    sp_profile_free(profile);
    sp_source_close(source);
    return sp_fail(err, SP_NOMEM, NULL, "no room for another open profile");
  }
  at->profile = profile;
  at->source = source;
  at->name = own_name;
  at->generation++;
  *handle = (uint32_t)at->generation << 16 | (uint32_t)(at - s->slots + 1);
  return SP_OK;
}

static slot *find(sp_session *s, uint32_t handle) {
  uint32_t index = (handle & 0xFFFF) - 1; /* handle 0 becomes the largest index */
  if (index >= s->count) return NULL;
  slot *at = &s->slots[index];
  return at->profile && at->generation == handle >> 16 ? at : NULL;
}

static sp_status not_open(uint32_t handle, sp_error *err) {
  return sp_fail(err, SP_NOT_FOUND, NULL, "no open profile has the handle %u", (unsigned)handle);
}

sp_status sp_session_close(sp_session *s, uint32_t handle, sp_error *err) {
  slot *at = find(s, handle);
  if (!at) return not_open(handle, err);
  empty_slot(at);
  return SP_OK;
}

sp_status sp_session_get(sp_session *s, uint32_t handle, const sp_profile **profile,
                         const char **name, sp_error *err) {
  slot *at = find(s, handle);
  if (!at) return not_open(handle, err);
  *profile = at->profile;
  *name = at->name;
  return SP_OK;
}

sp_session_cache *sp_session_cache_of(sp_session *s, uint32_t handle) {
  slot *at = find(s, handle);
  return at ? &at->cache : NULL;
}

uint64_t sp_session_next_request(sp_session *s) { return ++s->requests; }
