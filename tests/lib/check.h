/* check.h - the C tests' harness: a failed check prints place and values and the test goes on.
 *
 *   static void sorting_keeps_equal_rows_apart(void) { CHECK(n == 3); CHECK_STR(name, "solve"); }
 *   int main(void) { RUN(sorting_keeps_equal_rows_apart); return CHECK_DONE(); }
 */
#ifndef SP_TESTS_CHECK_H
#define SP_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static int check_failures, check_count;
static const char *check_test = "";

static inline int check_fail(const char *file, int line) {
  check_failures++;
  fprintf(stderr, "%s:%d: %s: ", file, line, check_test);
  return 1;
}

#define RUN(test)       \
  do {                  \
    check_test = #test; \
    test();             \
  } while (0)

#define CHECK(condition)                                  \
  do {                                                    \
    check_count++;                                        \
    if (!(condition) && check_fail(__FILE__, __LINE__)) { \
      fprintf(stderr, "%s is false\n", #condition);       \
    }                                                     \
  } while (0)

#define CHECK_INT(got, want)                                        \
  do {                                                              \
    long long got_ = (long long)(got), want_ = (long long)(want);   \
    check_count++;                                                  \
    if (got_ != want_ && check_fail(__FILE__, __LINE__)) {          \
      fprintf(stderr, "%s is %lld, not %lld\n", #got, got_, want_); \
    }                                                               \
  } while (0)

#define CHECK_STR(got, want)                                                  \
  do {                                                                        \
    const char *got_ = (got), *want_ = (want);                                \
    check_count++;                                                            \
    if (strcmp(got_, want_) != 0 && check_fail(__FILE__, __LINE__)) {         \
      fprintf(stderr, "%s is\n  \"%s\", not\n  \"%s\"\n", #got, got_, want_); \
    }                                                                         \
  } while (0)

/* Equal within 1e-12 relative. */
#define CHECK_NEAR(got, want)                                                             \
  do {                                                                                    \
    double got_ = (got), want_ = (want);                                                  \
    check_count++;                                                                        \
    if (!(fabs(got_ - want_) <= 1e-12 * fabs(want_)) && check_fail(__FILE__, __LINE__)) { \
      fprintf(stderr, "%s is %.17g, not %.17g\n", #got, got_, want_);                     \
    }                                                                                     \
  } while (0)

#define CHECK_STATUS(got, want)                                                                 \
  do {                                                                                          \
    sp_status got_ = (got), want_ = (want);                                                     \
    check_count++;                                                                              \
    if (got_ != want_ && check_fail(__FILE__, __LINE__)) {                                      \
      fprintf(stderr, "%s is %s, not %s\n", #got, sp_status_name(got_), sp_status_name(want_)); \
    }                                                                                           \
  } while (0)

#define CHECK_DONE() \
  (printf("%d checks, %d failed\n", check_count, check_failures), check_failures ? 1 : 0)

#endif
