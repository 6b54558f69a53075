/* host_js.c - src/cli/host.h for Node: each function asks JavaScript (packages/cli/src/host.js).
 *
 * JavaScript answers with numbers; texts it writes into a buffer given along, cut to its size.
 * Containment is JavaScript's part: it catches what this instance throws, makes a new one and runs
 * the command again (see host.h). */
#include "cli/host.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

#define EXPORT(name) __attribute__((used, export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

enum { REASON_BYTES = 200, TEXT_BYTES = 64 << 10 };

/* What an import that can fail answers. */
enum { JS_OK, JS_NOT_FOUND, JS_FAILED, JS_SHORT, JS_TOO_LARGE };

int IMPORT(sp_js_look)(const char *path);
/* *source and *size are set on JS_OK; else the reason is written. */
int IMPORT(sp_js_open)(const char *path, uint32_t *source, double *size, char *reason, uint32_t n);
int IMPORT(sp_js_read)(uint32_t source, double offset, uint32_t n, void *to, char *reason,
                       uint32_t reason_size);
int IMPORT(sp_js_unchanged)(uint32_t source); /* 1 = yes */
void IMPORT(sp_js_close)(uint32_t source);
/* Begins a listing; 0 = there is none. */
uint32_t IMPORT(sp_js_list)(const char *folder);
/* The next name's kind and the name, or -1 at the end. */
int IMPORT(sp_js_next)(uint32_t listing, char *name, uint32_t n);
int IMPORT(sp_js_print)(int stream, const void *bytes, uint32_t n, char *reason, uint32_t m);
int IMPORT(sp_js_closed)(void);
int IMPORT(sp_js_save)(const char *path, const void *bytes, uint32_t n, char *reason, uint32_t m);
int IMPORT(sp_js_same_file)(const char *a, const char *b);
int IMPORT(sp_js_is_terminal)(int stream);
uint32_t IMPORT(sp_js_columns)(void);
/* Bytes of the value (more than n: it was cut), or -1 for none. */
int IMPORT(sp_js_variable)(const char *name, char *to, uint32_t n);
int IMPORT(sp_js_folder)(char *to, uint32_t n);
void IMPORT(sp_js_working_on)(const char *path); /* NULL = nothing */
int IMPORT(sp_js_fatal)(const char *path, char *to, uint32_t n);

void *EXPORT(sp_js_alloc)(uint32_t n);
int EXPORT(sp_js_main)(int argc, char **argv);

void *sp_js_alloc(uint32_t n) { return sp_alloc(n ? n : 1); }

int sp_js_main(int argc, char **argv) { return sp_cli_main(argc, argv); }

/* ---- inputs -------------------------------------------------------------------------------- */

sp_host_kind sp_host_look(const char *path) { return (sp_host_kind)sp_js_look(path); }

typedef struct js_source {
  sp_source base;
  uint32_t number;
} js_source;

static sp_status js_read(sp_source *self, uint64_t offset, size_t n, void *to, sp_error *err) {
  char reason[REASON_BYTES] = "";
  uint32_t number = ((js_source *)self)->number;
  switch (sp_js_read(number, (double)offset, (uint32_t)n, to, reason, sizeof reason)) {
  case JS_OK: return SP_OK;
  case JS_SHORT: return sp_fail(err, SP_IO, NULL, "changed while being read");
  default: return sp_fail(err, SP_IO, NULL, "cannot be read: %s", reason);
  }
}

static sp_status js_unchanged(sp_source *self, sp_error *err) {
  if (sp_js_unchanged(((js_source *)self)->number)) return SP_OK;
  return sp_fail(err, SP_IO, NULL, "changed while being read");
}

static void js_close(sp_source *self) {
  sp_js_close(((js_source *)self)->number);
  sp_free_block(self);
}

sp_status sp_host_open(const char *path, sp_source **out, sp_error *err) {
  char reason[REASON_BYTES] = "";
  double size = 0;
  js_source *s = sp_alloc(sizeof *s);
  *out = NULL;
  if (!s) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  *s = (js_source){.base = {.read_at = js_read, .unchanged = js_unchanged, .close = js_close}};
  int status = sp_js_open(path, &s->number, &size, reason, sizeof reason);
  if (status == JS_OK) {
    s->base.size = (uint64_t)size;
    *out = &s->base;
    return SP_OK;
  }
  sp_free_block(s);
  sp_status code = status == JS_NOT_FOUND   ? SP_NOT_FOUND
                   : status == JS_TOO_LARGE ? SP_TOO_LARGE
                                            : SP_IO;
  return sp_fail(err, code, NULL, "%s", reason);
}

bool sp_host_list(const char *folder, sp_host_visit visit, void *context) {
  char name[4096];
  uint32_t listing = sp_js_list(folder);
  for (int kind; listing && (kind = sp_js_next(listing, name, sizeof name)) >= 0;)
    if (!visit(context, name, (sp_host_kind)kind)) return false;
  return true;
}

/* ---- outputs ------------------------------------------------------------------------------- */

sp_status sp_host_print(sp_host_stream stream, const void *bytes, size_t n, sp_error *err) {
  char reason[REASON_BYTES] = "";
  if (sp_js_print((int)stream, bytes, (uint32_t)n, reason, sizeof reason) == JS_OK) return SP_OK;
  return sp_fail(err, SP_OUTPUT, NULL, "%s", reason);
}

bool sp_host_closed(void) { return sp_js_closed() != 0; }

sp_status sp_host_save(const char *path, const void *bytes, size_t n, sp_error *err) {
  char reason[REASON_BYTES] = "";
  if (sp_js_save(path, bytes, (uint32_t)n, reason, sizeof reason) == JS_OK) return SP_OK;
  return sp_fail(err, SP_OUTPUT, NULL, "%s", reason);
}

bool sp_host_same_file(const char *a, const char *b) { return sp_js_same_file(a, b) != 0; }

/* ---- surroundings -------------------------------------------------------------------------- */

bool sp_host_is_terminal(sp_host_stream stream) { return sp_js_is_terminal((int)stream) != 0; }

uint32_t sp_host_columns(void) { return sp_js_columns(); }

/* Texts from JavaScript that live until the end. */
static sp_arena texts;

static const char *keep(const char *text, int n) {
  return n < 0 ? NULL : sp_arena_copy(&texts, text, (size_t)n);
}

static int at_most(int n, int limit) { return n < limit ? n : limit; }

const char *sp_host_variable(const char *name) {
  static char value[TEXT_BYTES];
  return keep(value, at_most(sp_js_variable(name, value, sizeof value), TEXT_BYTES));
}

const char *sp_host_folder(void) {
  static char value[TEXT_BYTES];
  static const char *kept;
  if (!kept) kept = keep(value, at_most(sp_js_folder(value, sizeof value), TEXT_BYTES));
  return kept ? kept : "";
}

/* ---- containment --------------------------------------------------------------------------- */

void sp_host_working_on(const char *path) { sp_js_working_on(path); }

const char *sp_host_fatal(const char *path) {
  char reason[REASON_BYTES];
  int n = sp_js_fatal(path, reason, sizeof reason);
  return keep(reason, at_most(n, REASON_BYTES));
}
