/* rank_calls.c - loading, checking and ordering the calls of one rank. */
#include "stats/rank_calls.h"

#include <string.h>

#include "stats/call_sort.h"

static sp_status no_memory(sp_error *err) { return sp_fail(err, SP_NOMEM, NULL, "out of memory"); }

/* A block for n values; NULL with *failed set when there is none, NULL without for n = 0. */
static void *block(uint64_t n, size_t size, bool *failed) {
  if (n == 0) return NULL;
  void *at = n > SIZE_MAX / size ? NULL : sp_alloc((size_t)n * size);
  if (!at) *failed = true;
  return at;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

sp_status sp_rank_calls_room(sp_rank_calls *c, const sp_profile *p, const bool *wanted,
                             const bool *kept_regions, sp_error *err) {
  uint64_t starts = 0, hidden = 0, gpu = 0, laned = 0, lane = 0, rows = 0;
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (wanted && !wanted[r]) continue;
    uint64_t rank_calls = 0, rank_hidden = 0, rank_gpu = 0;
    bool has_lanes = false;
    for (uint32_t i = 0; i < p->ranks[r].row_count; i++) {
      const sp_row *row = &p->ranks[r].rows[i];
      if (row->is_aggregate) continue;
      if (row->count > UINT32_MAX || __builtin_add_overflow(rank_calls, row->count, &rank_calls)) {
        return sp_fail(err, SP_TOO_LARGE, NULL, "a region has more than 4294967295 calls");
      }
      if (kept_regions && !kept_regions[row->region]) rank_hidden += row->count;
      if (row->columns & SP_COLUMN_GPU) rank_gpu += row->count;
      if (row->columns & (SP_COLUMN_THREAD | SP_COLUMN_TASK)) {
        has_lanes = true;
        laned = larger(laned, row->count);
      }
    }
    starts = larger(starts, rank_calls);
    hidden = larger(hidden, rank_hidden);
    gpu = larger(gpu, rank_gpu);
    if (has_lanes) lane = larger(lane, rank_calls);
    rows = larger(rows, p->ranks[r].row_count);
  }
  bool failed = false;
  c->runs = block(rows, sizeof *c->runs, &failed);
  c->starts = block(starts, sizeof *c->starts, &failed);
  c->hidden = block(hidden, sizeof *c->hidden, &failed);
  c->gpu = block(gpu, sizeof *c->gpu, &failed);
  c->thread = block(laned, sizeof *c->thread, &failed);
  c->task = block(laned, sizeof *c->task, &failed);
  c->lane = block(lane, sizeof *c->lane, &failed);
  return failed ? no_memory(err) : SP_OK;
}

/* Takes in the run's calls in their present order. False when they are not in tree order (the
 * part's overlap is then void). */
static bool take_in(sp_run *run) {
  const int64_t *start = run->start_ns, *duration = run->duration_ns;
  bool sorted = true;
  run->part = (sp_part){0};
  run->min_ns = run->max_ns = duration[0];
  sp_part_call(&run->part, start[0], duration[0]);
  for (size_t i = 1; i < run->count; i++) {
    int64_t s = start[i], d = duration[i];
    sorted &= s > start[i - 1] || (s == start[i - 1] && d <= duration[i - 1]);
    run->min_ns = d < run->min_ns ? d : run->min_ns;
    run->max_ns = d > run->max_ns ? d : run->max_ns;
    if (s < run->part.start_ns) {
      run->part.start_ns = s;
      run->part.first_ns = d;
    }
    sp_part_call(&run->part, s, d);
  }
  return sorted;
}

static sp_status put_in_order(sp_rank_calls *c, sp_run *run, sp_error *err) {
  if (run->count > c->order_room) {
    sp_free_block(c->order);
    sp_free_block(c->spare);
    bool failed = false;
    c->order = block(run->count, sizeof *c->order, &failed);
    c->spare = block(run->count, sizeof *c->spare, &failed);
    c->order_room = failed ? 0 : run->count;
    if (failed) return no_memory(err);
  }
  sp_call_columns columns = {run->start_ns, run->duration_ns, run->gpu_ns, run->lane};
  sp_calls_sort(&columns, run->count, c->order, c->spare);
  take_in(run);
  return SP_OK;
}

/* Numbers the lanes of a loaded row. */
static sp_status name_lanes(sp_rank_calls *c, const sp_calls *calls, uint32_t *lane,
                            sp_error *err) {
  int64_t last_key = SP_LANE_UNKNOWN;
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i < calls->count; i++) {
    int64_t key =
        sp_lane_key(calls->thread ? calls->thread[i] : -1, calls->task ? calls->task[i] : -1);
    if (key != last_key || last == UINT32_MAX) {
      last = sp_lane_find(&c->lanes, key);
      if (last == UINT32_MAX) return no_memory(err);
      last_key = key;
    }
    lane[i] = last;
  }
  return SP_OK;
}

static sp_status describe(sp_rank_calls *c, sp_run *run, sp_error *err) {
  bool sorted = take_in(run);
  run->first_ns = run->part.first_ns;
  run->last_ns = run->part.last_ns;
  if (!sorted) SP_TRY(put_in_order(c, run, err));
  for (size_t i = 0; run->gpu_ns && i < run->count; i++) sp_part_gpu(&run->part, run->gpu_ns[i]);
  if (!c->has_calls || run->part.start_ns < c->start_ns) c->start_ns = run->part.start_ns;
  if (!c->has_calls || run->part.end_ns > c->end_ns) c->end_ns = run->part.end_ns;
  c->has_calls = true;
  return SP_OK;
}

sp_status sp_rank_calls_load(sp_rank_calls *c, const sp_profile *p, uint32_t rank,
                             sp_duration_place place, void *context, sp_warnings *warnings,
                             sp_error *err) {
  const sp_rank *from = &p->ranks[rank];
  size_t hidden_at = 0, gpu_at = 0;
  bool has_lanes = false;
  c->run_count = 0;
  c->call_count = 0;
  c->has_calls = false;
  sp_lane_map_clear(&c->lanes);
  for (uint32_t i = 0; i < from->row_count; i++) {
    if (from->rows[i].columns & (SP_COLUMN_THREAD | SP_COLUMN_TASK)) has_lanes = true;
  }
  for (uint32_t i = 0; i < from->row_count; i++) {
    const sp_row *row = &from->rows[i];
    if (row->is_aggregate || row->count == 0) continue;
    sp_run *run = &c->runs[c->run_count];
    *run = (sp_run){.row = row, .region = row->region, .parent_path = UINT32_MAX};
    run->start_ns = c->starts + c->call_count;
    run->duration_ns = place ? place(context, row) : NULL;
    run->hidden = !run->duration_ns;
    if (run->hidden) run->duration_ns = c->hidden + hidden_at;
    sp_calls calls = {.start_ns = run->start_ns, .duration_ns = run->duration_ns};
    if (row->columns & SP_COLUMN_GPU && !run->hidden) calls.gpu_ns = c->gpu + gpu_at;
    if (row->columns & SP_COLUMN_THREAD) calls.thread = c->thread;
    if (row->columns & SP_COLUMN_TASK) calls.task = c->task;
    SP_TRY(sp_profile_load_calls(p, row, &calls, warnings, err));
    if (calls.count == 0) continue;
    run->count = (size_t)calls.count;
    run->gpu_ns = calls.gpu_ns;
    if (has_lanes) {
      run->lane = c->lane + c->call_count;
      SP_TRY(name_lanes(c, &calls, run->lane, err));
    }
    SP_TRY(describe(c, run, err));
    if (run->hidden) hidden_at += run->count;
    if (run->gpu_ns) gpu_at += run->count;
    c->call_count += run->count;
    c->run_count++;
  }
  c->lane_count = c->lanes.count ? c->lanes.count : 1;
  for (uint32_t i = 0; i < c->run_count && c->lane_count == 1; i++) c->runs[i].lane = NULL;
  return SP_OK;
}

void sp_rank_calls_free(sp_rank_calls *c) {
  sp_free_block(c->runs);
  sp_free_block(c->starts);
  sp_free_block(c->hidden);
  sp_free_block(c->gpu);
  sp_free_block(c->thread);
  sp_free_block(c->task);
  sp_free_block(c->lane);
  sp_free_block(c->order);
  sp_free_block(c->spare);
  sp_lane_map_free(&c->lanes);
  *c = (sp_rank_calls){0};
}
