/* test_request.c - the whole protocol, natively: replies, faults, stale handles, memory. */
#include "check.h"

#include <stdlib.h>

#include "api/request.h"

static const char *const profile_path = "tests/fixtures/python/0.7.5/nested.h5";

static sp_session *session;
static sp_reply reply;

static sp_status ask(const char *request) {
  sp_request(session, request, strlen(request), NULL, &reply);
  sp_buf_char(&reply.bytes, '\0');
  return reply.status;
}

static int says(const char *text) {
  return reply.bytes.data && strstr(reply.bytes.data, text) != NULL;
}

/* ---- a source over a file's bytes ---------------------------------------------------------- */

static char *file_bytes;
static size_t file_size;
static int sources_closed;

static void load_file(void) {
  FILE *f = fopen(profile_path, "rb");
  if (!f) return;
  fseek(f, 0, SEEK_END);
  file_size = (size_t)ftell(f);
  rewind(f);
  file_bytes = malloc(file_size);
  if (file_bytes && fread(file_bytes, 1, file_size, f) != file_size) file_size = 0;
  fclose(f);
}

static void count_close(sp_source *self) {
  sources_closed++;
  free(self);
}

static sp_source *new_source(const void *bytes, size_t n) {
  sp_source *s = malloc(sizeof *s);
  if (!s) abort();
  *s = sp_source_memory(bytes, n);
  s->close = count_close;
  return s;
}

static uint32_t open_profile(void) {
  uint32_t handle = 0;
  sp_error err = {.code = SP_OK};
  CHECK_STATUS(sp_session_open(session, new_source(file_bytes, file_size), "a.h5", &handle, &err),
               SP_OK);
  CHECK_STR(err.message, "");
  return handle;
}

static sp_status ask_about(const char *format, uint32_t handle) {
  char text[1024];
  snprintf(text, sizeof text, format, (unsigned)handle, (unsigned)handle);
  return ask(text);
}

/* ---- the tests ----------------------------------------------------------------------------- */

static void requests_that_are_not_json_are_refused(void) {
  static const char *const texts[] = {"",
                                      " ",
                                      "{",
                                      "[]",
                                      "1",
                                      "null",
                                      "{\"op\":\"version\"} x",
                                      "{\"op\":\"version\",}",
                                      "{'op':1}",
                                      "{\"op\":\"ver\\u0000sion\"}",
                                      "{\"op\":{\"a\":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}}"};
  for (size_t i = 0; i < SP_ARRAY_LEN(texts); i++) {
    CHECK_STATUS(ask(texts[i]), SP_BAD_REQUEST);
    CHECK(says("\"code\":\"BAD_REQUEST\""));
  }
  char nul[] = "{\"op\":\"version\"}\0";
  sp_request(session, nul, sizeof nul, NULL, &reply);
  CHECK_STATUS(reply.status, SP_BAD_REQUEST);
}

static void deep_nesting_ends_early(void) {
  size_t n = 1 << 20;
  char *text = malloc(n);
  if (!text) abort();
  memset(text, '[', n);
  sp_request(session, text, n, NULL, &reply);
  CHECK_STATUS(reply.status, SP_BAD_REQUEST);
  free(text);
}

static void the_core_tells_about_itself(void) {
  CHECK_STATUS(ask("{\"op\":\"version\"}"), SP_OK);
  CHECK(says("\"abi\":") && says("\"build\":\"native\""));
  CHECK_STATUS(ask("{\"op\":\"errors\"}"), SP_OK);
  CHECK(says("\"name\":\"CORRUPT\",\"exit\":3"));
}

static void unknown_keys_and_ops_are_named(void) {
  CHECK_STATUS(ask("{\"op\":\"version\",\"more\":1}"), SP_BAD_REQUEST);
  CHECK(says("/more"));
  CHECK_STATUS(ask("{\"op\":\"version\",\"op\":\"errors\"}"), SP_BAD_REQUEST);
  CHECK_STATUS(ask("{\"op\":\"burn\"}"), SP_BAD_REQUEST);
  CHECK(says("burn"));
  CHECK_STATUS(ask("{\"op\":7}"), SP_BAD_REQUEST);
  CHECK_STATUS(ask("{}"), SP_BAD_REQUEST);
}

static void stale_handles_are_not_found(void) {
  uint32_t a = open_profile(), b = open_profile();
  CHECK(a && b && a != b);
  CHECK_STATUS(ask_about("{\"op\":\"close\",\"profile\":%u}", a), SP_OK);
  CHECK_STATUS(ask_about("{\"op\":\"close\",\"profile\":%u}", a), SP_NOT_FOUND);
  uint32_t c = open_profile();
  CHECK(c != a && (c & 0xFFFF) == (a & 0xFFFF)); /* the slot again, another generation */
  CHECK_STATUS(ask_about("{\"op\":\"inspect\",\"profiles\":[%u]}", a), SP_NOT_FOUND);
  CHECK_STATUS(ask_about("{\"op\":\"inspect\",\"profiles\":[%u]}", c), SP_OK);
  CHECK_STATUS(ask("{\"op\":\"inspect\",\"profiles\":[0]}"), SP_NOT_FOUND);
  CHECK_STATUS(ask("{\"op\":\"inspect\",\"profiles\":[4294967295]}"), SP_NOT_FOUND);
  CHECK_STATUS(ask("{\"op\":\"inspect\",\"profiles\":[4294967296]}"), SP_BAD_REQUEST);
  CHECK_STATUS(ask("{\"op\":\"inspect\",\"profiles\":[-1]}"), SP_BAD_REQUEST);
  CHECK_STATUS(ask("{\"op\":\"inspect\",\"profiles\":[1e300]}"), SP_BAD_REQUEST);
  CHECK_STATUS(sp_session_close(session, b, NULL), SP_OK);
  CHECK_STATUS(sp_session_close(session, c, NULL), SP_OK);
}

static void bytes_that_are_no_profile_are_closed_too(void) {
  uint32_t handle = 7;
  int before = sources_closed;
  sp_error err = {.code = SP_OK};
  CHECK_STATUS(sp_session_open(session, new_source("hello", 5), "x", &handle, &err),
               SP_NOT_A_PROFILE);
  CHECK(handle == 0 && sources_closed == before + 1);
}

static void a_kept_analysis_gives_the_same_bytes(void) {
  uint32_t h = open_profile();
  CHECK_STATUS(ask_about("{\"op\":\"inspect\",\"profiles\":[%u]}", h), SP_OK);
  char *first = strdup(reply.bytes.data ? reply.bytes.data : "");
  CHECK_STATUS(
      ask_about("{\"op\":\"inspect\",\"profiles\":[%u],\"sort\":\"name\",\"flat\":true}", h),
      SP_OK);
  CHECK(strcmp(first, reply.bytes.data) != 0);
  CHECK_STATUS(
      ask_about("{\"op\":\"inspect\",\"profiles\":[%u],\"select\":{\"exclude\":[\"s\"]}}", h),
      SP_OK);
  CHECK(strcmp(first, reply.bytes.data) != 0);
  CHECK_STATUS(
      ask_about("{\"op\":\"inspect\",\"profiles\":[%u,%u],\"select\":{\"exclude\":[\"s\"]}}", h),
      SP_OK);
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u,%u],"
                         "\"select\":{\"exclude\":[\"se\"]},\"options\":{\"stack_children\":true}}",
                         h),
               SP_OK);
  CHECK_STATUS(ask_about("{\"op\":\"inspect\",\"profiles\":[%u]}", h), SP_OK);
  CHECK_STR(reply.bytes.data, first);
  free(first);
  sp_session_close(session, h, NULL);
}

static void plots_are_payloads(void) {
  uint32_t h = open_profile();
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u]}", h), SP_OK);
  CHECK(says("\"format\":\"scope-profiler-plot-data\"") && says("\"value_seconds\":"));
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"pie\",\"profiles\":[%u]}", h),
               SP_BAD_REQUEST);
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
                         "\"options\":{\"metrics\":[]}}",
                         h),
               SP_USAGE);
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
                         "\"options\":{\"stack_children\":true,\"metrics\":[\"min\"]}}",
                         h),
               SP_USAGE);
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
                         "\"options\":{\"combine_regions\":[\"a=zzz\"]}}",
                         h),
               SP_USAGE);
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
                         "\"options\":{\"combine_regions\":[\"a=s\",\"a=\"]}}",
                         h),
               SP_USAGE);
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
                         "\"options\":{\"combine_regions\":[\"all=.*\"],\"top_n\":-5}}",
                         h),
               SP_OK);
  CHECK(says("\"bars\":[]"));
  CHECK_STATUS(ask_about("{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
                         "\"select\":{\"include\":[\"zzz\"]}}",
                         h),
               SP_USAGE);
  sp_session_close(session, h, NULL);
}

/* Every request of a list, with its n-th allocation failing, for every n until it succeeds. */
static void out_of_memory_is_a_reply(void) {
  uint32_t h = open_profile();
  static const char *const formats[] = {
      "{\"op\":\"inspect\",\"profiles\":[%u],\"select\":{\"exclude\":[\"zz\"],\"ranks\":[\"0\"]}}",
      "{\"op\":\"view\",\"plot\":\"durations\",\"profiles\":[%u],"
      "\"options\":{\"stack_children\":true,\"combine_regions\":[\"a=s\"]}}",
      "{\"op\":\"errors\"}"};
  for (size_t i = 0; i < SP_ARRAY_LEN(formats); i++) {
    char text[512];
    snprintf(text, sizeof text, formats[i], (unsigned)h);
    for (uint64_t n = 1; n < 100000; n++) {
      sp_buf_free(&reply.bytes);
      sp_alloc_fail_at(n, false);
      sp_request(session, text, strlen(text), NULL, &reply);
      sp_alloc_fail_at(0, false);
      if (reply.status == SP_OK) break;
      CHECK(reply.status == SP_NOMEM || reply.status == SP_BAD_REQUEST);
    }
    CHECK_STATUS(reply.status, SP_OK);
  }
  sp_session_close(session, h, NULL);
}

/* Copies of good requests with bytes changed: any reply will do, but there must be one. */
static void damaged_requests_get_a_reply(void) {
  uint32_t h = open_profile(), seed = 1;
  char good[256];
  snprintf(good, sizeof good,
           "{\"op\":\"inspect\",\"profiles\":[%u],\"select\":{\"include\":[\"s.*\"],\"ranks\":[\"0-"
           "3\"]},"
           "\"sort\":\"p95\",\"flat\":true,\"privacy\":\"public\"}",
           (unsigned)h);
  for (int i = 0; i < 20000; i++) {
    char text[256];
    size_t n = strlen(good);
    memcpy(text, good, n);
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % n] = (char)(seed >> 24);
    }
    seed = seed * 1664525u + 1013904223u;
    if (seed >> 30 == 0) n = (seed >> 8) % n;
    sp_request(session, text, n, NULL, &reply);
    CHECK(reply.bytes.length > 0);
  }
  sp_session_close(session, h, NULL);
}

int main(void) {
  load_file();
  CHECK(file_bytes && file_size);
  session = sp_session_new();
  RUN(requests_that_are_not_json_are_refused);
  RUN(deep_nesting_ends_early);
  RUN(the_core_tells_about_itself);
  RUN(unknown_keys_and_ops_are_named);
  RUN(stale_handles_are_not_found);
  RUN(bytes_that_are_no_profile_are_closed_too);
  RUN(a_kept_analysis_gives_the_same_bytes);
  RUN(plots_are_payloads);
  RUN(out_of_memory_is_a_reply);
  RUN(damaged_requests_get_a_reply);
  sp_session_free(session);
  sp_buf_free(&reply.bytes);
  free(file_bytes);
  CHECK(sp_alloc_live() == 0);
  return CHECK_DONE();
}
