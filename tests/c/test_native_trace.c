/* test_native_trace.c - .spt traces of both versions and byte orders.
 *
 *   solve  |====|     |=====|        rank 3: [10,15] [20,33]
 *   io      |                        [1,2]                    */
#include <stdlib.h>

#include "base/arena.h"
#include "lib/check.h"
#include "read/read.h"

enum { ROOM = 400 };

/* Trace bytes being put together. */
typedef struct trace {
  unsigned char bytes[ROOM];
  size_t n;
  bool big;
} trace;

static void put(trace *t, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; i++)
    t->bytes[t->n++] = (unsigned char)(value >> 8 * (t->big ? size - 1 - i : i));
}

static void put_text(trace *t, const char *text) {
  size_t n = strlen(text);
  put(t, n, 4);
  memcpy(t->bytes + t->n, text, n);
  t->n += n;
}

static void put_region(trace *t, int version, const char *name, const int64_t *times, uint64_t n) {
  put_text(t, name);
  if (version == 2) {
    put_text(t, "a.f90");
    put(t, 7, 4);
  }
  put(t, n, 8);
  for (uint64_t i = 0; i < 2 * n; i++) put(t, (uint64_t)times[i], 8);
}

/* Starts first, then ends. */
static const int64_t solve[] = {10, 20, 15, 33}, io[] = {1, 2};

static trace make(int version, bool big) {
  trace t = {.big = big};
  memcpy(t.bytes, "SCOPEPRF", 8);
  t.n = 8;
  put(&t, (uint64_t)version, 4);
  put(&t, 3, 4);
  put(&t, 2, 8);
  put_region(&t, version, "solve", solve, 2);
  put_region(&t, version, "io", io, 1);
  return t;
}

static sp_status open_bytes(sp_source *source, const void *bytes, size_t n, sp_profile **p,
                            sp_error *err) {
  *source = sp_source_memory(bytes, n);
  return sp_read(source, NULL, p, err);
}

static void every_version_and_byte_order_reads_alike(void) {
  for (int version = 1; version <= 2; version++) {
    for (int big = 0; big < 2; big++) {
      trace t = make(version, big);
      sp_source source;
      sp_profile *p;
      sp_error err = {0};
      CHECK_STATUS(open_bytes(&source, t.bytes, t.n, &p, &err), SP_OK);
      CHECK_STR(err.message, "");
      if (!p) continue;
      CHECK_INT(p->layout, SP_LAYOUT_NATIVE_TRACE);
      CHECK_INT(p->schema, version);
      CHECK_INT(p->num_ranks, 4);
      CHECK_INT(p->rank_count, 1);
      CHECK_INT(p->ranks[0].number, 3);
      CHECK_INT(p->ranks[0].row_count, 2);
      CHECK_INT(p->call_count, 3);
      CHECK_STR(p->regions[0].name.p, "solve");
      const sp_row *row = &p->ranks[0].rows[0];
      CHECK_INT(row->source_line, version == 2 ? 7 : -1);
      CHECK_STR(row->source_file.p ? row->source_file.p : "", version == 2 ? "a.f90" : "");
      int64_t start[2], duration[2], gpu[2];
      sp_calls calls = {.start_ns = start, .duration_ns = duration, .gpu_ns = gpu};
      CHECK_STATUS(sp_profile_load_calls(p, row, &calls, NULL, NULL), SP_OK);
      CHECK_INT(calls.count, 2);
      CHECK_INT(start[1], 20);
      CHECK_INT(duration[0], 5);
      CHECK_INT(duration[1], 13);
      CHECK(calls.gpu_ns == NULL);
      sp_profile_free(p);
    }
  }
}

static void a_trace_cut_anywhere_is_cut_off(void) {
  trace t = make(2, false);
  for (size_t n = 9; n < t.n; n++) {
    unsigned char *exact = malloc(n);
    memcpy(exact, t.bytes, n);
    sp_source source;
    sp_profile *p;
    sp_error err = {0};
    CHECK_STATUS(open_bytes(&source, exact, n, &p, &err), SP_CORRUPT);
    CHECK(strstr(err.message, "cut off") != NULL);
    free(exact);
  }
}

static void trailing_bytes_are_refused(void) {
  trace t = make(1, false);
  sp_source source;
  sp_profile *p;
  sp_error err = {0};
  CHECK_STATUS(open_bytes(&source, t.bytes, t.n + 3, &p, &err), SP_CORRUPT);
  CHECK(strstr(err.message, "3 trailing byte(s)") != NULL);
}

static void a_newer_version_is_told_from_damage(void) {
  sp_source source;
  sp_profile *p;
  trace t = make(3, true);
  CHECK_STATUS(open_bytes(&source, t.bytes, t.n, &p, NULL), SP_SCHEMA_TOO_NEW);
  t = make(0x12345678, false);
  CHECK_STATUS(open_bytes(&source, t.bytes, t.n, &p, NULL), SP_CORRUPT);
}

static void of_a_repeated_name_the_last_calls_count(void) {
  trace t = make(1, false);
  memcpy(t.bytes + 16, "\3", 1); /* three regions */
  put_region(&t, 1, "solve", io, 1);
  sp_source source;
  sp_profile *p;
  CHECK_STATUS(open_bytes(&source, t.bytes, t.n, &p, NULL), SP_OK);
  if (!p) return;
  CHECK_INT(p->region_count, 2);
  CHECK_INT(p->call_count, 2);
  CHECK_INT(p->warnings.count, 1);
  CHECK_STR(p->warnings.items[0].code, "index");
  sp_profile_free(p);
}

static void calls_that_cannot_be_are_left_out_with_a_warning(void) {
  static const int64_t times[] = {10, 20, INT64_MIN, 15, -1, INT64_MAX};
  trace t = {.n = 8};
  memcpy(t.bytes, "SCOPEPRF", 8);
  put(&t, 1, 4), put(&t, 0, 4), put(&t, 1, 8);
  put_region(&t, 1, "solve", times, 3);
  sp_source source;
  sp_profile *p;
  CHECK_STATUS(open_bytes(&source, t.bytes, t.n, &p, NULL), SP_OK);
  if (!p) return;
  int64_t start[3], duration[3];
  sp_calls calls = {.start_ns = start, .duration_ns = duration};
  sp_warnings warnings = {.arena = &p->arena};
  CHECK_STATUS(sp_profile_load_calls(p, &p->ranks[0].rows[0], &calls, &warnings, NULL), SP_OK);
  CHECK_INT(calls.count, 1);
  CHECK_INT(duration[0], 5);
  CHECK_INT(warnings.count, 2);
  sp_profile_free(p);
}

static void limits_hold(void) {
  trace t = make(1, false);
  sp_source source = sp_source_memory(t.bytes, t.n);
  sp_profile *p;
  sp_read_limits calls = {.calls = 2}, names = {.names = 1};
  CHECK_STATUS(sp_read(&source, &calls, &p, NULL), SP_TOO_LARGE);
  CHECK_STATUS(sp_read(&source, &names, &p, NULL), SP_TOO_LARGE);
}

static void damaged_bytes_never_do_harm(void) {
  trace good = make(2, false);
  uint32_t seed = 7;
  for (int round = 0; round < 30000; round++) {
    trace t = good;
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      t.bytes[8 + (seed >> 16) % (t.n - 8)] = (unsigned char)(seed >> 8);
    }
    unsigned char *exact = malloc(t.n);
    memcpy(exact, t.bytes, t.n);
    sp_source source;
    sp_profile *p;
    if (open_bytes(&source, exact, t.n, &p, NULL) == SP_OK) sp_profile_free(p);
    free(exact);
  }
}

static void running_out_of_memory_is_a_status(void) {
  trace t = make(2, false);
  sp_status status = SP_NOMEM;
  int64_t live = sp_alloc_live();
  for (uint64_t n = 1; status == SP_NOMEM && n < 200; n++) {
    sp_source source;
    sp_profile *p;
    sp_alloc_fail_at(n, false);
    status = open_bytes(&source, t.bytes, t.n, &p, NULL);
    sp_alloc_fail_at(0, false);
    sp_profile_free(p);
    CHECK_INT(sp_alloc_live(), live);
  }
  CHECK_STATUS(status, SP_OK);
}

int main(void) {
  RUN(every_version_and_byte_order_reads_alike);
  RUN(a_trace_cut_anywhere_is_cut_off);
  RUN(trailing_bytes_are_refused);
  RUN(a_newer_version_is_told_from_damage);
  RUN(of_a_repeated_name_the_last_calls_count);
  RUN(calls_that_cannot_be_are_left_out_with_a_warning);
  RUN(limits_hold);
  RUN(damaged_bytes_never_do_harm);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_DONE();
}
