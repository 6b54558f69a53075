/* flat_rows.c - one row per region, and the spread of the durations of regions and paths.
 *
 *   pool of a region   | 7 2 | 9 9 4 | 3 |      calls of several paths are first brought together
 *   after sorting out  | path 2  | path 5 |      path by path, in place; then each piece, and at
 *                                               last the whole, is described
 */
#include "stats/rows.h"

enum { SPARE_MORE = 4096 };

/* Brings the region's calls together by path: begin[path] becomes the place of its first. Every
 * swap puts one call where it belongs. */
static void sort_out(int64_t *durations, uint32_t *paths, size_t n, const sp_path_table *table,
                     size_t *begin, size_t *next) {
  size_t at = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t path = paths[i];
    if (begin[path] != SIZE_MAX) continue;
    begin[path] = next[path] = at;
    at += (size_t)table->rows[path].sums.calls;
  }
  for (size_t i = 0; i < n; i++) {
    for (uint32_t path = paths[i]; i < begin[path] || i >= next[path]; path = paths[i]) {
      size_t to = next[path]++;
      if (to == i) break;
      int64_t duration = durations[i];
      durations[i] = durations[to];
      durations[to] = duration;
      paths[i] = paths[to];
      paths[to] = path;
    }
  }
}

/* Working room for all regions. */
typedef struct spread_room {
  sp_spread *spreads;   /* by path */
  size_t *begin, *next; /* by path; NULL until a region has several */
  int64_t *spare;
  size_t spare_count;
} spread_room;

/* Describes every path of a region whose calls have several; the region's durations end up path
 * by path. */
static void spread_paths(sp_gather *g, sp_region_work *region, const spread_room *room) {
  int64_t *durations = g->pool + region->pool_begin;
  size_t n = (size_t)region->pool_used;
  sort_out(durations, region->call_paths, n, &g->paths, room->begin, room->next);
  for (size_t i = 0; i < n;) {
    uint32_t path = region->call_paths[i];
    const sp_sums *sums = &g->paths.rows[path].sums;
    size_t count = (size_t)sums->calls;
    int64_t min, max;
    sp_bounds_of(durations + i, count, &min, &max);
    sp_spread_of(durations + i, count, sums->all_ns, min, max, room->spare, room->spare_count,
                 &room->spreads[path]);
    i += count;
  }
}

static sp_status spread_region(sp_gather *g, sp_region_work *region, spread_room *room,
                               sp_spread *whole, sp_error *err) {
  size_t n = (size_t)region->pool_used;
  sp_spread *spreads = room->spreads;
  if (region->call_paths) {
    uint32_t paths = g->paths.count;
    if (!room->begin) {
      room->begin = sp_alloc((size_t)paths * 2 * sizeof *room->begin);
      if (!room->begin) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
      room->next = room->begin + paths;
      for (uint32_t i = 0; i < paths; i++) room->begin[i] = SIZE_MAX;
    }
    spread_paths(g, region, room);
    sp_free_block(region->call_paths);
    region->call_paths = NULL;
  }
  sp_spread_of(g->pool + region->pool_begin, n, region->sums.all_ns, region->sums.min_ns,
               region->sums.max_ns, room->spare, room->spare_count, whole);
  if (region->only_path != SP_PATH_ROOT && !spreads[region->only_path].set) {
    spreads[region->only_path] = *whole;
  }
  return SP_OK;
}

static sp_status make_rows(sp_gather *g, spread_room *room, sp_analysis *out, sp_error *err) {
  for (uint32_t i = 0; i < g->profile->region_count; i++) {
    sp_region_work *region = &g->regions[g->order[i]];
    if (!region->kept) continue;
    sp_flat_row *row = &out->regions[out->region_count++];
    *row = (sp_flat_row){.region = g->order[i],
                         .has_start = region->sums.has_ends,
                         .start_ns = region->sums.start_ns,
                         .end_ns = region->sums.end_ns,
                         .per_rank = region->shares,
                         .per_rank_count = region->share_count};
    sp_spread whole = {.set = false};
    if (region->pool_used) SP_TRY(spread_region(g, region, room, &whole, err));
    bool all = region->pool_used && region->pool_used == region->sums.calls;
    sp_sums_stats(&region->sums, all ? &whole : NULL, &row->stats);
  }
  return SP_OK;
}

sp_status sp_flat_rows_make(sp_gather *g, sp_spread *spreads, sp_arena *a, sp_analysis *out,
                            sp_error *err) {
  uint32_t kept = 0;
  size_t most = 0;
  for (uint32_t i = 0; i < g->profile->region_count; i++) {
    kept += g->regions[i].kept;
    if (g->regions[i].pool_used > most) most = (size_t)g->regions[i].pool_used;
  }
  out->regions = sp_arena_array(a, kept, sizeof *out->regions);
  if (!out->regions) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  spread_room room = {.spreads = spreads, .spare_count = most / 4 + SPARE_MORE};
  room.spare = sp_alloc(room.spare_count * sizeof *room.spare);
  if (!room.spare) room.spare_count = 0; /* slower, but the same */
  sp_status status = make_rows(g, &room, out, err);
  sp_free_block(room.begin);
  sp_free_block(room.spare);
  return status;
}
