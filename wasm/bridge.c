/* bridge.c - the module's exports (README.md beside this file has the contract and the picture).
 *
 * The one session and the one reply are the only global state of the core. */
#include <string.h>

#include "api/arguments.h"
#include "api/request.h"
#include "write/json.h"

#define EXPORT(name) __attribute__((used, export_name(#name))) name
/* the C names differ from the imports': sp_source_read and sp_progress are names of the core */
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name##_host

/* What JavaScript reads: four u32. */
typedef struct bridge_reply {
  uint32_t status, kind, ptr, len;
} bridge_reply;

int IMPORT(sp_source_read)(uint32_t source, double offset, uint32_t n, void *to);
int IMPORT(sp_progress)(double done, double total, const char *phase);
int IMPORT(sp_reply_part)(const char *bytes, uint32_t n);

uint32_t EXPORT(sp_wasm_abi)(void);
void *EXPORT(sp_wasm_alloc)(uint32_t n);
void EXPORT(sp_wasm_free)(void *p);
const bridge_reply *EXPORT(sp_wasm_open)(uint32_t source, double size, const char *options,
                                         uint32_t m);
const bridge_reply *EXPORT(sp_wasm_call)(const char *request, uint32_t n);
void EXPORT(sp_wasm_close)(uint32_t handle);

static sp_session *session;
static sp_reply reply;
static bridge_reply words;

/* ---- sources ------------------------------------------------------------------------------- */

typedef struct host_source {
  sp_source base;
  uint32_t number; /* JavaScript's name for it */
} host_source;

static sp_status host_read(sp_source *self, uint64_t offset, size_t n, void *to, sp_error *err) {
  const host_source *s = (const host_source *)self;
  if (sp_source_read_host(s->number, (double)offset, (uint32_t)n, to) == 0) return SP_OK;
  return sp_fail(err, SP_IO, NULL, "cannot be read at byte %llu", (unsigned long long)offset);
}

static void host_close(sp_source *self) { sp_free_block(self); }

static sp_source *new_source(uint32_t number, double size) {
  host_source *s = sp_alloc(sizeof *s);
  if (!s) return NULL;
  *s = (host_source){.base = {.size = (uint64_t)size, .read_at = host_read, .close = host_close},
                     .number = number};
  return &s->base;
}

/* ---- replies ------------------------------------------------------------------------------- */

static const bridge_reply *publish(void) {
  words = (bridge_reply){.status = (uint32_t)reply.status,
                         .kind = (uint32_t)reply.kind,
                         .ptr = (uint32_t)(uintptr_t)reply.bytes.data,
                         .len = (uint32_t)reply.bytes.length};
  return &words;
}

/* Long replies leave in parts: this memory never shrinks again, so they are not gathered in it. */
static bool host_part(void *context, const char *bytes, size_t n) {
  (void)context;
  return sp_reply_part_host(bytes, (uint32_t)n) == 0;
}

static const bridge_reply *publish_error(const sp_error *err) {
  sp_reply_error(&reply, err);
  return publish();
}

/* ---- exports ------------------------------------------------------------------------------- */

uint32_t sp_wasm_abi(void) { return SP_ABI; }

void *sp_wasm_alloc(uint32_t n) { return sp_alloc(n ? n : 1); }

void sp_wasm_free(void *p) { sp_free_block(p); }

/* Whole and exact: beyond 2^53 neighbouring bytes would share a number. */
static bool size_is_sound(double size) {
  return size >= 0 && size <= 9007199254740992.0 && size == (double)(uint64_t)size;
}

static sp_status open_source(uint32_t source, double size, const cJSON *options, uint32_t *handle,
                             sp_error *err) {
  static const char *const keys[] = {"name", NULL};
  const char *name = "profile";
  SP_TRY(sp_known_keys(options, "", keys, err));
  SP_TRY(sp_text_argument(options, "", "name", &name, err));
  if (!size_is_sound(size)) return sp_fail(err, SP_BAD_REQUEST, "size", "is not a number of bytes");
  if (!session && !(session = sp_session_new()))
    return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  sp_source *s = new_source(source, size);
  if (!s) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  return sp_session_open(session, s, name, handle, err);
}

const bridge_reply *sp_wasm_open(uint32_t source, double size, const char *options, uint32_t m) {
  sp_error err = {.code = SP_OK};
  cJSON *parsed = NULL;
  uint32_t handle = 0;
  sp_buf_clear(&reply.bytes);
  sp_status status = sp_request_parse(options, m, &parsed, &err);
  if (status == SP_OK) status = open_source(source, size, parsed, &handle, &err);
  cJSON_Delete(parsed);
  if (status != SP_OK) return publish_error(&err);
  reply.status = SP_OK;
  reply.kind = SP_REPLY_JSON;
  sp_buf_printf(&reply.bytes, "{\"profile\":%u}\n", (unsigned)handle);
  return publish();
}

static bool host_step(void *context, const char *phase, uint64_t done, uint64_t total) {
  (void)context;
  return sp_progress_host((double)done, (double)total, phase) == 0;
}

const bridge_reply *sp_wasm_call(const char *request, uint32_t n) {
  static const sp_progress progress = {.step = host_step};
  sp_error err = {.code = SP_OK};
  if (!session && !(session = sp_session_new())) {
    sp_fail(&err, SP_NOMEM, NULL, "out of memory");
    return publish_error(&err);
  }
  reply.bytes.drain = host_part;
  sp_request(session, request, n, &progress, &reply);
  return publish();
}

void sp_wasm_close(uint32_t handle) {
  if (session) sp_session_close(session, handle, NULL);
}
