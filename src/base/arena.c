/* arena.c - grow-only blocks, and the one door to malloc. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 16 << 10, LARGEST_STEP = 4 << 20, ALIGN = 16 };

struct sp_arena_block {
  sp_arena_block *next;
  size_t size; /* usable bytes behind this header */
};

enum { HEADER = (sizeof(sp_arena_block) + ALIGN - 1) / ALIGN * ALIGN };

static uint64_t calls;
static uint64_t fail_at;
static bool fail_sticky;
static int64_t live;

/* Whether this allocation is the one the tests want to see fail. */
static bool must_fail(void) {
  calls++;
  return fail_at != 0 && (fail_sticky ? calls >= fail_at : calls == fail_at);
}

void *sp_alloc(size_t n) {
  if (must_fail()) return NULL;
  void *block = malloc(n ? n : 1);
  if (block) live++;
  return block;
}

void *sp_resize(void *block, size_t n) {
  if (must_fail()) return NULL;
  void *grown = realloc(block, n ? n : 1);
  if (grown && !block) live++;
  return grown;
}

void sp_free_block(void *block) {
  if (block) live--;
  free(block);
}

void sp_alloc_fail_at(uint64_t n, bool sticky) {
  fail_at = n ? calls + n : 0;
  fail_sticky = sticky;
}

uint64_t sp_alloc_count(void) { return calls; }

int64_t sp_alloc_live(void) { return live; }

static bool grow(sp_arena *a, size_t n) {
  size_t step = a->total < FIRST_BLOCK ? FIRST_BLOCK : a->total;
  if (step > LARGEST_STEP) step = LARGEST_STEP;
  size_t size = n > step ? n : step;
  if (a->limit && (size > a->limit || a->total > a->limit - size)) return false;
  sp_arena_block *block = sp_alloc(HEADER + size);
  if (!block) return false;
  block->next = a->head;
  block->size = size;
  a->head = block;
  a->used = 0;
  a->total += size;
  return true;
}

void *sp_arena_alloc(sp_arena *a, size_t n) {
  if (a->failed) return NULL;
  if (n > SIZE_MAX / 2) {
    a->failed = true;
    return NULL;
  }
  n = (n + ALIGN - 1) / ALIGN * ALIGN;
  if (n == 0) n = ALIGN;
  if ((!a->head || a->head->size - a->used < n) && !grow(a, n)) {
    a->failed = true;
    return NULL;
  }
  char *at = (char *)a->head + HEADER + a->used;
  a->used += n;
  return memset(at, 0, n);
}

void *sp_arena_array(sp_arena *a, uint64_t count, size_t size) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, (uint64_t)size, &bytes) || bytes > SIZE_MAX / 2) {
    a->failed = true;
    return NULL;
  }
  return sp_arena_alloc(a, (size_t)bytes);
}

char *sp_arena_copy(sp_arena *a, const char *bytes, size_t n) {
  char *copy = sp_arena_alloc(a, n + 1);
  if (copy && n) memcpy(copy, bytes, n);
  return copy;
}

void sp_arena_free(sp_arena *a) {
  for (sp_arena_block *block = a->head; block;) {
    sp_arena_block *next = block->next;
    sp_free_block(block);
    block = next;
  }
  *a = (sp_arena){.limit = a->limit};
}
