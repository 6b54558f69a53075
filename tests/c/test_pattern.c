/* test_pattern.c - regular expressions on names. */
#include "base/arena.h"
#include "base/pattern.h"
#include "lib/check.h"

static bool matches_bytes(const char *pattern, sp_str name) {
  sp_pattern *p;
  bool matches = false;
  sp_error err = {0};
  CHECK_STATUS(sp_pattern_compile(pattern, "--include", &p, &err), SP_OK);
  if (!p) return false;
  CHECK_STATUS(sp_pattern_match(p, name, &matches, &err), SP_OK);
  sp_pattern_free(p);
  return matches;
}

static bool matches(const char *pattern, const char *name) {
  return matches_bytes(pattern, sp_str_of(name));
}

static void patterns_match_at_the_start_only(void) {
  CHECK(matches("solve", "solve"));
  CHECK(matches("solve", "solver: cg"));
  CHECK(!matches("solve", "presolve"));
  CHECK(!matches("solve$", "solver"));
  CHECK(matches(".*solve", "presolve"));
  CHECK(!matches("x|solve", "presolve"));
  CHECK(matches("", "anything"));
  CHECK(matches("^$", ""));
}

static void the_usual_syntax_works(void) {
  CHECK(matches("kernel: push_(?!eta)", "kernel: push_v"));
  CHECK(!matches("kernel: push_(?!eta)", "kernel: push_eta"));
  CHECK(matches("(?P<n>a)(?P=n)", "aa"));
  CHECK(matches("[^a-c]{2,3}?\\d+\\s\\bx", "de42 x"));
  CHECK(!matches("Solve", "solve"));
  CHECK(matches("(?i)Solve", "solve"));
}

static void classes_know_unicode(void) {
  CHECK(matches("\\w+$", "gr\xC3\xB6\xC3\x9F"
                         "e"));
  CHECK(matches("^.$", "\xE4\xBD\xA0"));
}

static void names_that_are_not_utf_8_match_with_replacements(void) {
  CHECK(matches_bytes("a.b$", SP_STR("a\xFF"
                                     "b")));
  CHECK(matches_bytes("a\xEF\xBF\xBD", SP_STR("a\xFF"
                                              "b")));
  CHECK(matches_bytes("a\\x00b$", SP_STR("a\0b")));
  CHECK(matches_bytes("$", (sp_str){0}));
}

static void a_bad_pattern_names_its_column(void) {
  sp_pattern *p;
  sp_error err = {0};
  CHECK_STATUS(sp_pattern_compile("caf\xC3\xA9(", "--exclude", &p, &err), SP_USAGE);
  CHECK(!p);
  CHECK_STR(err.path, "--exclude");
  CHECK_STR(err.message, "bad pattern \"caf\xC3\xA9(\": column 6: missing closing parenthesis");
  sp_error_clear(&err);
  CHECK_STATUS(sp_pattern_compile("*a", "--include", &p, &err), SP_USAGE);
  CHECK(strstr(err.message, "column 1:") || strstr(err.message, "column 2:"));
  sp_error_clear(&err);
  CHECK_STATUS(sp_pattern_compile("a\xFF", "--include", &p, &err), SP_USAGE);
  sp_error_clear(&err);
  CHECK_STATUS(sp_pattern_compile("(((a{9999}){9999}){9999})", "--include", &p, &err), SP_USAGE);
}

static void a_pattern_that_explodes_is_refused(void) {
  sp_pattern *p;
  sp_error err = {0};
  bool found = true;
  CHECK_STATUS(sp_pattern_compile("(a+)+$", "--include", &p, &err), SP_OK);
  sp_str name = SP_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
  CHECK_STATUS(sp_pattern_match(p, name, &found, &err), SP_USAGE);
  CHECK(!found);
  CHECK_STR(err.path, "--include");
  CHECK(strstr(err.message, "(a+)+$") && strstr(err.message, "aaa!"));
  CHECK_STATUS(sp_pattern_match(p, SP_STR("aaa"), &found, NULL), SP_OK);
  CHECK(found);
  sp_pattern_free(p);
}

static void nothing_is_lost_when_memory_runs_out(void) {
  int64_t live = sp_alloc_live();
  for (uint64_t n = 1; n < 100; n++) {
    sp_pattern *p;
    bool found = false;
    sp_alloc_fail_at(n, false);
    sp_status status = sp_pattern_compile("(a|b)*c", "--include", &p, NULL);
    if (status == SP_OK)
      status = sp_pattern_match(p,
                                SP_STR("ab\xFF"
                                       "c"),
                                &found, NULL);
    sp_alloc_fail_at(0, false);
    CHECK(status == SP_OK || status == SP_NOMEM);
    sp_pattern_free(p);
    CHECK_INT(sp_alloc_live(), live);
    if (status == SP_OK) return;
  }
  CHECK(!"it never succeeded");
}

int main(void) {
  RUN(patterns_match_at_the_start_only);
  RUN(the_usual_syntax_works);
  RUN(classes_know_unicode);
  RUN(names_that_are_not_utf_8_match_with_replacements);
  RUN(a_bad_pattern_names_its_column);
  RUN(a_pattern_that_explodes_is_refused);
  RUN(nothing_is_lost_when_memory_runs_out);
  return CHECK_DONE();
}
