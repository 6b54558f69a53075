/* test_inspect_json.c - the inspect document, byte by byte where it matters. */
#include "fake_profile.h"
#include "lib/check.h"
#include "write/inspect_json.h"

/* The document of a profile's analysis at a level. */
static const char *document(sp_profile *p, sp_privacy level, void (*edit)(sp_analysis *)) {
  static sp_buf b;
  sp_arena a = {0};
  sp_analysis an;
  sp_buf_clear(&b);
  CHECK_STATUS(sp_analyse(p, NULL, NULL, &a, &an, NULL), SP_OK);
  if (edit) edit(&an);
  sp_inspect_json_begin(&b, level);
  sp_inspect_json_profile(&b, true, "dir/run.h5", &an, level);
  sp_inspect_json_end(&b, true);
  CHECK(!b.failed);
  sp_buf_char(&b, '\0');
  sp_arena_free(&a);
  return b.data;
}

static void put(sp_profile *p, const char *key, sp_value v) {
  CHECK(sp_metadata_put(&p->metadata, &p->arena, sp_str_of(key), v));
}

static sp_value text(const char *t) {
  return (sp_value){.kind = SP_VALUE_TEXT, .text = sp_str_of(t)};
}

static void no_profile_gives_an_empty_list(void) {
  sp_buf b = {0};
  sp_inspect_json_begin(&b, SP_PRIVACY_TEAM);
  sp_inspect_json_end(&b, false);
  sp_buf_char(&b, '\0');
  CHECK_STR(b.data, "{\n  \"format\": \"profscope.inspect\",\n  \"format_version\": 1,\n"
                    "  \"privacy\": \"team\",\n  \"profiles\": []\n}\n");
  sp_buf_free(&b);
}

static void a_document_has_its_keys_in_order(void) {
  sp_profile *p = fake_profile("rank 2: solve 10 19; step 11 13");
  static const sp_str tags[] = {{"hot", 3}, {"a\"b", 3}};
  sp_row *row = fake_find(p, 2, "solve");
  row->tags = tags;
  row->tag_count = 2;
  row->source_file = SP_STR("src/solve.py");
  row->source_line = 7;
  CHECK_STR(
      document(p, SP_PRIVACY_FULL, NULL),
      "{\n  \"format\": \"profscope.inspect\",\n  \"format_version\": 1,\n"
      "  \"privacy\": \"full\",\n  \"profiles\": [\n    {\n"
      "      \"path\": \"dir/run.h5\",\n      \"label\": null,\n      \"schema\": 3,\n"
      "      \"layout\": \"columnar\",\n      \"num_ranks\": 3,\n      \"num_nodes\": null,\n"
      "      \"ranks\": [2],\n      \"origin\": \"10\",\n      \"span_ns\": 9,\n"
      "      \"aligned\": false,\n      \"session_ns\": null,\n"
      "      \"setup_to_finalize_ns\": null,\n      \"metadata\": {},\n      \"warnings\": [],\n"
      "      \"regions\": [\n        {\n          \"name\": \"solve\",\n"
      "          \"calls\": 1,\n          \"num_ranks\": 1,\n          \"total_ns\": 9,\n"
      "          \"exclusive_ns\": 7,\n          \"coverage_ns\": 9,\n          \"avg_ns\": 9,\n"
      "          \"min_ns\": 9,\n          \"max_ns\": 9,\n          \"first_ns\": 9,\n"
      "          \"last_ns\": 9,\n          \"std_ns\": 0,\n          \"p50_ns\": 9,\n"
      "          \"p95_ns\": 9,\n          \"p99_ns\": 9,\n          \"imbalance_pct\": 0,\n"
      "          \"gpu_total_ns\": null,\n          \"gpu_avg_ns\": null,\n"
      "          \"tags\": [\"hot\", \"a\\\"b\"],\n          \"source\": {\n"
      "            \"file\": \"src/solve.py\",\n            \"line\": 7\n          },\n"
      "          \"per_rank\": [\n            {\n              \"rank\": 2,\n"
      "              \"calls\": 1,\n              \"total_ns\": 9,\n"
      "              \"exclusive_ns\": 7\n            }\n          ]\n        },\n"
      "        {\n          \"name\": \"step\",\n"
      "          \"calls\": 1,\n          \"num_ranks\": 1,\n          \"total_ns\": 2,\n"
      "          \"exclusive_ns\": 2,\n          \"coverage_ns\": 2,\n          \"avg_ns\": 2,\n"
      "          \"min_ns\": 2,\n          \"max_ns\": 2,\n          \"first_ns\": 2,\n"
      "          \"last_ns\": 2,\n          \"std_ns\": 0,\n          \"p50_ns\": 2,\n"
      "          \"p95_ns\": 2,\n          \"p99_ns\": 2,\n          \"imbalance_pct\": 0,\n"
      "          \"gpu_total_ns\": null,\n          \"gpu_avg_ns\": null,\n"
      "          \"tags\": [],\n          \"source\": null,\n"
      "          \"per_rank\": [\n            {\n              \"rank\": 2,\n"
      "              \"calls\": 1,\n              \"total_ns\": 2,\n"
      "              \"exclusive_ns\": 2\n            }\n          ]\n        }\n      ],\n"
      "      \"rows\": [\n        {\n          \"path\": [\"solve\"],\n"
      "          \"calls\": 1,\n          \"num_ranks\": 1,\n          \"total_ns\": 9,\n"
      "          \"exclusive_ns\": 7,\n          \"coverage_ns\": 9,\n          \"avg_ns\": 9,\n"
      "          \"min_ns\": 9,\n          \"max_ns\": 9,\n          \"first_ns\": 9,\n"
      "          \"last_ns\": 9,\n          \"std_ns\": 0,\n          \"p50_ns\": 9,\n"
      "          \"p95_ns\": 9,\n          \"p99_ns\": 9,\n          \"imbalance_pct\": 0,\n"
      "          \"gpu_total_ns\": null,\n          \"gpu_avg_ns\": null,\n"
      "          \"depth\": 0,\n          \"recursive\": false,\n          \"start_ns\": 0,\n"
      "          \"session_pct\": null,\n          \"parent_pct\": null\n        },\n"
      "        {\n          \"path\": [\"solve\", \"step\"],\n"
      "          \"calls\": 1,\n          \"num_ranks\": 1,\n          \"total_ns\": 2,\n"
      "          \"exclusive_ns\": 2,\n          \"coverage_ns\": 2,\n          \"avg_ns\": 2,\n"
      "          \"min_ns\": 2,\n          \"max_ns\": 2,\n          \"first_ns\": 2,\n"
      "          \"last_ns\": 2,\n          \"std_ns\": 0,\n          \"p50_ns\": 2,\n"
      "          \"p95_ns\": 2,\n          \"p99_ns\": 2,\n          \"imbalance_pct\": 0,\n"
      "          \"gpu_total_ns\": null,\n          \"gpu_avg_ns\": null,\n"
      "          \"depth\": 1,\n          \"recursive\": false,\n          \"start_ns\": 1,\n"
      "          \"session_pct\": null,\n          \"parent_pct\": 22.22222222222222\n"
      "        }\n      ]\n    }\n  ]\n}\n");
  fake_free(p);
}

static void metadata_is_typed(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1");
  sp_value list[] = {
      {.kind = SP_VALUE_INT, .integer = 1}, text("x\n"), {.kind = SP_VALUE_FLOAT, .real = NAN}};
  put(p, "big", (sp_value){.kind = SP_VALUE_UINT, .integer = -1});
  put(p, "exact", (sp_value){.kind = SP_VALUE_INT, .integer = INT64_MIN});
  put(p, "flag", (sp_value){.kind = SP_VALUE_BOOL, .integer = 1});
  put(p, "list", (sp_value){.kind = SP_VALUE_LIST, .items = list, .count = 3});
  put(p, "none", (sp_value){.kind = SP_VALUE_LIST});
  put(p, "real", (sp_value){.kind = SP_VALUE_FLOAT, .real = 0.1});
  put(p, "text", text("\x7f\xE2\x80\xA8\xFF"));
  CHECK(strstr(
      document(p, SP_PRIVACY_FULL, NULL),
      "      \"metadata\": {\n        \"big\": 18446744073709551615,\n"
      "        \"exact\": -9223372036854775808,\n        \"flag\": true,\n"
      "        \"list\": [1, \"x\\n\", null],\n        \"none\": [],\n        \"real\": 0.1,\n"
      "        \"text\": \"\\u007f\\u2028\xEF\xBF\xBD\"\n      },\n"));
  fake_free(p);
}

static void public_documents_hold_nothing_private(void) {
  sp_profile *p = fake_profile("rank 0: ada 0 1");
  static const sp_str tags[] = {{"for ada", 7}};
  sp_row *row = fake_find(p, 0, "ada");
  row->tags = tags;
  row->tag_count = 1;
  row->source_file = SP_STR("/home/ada/x.py");
  put(p, "label", text("ada at 10.1.2.3"));
  put(p, "mpi_size", text("1"));
  put(p, "user", text("ada"));
  p->label = sp_metadata_text(&p->metadata, "label");
  const char *d = document(p, SP_PRIVACY_PUBLIC, NULL);
  CHECK(strstr(d, "\"path\": \"run.h5\""));
  CHECK(strstr(d, "\"label\": \"[user] at [ip]\",\n      \"schema\""));
  CHECK(strstr(d, "\"metadata\": {\n        \"label\": \"[user] at [ip]\",\n        \"mpi_size\": "
                  "\"1\"\n      }"));
  CHECK(strstr(d, "\"tags\": [\"for [user]\"]"));
  CHECK(strstr(d, "\"file\": \"x.py\",\n            \"line\": null"));
  CHECK(strstr(d, "\"name\": \"ada\"")); /* names never change */
  CHECK(!strstr(d, "/home"));
  fake_free(p);
}

static void source_and_tags_come_from_the_lowest_ranks(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1\nrank 1: a 0 1\nrank 2: a 0 1");
  static const sp_str tags[] = {{"late", 4}};
  fake_find(p, 1, "a")->tags = tags;
  fake_find(p, 1, "a")->tag_count = 1;
  fake_find(p, 1, "a")->source_line = 4;
  fake_find(p, 2, "a")->source_line = 5;
  fake_find(p, 2, "a")->source_file = SP_STR("a.py");
  const char *d = document(p, SP_PRIVACY_FULL, NULL);
  CHECK(strstr(d, "\"tags\": [],"));
  CHECK(strstr(d, "\"file\": \"a.py\",\n            \"line\": 4\n"));
  fake_free(p);
}

static void names_that_are_not_utf_8_stay_apart_and_are_told(void) {
  sp_profile *p = fake_profile("rank 0: a\xFF 0 9; a\xFE 1 2; b 3 4");
  const char *d = document(p, SP_PRIVACY_FULL, NULL);
  CHECK(strstr(d, "\"name\": \"a\\\\xff\""));
  CHECK(strstr(d, "\"path\": [\"a\\\\xff\", \"a\\\\xfe\"]"));
  CHECK(strstr(d,
               "      \"warnings\": [\n        {\n          \"code\": \"names-changed\",\n"
               "          \"path\": \"/\",\n          \"message\": \"2 region names are not UTF-8; "
               "their invalid bytes are written as \\\\xNN\"\n        }\n      ],\n"));
  fake_free(p);
}

static void regions_without_calls_have_no_values(void) {
  sp_profile *p = fake_profile("rank 0: idle");
  const char *d = document(p, SP_PRIVACY_FULL, NULL);
  CHECK(strstr(d, "\"origin\": \"0\",\n      \"span_ns\": 0,"));
  CHECK(strstr(
      d, "          \"path\": [\"idle\"],\n          \"calls\": 0,\n          \"num_ranks\": "));
  CHECK(strstr(
      d,
      "          \"total_ns\": 0,\n          \"exclusive_ns\": 0,\n          \"coverage_ns\": 0,\n"
      "          \"avg_ns\": null,\n          \"min_ns\": null,\n          \"max_ns\": null,\n"
      "          \"first_ns\": null,\n          \"last_ns\": null,\n          \"std_ns\": null,\n"
      "          \"p50_ns\": null,\n          \"p95_ns\": null,\n          \"p99_ns\": null,\n"
      "          \"imbalance_pct\": 0,\n          \"gpu_total_ns\": null,\n"
      "          \"gpu_avg_ns\": null,\n          \"depth\": 0,\n          \"recursive\": false,\n"
      "          \"start_ns\": null,\n          \"session_pct\": null,\n          \"parent_pct\": "
      "null\n"));
  fake_free(p);
}

static void make_totals_enormous(sp_analysis *an) {
  an->regions[0].stats.total_ns = (sp_i128)INT64_MAX * 1000;
  an->warnings.dropped = 3;
}

static void sums_beyond_64_bits_stay_exact(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1");
  const char *d = document(p, SP_PRIVACY_FULL, make_totals_enormous);
  CHECK(strstr(d, "\"total_ns\": 9223372036854775807000,"));
  CHECK(strstr(d, "\"code\": \"limit\",\n          \"path\": \"/\",\n"
                  "          \"message\": \"3 more warnings are not listed\""));
  fake_free(p);
}

/* c0 holds c1 holds c2 ...: the paths of 2000 rows have two million names. */
static void deep_trees_are_written(void) {
  enum { DEPTH = 2000 };
  static int64_t starts[DEPTH], durations[DEPTH];
  sp_profile *p = fake_profile_new();
  fake_rank(p, 0);
  for (int i = 0; i < DEPTH; i++) {
    char name[16];
    snprintf(name, sizeof name, "c%d", i);
    starts[i] = i;
    durations[i] = 2 * (DEPTH - i);
    fake_row(p, name, 1, &starts[i], &durations[i]);
  }
  fake_finish(p);
  const char *d = document(p, SP_PRIVACY_FULL, NULL);
  CHECK(strstr(d, "\"c1997\", \"c1998\", \"c1999\"],\n"));
  CHECK(strstr(d, "\"depth\": 1999,\n"));
  fake_free(p);
}

static void memory_that_runs_out_shows_in_the_buffer(void) {
  sp_profile *p = fake_profile("rank 0: a 0 9; b 1 2");
  put(p, "user", text("ada"));
  sp_arena a = {0};
  sp_analysis an;
  CHECK_STATUS(sp_analyse(p, NULL, NULL, &a, &an, NULL), SP_OK);
  int64_t live = sp_alloc_live();
  for (uint64_t n = 1; n < 100; n++) {
    sp_buf b = {0};
    sp_alloc_fail_at(n, true);
    sp_inspect_json_begin(&b, SP_PRIVACY_PUBLIC);
    sp_inspect_json_profile(&b, true, "x.h5", &an, SP_PRIVACY_PUBLIC);
    sp_inspect_json_end(&b, true);
    sp_alloc_fail_at(0, false);
    bool done = !b.failed;
    sp_buf_free(&b);
    CHECK_INT(sp_alloc_live(), live);
    if (done) break;
    CHECK(n < 99);
  }
  sp_arena_free(&a);
  fake_free(p);
}

int main(void) {
  RUN(no_profile_gives_an_empty_list);
  RUN(a_document_has_its_keys_in_order);
  RUN(metadata_is_typed);
  RUN(public_documents_hold_nothing_private);
  RUN(source_and_tags_come_from_the_lowest_ranks);
  RUN(names_that_are_not_utf_8_stay_apart_and_are_told);
  RUN(regions_without_calls_have_no_values);
  RUN(sums_beyond_64_bits_stay_exact);
  RUN(deep_trees_are_written);
  RUN(memory_that_runs_out_shows_in_the_buffer);
  return CHECK_DONE();
}
