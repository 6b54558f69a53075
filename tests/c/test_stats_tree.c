/* The call tree: nesting, paths, recursion, lanes, crossing calls (statistics 8 and 9). */
#include "check.h"
#include "stats_fixture.h"

/* Depth and own time of single calls, as regions that occur once. */
static void calls_nest_by_time(void) {
  /*  A |==========================|
   *  B    |========|  D |=====|
   *  C      |==|                    */
  fixture f = analysed("rank 0: A 0 100; B 10 40; C 15 20; D 50 90");
  CHECK_STR(rows_of(&f), "A 30; A>B 25; A>B>C 5; A>D 40");
  done(&f);
}

static void touching_calls_are_siblings(void) {
  fixture f = analysed("rank 0: A 0 10; B 10 20");
  CHECK_STR(rows_of(&f), "A 10; B 10");
  done(&f);
}

static void of_two_calls_with_equal_starts_the_longer_is_the_parent(void) {
  fixture f = analysed("rank 0: B 5 40; A 5 100");
  CHECK_STR(rows_of(&f), "A 60; A>B 35");
  done(&f);
}

static void calls_of_no_length_are_children_of_what_is_open(void) {
  fixture f = analysed("rank 0: A 0 100; B 0 0; C 50 50");
  CHECK_STR(rows_of(&f), "A 100; A>B 0; A>C 0");
  done(&f);
}

static void a_call_of_no_length_belongs_to_what_begins_there(void) {
  fixture f = analysed("rank 0: A 0 100; Z 100 100; B 100 110");
  CHECK_STR(rows_of(&f), "A 100; B 10; B>Z 0");
  done(&f);
}

static void of_equal_calls_the_region_that_starts_first_is_the_parent(void) {
  fixture f = analysed("rank 0: B 5 9; A 0 1; A 5 9"); /* A starts first, though B comes first */
  CHECK_STR(rows_of(&f), "A 1; A>B 4");
  done(&f);
  f = analysed("rank 0: B 5 9; A 5 9; C 7 7; D 7 7"); /* equal there too: order of the file */
  CHECK_STR(rows_of(&f), "B 0; B>A 4; B>A>C 0; B>A>C>D 0");
  done(&f);
}

static void the_order_of_regions_is_of_all_ranks(void) {
  /* On rank 1 both are equal; on rank 0 A comes first, which rank 1's tree must know. */
  fixture f = analysed("rank 0: B 5 9; A 0 1\nrank 1: B 3 9; A 3 9");
  CHECK_STR(rows_of(&f), "A 1; A>B 6; B 4");
  done(&f);
  f = analysed_with("rank 0: B 5 9; A 0 1\nrank 1: B 3 9; A 3 9", NULL, NULL, "1");
  CHECK_STR(rows_of(&f), "A 0; A>B 6");
  done(&f);
}

static void calls_are_loaded_twice_only_when_their_order_was_wrong(void) {
  fixture f = analysed("rank 0: A 0 1; B 0 9; A 5 9; B 5 9"); /* equal calls, as in the file */
  CHECK_INT(fake_loads(f.profile), 2);
  done(&f);
  f = analysed("rank 0: B 5 9; A 0 1; A 5 9"); /* the rank itself tells that A starts first */
  CHECK_INT(fake_loads(f.profile), 2);
  done(&f);
  f = analysed("rank 0: B 3 5; A 4 4; C 9 9; A 9 9\nrank 1: A 0 1; B 0 2; C 3 4");
  CHECK_INT(fake_loads(f.profile), 6); /* A before B now, but A and C were right */
  done(&f);
  f = analysed("rank 0: B 3 5; A 4 4; C 9 9; A 9 9\nrank 1: A 7 8; B 0 2; C 3 4");
  CHECK_INT(fake_loads(f.profile), 12);
  CHECK_STR(rows_of(&f), "B 4; B>A 0; C 1; C>A 0; A 1");
  done(&f);
}

static void equal_calls_of_one_region_recurse(void) {
  fixture f = analysed("rank 0: A 5 9; A 5 9; A 7 7; A 7 7");
  CHECK_STR(rows_of(&f), "*A 4");
  CHECK_INT(row(&f, "A")->stats.total_ns, 4);
  CHECK_INT(row(&f, "A")->stats.calls, 4);
  CHECK_INT(row(&f, "A")->stats.coverage_ns, 4);
  done(&f);
}

static void lanes_nest_by_themselves(void) {
  fixture f = analysed("rank 0: A 0 50 @0; B 10 200 @1; C 20 30 @1; D 20 30 @1 #7");
  CHECK_STR(rows_of(&f), "A 50; B 180; B>C 10; D 10");
  CHECK_INT(f.an.warnings.count, 0);
  done(&f);
}

static void a_row_without_lane_columns_shares_the_unknown_lane(void) {
  fixture f = analysed("rank 0: A 0 50 @0; B 10 40; C 20 30");
  CHECK_STR(rows_of(&f), "A 50; B 20; B>C 10");
  done(&f);
}

static void coverage_ignores_lanes(void) {
  fixture f = analysed("rank 0: A 0 50 @0; A 10 60 @1; A 100 110 @2; A 110 120 @1; A 105 106 @0");
  CHECK_INT(row(&f, "A")->stats.coverage_ns, 80);
  CHECK_INT(flat(&f, "A")->stats.coverage_ns, 80);
  CHECK_INT(row(&f, "A")->stats.total_ns, 121);
  done(&f);
}

static void only_direct_recursion_collapses(void) {
  fixture f = analysed(
      "rank 0: outer 0 100; fib 22 24; fib 20 30; fib 10 40; fib 50 60;"
      "combine 12 14; combine 25 28; combine 52 53; odd 76 80; odd 72 88; even 74 86; even 70 90");
  CHECK_STR(rows_of(&f), "outer 40; *outer>fib 34; outer>fib>combine 6; outer>even 4; "
                         "outer>even>odd 4; outer>even>odd>even 8; outer>even>odd>even>odd 4");
  const sp_tree_row *fib = row(&f, "outer>fib");
  CHECK_INT(fib->stats.total_ns, 40);
  CHECK_INT(fib->stats.calls, 4);
  CHECK_INT(fib->stats.coverage_ns, 40);
  CHECK_INT(fib->stats.first_ns, 30);
  CHECK_INT(fib->stats.last_ns, 10);
  CHECK_NEAR(fib->stats.avg_ns, 13);
  CHECK_NEAR(fib->stats.p95_ns, 27);
  CHECK_INT(flat(&f, "fib")->stats.total_ns, 52);
  CHECK_INT(flat(&f, "fib")->stats.coverage_ns, 40);
  CHECK_NEAR(row(&f, "outer>fib>combine")->stats.p95_ns, 2.9);
  done(&f);
}

static void a_region_called_from_two_places_has_two_rows(void) {
  fixture f = analysed("rank 0: A 0 10; C 1 3; B 20 40; C 21 26; C 30 31; C 50 60");
  CHECK_STR(rows_of(&f), "A 8; A>C 2; B 14; B>C 6; C 10");
  CHECK_INT(row(&f, "B>C")->stats.min_ns, 1);
  CHECK_INT(row(&f, "B>C")->stats.max_ns, 5);
  CHECK_NEAR(row(&f, "B>C")->stats.p50_ns, 3);
  CHECK_NEAR(row(&f, "B>C")->stats.std_ns, 2);
  CHECK_INT(row(&f, "B>C")->stats.first_ns, 5);
  CHECK_INT(row(&f, "B>C")->stats.last_ns, 1);
  CHECK_INT(flat(&f, "C")->stats.max_ns, 10);
  CHECK_INT(flat(&f, "C")->stats.exclusive_ns, 18);
  CHECK_NEAR(flat(&f, "C")->stats.p50_ns, 3.5);
  done(&f);
}

static void rows_are_keyed_by_names_not_by_joined_text(void) {
  fixture f = analysed("rank 0: a 0 10; b>c 1 3; a>b 20 30; c 21 22");
  CHECK_INT(f.an.row_count, 4);
  CHECK_INT(f.an.rows[1].parent, 0);
  CHECK_INT(f.an.rows[3].parent, 2);
  done(&f);
}

static void hidden_regions_vanish_but_keep_the_own_times(void) {
  const char *text = "rank 0: session 0 100; setup 1 11; step 20 40; step 40 62; step 70 95;"
                     "assemble 21 26; assemble 41 47; assemble 71 78; solve 26 39; solve 47 61;"
                     "solve 78 94";
  fixture f = analysed_with(text, NULL, "step", NULL);
  CHECK_STR(rows_of(&f), "session 23; session>setup 10; session>assemble 18; session>solve 43");
  CHECK_INT(f.an.region_count, 4);
  done(&f);
  f = analysed_with(text, "s", NULL, NULL);
  CHECK_STR(rows_of(&f), "session 23; session>setup 10; session>step 6; session>step>solve 43");
  done(&f);
}

static void recursion_through_a_hidden_region_is_direct(void) {
  fixture f = analysed_with("rank 0: A 0 100; H 10 90; A 20 80", NULL, "H", NULL);
  CHECK_STR(rows_of(&f), "*A 80"); /* 100 - 80 of H, and 60 */
  CHECK_INT(row(&f, "A")->stats.total_ns, 100);
  done(&f);
}

static void crossing_calls_stand_outside_the_tree(void) {
  fixture f = analysed("rank 0: A 0 100; B 50 150; C 10 20");
  CHECK_STR(rows_of(&f), "-A 100; -C 10; -B 100");
  CHECK_INT(f.an.warnings.count, 1);
  CHECK_STR(f.an.warnings.items[0].code, "crossing-calls");
  CHECK_STR(f.an.warnings.items[0].path, "/rank0");
  CHECK_STR(f.an.warnings.items[0].message,
            "rank 0: a call of B [50, 150] starts inside A [0, 100] but ends after it; "
            "the calls of this rank stand outside the call tree");
  done(&f);
}

static void other_ranks_keep_their_tree(void) {
  fixture f = analysed("rank 3: A 0 100; B 50 150; C 10 20\nrank 5: A 0 100; B 50 60; C 70 80");
  CHECK_STR(rows_of(&f), "-A 100; A 80; A>B 10; A>C 10; -C 10; -B 100");
  CHECK_INT(flat(&f, "A")->stats.exclusive_ns, 180);
  CHECK_INT(flat(&f, "A")->stats.calls, 2);
  CHECK_INT(row(&f, "A")->stats.num_ranks, 1);
  done(&f);
}

static void other_lanes_keep_their_tree(void) {
  fixture f = analysed("rank 0: A 0 100 @0; B 50 150 @0; A 0 100 @1; B 10 20 @1; B 30 40 @1");
  CHECK_STR(rows_of(&f), "-A 100; A 80; A>B 20; -B 100");
  CHECK_STR(f.an.warnings.items[0].message,
            "rank 0, thread 0: a call of B [50, 150] starts inside A [0, 100] but ends after it; "
            "the calls of this lane stand outside the call tree");
  CHECK_INT(flat(&f, "B")->stats.total_ns, 120);
  CHECK_INT(row(&f, "A>B")->stats.calls, 2);
  done(&f);
  f = analysed("rank 0: A 0 100 #4; B 50 150 #4; A 0 100 #2; B 10 120 #2; C 1 2");
  CHECK_STR(f.an.warnings.items[0].message,
            "rank 0, task 2: a call of B [10, 120] starts inside A [0, 100] but ends after it; "
            "the calls of this lane (and of 1 more) stand outside the call tree");
  done(&f);
}

static void a_crossing_hidden_region_does_no_harm(void) {
  const char *text = "rank 0: A 0 100; H 50 150; C 60 70; D 110 120";
  fixture f = analysed_with(text, NULL, "H", NULL);
  CHECK_STR(rows_of(&f), "A 90; A>C 10; D 10"); /* own times of the filtered tree */
  CHECK_INT(f.an.warnings.count, 0);
  done(&f);
  f = analysed_with("rank 0: A 0 100; H 50 150; C 60 160; D 110 120", NULL, "H", NULL);
  CHECK_STR(rows_of(&f), "-A 100; -C 100; -D 10");
  CHECK_STR(f.an.warnings.items[0].message,
            "rank 0: a call of C [60, 160] starts inside A [0, 100] but ends after it; "
            "the calls of this rank stand outside the call tree");
  done(&f);
}

static void own_time_outside_the_tree_is_the_stored_one(void) {
  fixture f = {.profile = fake_profile("rank 0: A 0 100; B 50 150; C 10 20")};
  fake_find(f.profile, 0, "A")->exclusive_ns = 42;
  analyse(&f, NULL, NULL, NULL);
  CHECK_STR(rows_of(&f), "-A 42; -C 10; -B 100");
  CHECK_INT(flat(&f, "A")->stats.exclusive_ns, 42);
  CHECK_INT(f.an.warnings.count, 1);
  done(&f);
}

static void a_row_crossing_on_one_rank_leaves_no_trace_in_the_tree(void) {
  /* The crossing shows only after new paths and a recursion were already found on the rank. */
  fixture f = analysed("rank 0: A 0 100; B 1 2\n"
                       "rank 1: A 0 90; A 5 80; D 6 7; B 8 9; X 85 95\n"
                       "rank 2: A 0 100; D 1 2");
  CHECK_STR(rows_of(&f), "A 198; A>B 1; A>D 1; -A 165; -D 1; -B 1; -X 10");
  CHECK(!row(&f, "A")->recursive);
  done(&f);
}

static void deep_recursion_costs_no_stack(void) {
  enum { DEPTH = 200000 };
  static int64_t start[DEPTH], duration[DEPTH];
  for (int i = 0; i < DEPTH; i++) { /* recorded innermost first */
    start[i] = DEPTH - i;
    duration[i] = 2 * i + 1;
  }
  fixture f = {.profile = fake_profile_new()};
  fake_rank(f.profile, 0);
  fake_row(f.profile, "fib", DEPTH, start, duration);
  fake_finish(f.profile);
  analyse(&f, NULL, NULL, NULL);
  CHECK_INT(f.an.row_count, 1);
  CHECK_INT(f.an.rows[0].stats.total_ns, 2 * DEPTH - 1);
  CHECK_INT(f.an.rows[0].stats.exclusive_ns, 2 * DEPTH - 1);
  CHECK_INT(f.an.rows[0].stats.coverage_ns, 2 * DEPTH - 1);
  CHECK_INT(f.an.rows[0].stats.first_ns, 2 * DEPTH - 1);
  done(&f);
}

static void two_thousand_nested_regions_make_two_thousand_rows(void) {
  enum { DEPTH = 2000 };
  static int64_t start[DEPTH], duration[DEPTH];
  fixture f = {.profile = fake_profile_new()};
  fake_rank(f.profile, 0);
  for (int i = 0; i < DEPTH; i++) {
    char name[16];
    snprintf(name, sizeof name, "r%d", i);
    start[i] = i;
    duration[i] = 2 * (DEPTH - i);
    fake_row(f.profile, name, 1, &start[i], &duration[i]);
  }
  fake_finish(f.profile);
  analyse(&f, NULL, NULL, NULL);
  CHECK_INT(f.an.row_count, DEPTH);
  CHECK_INT(f.an.rows[DEPTH - 1].depth, DEPTH - 1);
  CHECK_INT(f.an.rows[DEPTH - 1].parent, DEPTH - 2);
  done(&f);
}

int main(void) {
  RUN(calls_nest_by_time);
  RUN(touching_calls_are_siblings);
  RUN(of_two_calls_with_equal_starts_the_longer_is_the_parent);
  RUN(calls_of_no_length_are_children_of_what_is_open);
  RUN(a_call_of_no_length_belongs_to_what_begins_there);
  RUN(of_equal_calls_the_region_that_starts_first_is_the_parent);
  RUN(the_order_of_regions_is_of_all_ranks);
  RUN(calls_are_loaded_twice_only_when_their_order_was_wrong);
  RUN(equal_calls_of_one_region_recurse);
  RUN(lanes_nest_by_themselves);
  RUN(a_row_without_lane_columns_shares_the_unknown_lane);
  RUN(coverage_ignores_lanes);
  RUN(only_direct_recursion_collapses);
  RUN(a_region_called_from_two_places_has_two_rows);
  RUN(rows_are_keyed_by_names_not_by_joined_text);
  RUN(hidden_regions_vanish_but_keep_the_own_times);
  RUN(recursion_through_a_hidden_region_is_direct);
  RUN(crossing_calls_stand_outside_the_tree);
  RUN(other_ranks_keep_their_tree);
  RUN(other_lanes_keep_their_tree);
  RUN(a_crossing_hidden_region_does_no_harm);
  RUN(own_time_outside_the_tree_is_the_stored_one);
  RUN(a_row_crossing_on_one_rank_leaves_no_trace_in_the_tree);
  RUN(deep_recursion_costs_no_stack);
  RUN(two_thousand_nested_regions_make_two_thousand_rows);
  return CHECK_DONE();
}
