/* session.h - open profiles behind small handles.
 *
 * A handle is index + generation in one uint32, never a pointer: a stale one gives NOT_FOUND. */
#ifndef SP_API_SESSION_H
#define SP_API_SESSION_H

#include "profile/profile.h"
#include "read/source.h"

typedef struct sp_session sp_session;

sp_session *sp_session_new(void); /* NULL when memory ran out */
void sp_session_free(sp_session *s);

/* Reads the profile in `source` (taken over: closed with the handle, also on failure) under the
 * file name `name` and the display path given. *handle is never 0. */
sp_status sp_session_open(sp_session *s, sp_source *source, const char *name, uint32_t *handle,
                          sp_error *err);
/* Idempotent; a stale handle is NOT_FOUND. */
sp_status sp_session_close(sp_session *s, uint32_t handle, sp_error *err);
/* The profile and its name behind a handle, or NOT_FOUND. */
sp_status sp_session_get(sp_session *s, uint32_t handle, const sp_profile **profile,
                         const char **name, sp_error *err);

#endif
