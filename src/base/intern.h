/* intern.h - equal names become one uint32 id.
 *
 * Ids count from 0 in order of first appearance. The pool copies the bytes into its arena; the
 * table itself is an ordinary block that sp_intern_free gives back (the names stay). */
#ifndef SP_BASE_INTERN_H
#define SP_BASE_INTERN_H

#include "base/arena.h"
#include "base/str.h"

typedef struct sp_intern {
  sp_arena *arena;
  sp_str *names; /* by id; count of them valid */
  uint32_t count, capacity;
  uint32_t *slots; /* open addressing, id + 1, 0 = free */
  uint32_t slot_count;
} sp_intern;

#define SP_NO_ID UINT32_MAX

/* The id of `name`, new or known; SP_NO_ID when memory ran out. */
uint32_t sp_intern_add(sp_intern *pool, sp_str name);
/* The id of `name`, or SP_NO_ID. */
uint32_t sp_intern_find(const sp_intern *pool, sp_str name);
void sp_intern_free(sp_intern *pool);

#endif
