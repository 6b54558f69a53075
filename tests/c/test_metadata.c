/* test_metadata.c - the sorted list of metadata, and the questions a profile answers. */
#include "fake_profile.h"
#include "lib/check.h"

static sp_value whole(int64_t n) { return (sp_value){.kind = SP_VALUE_INT, .integer = n}; }
static sp_value real(double v) { return (sp_value){.kind = SP_VALUE_FLOAT, .real = v}; }
static sp_value text(const char *t) {
  return (sp_value){.kind = SP_VALUE_TEXT, .text = sp_str_of(t)};
}

static void keys_stay_sorted_and_unique(void) {
  sp_arena a = {0};
  sp_metadata m = {0};
  CHECK(sp_metadata_put(&m, &a, SP_STR("b"), whole(1)));
  CHECK(sp_metadata_put(&m, &a, SP_STR("a"), whole(2)));
  CHECK(sp_metadata_put(&m, &a, SP_STR("ab"), whole(3)));
  CHECK(sp_metadata_put(&m, &a, SP_STR("Z"), whole(4)));
  CHECK(sp_metadata_put(&m, &a, SP_STR("b"), whole(5)));
  CHECK_INT(m.count, 4);
  CHECK_STR(m.items[0].key.p, "Z");
  CHECK_STR(m.items[1].key.p, "a");
  CHECK_STR(m.items[2].key.p, "ab");
  CHECK_INT(sp_metadata_get(&m, "b")->integer, 5);
  CHECK(!sp_metadata_get(&m, "aa"));
  CHECK(!sp_metadata_get(&m, ""));
  sp_arena_free(&a);
}

static void a_thousand_keys_in_any_order_are_found(void) {
  sp_arena a = {0};
  sp_metadata m = {0};
  char key[16];
  for (int i = 0; i < 1000; i++) {
    snprintf(key, sizeof key, "k%d", i * 367 % 1000);
    size_t n = strlen(key);
    CHECK(sp_metadata_put(&m, &a, (sp_str){sp_arena_copy(&a, key, n), (uint32_t)n}, whole(i)));
  }
  CHECK_INT(m.count, 1000);
  for (int i = 0; i < 1000; i++) {
    snprintf(key, sizeof key, "k%d", i * 367 % 1000);
    const sp_value *v = sp_metadata_get(&m, key);
    CHECK(v && v->integer == i);
  }
  sp_arena_free(&a);
}

static bool int_of(sp_value v, int64_t *out) {
  sp_arena a = {0};
  sp_metadata m = {0};
  CHECK(sp_metadata_put(&m, &a, SP_STR("k"), v));
  bool found = sp_metadata_int(&m, "k", out);
  sp_arena_free(&a);
  return found;
}

static void integers_are_read_from_every_form(void) {
  int64_t n = 0;
  CHECK(int_of(whole(-3), &n) && n == -3);
  CHECK(int_of(real(4e15), &n) && n == 4000000000000000);
  CHECK(int_of(real(-0x1p63), &n) && n == INT64_MIN);
  CHECK(!int_of(real(0x1p63), &n));
  CHECK(!int_of(real(1.5), &n));
  CHECK(!int_of(real(NAN), &n));
  CHECK(int_of(text(" 42\n"), &n) && n == 42);
  CHECK(int_of(text("-9223372036854775808"), &n) && n == INT64_MIN);
  CHECK(int_of(text("9223372036854775807"), &n) && n == INT64_MAX);
  CHECK(!int_of(text("9223372036854775808"), &n));
  CHECK(!int_of(text("4 ranks"), &n));
  CHECK(!int_of(text("1.0"), &n));
  CHECK(!int_of(text("-"), &n));
  CHECK(!int_of(text(""), &n));
  CHECK(!int_of((sp_value){.kind = SP_VALUE_UINT, .integer = -1}, &n));
  CHECK(!int_of((sp_value){.kind = SP_VALUE_LIST}, &n));
}

static void texts_are_texts_only(void) {
  sp_arena a = {0};
  sp_metadata m = {0};
  CHECK(sp_metadata_put(&m, &a, SP_STR("t"), text("x")));
  CHECK(sp_metadata_put(&m, &a, SP_STR("n"), whole(1)));
  CHECK_STR(sp_metadata_text(&m, "t").p, "x");
  CHECK(!sp_metadata_text(&m, "n").p);
  CHECK(!sp_metadata_text(&m, "none").p);
  sp_arena_free(&a);
}

static const char *path_of(sp_profile *p, sp_layout layout, size_t size) {
  static char to[64];
  p->layout = layout;
  memset(to, '#', sizeof to);
  sp_row_path(p, &p->ranks[1].rows[0], to, size);
  CHECK(memchr(to, '\0', size));
  return to;
}

static void a_row_has_a_path_that_fits(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1\nrank 7: l\xC3\xB6se 0 1");
  CHECK_STR(path_of(p, SP_LAYOUT_RANK_GROUPS, 64), "/rank7/regions/l\xC3\xB6se");
  CHECK_STR(path_of(p, SP_LAYOUT_COLUMNAR, 64), "/rank_region_index (rank 7, region l\xC3\xB6se)");
  CHECK_STR(path_of(p, SP_LAYOUT_JSON, 64), "/regions (rank 7, region l\xC3\xB6se)");
  CHECK_STR(path_of(p, SP_LAYOUT_RANK_GROUPS, 21), "/rank7/regions/l\xC3\xB6se");
  CHECK_STR(path_of(p, SP_LAYOUT_RANK_GROUPS, 20), "/rank7/regions/l...");
  CHECK_STR(path_of(p, SP_LAYOUT_JSON, 31), "/regions (rank 7, region l...)");
  CHECK_STR(path_of(p, SP_LAYOUT_JSON, 1), "");
  p->regions[1].name = SP_STR("a\0b");
  CHECK_STR(path_of(p, SP_LAYOUT_RANK_GROUPS, 64), "/rank7/regions/a\\x00b");
  fake_free(p);
}

static void ranks_are_found_by_number(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1\nrank 3: a 0 1\nrank 900: a 0 1");
  CHECK_INT(sp_profile_find_rank(p, 0), 0);
  CHECK_INT(sp_profile_find_rank(p, 3), 1);
  CHECK_INT(sp_profile_find_rank(p, 900), 2);
  CHECK_INT(sp_profile_find_rank(p, 1), UINT32_MAX);
  CHECK_INT(sp_profile_find_rank(p, UINT32_MAX), UINT32_MAX);
  CHECK(sp_profile_has_calls(p));
  for (int i = 0; i < 3; i++) p->ranks[i].rows[0].is_aggregate = true;
  CHECK(!sp_profile_has_calls(p));
  fake_free(p);
  sp_profile_free(NULL);
}

int main(void) {
  RUN(keys_stay_sorted_and_unique);
  RUN(a_thousand_keys_in_any_order_are_found);
  RUN(integers_are_read_from_every_form);
  RUN(texts_are_texts_only);
  RUN(a_row_has_a_path_that_fits);
  RUN(ranks_are_found_by_number);
  return CHECK_DONE();
}
