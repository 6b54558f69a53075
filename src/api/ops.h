/* ops.h - the operations of a request, each in one function (see request.h). */
#ifndef SP_API_OPS_H
#define SP_API_OPS_H

#include <cJSON.h>

#include "api/request.h"
#include "api/session_private.h"

/* One request on its way. */
typedef struct sp_call {
  sp_session *session;
  const cJSON *request;
  const sp_progress *progress; /* may be NULL */
  sp_buf *out;
  sp_arena arena;   /* freed when the reply is written */
  uint64_t number;  /* of the request, for the kept analyses */
  uint32_t profile; /* the handle in work, for the failure's reply; 0 = none */
} sp_call;

sp_status sp_op_version(sp_call *c, sp_error *err);
sp_status sp_op_errors(sp_call *c, sp_error *err);
sp_status sp_op_summary(sp_call *c, sp_error *err);
sp_status sp_op_inspect(sp_call *c, sp_error *err);
sp_status sp_op_view(sp_call *c, sp_error *err);
sp_status sp_op_close(sp_call *c, sp_error *err);

#endif
