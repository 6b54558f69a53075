/* arena.h - memory that is given out in pieces and taken back all at once.
 *
 * Out of memory is a status, never an abort: an arena that could not grow becomes sticky-failed
 * (`failed`), every later allocation returns NULL, and the entry point of a room tests once.
 * sp_alloc/sp_resize/sp_free_block are the only way to the C library's allocator; a debug hook
 * makes the n-th call fail (sp_alloc_fail_at), which the out-of-memory tests use. */
#ifndef SP_BASE_ARENA_H
#define SP_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sp_arena_block sp_arena_block;

typedef struct sp_arena {
  sp_arena_block *head; /* newest block */
  size_t used;          /* bytes used of the newest block */
  size_t total;         /* bytes taken from the C library */
  size_t limit;         /* most bytes it may take; 0 = no limit */
  bool failed;
} sp_arena;

/* A zeroed sp_arena is an empty one: `sp_arena a = {0};`. */

/* Returns `n` zeroed bytes aligned to 16, or NULL (then `failed` is set). Zero bytes give a
 * valid pointer. */
void *sp_arena_alloc(sp_arena *a, size_t n);

/* As sp_arena_alloc, for `count` items of `size` bytes; the product is checked. */
void *sp_arena_array(sp_arena *a, uint64_t count, size_t size);

/* A copy of `n` bytes with a NUL behind them. */
char *sp_arena_copy(sp_arena *a, const char *bytes, size_t n);

/* Frees everything that came from `a` and makes it empty again (limit is kept). */
void sp_arena_free(sp_arena *a);

/* Large or growing arrays that must not stay in an arena. NULL on failure; sp_resize leaves the
 * old block alone then. sp_free_block(NULL) is fine. */
void *sp_alloc(size_t n);
void *sp_resize(void *block, size_t n);
void sp_free_block(void *block);

/* Debug: the n-th allocation from now on fails (0 = none); with `sticky` all later ones too. */
void sp_alloc_fail_at(uint64_t n, bool sticky);
/* Debug: allocations made so far, and blocks not yet freed. */
uint64_t sp_alloc_count(void);
int64_t sp_alloc_live(void);

#endif
