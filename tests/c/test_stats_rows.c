/* Rows over ranks, sessions, clocks, order, summaries (statistics 2-6, 9, 11-13, 16). */
#include <stdlib.h>

#include "check.h"
#include "stats_fixture.h"

static const char nested[] =
    "rank 0: scope_profiler.session 0 100000000; setup 1000000 11000000;"
    "step 20000000 40000000; step 40000000 62000000; step 70000000 95000000;"
    "assemble 21000000 26000000; assemble 41000000 47000000; assemble 71000000 78000000;"
    "solve 26000000 39000000; solve 47000000 61000000; solve 78000000 94000000";

static void the_first_worked_example_holds(void) {
  fixture f = analysed(nested);
  CHECK_STR(rows_of(&f), "scope_profiler.session 23000000; "
                         "scope_profiler.session>setup 10000000; "
                         "scope_profiler.session>step 6000000; "
                         "scope_profiler.session>step>assemble 18000000; "
                         "scope_profiler.session>step>solve 43000000");
  const sp_tree_row *step = row(&f, "scope_profiler.session>step");
  CHECK_INT(step->stats.total_ns, 67000000);
  CHECK_NEAR(step->stats.avg_ns, 67e6 / 3);
  CHECK(fabs(step->stats.std_ns - 2054804.667656) < 1e-3);
  CHECK_NEAR(step->stats.p50_ns, 22e6);
  CHECK_NEAR(step->stats.p95_ns, 24.7e6);
  CHECK_NEAR(step->stats.p99_ns, 24.94e6);
  CHECK_INT(step->stats.first_ns, 20000000);
  CHECK_INT(step->stats.last_ns, 25000000);
  CHECK_NEAR(step->session_pct, 67);
  CHECK_NEAR(step->parent_pct, 67);
  CHECK_NEAR(step->own_session_pct, 6);
  CHECK(fabs(step->own_parent_pct - 8.955223880597) < 1e-10);
  const sp_tree_row *solve = row(&f, "scope_profiler.session>step>solve");
  CHECK_NEAR(solve->stats.p95_ns, 15.8e6);
  CHECK_NEAR(solve->stats.p99_ns, 15.96e6);
  CHECK(fabs(solve->parent_pct - 64.179104477612) < 1e-10);
  CHECK(!f.an.rows[0].has_parent_pct);
  CHECK(f.an.rows[0].has_children && !solve->has_children);
  CHECK_INT(f.an.session_ns, 100000000);
  CHECK_INT(f.an.span_ns, 100000000);
  done(&f);
}

static const char ranks[] = "rank 0: session 0 100; step 10 11; step 20 22; step 30 34\n"
                            "rank 1: session 0 100; step 10 12; step 20 24; step 30 38\n"
                            "rank 2: session 0 100; step\n"
                            "rank 3: session 0 100; step 10 14; step 20 28; step 30 46; late 60 61";

static void ranks_are_pooled(void) {
  fixture f = analysed(ranks);
  const sp_tree_row *step = row(&f, "session>step");
  CHECK_INT(step->stats.num_ranks, 3);
  CHECK_INT(step->stats.calls, 9);
  CHECK_INT(step->stats.total_ns, 49);
  CHECK_NEAR(step->stats.imbalance_pct, 100.0 * (28.0 * 3 - 49) / 49);
  CHECK_NEAR(step->stats.p95_ns, 8 + 0.6 * 8);
  const sp_flat_row *all = flat(&f, "step");
  CHECK_INT(all->stats.num_ranks, 4); /* an idle entry counts */
  CHECK_INT(all->per_rank_count, 4);
  CHECK_INT(all->per_rank[2].rank, 2);
  CHECK_INT(all->per_rank[2].calls, 0);
  CHECK_INT(all->per_rank[3].total_ns, 28);
  CHECK_INT(all->stats.first_ns, 1);
  CHECK_INT(all->stats.last_ns, 16);
  CHECK_NEAR(all->stats.imbalance_pct, step->stats.imbalance_pct);
  CHECK(row(&f, "session")->stats.imbalance_pct == 0);
  CHECK(row(&f, "session>late")->stats.imbalance_pct == 0);
  done(&f);
}

static void selected_ranks_count_alone(void) {
  fixture f = analysed_with(ranks, NULL, NULL, "0,3");
  CHECK_INT(f.an.rank_count, 2);
  CHECK_INT(f.an.ranks[1], 3);
  CHECK_INT(row(&f, "session>step")->stats.total_ns, 35);
  CHECK_NEAR(row(&f, "session>step")->stats.imbalance_pct, 60);
  CHECK_INT(flat(&f, "step")->per_rank_count, 2);
  done(&f);
  f = analysed_with(ranks, NULL, NULL, "0-2");
  CHECK_INT(flat(&f, "late")->stats.calls, 0);
  CHECK_INT(flat(&f, "late")->stats.num_ranks, 0);
  CHECK_STR(rows_of(&f), "session 279; session>step 21; -late 0");
  done(&f);
}

static void idle_ranks_count_in_the_imbalance_of_tree_rows_only(void) {
  fixture f = analysed("rank 0: A 0 0\nrank 1: A 0 2\nrank 2: A 0 4");
  CHECK_NEAR(row(&f, "A")->stats.imbalance_pct, 100);
  CHECK_NEAR(flat(&f, "A")->stats.imbalance_pct, 100.0 / 3);
  done(&f);
  f = analysed("rank 0: A 0 0\nrank 1: A 0 0");
  CHECK(row(&f, "A")->stats.imbalance_pct == 0);
  done(&f);
}

static void regions_without_calls_come_first_among_regions_and_last_among_rows(void) {
  fixture f = analysed("rank 0: B 5 9; A 0 1; idle; C 5 6");
  CHECK_STR(rows_of(&f), "A 1; B 3; B>C 1; -idle 0");
  CHECK_INT(f.an.regions[0].region, 2);
  CHECK_INT(f.an.regions[1].region, 1);
  CHECK(!f.an.regions[0].has_start && !row(&f, "-idle")->has_start);
  CHECK(!row(&f, "-idle")->stats.has_calls && !row(&f, "-idle")->stats.has_percentiles);
  done(&f);
}

static void first_and_last_go_by_time(void) {
  fixture f = analysed("rank 0: late 50 62; late 30 40; end 0 90; end 95 96");
  CHECK_INT(flat(&f, "late")->stats.first_ns, 10);
  CHECK_INT(flat(&f, "late")->stats.last_ns, 12);
  CHECK_INT(row(&f, "end>late")->stats.first_ns, 10);
  done(&f);
  /* Equal starts: the call recorded first in flat rows, the outer one in tree rows. */
  f = analysed("rank 0: A 5 10; A 5 20");
  CHECK_INT(flat(&f, "A")->stats.first_ns, 5);
  CHECK_INT(row(&f, "A")->stats.first_ns, 15);
  done(&f);
  f = analysed("rank 0: A 5 10\nrank 1: A 5 20; A 30 40\nrank 2: A 35 40"); /* lower rank */
  CHECK_INT(flat(&f, "A")->stats.first_ns, 5);
  CHECK_INT(flat(&f, "A")->stats.last_ns, 10);
  done(&f);
}

static void gpu_sums_leave_out_what_was_not_measured(void) {
  fixture f = analysed("rank 0: A 0 100; k 1 2 gpu 5; k 3 4 gpu -1; k 5 6 gpu 7; m 7 8 gpu -1\n"
                       "rank 1: k 1 2 gpu -1; k 200 210");
  const sp_tree_row *k = row(&f, "A>k");
  CHECK(k->stats.has_gpu);
  CHECK_INT(k->stats.gpu_total_ns, 12);
  CHECK_NEAR(k->stats.gpu_avg_ns, 6);
  CHECK(!row(&f, "k")->stats.has_gpu && !row(&f, "A>m")->stats.has_gpu);
  CHECK_INT(flat(&f, "k")->stats.gpu_total_ns, 12);
  done(&f);
  f = analysed("rank 0: k 30 40 gpu 9; A 20 50; k 1 2 gpu 5; k 25 26 gpu 3"); /* unsorted, mixed */
  CHECK_INT(row(&f, "A>k")->stats.gpu_total_ns, 12);
  CHECK_INT(row(&f, "k")->stats.gpu_total_ns, 5);
  done(&f);
}

static void the_root_session_is_the_base(void) {
  fixture f = analysed("rank 0: A 0 10; scope_profiler.session 2 8; scope_profiler.session 20 70;"
                       "B 30 40\nrank 1: scope_profiler.session 20 70");
  CHECK_INT(f.an.session_ns, 100);
  CHECK_NEAR(row(&f, "scope_profiler.session>B")->session_pct, 10);
  done(&f);
  f = analysed("rank 0: A 0 10; scope_profiler.session 2 8");
  CHECK_INT(f.an.session_ns, 6);
  done(&f);
  f = analysed("rank 0: scope_profiler.session 0 100; B 50 150"); /* outside the tree */
  CHECK_INT(f.an.session_ns, 100);
  CHECK_NEAR(row(&f, "-B")->session_pct, 100);
  done(&f);
  f = analysed("rank 0: A 0 10; B 2 4");
  CHECK(!f.an.has_session && !row(&f, "A>B")->has_session_pct);
  CHECK_NEAR(row(&f, "A>B")->parent_pct, 20);
  done(&f);
  f = analysed("rank 0: scope_profiler.session 5 5; A 5 5");
  CHECK(f.an.has_session && !f.an.rows[1].has_session_pct && !f.an.rows[1].has_parent_pct);
  done(&f);
}

static void times_of_the_run(void) {
  fixture f = {.profile = fake_profile("rank 0: A 100 200; B 300 450\nrank 1: A 90 130")};
  analyse(&f, NULL, "A", NULL);
  CHECK_INT(f.an.origin_ns, 90); /* of the whole file */
  CHECK_INT(f.an.span_ns, 150);
  CHECK_INT(row(&f, "B")->start_ns, 210);
  CHECK(!f.an.has_setup_to_finalize);
  done(&f);
  f = (fixture){.profile = fake_profile("rank 0: A 100 200")};
  f.profile->has_start_time = f.profile->has_finalize_time = true;
  f.profile->start_time_ns = 40;
  f.profile->finalize_time_ns = 240;
  analyse(&f, NULL, NULL, NULL);
  CHECK_INT(f.an.origin_ns, 40);
  CHECK_INT(row(&f, "A")->start_ns, 60);
  CHECK_INT(f.an.setup_to_finalize_ns, 200);
  done(&f);
  f = analysed("rank 0: idle");
  CHECK(!f.an.has_span && f.an.span_ns == 0 && f.an.origin_ns == 0);
  done(&f);
  f = analysed("");
  CHECK_INT(f.an.row_count, 0);
  CHECK_INT(f.an.region_count, 0);
  done(&f);
}

/* "rank n: A s e" with these starts and ends; nodes 0 = not said. */
static fixture clocks_of(const char *text, int64_t nodes, const char *selected) {
  fixture f = {.profile = fake_profile(text)};
  if (nodes) fake_metadata_int(f.profile, "num_nodes", nodes);
  analyse(&f, NULL, NULL, selected);
  return f;
}

static void clocks_that_never_overlap_are_aligned(void) {
  const char *text = "rank 0: A 1000 2000\nrank 1: A 1010 2000\nrank 2: A 50 900\nrank 3: A 40 880";
  fixture f = clocks_of(text, 0, NULL);
  CHECK(f.an.aligned);
  CHECK_INT(f.an.span_ns, 1000);
  CHECK_INT(f.an.origin_ns, 1000);
  CHECK_INT(flat(&f, "A")->start_ns, 1000);
  CHECK_INT(flat(&f, "A")->stats.last_ns, 1000);
  CHECK_STR(f.an.warnings.items[0].code, "clock-domains");
  CHECK_STR(f.an.warnings.items[0].message,
            "ranks 0-1 and 2-3 have unrelated clocks (0.000001 s apart); "
            "times are aligned at each group's first call");
  done(&f);
  f = clocks_of(text, 1, NULL); /* one machine has one clock */
  CHECK(!f.an.aligned);
  CHECK_INT(f.an.span_ns, 1960);
  done(&f);
  f = clocks_of(text, 0, "2-3"); /* all ranks decide, selected or not */
  CHECK(f.an.aligned);
  CHECK_INT(flat(&f, "A")->start_ns, 1000);
  done(&f);
}

static void clocks_shifted_alike_are_aligned_on_several_nodes(void) {
  const char *text = "rank 0: A 0 1000000000; B 5 6\nrank 1: A 10 1000000000\n"
                     "rank 2: A 300000000 1300000000\nrank 4: A 300000007 1290000000";
  fixture f = clocks_of(text, 2, NULL);
  CHECK(f.an.aligned);
  CHECK_STR(f.an.warnings.items[0].message,
            "ranks 0-1 and 2,4 have unrelated clocks (0.300000 s apart); "
            "times are aligned at each group's first call");
  CHECK_INT(f.an.span_ns, 1000000000);
  done(&f);
  f = clocks_of(text, 0, NULL); /* overlapping, and it might be one machine */
  CHECK(!f.an.aligned);
  done(&f);
  f = clocks_of("rank 0: A 0 1000000000\nrank 1: A 300000000 1100000000", 2, NULL);
  CHECK(!f.an.aligned); /* began later, but ended with the others */
  done(&f);
  f = clocks_of("rank 0: A 0 1000000000\nrank 1: A 99999999 1100000000", 2, NULL);
  CHECK(!f.an.aligned);
  done(&f);
}

static void three_groups_are_named_home_first(void) {
  fixture f = clocks_of("rank 0: A 5000 6000\nrank 1: A 0 10\nrank 2: A 9000 9001", 0, NULL);
  CHECK_STR(f.an.warnings.items[0].message,
            "ranks 0, 1 and 2 have unrelated clocks (0.000005 s apart); "
            "times are aligned at each group's first call");
  done(&f);
}

static void region_order_is_of_the_aligned_clock(void) {
  fixture f = clocks_of("rank 0: A 9000 9900; B 9050 9060\nrank 1: C 10 500; B 20 30", 0, NULL);
  CHECK_STR(rows_of(&f), "A 890; A>B 10; C 480; C>B 10");
  CHECK_INT(f.an.regions[0].region, 0);
  CHECK_INT(f.an.regions[1].region, 2);
  CHECK_INT(f.an.regions[2].start_ns, 9010);
  done(&f);
}

static void unselected_ranks_are_known_from_their_summaries(void) {
  fixture f = {.profile = fake_profile("rank 0: A 1000 2000\nrank 1: A 10 20; B 12 13")};
  fake_summaries(f.profile);
  analyse(&f, NULL, NULL, "0");
  CHECK(f.an.aligned);
  CHECK_INT(fake_loads(f.profile), 1);
  CHECK_INT(f.an.warnings.count, 1);
  done(&f);
}

static void damage_on_unselected_ranks_does_no_harm(void) {
  fixture f = {.profile = fake_profile("rank 0: A 10 20\nrank 1: B 12 13")};
  fake_damage(f.profile, "B");
  analyse(&f, NULL, NULL, "0");
  CHECK_STATUS(f.status, SP_OK);
  sp_arena_free(&f.arena);
  analyse(&f, NULL, NULL, NULL);
  CHECK_STATUS(f.status, SP_CORRUPT);
  CHECK_STR(f.err.message, "damaged");
  done(&f);
}

static void stored_numbers_that_differ_are_reported(void) {
  fixture f = {.profile = fake_profile("rank 0: A 0 100; B 10 20; C 30 40")};
  fake_summaries(f.profile);
  fake_find(f.profile, 0, "A")->exclusive_ns = 80;
  fake_find(f.profile, 0, "C")->exclusive_ns = 10;
  analyse(&f, NULL, NULL, NULL);
  CHECK_INT(f.an.warnings.count, 0);
  sp_arena_free(&f.arena);
  sp_stored_summary wrong = *fake_find(f.profile, 0, "B")->summary;
  wrong.maximum = 11;
  fake_find(f.profile, 0, "B")->summary = &wrong;
  fake_find(f.profile, 0, "C")->exclusive_ns = 9;
  analyse(&f, NULL, NULL, NULL);
  CHECK_INT(f.an.warnings.count, 2);
  CHECK_STR(f.an.warnings.items[0].code, "summary-differs");
  CHECK_STR(f.an.warnings.items[0].message, "rank 0, region B: the stored maximum is 11 ns, "
                                            "its calls give 10 ns; the calls count");
  CHECK_STR(f.an.warnings.items[1].message, "rank 0, region C: the stored exclusive time is 9 ns, "
                                            "its calls give 10 ns; the calls count");
  CHECK_INT(flat(&f, "C")->stats.exclusive_ns, 10);
  sp_arena_free(&f.arena);
  fake_leave_out(f.profile, 1); /* then the reader has warned already */
  analyse(&f, NULL, NULL, NULL);
  for (uint32_t i = 0; i < f.an.warnings.count; i++) {
    CHECK_STR(f.an.warnings.items[i].code, "bad-time");
  }
  CHECK_INT(f.an.regions[0].stats.calls, 0);
  done(&f);
}

static void aggregates_stand_outside_the_tree(void) {
  fixture f = {.profile = fake_profile("rank 0: outer; inner\nrank 1: outer; inner; idle")};
  for (uint32_t r = 0; r < 2; r++) {
    sp_row *outer = fake_find(f.profile, r, "outer"), *inner = fake_find(f.profile, r, "inner");
    outer->is_aggregate = inner->is_aggregate = true;
    outer->aggregate_calls = 3;
    outer->aggregate_total = 30 + r;
    outer->aggregate_minimum = 9;
    outer->aggregate_maximum = 11 + r;
    outer->aggregate_exclusive = 10;
    inner->aggregate_calls = 6 * r;
    inner->aggregate_total = 20 * r;
    inner->aggregate_minimum = inner->aggregate_maximum = 3 * r;
  }
  fake_find(f.profile, 1, "idle")->is_aggregate = true;
  analyse(&f, NULL, NULL, NULL);
  CHECK_STR(rows_of(&f), "-outer 20; -inner 0; -idle 0");
  const sp_stats *s = &row(&f, "-outer")->stats;
  CHECK_INT(s->calls, 6);
  CHECK_INT(s->total_ns, 61);
  CHECK_INT(s->coverage_ns, 61);
  CHECK_INT(s->min_ns, 9);
  CHECK_INT(s->max_ns, 12);
  CHECK_NEAR(s->avg_ns, 61.0 / 6);
  CHECK_NEAR(s->imbalance_pct, 100.0 * (31.0 * 2 - 61) / 61);
  CHECK(s->has_calls && !s->has_ends && !s->has_spread && !s->has_percentiles);
  CHECK_INT(row(&f, "-inner")->stats.min_ns, 3);
  CHECK(!row(&f, "-idle")->stats.has_calls);
  CHECK(!f.an.has_span && !f.an.aligned);
  done(&f);
}

static void summaries_give_flat_rows_without_reading_calls(void) {
  fixture f = {.profile = fake_profile("rank 0: B 5 10; B 20 33; B 40 55; A 0 1; idle\n"
                                       "rank 1: B 12 18; B 30 44")};
  fake_summaries(f.profile);
  fake_find(f.profile, 0, "B")->exclusive_ns = 7;
  CHECK_STATUS(sp_analyse_summaries(f.profile, NULL, &f.arena, &f.an, &f.err), SP_OK);
  CHECK_INT(fake_loads(f.profile), 0);
  CHECK_INT(f.an.row_count, 0);
  CHECK_INT(f.an.regions[0].region, 2); /* idle */
  const sp_stats *s = &flat(&f, "B")->stats;
  CHECK_INT(s->calls, 5);
  CHECK_INT(s->total_ns, 53);
  CHECK_INT(s->exclusive_ns, 27);
  CHECK_INT(s->first_ns, 5);
  CHECK_INT(s->last_ns, 15);
  CHECK(fabs(s->std_ns - 4.223742416389) < 1e-9);
  CHECK_NEAR(s->imbalance_pct, 100.0 * (33.0 * 2 - 53) / 53);
  CHECK(s->has_spread && !s->has_percentiles);
  CHECK_INT(f.an.span_ns, 55);
  CHECK_INT(flat(&f, "B")->per_rank[1].total_ns, 20);
  sp_arena_free(&f.arena);
  analyse(&f, NULL, NULL, NULL); /* the same from the calls */
  CHECK(fabs(flat(&f, "B")->stats.std_ns - 4.223742416389) < 1e-9);
  CHECK_NEAR(flat(&f, "B")->stats.p95_ns, 14.8);
  done(&f);
  f = (fixture){.profile = fake_profile("rank 0: A 0 1")};
  CHECK_STATUS(sp_analyse_summaries(f.profile, NULL, &f.arena, &f.an, &f.err), SP_NO_SPANS);
  done(&f);
}

static const char *sorted(fixture *f, const char *word, bool flat_order) {
  sp_sort key = SP_SORT_START;
  CHECK(sp_sort_parse(word, &key));
  CHECK_STATUS(sp_analysis_sort(&f->an, key, flat_order, &f->arena, &f->err), SP_OK);
  return rows_of(f);
}

static void rows_can_be_sorted(void) {
  fixture f = analysed("rank 0: A 0 10; x 1 2; y 3 6; B 20 50; x 21 31; y 32 33; none");
  const char *by_start = "A 6; A>x 1; A>y 3; B 19; B>x 10; B>y 1; -none 0";
  CHECK_STR(rows_of(&f), by_start);
  CHECK_STR(sorted(&f, "total", false), "B 19; B>x 10; B>y 1; A 6; A>y 3; A>x 1; -none 0");
  CHECK_STR(sorted(&f, "total", true), "B 19; A 6; B>x 10; A>y 3; A>x 1; B>y 1; -none 0");
  const char *by_name = "A 6; B 19; -none 0; A>x 1; B>x 10; A>y 3; B>y 1"; /* one alphabet */
  CHECK_STR(sorted(&f, "name", false), by_name);
  CHECK_STR(sorted(&f, "name", true), by_name);
  CHECK_STR(sorted(&f, "p50", true), "B 19; A 6; B>x 10; A>y 3; A>x 1; B>y 1; -none 0");
  CHECK_STR(sorted(&f, "calls", true), "A 6; B 19; A>x 1; B>x 10; A>y 3; B>y 1; -none 0");
  CHECK_STR(sorted(&f, "imbalance", false), "A 6; A>x 1; A>y 3; B 19; B>x 10; B>y 1; -none 0");
  CHECK_STR(sorted(&f, "start", false), by_start);
  sp_sort key;
  CHECK(!sp_sort_parse("Total", &key) && !sp_sort_parse("", &key) && !sp_sort_parse(NULL, &key));
  done(&f);
}

static bool stop_at_once(void *context, const char *phase, uint64_t done_calls, uint64_t total) {
  *(uint64_t *)context = total;
  return done_calls == 0 || phase == NULL;
}

static void the_work_can_be_stopped(void) {
  fixture f = {.profile = fake_profile("rank 0: A 0 10; B 3 4")};
  uint64_t total = 0;
  sp_progress progress = {stop_at_once, &total};
  CHECK_STATUS(sp_analyse(f.profile, NULL, &progress, &f.arena, &f.an, &f.err), SP_INTERNAL);
  CHECK_STR(f.err.message, "cancelled");
  CHECK_INT(total, 2);
  done(&f);
}

static void running_out_of_memory_is_a_status(void) {
  const char *text = "rank 0: A 0 100 @0; C 20 30 @0 gpu 4; A 10 90 @0; C 200 210 @0; A 5 9 @1\n"
                     "rank 1: B 5 20 @0; A 5 20 @0; C 6 8 @0; A 30 50 @1; B 40 60 @1; H 1 2\n"
                     "rank 2: A 1 2";
  fixture f = {.profile = fake_profile(text)};
  sp_arena arena = {0};
  sp_select select;
  const char *hidden = "H";
  CHECK_STATUS(sp_select_parse(&arena, NULL, 0, &hidden, 1, NULL, 0, &select, &f.err), SP_OK);
  uint64_t refused = 0, used = 0;
  for (uint64_t n = 1; n == 1 || used >= n - 1; n++) { /* until none is left to refuse */
    uint64_t before = sp_alloc_count();
    sp_error_clear(&f.err);
    sp_alloc_fail_at(n, false);
    f.status = sp_analyse(f.profile, &select, NULL, &f.arena, &f.an, &f.err);
    sp_alloc_fail_at(0, false);
    used = sp_alloc_count() - before;
    if (f.status != SP_OK) CHECK_STATUS(f.status, SP_NOMEM);
    refused += f.status != SP_OK;
    sp_arena_free(&f.arena);
    f.arena = (sp_arena){0};
  }
  CHECK_STATUS(f.status, SP_OK);
  CHECK(refused > 20);
  sp_select_free(&select);
  sp_arena_free(&arena);
  done(&f);
}

int main(void) {
  RUN(the_first_worked_example_holds);
  RUN(ranks_are_pooled);
  RUN(selected_ranks_count_alone);
  RUN(idle_ranks_count_in_the_imbalance_of_tree_rows_only);
  RUN(regions_without_calls_come_first_among_regions_and_last_among_rows);
  RUN(first_and_last_go_by_time);
  RUN(gpu_sums_leave_out_what_was_not_measured);
  RUN(the_root_session_is_the_base);
  RUN(times_of_the_run);
  RUN(clocks_that_never_overlap_are_aligned);
  RUN(clocks_shifted_alike_are_aligned_on_several_nodes);
  RUN(three_groups_are_named_home_first);
  RUN(region_order_is_of_the_aligned_clock);
  RUN(unselected_ranks_are_known_from_their_summaries);
  RUN(damage_on_unselected_ranks_does_no_harm);
  RUN(stored_numbers_that_differ_are_reported);
  RUN(aggregates_stand_outside_the_tree);
  RUN(summaries_give_flat_rows_without_reading_calls);
  RUN(rows_can_be_sorted);
  RUN(the_work_can_be_stopped);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_DONE();
}
