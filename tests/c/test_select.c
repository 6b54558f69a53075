/* test_select.c - which regions and ranks are kept. */
#include "fake_profile.h"
#include "lib/check.h"
#include "profile/select.h"

/* The ranks that a word list gives, as text: "0-3 8". */
static const char *ranks_of(const char *const *words, uint32_t count, sp_error *err) {
  static char text[240];
  sp_arena a = {0};
  sp_select s;
  size_t n = 0;
  text[0] = '\0';
  sp_error_clear(err);
  if (sp_select_parse(&a, NULL, 0, NULL, 0, words, count, &s, err) == SP_OK) {
    for (uint32_t i = 0; i < s.range_count; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%u-%u", n ? " " : "", s.ranges[i].first,
                            s.ranges[i].last);
  } else {
    CHECK_STATUS(err->code, SP_USAGE);
    CHECK_STR(err->path, "--ranks");
    snprintf(text, sizeof text, "%s", err->message);
  }
  sp_select_free(&s);
  sp_arena_free(&a);
  return text;
}
#define RANKS(...)                                                                                 \
  ranks_of((const char *const[]){__VA_ARGS__}, SP_ARRAY_LEN(((const char *const[]){__VA_ARGS__})), \
           &err)

static void rank_lists_are_sorted_and_joined(void) {
  sp_error err = {0};
  CHECK_STR(RANKS("0"), "0-0");
  CHECK_STR(RANKS("0", "2"), "0-0 2-2");
  CHECK_STR(RANKS("8,0-3"), "0-3 8-8");
  CHECK_STR(RANKS("3, 1,2", "0"), "0-3");
  CHECK_STR(RANKS("5-9,7,0-5"), "0-9");
  CHECK_STR(RANKS("4294967295,0-4294967294,3"), "0-4294967295");
}

static void malformed_rank_lists_are_quoted(void) {
  sp_error err = {0};
  CHECK_STR(RANKS("abc"), "\"abc\" is no rank list such as 0,2 or 0-3,8");
  CHECK(strstr(RANKS("0,,2"), "\"\" is no"));
  CHECK(strstr(RANKS("-1"), "\"-1\" is no"));
  CHECK(strstr(RANKS("0,1-2-3"), "\"1-2-3\" is no"));
  CHECK(strstr(RANKS("1-"), "\"1-\" is no"));
  CHECK(strstr(RANKS("4294967296"), "\"4294967296\" is no"));
  CHECK(strstr(RANKS("3-1"), "\"3-1\" runs backwards"));
  CHECK(strstr(RANKS(""), "is no rank list"));
}

/* The kept ranks of "rank 0, 1, 3": one digit each, or the message. */
static const char *kept_ranks(const char *list) {
  static char text[400];
  sp_profile *p = fake_profile("rank 0: a 0 1\nrank 1: b 0 1\nrank 3: a 0 1");
  sp_arena a = {0};
  sp_select s;
  sp_error err = {0};
  bool keep[3];
  CHECK_STATUS(sp_select_parse(&a, NULL, 0, NULL, 0, &list, 1, &s, &err), SP_OK);
  if (sp_select_ranks(&s, p, keep, &err) == SP_OK)
    snprintf(text, sizeof text, "%d%d%d", keep[0], keep[1], keep[2]);
  else
    snprintf(text, sizeof text, "%s %s", err.path, err.message);
  sp_select_free(&s);
  sp_arena_free(&a);
  fake_free(p);
  return text;
}

static void selected_ranks_are_kept(void) {
  CHECK_STR(kept_ranks("0"), "100");
  CHECK_STR(kept_ranks("3,1"), "011");
  CHECK_STR(kept_ranks("0-1,3"), "111");
}

static void a_rank_that_the_run_lacks_is_named(void) {
  CHECK_STR(kept_ranks("7"), "--ranks there is no rank 7; the run has ranks 0-1, 3");
  CHECK_STR(kept_ranks("0-3"), "--ranks there is no rank 2; the run has ranks 0-1, 3");
  CHECK_STR(kept_ranks("3-4294967295"), "--ranks there is no rank 4; the run has ranks 0-1, 3");
}

/* The kept regions of "ab, ac, b": one digit each. */
static const char *kept_regions(const char *include, const char *exclude) {
  static char text[240];
  sp_profile *p = fake_profile("rank 0: ab 0 1; ac 2 3; b 4 5");
  sp_arena a = {0};
  sp_select s;
  bool keep[3];
  CHECK_STATUS(
      sp_select_parse(&a, &include, include != NULL, &exclude, exclude != NULL, NULL, 0, &s, NULL),
      SP_OK);
  CHECK_STATUS(sp_select_regions(&s, p, keep, NULL), SP_OK);
  snprintf(text, sizeof text, "%d%d%d", keep[0], keep[1], keep[2]);
  sp_select_free(&s);
  sp_arena_free(&a);
  fake_free(p);
  return text;
}

static void regions_are_kept_by_include_and_not_exclude(void) {
  CHECK_STR(kept_regions(NULL, NULL), "111");
  CHECK_STR(kept_regions("a", NULL), "110");
  CHECK_STR(kept_regions(NULL, "ab"), "011");
  CHECK_STR(kept_regions("a", ".*c"), "100");
  CHECK_STR(kept_regions("c", NULL), "000");
}

static void without_a_selection_all_is_kept(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1\nrank 1: b 0 1");
  bool keep[2] = {false, false};
  CHECK_STATUS(sp_select_regions(NULL, p, keep, NULL), SP_OK);
  CHECK(keep[0] && keep[1]);
  keep[0] = keep[1] = false;
  CHECK_STATUS(sp_select_ranks(NULL, p, keep, NULL), SP_OK);
  CHECK(keep[0] && keep[1]);
  fake_free(p);
}

static void a_bad_pattern_names_its_option(void) {
  sp_arena a = {0};
  sp_select s;
  sp_error err = {0};
  const char *good[] = {"a", "b"}, *bad[] = {"a", "["};
  int64_t live = sp_alloc_live();
  CHECK_STATUS(sp_select_parse(&a, good, 2, bad, 2, NULL, 0, &s, &err), SP_USAGE);
  CHECK_STR(err.path, "--exclude");
  sp_select_free(&s);
  sp_arena_free(&a);
  CHECK_INT(sp_alloc_live(), live);
}

int main(void) {
  RUN(rank_lists_are_sorted_and_joined);
  RUN(malformed_rank_lists_are_quoted);
  RUN(selected_ranks_are_kept);
  RUN(a_rank_that_the_run_lacks_is_named);
  RUN(regions_are_kept_by_include_and_not_exclude);
  RUN(without_a_selection_all_is_kept);
  RUN(a_bad_pattern_names_its_option);
  return CHECK_DONE();
}
