/* session_private.h - the last full analysis of each open profile, kept for the next request with
 * the same selection (the region table and the plots of a page ask for the same one). */
#ifndef SP_API_SESSION_PRIVATE_H
#define SP_API_SESSION_PRIVATE_H

#include "api/session.h"
#include "stats/analysis.h"

typedef struct sp_session_cache {
  sp_arena arena;        /* holds the two below; freed with the handle or when replaced */
  char *selection;       /* canonical text of the selection; NULL = nothing kept */
  sp_analysis *analysis; /* in pre-order by start; never changed */
  uint64_t used_by;      /* number of the last request that took it */
} sp_session_cache;

/* The place for the kept analysis of a handle, or NULL for a stale handle. */
sp_session_cache *sp_session_cache_of(sp_session *s, uint32_t handle);

/* Counts the requests, from 1. */
uint64_t sp_session_next_request(sp_session *s);

#endif
