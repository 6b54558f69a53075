/* request.c - parse, find the op, run it, fill the reply. */
#include "api/request.h"

#include <string.h>

#include "api/arguments.h"
#include "api/ops.h"
#include "write/json.h"

typedef struct op {
  const char *name;
  sp_status (*run)(sp_call *c, sp_error *err);
  const char *keys[8]; /* beside "op" */
} op;

static const op ops[] = {
    {"version", sp_op_version, {"op"}},
    {"errors", sp_op_errors, {"op"}},
    {"summary", sp_op_summary, {"op", "profile", "select", "privacy"}},
    {"inspect", sp_op_inspect, {"op", "profiles", "select", "sort", "flat", "privacy"}},
    {"view", sp_op_view, {"op", "plot", "profiles", "labels", "select", "options", "indent"}},
    {"close", sp_op_close, {"op", "profile"}},
};

static sp_status run(sp_call *c, sp_error *err) {
  const char *name = NULL;
  SP_TRY(sp_text_argument(c->request, "", "op", &name, err));
  if (!name) return sp_fail(err, SP_BAD_REQUEST, "/op", "is missing");
  for (size_t i = 0; i < SP_ARRAY_LEN(ops); i++) {
    if (strcmp(ops[i].name, name) != 0) continue;
    SP_TRY(sp_known_keys(c->request, "", ops[i].keys, err));
    return ops[i].run(c, err);
  }
  return sp_fail(err, SP_BAD_REQUEST, "/op", "there is no op \"%s\"", name);
}

static void fill_error(sp_reply *out, const sp_error *err, uint32_t profile) {
  out->status = err->code;
  out->kind = SP_REPLY_JSON;
  sp_buf *b = &out->bytes;
  sp_buf_clear(b);
  sp_buf_text(b, "{\"code\":");
  sp_json_string(b, sp_str_of(sp_status_name(err->code)));
  sp_buf_text(b, ",\"message\":");
  sp_json_string(b, sp_str_of(err->message));
  sp_buf_text(b, ",\"path\":");
  sp_json_string(b, sp_str_of(err->path));
  if (profile) sp_buf_printf(b, ",\"profile\":%u", (unsigned)profile);
  sp_buf_text(b, "}\n");
}

void sp_reply_error(sp_reply *out, const sp_error *err) { fill_error(out, err, 0); }

void sp_request(sp_session *s, const char *json, size_t length, const sp_progress *progress,
                sp_reply *out) {
  sp_error err = {.code = SP_OK};
  sp_call c = {.session = s, .progress = progress, .out = &out->bytes};
  sp_buf_clear(&out->bytes);
  out->kind = SP_REPLY_JSON;
  cJSON *request = NULL;
  out->status = sp_request_parse(json, length, &request, &err);
  if (out->status == SP_OK) {
    c.request = request;
    c.number = sp_session_next_request(s);
    out->status = run(&c, &err);
  }
  cJSON_Delete(request);
  if (out->status == SP_OK && (out->bytes.failed || c.arena.failed))
    out->status = sp_fail(&err, SP_NOMEM, NULL, "memory ran out while the reply was written");
  sp_arena_free(&c.arena);
  if (out->status == SP_OK) return;
  if (err.code == SP_OK) sp_fail(&err, out->status, NULL, "%s", sp_status_meaning(out->status));
  if (out->bytes.failed) sp_buf_free(&out->bytes); /* room for the short text */
  fill_error(out, &err, c.profile);
}
