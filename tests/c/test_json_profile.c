/* test_json_profile.c - JSON profiles: exact numbers, odd texts, damage in parts and as a whole. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "lib/check.h"
#include "read/gzip.h"
#include "read/json_outline.h"
#include "read/read.h"

#define HEAD "{\"format\": \"scope-profiler-profile\", \"format_version\": 1, \"num_ranks\": 1,"

/* Reads from a block that ends with the text, so that the sanitizer sees every step beyond. */
static sp_status open_text(sp_source *source, char **block, const char *text, size_t n,
                           sp_profile **p, sp_error *err) {
  *block = malloc(n ? n : 1);
  memcpy(*block, text, n);
  *source = sp_source_memory(*block, n);
  return sp_read(source, NULL, p, err);
}

/* A profile with its text, freed by done(). */
typedef struct opened {
  sp_source source;
  char *block;
  sp_profile *p;
  sp_error err;
  sp_status status;
} opened;

static opened read_text(const char *text) {
  opened o = {.p = NULL};
  o.status = open_text(&o.source, &o.block, text, strlen(text), &o.p, &o.err);
  return o;
}

static void done(opened *o) {
  sp_profile_free(o->p);
  free(o->block);
}

static void refused(const char *text, sp_status code, const char *path, const char *says) {
  opened o = read_text(text);
  CHECK_STATUS(o.status, code);
  CHECK_STR(o.err.path, path);
  CHECK(strstr(o.err.message, says) != NULL);
  if (!strstr(o.err.message, says)) fprintf(stderr, "  \"%s\" lacks \"%s\"\n", o.err.message, says);
  done(&o);
}

static void one_region(opened *o, const char *entry) {
  char text[2000];
  snprintf(text, sizeof text, HEAD "\"metadata\": {}, \"regions\": [%s]}", entry);
  *o = read_text(text);
  CHECK_STATUS(o->status, SP_OK);
  CHECK_STR(o->err.message, "");
}

static void warned(const opened *o, const char *code, const char *path, const char *says) {
  CHECK_INT(o->p->warnings.count, 1);
  if (o->p->warnings.count != 1) return;
  CHECK_STR(o->p->warnings.items[0].code, code);
  CHECK_STR(o->p->warnings.items[0].path, path);
  CHECK(strstr(o->p->warnings.items[0].message, says) != NULL);
}

static void integers_stay_exact_beyond_2_53(void) {
  opened o;
  one_region(&o, "{\"name\": \"a\", \"rank\": 0,"
                 "\"start_times_ns\": [9007199254740993, -9223372036854775807, 0],"
                 "\"end_times_ns\":[9007199254740995,-9223372036854775806,9223372036854775807],"
                 "\"call_ids\": [4611686018427387905, 1, 2], \"exclusive_total_ns\": "
                 "9007199254740993, \"gpu_durations_ns\": [1e3, 2.0, null]}");
  int64_t start[3], duration[3], ids[3], gpu[3];
  sp_calls c = {.start_ns = start, .duration_ns = duration, .call_id = ids, .gpu_ns = gpu};
  const sp_row *row = &o.p->ranks[0].rows[0];
  CHECK_STATUS(sp_profile_load_calls(o.p, row, &c, NULL, NULL), SP_OK);
  CHECK_INT(c.count, 3);
  CHECK_INT(start[0], 9007199254740993);
  CHECK_INT(start[1], -9223372036854775807);
  CHECK_INT(duration[0], 2);
  CHECK_INT(duration[1], 1);
  CHECK_INT(duration[2], INT64_MAX);
  CHECK_INT(ids[0], 4611686018427387905);
  CHECK_INT(gpu[0] * 10000 + gpu[1] * 10 + gpu[2], 1000 * 10000 + 2 * 10 - 1);
  CHECK_INT(row->exclusive_ns, 9007199254740993);
  CHECK_INT(row->columns, SP_COLUMN_GPU | SP_COLUMN_CALL_ID);
  done(&o);
}

static void metadata_keeps_its_kinds(void) {
  opened o = read_text(
      HEAD "\"metadata\": {\"i\": 9223372036854775807, \"u\": 18446744073709551615, \"f\": 0.1,"
           "\"t\": \"text\", \"b\": true, \"n\": null, \"nan\": NaN, \"l\": [1, 2.5, NaN],"
           "\"m\": [\"a\", 1, false], \"e\": [], \"o\": {\"x\": 1}, \"label\": \"run 1\","
           "\"start_time_ns\": 9007199254740993}, \"regions\": []}");
  CHECK_STATUS(o.status, SP_OK);
  const sp_metadata *m = &o.p->metadata;
  CHECK_INT(sp_metadata_get(m, "i")->integer, INT64_MAX);
  CHECK_INT(sp_metadata_get(m, "u")->kind, SP_VALUE_UINT);
  CHECK_INT(sp_metadata_get(m, "u")->integer, -1);
  CHECK(sp_metadata_get(m, "f")->real == 0.1);
  CHECK_STR(sp_metadata_get(m, "t")->text.p, "text");
  CHECK_INT(sp_metadata_get(m, "b")->kind, SP_VALUE_BOOL);
  CHECK(isnan(sp_metadata_get(m, "n")->real));
  CHECK(isnan(sp_metadata_get(m, "nan")->real));
  const sp_value *l = sp_metadata_get(m, "l"), *mixed = sp_metadata_get(m, "m");
  CHECK_INT(l->count, 3);
  CHECK_INT(l->items[0].integer, 1);
  CHECK(l->items[1].real == 2.5);
  CHECK(isnan(l->items[2].real));
  CHECK_INT(mixed->count, 3);
  CHECK_STR(mixed->items[0].text.p, "a");
  CHECK_INT(mixed->items[1].integer, 1);
  CHECK_INT(sp_metadata_get(m, "e")->count, 0);
  CHECK(sp_metadata_get(m, "o") == NULL);
  CHECK_STR(o.p->label.p, "run 1");
  CHECK(o.p->has_start_time);
  CHECK_INT(o.p->start_time_ns, 9007199254740993);
  warned(&o, "wrong-type", "/metadata", "\"o\"");
  done(&o);
}

static void names_are_bytes_with_nul_and_halves_of_pairs(void) {
  opened o;
  one_region(&o, "{\"name\": \"a\\u0000b\\ud83d\\ude00\\udc80\\ud800\\n\", \"rank\": 0,"
                 "\"start_times_ns\": [], \"end_times_ns\": []}");
  static const char want[] = "a\0b\xf0\x9f\x98\x80\x80\xef\xbf\xbd\n";
  CHECK_INT(o.p->regions[0].name.n, sizeof want - 1);
  CHECK(memcmp(o.p->regions[0].name.p, want, sizeof want) == 0);
  done(&o);
}

static void a_damaged_entry_costs_only_itself(void) {
  static const struct {
    const char *entry, *code, *says;
  } cases[] = {
      {"{\"rank\": 0, \"start_times_ns\": [1], \"end_times_ns\": [2]}", "missing-dataset", "name"},
      {"{\"name\": \"x\", \"start_times_ns\": [1], \"end_times_ns\": [2]}", "missing-dataset", "x"},
      {"{\"name\": \"x\", \"rank\": -1, \"start_times_ns\": [1], \"end_times_ns\": [2]}",
       "missing-dataset", "\"x\""},
      {"{\"name\": \"x\", \"rank\": 4294967296, \"start_times_ns\": [], \"end_times_ns\": []}",
       "missing-dataset", "\"x\""},
      {"{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [1]}", "missing-dataset", "rank 0"},
      {"{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [\"1\"], \"end_times_ns\": [2]}",
       "wrong-type", "rank 0"},
      {"{\"name\": \"x\", \"rank\": 0, \"aggregate\": {\"count\": 1}}", "missing-dataset", "total"},
      {"17", "missing-dataset", "name"},
  };
  for (size_t i = 0; i < SP_ARRAY_LEN(cases); i++) {
    char both[1000];
    opened o;
    snprintf(both, sizeof both,
             "{\"name\": \"good\", \"rank\": 0, \"start_times_ns\": [5],"
             "\"end_times_ns\": [9]}, %s",
             cases[i].entry);
    one_region(&o, both);
    CHECK_INT(o.p->region_count, 1);
    CHECK_INT(o.p->call_count, 1);
    warned(&o, cases[i].code, "/regions/1", cases[i].says);
    done(&o);
  }
}

static void odd_columns_are_left_out_by_name(void) {
  opened o;
  one_region(&o, "{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [1, 2], \"end_times_ns\": "
                 "[2, 3], \"thread_ids\": [0]}");
  warned(&o, "lengths-differ", "/regions/0", "thread_ids");
  CHECK_INT(o.p->ranks[0].rows[0].columns, 0);
  done(&o);
  one_region(&o, "{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [1, 2, 3], \"end_times_ns\": "
                 "[2, 3]}");
  warned(&o, "lengths-differ", "/regions/0", "3 starts, 2 ends");
  CHECK_INT(o.p->ranks[0].rows[0].count, 2);
  done(&o);
  one_region(&o, "{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [1], \"end_times_ns\": [2],"
                 "\"tags\": [\"a\", 5, \"b\"]}");
  warned(&o, "bad-tags", "/regions/0", "tags");
  CHECK_INT(o.p->ranks[0].rows[0].tag_count, 2);
  CHECK_STR(o.p->ranks[0].rows[0].tags[1].p, "b");
  done(&o);
}

static void metadata_of_calls_keeps_its_text(void) {
  opened o;
  one_region(&o, "{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [1, 2], \"end_times_ns\": "
                 "[2, 3], \"event_metadata\": [ {\"a\": [1, {\"b\": \"]}\\\"\"}]} , {} ]}");
  const sp_row *row = &o.p->ranks[0].rows[0];
  CHECK_INT(row->event_metadata_count, 2);
  CHECK_INT(o.p->warnings.count, 0);
  if (row->event_metadata_count == 2) {
    static const char want[] = "{\"a\": [1, {\"b\": \"]}\\\"\"}]}";
    CHECK_INT(row->event_metadata[0].n, sizeof want - 1);
    CHECK(memcmp(row->event_metadata[0].p, want, sizeof want - 1) == 0);
    CHECK_INT(row->event_metadata[1].n, 2);
  }
  done(&o);
  one_region(&o, "{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [1, 2], \"end_times_ns\": "
                 "[2, 3], \"event_metadata\": [{}]}");
  warned(&o, "bad-call-metadata", "/regions/0", "2 calls");
  CHECK(o.p->ranks[0].rows[0].event_metadata == NULL);
  done(&o);
}

static void calls_without_valid_times_are_left_out(void) {
  opened o;
  one_region(&o, "{\"name\": \"x\", \"rank\": 2, \"start_times_ns\": [1, null, 3, NaN, 5, 1.5, 7],"
                 "\"end_times_ns\": [2, 3, 1e300, 4, -1, 9, 6], \"thread_ids\": [9,8,7,6,5,4,3]}");
  int64_t start[7], duration[7], thread[7];
  sp_calls c = {.start_ns = start, .duration_ns = duration, .thread = thread};
  sp_warnings w = {.arena = &o.p->arena};
  CHECK_STATUS(sp_profile_load_calls(o.p, &o.p->ranks[0].rows[0], &c, &w, NULL), SP_OK);
  CHECK_INT(c.count, 1);
  CHECK_INT(duration[0], 1);
  CHECK_INT(thread[0], 9);
  CHECK_INT(w.count, 2);
  done(&o);
}

static void statistics_can_stand_in_place_of_calls(void) {
  opened o;
  one_region(&o, "{\"name\": \"x\", \"rank\": 0, \"aggregate\": {\"count\": 3, \"total\": 60,"
                 "\"minimum\": 10, \"maximum\": 30, \"exclusive\": 40, \"first\": 10, \"last\": 30,"
                 "\"start_minimum\": 5, \"end_maximum\": 95, \"gpu_count\": 1, \"gpu_total\": 7,"
                 "\"mean\": 20.0, \"m2\": 200.5}}");
  const sp_row *row = &o.p->ranks[0].rows[0];
  CHECK(row->is_aggregate);
  CHECK_INT(row->aggregate_calls, 3);
  CHECK_INT(row->aggregate_exclusive, 40);
  CHECK(row->summary != NULL);
  if (row->summary) {
    CHECK_INT(row->summary->end_maximum, 95);
    CHECK_INT(row->summary->gpu_count, 1);
    CHECK(row->summary->m2 == 200.5);
  }
  CHECK_INT(o.p->call_count, 3);
  CHECK(!sp_profile_has_calls(o.p));
  done(&o);
}

static void tables_are_read_under_their_ranks(void) {
  opened o = read_text(
      HEAD "\"regions\": [], \"threads\": {\"0\": [{\"index\": 1, \"name\": \"w\","
           "\"daemon\": true, \"end_ns\": -1}]}, \"tasks\": {\"0\": [{\"index\": 0,"
           "\"kind\": \"task\"}], \"x\": []},"
           "\"likwid\": {\"2\": {\"io/w\": {\"times\": [2.0, null], \"call_counts\": [1, 2],"
           "\"cpus\": [0, 1], \"event_names\": [\"E\"], \"metric_names\": [], \"metrics\": [],"
           "\"events\": [[1e9, NaN]]}}},"
           "\"line_profile\": {\"0\": [{\"region\": \"r\", \"line_numbers\": [2, 3],"
           "\"hits\": [1, 5], \"times\": [600, 4.5],"
           "\"unit\": 1e-9}, {\"line_numbers\": [1], \"hits\": []}]}}");
  CHECK_STATUS(o.status, SP_OK);
  CHECK_INT(o.p->rank_count, 2);
  const sp_rank *r0 = &o.p->ranks[0], *r2 = &o.p->ranks[1];
  CHECK_INT(r0->thread_count, 1);
  CHECK(r0->threads[0].daemon);
  CHECK_INT(r0->threads[0].cpu_ns, -1);
  CHECK_STR(r0->tasks[0].kind.p, "task");
  CHECK_INT(r2->number, 2);
  CHECK_INT(r2->likwid_count, 1);
  CHECK_STR(r2->likwid[0].tag.p, "io/w");
  CHECK(r2->likwid[0].events[0] == 1e9 && isnan(r2->likwid[0].events[1]));
  CHECK(isnan(r2->likwid[0].times[1]));
  CHECK_INT(r0->line_record_count, 1);
  CHECK(r0->lines[0].times[1] == 4.5);
  CHECK_INT(o.p->warnings.count, 2);
  done(&o);
}

static void what_is_no_profile_is_told(void) {
  refused("{}", SP_NOT_A_PROFILE, "", "no profile");
  refused("{\"format\": 5}", SP_NOT_A_PROFILE, "/format", "no profile");
  refused("{\"format\": \"x\"}", SP_NOT_A_PROFILE, "/format", "\"x\"");
  refused("{\"traceEvents\": []}", SP_NOT_A_PROFILE, "", "Chrome trace");
  refused("{\"format\": \"scope-profiler-profile\"}", SP_CORRUPT, "/format_version", "positive");
  refused("{\"format\": \"scope-profiler-profile\", \"format_version\": 2}", SP_SCHEMA_TOO_NEW,
          "/format_version", "newer");
  refused(HEAD "\"time_unit\": \"s\"}", SP_UNSUPPORTED, "/time_unit", "nanoseconds");
  refused(HEAD "\"a\": 1}", SP_CORRUPT, "/regions", "missing");
  refused(HEAD "\"regions\": [{\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [],"
               "\"end_times_ns\": []}, {\"name\": \"x\", \"rank\": 0, \"start_times_ns\": [],"
               "\"end_times_ns\": []}]}",
          SP_CORRUPT, "/regions", "two rows");
}

static void damage_is_placed_by_line_and_column(void) {
  refused("{\"a\": 1,\n  \"b\": 01}", SP_CORRUPT, "", "line 2, column 9");
  refused("{\"a\": [1, 2\n, ]}", SP_CORRUPT, "", "line 2, column 3");
  refused("{\"a\" 1}", SP_CORRUPT, "", "\":\" was expected");
  refused("{\"a\": nul}", SP_CORRUPT, "", "a value was expected");
  refused("{\"a\": \"\\x\"}", SP_CORRUPT, "", "escaped");
  refused("{\"a\": \"\\u12g4\"}", SP_CORRUPT, "", "hexadecimal");
  refused("{\"a\": +1}", SP_CORRUPT, "", "a value");
  refused("{\"a\": 1.}", SP_CORRUPT, "", "a value");
  refused("{\"a\": 1e}", SP_CORRUPT, "", "a value");
  refused("{\"a\": 1]", SP_CORRUPT, "", "end of the list");
  refused("{\"a\": 1} x", SP_CORRUPT, "", "the end of the text");
  refused("{\"a\": \"x", SP_CORRUPT, "", "cut off");
  refused("{\"a\": [1, 2", SP_CORRUPT, "", "cut off");
  refused("{\"event_metadata\": [{\"a\": 1}", SP_CORRUPT, "", "cut off");
}

/* {"a": ["x", ["x", ... 1 ... ]]} with `lists` lists */
static void nest(sp_buf *b, int lists) {
  sp_buf_clear(b);
  sp_buf_text(b, "{\"a\": ");
  sp_buf_repeat(b, "[\"x\", ", (size_t)lists);
  sp_buf_text(b, "1");
  sp_buf_repeat(b, "]", (size_t)lists);
  sp_buf_text(b, "}");
  sp_buf_char(b, '\0');
}

static void nesting_is_bounded(void) {
  sp_buf b = {0};
  nest(&b, 63);
  refused(b.data, SP_NOT_A_PROFILE, "", "format"); /* 64 deep is fine */
  nest(&b, 64);
  refused(b.data, SP_CORRUPT, "", "nests deeper than 64");
  nest(&b, 100000);
  refused(b.data, SP_CORRUPT, "", "nests deeper than 64");
  sp_buf_free(&b);
}

static const char document[] =
    HEAD "\"metadata\": {\"label\": \"fuzz\", \"list\": [1, \"two\", NaN]}, \"regions\": [{"
         "\"name\": \"a\\u00e9\", \"rank\": 0, \"tags\": [\"t\"], \"start_times_ns\": [1, 20],"
         "\"end_times_ns\": [15, 33], \"event_metadata\": [{\"k\": \"v\"}, {}],"
         "\"thread_ids\": [0, -1]},"
         "{\"name\": \"b\", \"rank\": 1, \"aggregate\": {\"count\": 2, \"total\": 9}}],"
         "\"threads\": {\"0\": [{\"index\": 0, \"name\": \"main\"}]}}";

static void a_text_cut_anywhere_is_an_error(void) {
  for (size_t n = 1; n < sizeof document - 1; n++) {
    opened o = {.p = NULL};
    CHECK_STATUS(open_text(&o.source, &o.block, document, n, &o.p, &o.err), SP_CORRUPT);
    done(&o);
  }
}

static void damaged_bytes_never_do_harm(void) {
  static const char bytes[] = "{}[],:\"\\0195eE.-+ntfNI \n\xff\x80";
  uint32_t seed = 3;
  for (int round = 0; round < 20000; round++) {
    char text[sizeof document];
    memcpy(text, document, sizeof document);
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      text[1 + (seed >> 16) % (sizeof document - 2)] = bytes[(seed >> 8) % (sizeof bytes - 1)];
    }
    opened o = {.p = NULL};
    if (open_text(&o.source, &o.block, text, sizeof document - 1, &o.p, &o.err) == SP_OK) {
      for (uint32_t i = 0; i < o.p->rank_count; i++) {
        for (uint32_t k = 0; k < o.p->ranks[i].row_count; k++) {
          int64_t start[8], duration[8];
          sp_calls c = {.start_ns = start, .duration_ns = duration};
          if (o.p->ranks[i].rows[k].count <= 8)
            sp_profile_load_calls(o.p, &o.p->ranks[i].rows[k], &c, &o.p->warnings, NULL);
        }
      }
    }
    done(&o);
  }
}

static void running_out_of_memory_is_a_status(void) {
  sp_status status = SP_NOMEM;
  int64_t live = sp_alloc_live();
  uint64_t n = 1;
  for (; status == SP_NOMEM && n < 500; n++) {
    sp_source source = sp_source_memory(document, sizeof document - 1);
    sp_profile *p;
    sp_alloc_fail_at(n, false);
    status = sp_read(&source, NULL, &p, NULL);
    sp_alloc_fail_at(0, false);
    sp_profile_free(p);
    CHECK_INT(sp_alloc_live(), live);
  }
  CHECK_STATUS(status, SP_OK);
  CHECK(n > 20);
}

static void budgets_hold(void) {
  sp_source source = sp_source_memory(document, sizeof document - 1);
  sp_read_limits small = {.other_bytes = 2000}, calls = {.calls = 1}, names = {.names = 1};
  sp_profile *p;
  CHECK_STATUS(sp_read(&source, &small, &p, NULL), SP_TOO_LARGE);
  CHECK_STATUS(sp_read(&source, &calls, &p, NULL), SP_TOO_LARGE);
  CHECK_STATUS(sp_read(&source, &names, &p, NULL), SP_TOO_LARGE);
}

static void gzip_frames_are_checked(void) {
  /* a stored block of "abc" with name and comment in the header, as gzip -N writes */
  static const unsigned char good[] = "\x1f\x8b\x08\x18\0\0\0\0\0\xff"
                                      "name\0"
                                      "note\0"
                                      "\x01\x03\x00\xfc\xff"
                                      "abc"
                                      "\xc2\x41\x24\x35\x03\0\0\0";
  char out[8] = "";
  size_t took, gave, n = sizeof good - 1;
  CHECK_INT(sp_gzip_unpack(good, n, out, 8, &took, &gave), SP_GZIP_DONE);
  CHECK_INT(gave, 3);
  CHECK_INT(took, n);
  CHECK_STR(out, "abc");
  CHECK_INT(sp_gzip_unpack(good, n, out, 2, &took, &gave), SP_GZIP_FULL);
  for (size_t i = 0; i < n; i++) {
    unsigned char *cut = malloc(i ? i : 1);
    memcpy(cut, good, i);
    CHECK_INT(sp_gzip_unpack(cut, i, out, 8, &took, &gave), SP_GZIP_DAMAGED);
    free(cut);
  }
  for (size_t i = 21; i < n; i++) { /* behind the header and the block's type every byte counts */
    unsigned char bad[sizeof good];
    memcpy(bad, good, sizeof good);
    bad[i] ^= 0x40;
    CHECK(sp_gzip_unpack(bad, n, out, 8, &took, &gave) != SP_GZIP_DONE);
  }
}

int main(void) {
  RUN(integers_stay_exact_beyond_2_53);
  RUN(metadata_keeps_its_kinds);
  RUN(names_are_bytes_with_nul_and_halves_of_pairs);
  RUN(a_damaged_entry_costs_only_itself);
  RUN(odd_columns_are_left_out_by_name);
  RUN(metadata_of_calls_keeps_its_text);
  RUN(calls_without_valid_times_are_left_out);
  RUN(statistics_can_stand_in_place_of_calls);
  RUN(tables_are_read_under_their_ranks);
  RUN(what_is_no_profile_is_told);
  RUN(damage_is_placed_by_line_and_column);
  RUN(nesting_is_bounded);
  RUN(a_text_cut_anywhere_is_an_error);
  RUN(damaged_bytes_never_do_harm);
  RUN(running_out_of_memory_is_a_status);
  RUN(budgets_hold);
  RUN(gzip_frames_are_checked);
  return CHECK_DONE();
}
