/* test_inspect_memory.c - `profscope inspect` when memory runs out: allocation number n fails, for
 * every n, once that one alone and once with all later ones. Each time: exit 3 and one line on
 * standard error for the file, nothing on standard output, nothing leaked; or, where the loss can
 * be borne, the same output as ever. Also the fake world that needs: host.h over memory. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "check.h"
#include "cli/commands.h"
#include "cli/host.h"

enum { WORDS_MAX = 20 };

/* ---- a world that fits into memory --------------------------------------------------------- */

static char out[1 << 16], err_text[1 << 14];
static size_t out_n, err_n;

sp_host_kind sp_host_look(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file) fclose(file);
  return file ? SP_HOST_FILE : SP_HOST_NOTHING;
}

static void close_source(sp_source *self) {
  free(self->state);
  free(self);
}

sp_status sp_host_open(const char *path, sp_source **source, sp_error *err) {
  FILE *file = fopen(path, "rb");
  *source = NULL;
  if (!file) return sp_fail(err, SP_NOT_FOUND, NULL, "no such file");
  size_t room = 1 << 20;
  char *bytes = malloc(room);
  size_t n = fread(bytes, 1, room, file);
  fclose(file);
  *source = malloc(sizeof **source);
  **source = sp_source_memory(bytes, n);
  (*source)->close = close_source;
  return SP_OK;
}

bool sp_host_list(const char *folder, sp_host_visit visit, void *context) {
  (void)folder, (void)visit, (void)context;
  return true;
}

sp_status sp_host_print(sp_host_stream stream, const void *bytes, size_t n, sp_error *err) {
  (void)err;
  char *to = stream == SP_HOST_OUT ? out : err_text;
  size_t *used = stream == SP_HOST_OUT ? &out_n : &err_n;
  size_t room = (stream == SP_HOST_OUT ? sizeof out : sizeof err_text) - 1 - *used;
  if (n > room) n = room;
  if (n) memcpy(to + *used, bytes, n);
  to[ *used += n] = '\0';
  return SP_OK;
}

bool sp_host_closed(void) { return false; }

sp_status sp_host_save(const char *path, const void *bytes, size_t n, sp_error *err) {
  (void)path;
  return sp_host_print(SP_HOST_OUT, bytes, n, err);
}

bool sp_host_same_file(const char *a, const char *b) { return strcmp(a, b) == 0; }
bool sp_host_is_terminal(sp_host_stream stream) { return stream == SP_HOST_OUT; }
uint32_t sp_host_columns(void) { return 80; }
const char *sp_host_variable(const char *name) { return name ? NULL : ""; }
const char *sp_host_folder(void) { return "/"; }
void sp_host_working_on(const char *path) { (void)path; }
const char *sp_host_fatal(const char *path) { return path ? NULL : ""; }

/* ---- the loop ------------------------------------------------------------------------------ */

/* Runs `inspect` with the words of a line; the exit code. */
static int inspect(const char *line) {
  char text[200], *words[WORDS_MAX + 1] = {0};
  int count = 0;
  snprintf(text, sizeof text, "%s", line);
  for (char *at = text; *at && count < WORDS_MAX;) {
    words[count++] = at;
    at += strcspn(at, " ");
    if (*at) *at++ = '\0';
  }
  out_n = err_n = 0;
  out[0] = err_text[0] = '\0';
  sp_arena arena = {0};
  sp_args args;
  sp_error err = {0};
  sp_status status = sp_args_parse(&sp_cmd_inspect, count, words, &arena, &args, &err);
  int code = status == SP_OK ? sp_cmd_inspect.run(&args) : sp_status_exit(status);
  sp_arena_free(&arena);
  return code;
}

static int lines_of(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

static void with_every_allocation_failing(const char *line) {
  static char whole[sizeof out];
  int code = inspect(line); /* what is kept for good is allocated now */
  uint64_t before = sp_alloc_count();
  CHECK_INT(inspect(line), code);
  uint64_t total = sp_alloc_count() - before;
  int64_t live = sp_alloc_live();
  memcpy(whole, out, sizeof whole);
  CHECK(out_n > 0);
  int failures = check_failures;
  for (int later_too = 0; later_too < 2; later_too++) {
    for (uint64_t n = 1; n <= total; n++) {
      sp_alloc_fail_at(n, later_too);
      int got = inspect(line);
      sp_alloc_fail_at(0, false);
      CHECK_INT(sp_alloc_live(), live);
      if (got == code) {
        CHECK(strcmp(out, whole) == 0);
      } else {
        CHECK_INT(got, 3);
        CHECK(out_n == 0);
        if (err_n) CHECK(lines_of(err_text) == 1 && err_n <= 300);
      }
      if (check_failures > failures) {
        fprintf(stderr, "  inspect %s, allocation %u%s: %s\n", line, (unsigned)n,
                later_too ? " and later" : "", err_text);
        return;
      }
    }
  }
}

static void text_survives(void) {
  with_every_allocation_failing("inspect tests/fixtures/json/1/nested.json");
}

static void json_survives(void) {
  with_every_allocation_failing("inspect tests/fixtures/json/1/counters.json --json");
}

static void every_option_survives(void) {
  with_every_allocation_failing(
      "inspect tests/fixtures/json/1/ranks.json --include . --ranks 0-1 --width 60 --sort total "
      "--source step nope --export-metadata x -o y --privacy public");
}

static void hdf5_survives(void) {
  with_every_allocation_failing("inspect tests/fixtures/python/0.7.5/nested.h5 --privacy team");
}

static void secrets_survive(void) {
  with_every_allocation_failing("inspect tests/fixtures/json/1/nested.json --secrets");
}

int main(void) {
  RUN(text_survives);
  RUN(json_survives);
  RUN(every_option_survives);
  RUN(hdf5_survives);
  RUN(secrets_survive);
  return CHECK_DONE();
}
