/* call_tree.c - the walk.
 *
 *   lane 0   solve    |=================|          open calls of a lane are a linked stack:
 *            assemble   |====|  |====|             top -> assemble -> solve
 *
 * Nearly always all calls of a region on a rank have one path. Then nothing is added up call by
 * call here: the run's own part is the row's. Only when a second path turns up the run is "mixed",
 * and its calls are counted one by one, those already walked included. */
#include "stats/call_tree.h"

#include <string.h>

#define NO_CALL UINT32_MAX
enum { STRIDE = 1 << 14, STRIDES_PER_PROGRESS = 64 };

static sp_status no_memory(sp_error *err) { return sp_fail(err, SP_NOMEM, NULL, "out of memory"); }

/* Makes `*block` hold `n` items. */
static bool make_room(void *block_pointer, uint32_t *room, uint64_t n, size_t size) {
  if (n <= *room) return true;
  uint64_t wanted = *room ? *room : 64;
  while (wanted < n) wanted *= 2;
  if (wanted > UINT32_MAX || wanted > SIZE_MAX / size) return false;
  void **block = block_pointer;
  void *grown = sp_resize(*block, (size_t)wanted * size);
  if (!grown) return false;
  *block = grown;
  *room = (uint32_t)wanted;
  return true;
}

/* The part of `path` on this rank, opened at its first call; NULL when memory ran out. */
static sp_part *part_of(sp_tree *t, uint32_t path, uint32_t run) {
  sp_path_live *live = &t->paths->live[path];
  if (live->part == 0) {
    if (!make_room(&t->parts, &t->part_room, (uint64_t)t->part_count + 1, sizeof *t->parts)) {
      return NULL;
    }
    t->parts[t->part_count] = (sp_part){.path = path, .run = run};
    live->part = ++t->part_count;
  }
  return &t->parts[live->part - 1];
}

/* Counts call `i` of a mixed run by itself. */
static bool note_call(sp_tree *t, sp_run *run, uint32_t run_index, size_t i, uint32_t path) {
  sp_part *part = part_of(t, path, run_index);
  if (!part) return false;
  sp_part_call(part, run->start_ns[i], run->duration_ns[i]);
  if (run->gpu_ns) sp_part_gpu(part, run->gpu_ns[i]);
  run->paths[i] = path;
  return true;
}

/* A run turns out to have a second path: what was one sum becomes single calls. */
static bool make_mixed(sp_tree *t, sp_run *run, uint32_t run_index, size_t walked) {
  run->paths = t->notes(t->context, run);
  if (!run->paths) return false;
  run->mixed = true;
  for (size_t i = 0; i < walked; i++) {
    if (!note_call(t, run, run_index, i, run->only_path)) return false;
  }
  return true;
}

/* Finds the path of a call of `run` whose nearest shown enclosing call has `parent`. Only direct
 * self-recursion collapses. */
static bool find_path(sp_tree *t, sp_run *run, uint32_t parent) {
  bool is_call = parent != SP_PATH_ROOT && parent != SP_PATH_OUTSIDE;
  run->nested = is_call && t->paths->rows[parent].region == run->region;
  run->parent_path = parent;
  run->path = run->nested ? parent : sp_path_child(t->paths, parent, run->region);
  return run->path != 0;
}

/* Puts a call of `run` under its path. */
static inline bool place_call(sp_tree *t, sp_run *run, sp_merge_call call, uint32_t parent) {
  if (__builtin_expect(parent != run->parent_path, 0) && !find_path(t, run, parent)) return false;
  if (__builtin_expect(run->path != run->only_path || run->mixed, 0)) {
    if (run->only_path == SP_PATH_ROOT) {
      run->only_path = run->path;
    } else if (!run->mixed && !make_mixed(t, run, call.run, call.at)) {
      return false;
    }
    if (run->mixed && !note_call(t, run, call.run, call.at, run->path)) return false;
  }
  if (__builtin_expect(run->nested, 0)) {
    sp_path_live *live = &t->paths->live[run->path];
    live->nested_ns += run->duration_ns[call.at];
    live->nested = true;
  }
  return true;
}

/* A node for one more open call; NO_CALL when memory ran out. */
static inline uint32_t open_node(sp_tree *t) {
  uint32_t node = t->open_free;
  if (__builtin_expect(node != NO_CALL, 1)) {
    t->open_free = t->open[node].below;
    return node;
  }
  if (!make_room(&t->open, &t->open_room, (uint64_t)t->open_count + 1, sizeof *t->open)) {
    return NO_CALL;
  }
  return t->open_count++;
}

static void note_crossing(sp_tree *t, const sp_rank_calls *calls, uint32_t lane,
                          const sp_open_call *outer, const sp_run *inner, int64_t start_ns,
                          int64_t end_ns) {
  sp_tree_lane *l = &t->lanes[lane];
  l->crossed = true;
  /* A lane that crosses with the hidden regions may still nest without them. */
  bool again = l->state == SP_LANE_FULL && t->has_hidden;
  l->state = again ? SP_LANE_FILTERED : SP_LANE_OUTSIDE;
  if (l->state != SP_LANE_OUTSIDE) return;
  t->outside_lanes++;
  if (t->crosses) return;
  t->crosses = true;
  t->crossing = (sp_crossing){.lane = lane,
                              .outer_region = calls->runs[outer->run].region,
                              .inner_region = inner->region,
                              .outer_start_ns = outer->start_ns,
                              .outer_end_ns = outer->end_ns,
                              .inner_start_ns = start_ns,
                              .inner_end_ns = end_ns};
}

/* Whether an open call is over when another starts at `start_ns`: one of no length still holds
 * what starts at its own time. */
static inline bool is_over(const sp_open_call *call, int64_t start_ns) {
  return call->end_ns < start_ns || (call->end_ns == start_ns && call->start_ns != start_ns);
}

/* Closes what is over at `start_ns`; returns the innermost call that is still open. */
static inline uint32_t close_calls(sp_tree *t, uint32_t top, int64_t start_ns) {
  while (top != NO_CALL && is_over(&t->open[top], start_ns)) {
    uint32_t below = t->open[top].below;
    t->open[top].below = t->open_free;
    t->open_free = top;
    top = below;
  }
  return top;
}

/* Walks `n` calls; false when memory ran out or there are too many paths. */
static bool walk_some(sp_tree *t, sp_rank_calls *calls, size_t n, bool *crossed) {
  for (; n; n--) {
    sp_merge_call call;
    if (!sp_merge_next(&t->merge, &call)) return false;
    sp_run *run = &calls->runs[call.run];
    int64_t start = run->start_ns[call.at], duration = run->duration_ns[call.at];
    int64_t end = start + duration;
    sp_tree_lane *lane = &t->lanes[run->lane ? run->lane[call.at] : 0];
    if (__builtin_expect(lane->state != SP_LANE_FULL || lane->crossed, 0)) {
      if (lane->crossed || (lane->state == SP_LANE_FILTERED && run->hidden)) continue;
      if (lane->state == SP_LANE_OUTSIDE) {
        if (!run->hidden && !place_call(t, run, call, SP_PATH_OUTSIDE)) return false;
        continue;
      }
    }
    uint32_t top = lane->top = close_calls(t, lane->top, start);
    uint32_t path = SP_PATH_ROOT;
    if (top != NO_CALL) {
      const sp_open_call *outer = &t->open[top];
      if (__builtin_expect(outer->end_ns < end, 0)) {
        note_crossing(t, calls, (uint32_t)(lane - t->lanes), outer, run, start, end);
        *crossed = true;
        continue;
      }
      path = outer->path;
      t->paths->live[outer->owner].children_ns += duration;
    }
    if (!run->hidden) {
      if (!place_call(t, run, call, path)) return false;
      path = run->path;
    }
    uint32_t node = open_node(t);
    if (node == NO_CALL) return false;
    t->open[node] = (sp_open_call){.start_ns = start,
                                   .end_ns = end,
                                   .below = top,
                                   .path = path,
                                   .owner = run->hidden ? SP_PATH_ROOT : path,
                                   .run = call.run};
    lane->top = node;
  }
  return true;
}

/* Tells the progress; false ends the work. */
static bool tell(const sp_tree *t, uint64_t done) {
  return !t->progress || !t->progress->step ||
         t->progress->step(t->progress->context, "calls", done, t->total);
}

/* A function that must be called again and again, not become part of its caller's loop:
 * WebAssembly engines put optimised code in place at the next call, never in the middle of one.
 * Binaryen inlines whatever has one caller; only a pointer it cannot see through stops it. */
static bool (*volatile const walk_stride)(sp_tree *, sp_rank_calls *, size_t, bool *) = walk_some;

static sp_status walk_all(sp_tree *t, sp_rank_calls *calls, bool *crossed, sp_error *err) {
  size_t walked = 0;
  for (uint32_t stride = 1; walked < calls->call_count; stride++) {
    size_t n = calls->call_count - walked;
    if (n > STRIDE) n = STRIDE;
    if (!walk_stride(t, calls, n, crossed)) {
      if (t->paths->full) return SP_TOO_LARGE;
      return no_memory(err);
    }
    walked += n;
    if (stride % STRIDES_PER_PROGRESS && walked < calls->call_count) continue;
    if (!tell(t, t->done + walked)) return sp_fail(err, SP_INTERNAL, NULL, "cancelled");
  }
  return SP_OK;
}

void sp_tree_clear(sp_tree *t, const sp_rank_calls *calls) {
  sp_path_live *live = t->paths->live;
  live[SP_PATH_ROOT] = (sp_path_live){0};
  for (uint32_t r = 0; r < calls->run_count; r++) {
    live[calls->runs[r].only_path] = (sp_path_live){0};
  }
  for (uint32_t i = 0; i < t->part_count; i++) live[t->parts[i].path] = (sp_path_live){0};
  t->part_count = 0;
}

/* Takes back what a walk added, down to the rows known before the rank. */
static void forget(sp_tree *t, const sp_rank_calls *calls, uint32_t known_paths) {
  sp_tree_clear(t, calls);
  sp_path_table_cut(t->paths, known_paths);
}

static bool begin(sp_tree *t, sp_rank_calls *calls) {
  t->has_hidden = false;
  for (uint32_t r = 0; r < calls->run_count; r++) {
    sp_run *run = &calls->runs[r];
    run->parent_path = UINT32_MAX - 1;
    run->only_path = run->path = SP_PATH_ROOT;
    run->mixed = run->nested = false;
    run->paths = NULL;
    t->has_hidden |= run->hidden;
  }
  for (uint32_t l = 0; l < calls->lane_count; l++) {
    t->lanes[l].top = NO_CALL;
    t->lanes[l].crossed = false;
  }
  t->open_count = 0;
  t->open_free = NO_CALL;
  return sp_merge_begin(&t->merge, calls);
}

sp_status sp_tree_walk(sp_tree *t, sp_rank_calls *calls, sp_error *err) {
  t->crosses = t->tied = false;
  t->outside_lanes = 0;
  if (calls->run_count == 0) return SP_OK;
  if (!make_room(&t->lanes, &t->lane_room, calls->lane_count, sizeof *t->lanes)) {
    return no_memory(err);
  }
  for (uint32_t l = 0; l < calls->lane_count; l++) {
    t->lanes[l].state = t->whole_outside ? SP_LANE_OUTSIDE : SP_LANE_FULL;
  }
  uint32_t known_paths = t->paths->count;
  sp_status status;
  bool crossed;
  do { /* lanes know nothing of each other, so one walk finds all that cross: at most three walks */
    crossed = false;
    status = begin(t, calls) ? walk_all(t, calls, &crossed, err) : no_memory(err);
    t->tied |= t->merge.tied;
    if (crossed) forget(t, calls, known_paths);
  } while (status == SP_OK && crossed);
  if (status != SP_OK) forget(t, calls, known_paths);
  return status;
}

void sp_tree_free(sp_tree *t) {
  sp_merge_free(&t->merge);
  sp_free_block(t->open);
  sp_free_block(t->lanes);
  sp_free_block(t->parts);
  sp_path_table *paths = t->paths;
  *t = (sp_tree){.paths = paths};
}
