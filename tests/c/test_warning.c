/* The list of warnings. */
#include "check.h"
#include "profile/warning.h"

static void a_warning_is_kept_once(void) {
  sp_arena a = {0};
  sp_warnings w = {.arena = &a};
  sp_warn(&w, "bad-time", "/rank0", "%d calls", 3);
  sp_warn(&w, "bad-time", "/rank0", "%d calls", 4);
  sp_warn(&w, "bad-time", "/rank1", "x");
  sp_warn(&w, "limit", NULL, "y");
  CHECK_INT(w.count, 3);
  CHECK_STR(w.items[0].message, "3 calls");
  CHECK_STR(w.items[2].path, "/");
  sp_arena_free(&a);
}

static void long_texts_are_cut_at_a_character(void) {
  sp_arena a = {0};
  sp_warnings w = {.arena = &a};
  char text[3000];
  for (size_t i = 0; i + 2 < sizeof text; i += 2) memcpy(text + i, "\xC3\xA9", 3);
  sp_warn(&w, "limit", text, "%s", text);
  CHECK(strlen(w.items[0].message) <= 1000);
  CHECK_STR(w.items[0].message + strlen(w.items[0].message) - 5, "\xC3\xA9...");
  CHECK_STR(w.items[0].path + strlen(w.items[0].path) - 5, "\xC3\xA9...");
  sp_arena_free(&a);
}

static void what_does_not_fit_is_counted(void) {
  sp_arena a = {0}, b = {0};
  sp_warnings w = {.arena = &a}, all = {.arena = &b};
  for (int i = 0; i < SP_WARNINGS_MAX + 7; i++) {
    char path[32];
    snprintf(path, sizeof path, "/rank%d", i);
    sp_warn(&w, "bad-time", path, "m");
  }
  CHECK_INT(w.count, SP_WARNINGS_MAX);
  CHECK_INT(w.dropped, 7);
  sp_warn(&all, "limit", "/", "first");
  sp_warnings_add(&all, &w);
  CHECK_INT(all.count, SP_WARNINGS_MAX);
  CHECK_INT(all.dropped, 8);
  CHECK_STR(all.items[1].path, "/rank0");
  sp_arena_free(&a);
  sp_arena_free(&b);
}

static void no_list_is_fine(void) {
  sp_warn(NULL, "limit", "/", "x");
  sp_warnings_add(NULL, NULL);
  CHECK(true);
}

int main(void) {
  RUN(a_warning_is_kept_once);
  RUN(long_texts_are_cut_at_a_character);
  RUN(what_does_not_fit_is_counted);
  RUN(no_list_is_fine);
  return CHECK_DONE();
}
