/* gather_rank.c - one rank: load, walk, add up, compare with what is stored. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stats/gather.h"

enum { DIFFERENCES_SHOWN = 3, NAME_SHOWN = 120, PATH_SIZE = 400 };

static sp_status no_memory(sp_error *err) { return sp_fail(err, SP_NOMEM, NULL, "out of memory"); }

bool sp_ends_add(sp_ends_list *list, const sp_rank_ends *ends) {
  if (list->count == list->room) {
    size_t wanted = list->room ? list->room * 2 : 64;
    sp_rank_ends *items = sp_resize(list->items, wanted * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->room = wanted;
  }
  list->items[list->count++] = *ends;
  return true;
}

/* A name for a message: long ones are cut at a character's start. */
static const char *shown_name(const sp_profile *p, uint32_t region, char to[NAME_SHOWN + 4]) {
  sp_str name = p->regions[region].name;
  size_t n = name.n;
  if (n > NAME_SHOWN) {
    for (n = NAME_SHOWN; n > 0 && ((unsigned char)name.p[n] & 0xC0) == 0x80; n--) {
    }
  }
  if (n) memcpy(to, name.p, n);
  memcpy(to + n, n < name.n ? "..." : "", n < name.n ? 4 : 1);
  return to;
}

/* Where a row's durations go: behind those of the region's ranks before. */
static int64_t *duration_place(void *context, const sp_row *row) {
  sp_gather *g = context;
  const sp_region_work *region = &g->regions[row->region];
  return region->kept ? g->pool + region->pool_begin + region->pool_used : NULL;
}

/* A region's calls get more than one path: from now on each call's is noted down. */
static bool note_paths(const sp_gather *g, sp_region_work *region) {
  (void)g;
  if (region->call_paths) return true;
  if (region->pool_room > SIZE_MAX / sizeof *region->call_paths) return false;
  region->call_paths = sp_alloc((size_t)region->pool_room * sizeof *region->call_paths);
  if (!region->call_paths) return false;
  for (uint64_t i = 0; i < region->pool_used; i++) region->call_paths[i] = region->only_path;
  return true;
}

static uint32_t *notes(void *context, const sp_run *run) {
  sp_gather *g = context;
  sp_region_work *region = &g->regions[run->region];
  if (!note_paths(g, region)) return NULL;
  return region->call_paths + (run->duration_ns - (g->pool + region->pool_begin));
}

static void warn_crossing(sp_gather *g, uint32_t rank) {
  const sp_crossing *c = &g->tree.crossing;
  const sp_profile *p = g->profile;
  char path[32], lane[64] = "", lane_name[40], others[64] = "";
  char inner[NAME_SHOWN + 4], outer[NAME_SHOWN + 4];
  uint32_t number = p->ranks[rank].number;
  snprintf(path, sizeof path, "/rank%" PRIu32, number);
  bool laned = g->calls.lane_count > 1;
  if (laned) {
    sp_lane_name(g->calls.lanes.keys[c->lane], lane_name, sizeof lane_name);
    snprintf(lane, sizeof lane, ", %s", lane_name);
  }
  if (g->tree.outside_lanes > 1) {
    snprintf(others, sizeof others, " (and of %" PRIu32 " more)", g->tree.outside_lanes - 1);
  }
  sp_warn(&g->warnings, "crossing-calls", path,
          "rank %" PRIu32 "%s: a call of %s [%" PRId64 ", %" PRId64 "] starts inside %s [%" PRId64
          ", %" PRId64 "] but ends after it; the calls of this %s%s stand outside the call tree",
          number, lane, shown_name(p, c->inner_region, inner), c->inner_start_ns, c->inner_end_ns,
          shown_name(p, c->outer_region, outer), c->outer_start_ns, c->outer_end_ns,
          laned ? "lane" : "rank", others);
}

/* Says that a stored number is not what the calls give. */
static void differs(sp_gather *g, const sp_row *row, const char *what, int64_t stored,
                    sp_i128 loaded, uint32_t *shown) {
  if ((sp_i128)stored == loaded || *shown == DIFFERENCES_SHOWN) return;
  (*shown)++;
  char path[PATH_SIZE], name[NAME_SHOWN + 4];
  sp_row_path(g->profile, row, path, sizeof path);
  bool fits = loaded >= INT64_MIN && loaded <= INT64_MAX;
  char value[32] = "a larger number of";
  if (fits) snprintf(value, sizeof value, "%" PRId64, (int64_t)loaded);
  sp_warn(&g->warnings, "summary-differs", path,
          "rank %" PRIu32 ", region %s: the stored %s is %" PRId64 " ns, its calls give %s ns; "
          "the calls count",
          g->profile->ranks[row->rank].number, shown_name(g->profile, row->region, name), what,
          stored, value);
}

static void compare_summary(sp_gather *g, const sp_run *run, uint32_t *shown) {
  const sp_stored_summary *s = run->row->summary;
  if (!s || run->count != run->row->count) return;
  uint32_t before = *shown;
  differs(g, run->row, "total", s->total, run->part.all_ns, shown);
  if (*shown == before) differs(g, run->row, "minimum", s->minimum, run->min_ns, shown);
  if (*shown == before) differs(g, run->row, "maximum", s->maximum, run->max_ns, shown);
  if (*shown == before) {
    differs(g, run->row, "first start", s->start_minimum, run->part.start_ns, shown);
  }
  if (*shown == before) differs(g, run->row, "last end", s->end_maximum, run->part.end_ns, shown);
}

/* Adds one rank's share of a region. */
static void add_share(sp_gather *g, uint32_t rank, sp_region_work *region, const sp_part *part,
                      sp_i128 exclusive_ns) {
  sp_sums_rank(&region->sums, part, part->all_ns, exclusive_ns, false);
  if (region->share_count == region->share_room) return;
  region->shares[region->share_count++] =
      (sp_rank_share){g->profile->ranks[rank].number, part->calls, part->all_ns, exclusive_ns};
}

static bool add_aggregate(sp_gather *g, uint32_t rank, const sp_row *row) {
  sp_region_work *region = &g->regions[row->region];
  if (!region->kept) return true;
  sp_part part = {.all_ns = row->aggregate_total, .calls = row->aggregate_calls};
  if (part.calls == 0) part.all_ns = 0;
  const sp_stored_summary *s = row->summary;
  if (s && part.calls && s->gpu_count) {
    part.gpu_ns = s->gpu_total;
    part.gpu_count = s->gpu_count;
  }
  add_share(g, rank, region, &part, part.calls ? row->aggregate_exclusive : 0);
  if (part.calls == 0) return true;
  sp_sums_bounds(&region->sums, row->aggregate_minimum, row->aggregate_maximum);
  if (!s) return true;
  sp_sums_moments(&region->sums, part.calls, s->mean, s->m2);
  return sp_ends_add(&g->region_ends, &(sp_rank_ends){row->region, rank, s->start_minimum,
                                                      s->end_maximum, s->first, s->last});
}

/* Rows that brought no run: totals only, or no calls at all. Runs lie in the order of rows. */
static bool add_rows_without_run(sp_gather *g, uint32_t rank) {
  const sp_rank *r = &g->profile->ranks[rank];
  uint32_t run = 0;
  for (uint32_t i = 0; i < r->row_count; i++) {
    const sp_row *row = &r->rows[i];
    if (run < g->calls.run_count && g->calls.runs[run].row == row) {
      run++;
    } else if (row->is_aggregate) {
      if (!add_aggregate(g, rank, row)) return false;
    } else if (g->regions[row->region].kept) {
      add_share(g, rank, &g->regions[row->region], &(sp_part){0}, 0);
    }
  }
  return true;
}

/* Adds one path's part; exclusive[run] becomes the run's own time. */
static bool add_part(sp_gather *g, uint32_t rank, const sp_part *part, uint32_t path, uint32_t run,
                     sp_i128 *exclusive) {
  sp_path_row *row = &g->paths.rows[path];
  const sp_path_live *live = &g->paths.live[path];
  bool in_tree = row->parent != SP_PATH_OUTSIDE;
  sp_i128 own = part->all_ns - live->children_ns;
  if (!in_tree && !g->calls.runs[run].mixed && g->calls.runs[run].row->exclusive_ns >= 0) {
    own = g->calls.runs[run].row->exclusive_ns;
  }
  exclusive[run] += own;
  row->recursive |= live->nested;
  sp_sums_rank(&row->sums, part, part->all_ns - live->nested_ns, own, in_tree);
  return sp_ends_add(&g->path_ends, &(sp_rank_ends){path, rank, part->start_ns, part->end_ns,
                                                    part->first_ns, part->last_ns});
}

static bool add_parts(sp_gather *g, uint32_t rank, sp_i128 *exclusive) {
  for (uint32_t r = 0; r < g->calls.run_count; r++) {
    const sp_run *run = &g->calls.runs[r];
    if (run->hidden || run->mixed) continue;
    if (!add_part(g, rank, &run->part, run->only_path, r, exclusive)) return false;
  }
  for (uint32_t i = 0; i < g->tree.part_count; i++) {
    const sp_part *part = &g->tree.parts[i];
    if (!add_part(g, rank, part, part->path, part->run, exclusive)) return false;
  }
  return true;
}

/* Adds a run to its region; durations become part of the pool. */
static bool add_run(sp_gather *g, uint32_t rank, const sp_run *run, sp_i128 exclusive_ns) {
  sp_region_work *region = &g->regions[run->region];
  const sp_part *part = &run->part;
  if (run->hidden) {
    return sp_ends_add(&g->other_starts,
                       &(sp_rank_ends){run->region, rank, part->start_ns, part->end_ns, 0, 0});
  }
  add_share(g, rank, region, part, exclusive_ns);
  sp_sums_bounds(&region->sums, run->min_ns, run->max_ns);
  if (!run->mixed) {
    bool same = region->only_path == SP_PATH_ROOT || region->only_path == run->only_path;
    if (!region->call_paths && !same && !note_paths(g, region)) return false;
    if (region->call_paths) {
      uint32_t *paths = region->call_paths + region->pool_used;
      for (size_t i = 0; i < run->count; i++) paths[i] = run->only_path;
    } else {
      region->only_path = run->only_path;
    }
  }
  region->pool_used += run->count;
  return sp_ends_add(&g->region_ends, &(sp_rank_ends){run->region, rank, part->start_ns,
                                                      part->end_ns, run->first_ns, run->last_ns});
}

/* Whether stored exclusive times can be held against the tree: all calls are in it, none was left
 * out, and no equal times let the writer choose another order. */
static bool exclusive_is_comparable(const sp_gather *g, uint32_t rank) {
  if (g->calls.run_count == 0 || g->tree.tied || g->tree.whole_outside) return false;
  for (uint32_t l = 0; l < g->calls.lane_count; l++) {
    if (g->tree.lanes[l].state != SP_LANE_FULL) return false;
  }
  uint64_t stored = 0;
  for (uint32_t i = 0; i < g->profile->ranks[rank].row_count; i++) {
    const sp_row *row = &g->profile->ranks[rank].rows[i];
    if (!row->is_aggregate) stored += row->count;
  }
  return stored == g->calls.call_count;
}

static sp_status add_rank(sp_gather *g, uint32_t rank, sp_i128 *exclusive, sp_error *err) {
  if (!add_parts(g, rank, exclusive)) return no_memory(err);
  bool comparable = exclusive_is_comparable(g, rank);
  uint32_t shown = 0;
  for (uint32_t i = 0; i < g->calls.run_count; i++) {
    const sp_run *run = &g->calls.runs[i];
    if (!add_run(g, rank, run, exclusive[i])) return no_memory(err);
    if (run->hidden) continue;
    compare_summary(g, run, &shown);
    if (comparable && run->row->exclusive_ns >= 0) {
      differs(g, run->row, "exclusive time", run->row->exclusive_ns, exclusive[i], &shown);
    }
  }
  return add_rows_without_run(g, rank) ? SP_OK : no_memory(err);
}

/* Tells the runs their regions' places. Where no summary gave an order, the first rank's is a good
 * guess: it spares most second walks. */
static sp_status place_regions(sp_gather *g, uint32_t rank, sp_error *err) {
  if (!g->has_order && g->calls.run_count) {
    for (uint32_t i = 0; i < g->calls.run_count; i++) {
      sp_gather_start(g, g->calls.runs[i].region, rank, g->calls.runs[i].part.start_ns);
    }
    SP_TRY(sp_gather_order(g, err));
    g->has_order = true;
  }
  for (uint32_t i = 0; i < g->calls.run_count; i++) {
    g->calls.runs[i].place = g->regions[g->calls.runs[i].region].place;
  }
  return SP_OK;
}

sp_status sp_gather_rank(sp_gather *g, uint32_t rank, sp_error *err) {
  SP_TRY(sp_rank_calls_load(&g->calls, g->profile, rank, duration_place, g, &g->warnings, err));
  SP_TRY(place_regions(g, rank, err));
  g->clocks[rank] = (sp_rank_clock){g->calls.has_calls, g->calls.start_ns, g->calls.end_ns, 0};
  g->tree.notes = notes;
  g->tree.context = g;
  SP_TRY(sp_tree_walk(&g->tree, &g->calls, err));
  if (g->tree.crosses) warn_crossing(g, rank);
  g->tree.done += g->calls.call_count;
  size_t runs = (size_t)g->calls.run_count + 1;
  sp_i128 *exclusive = sp_alloc(runs * sizeof *exclusive);
  if (!exclusive) return no_memory(err);
  memset(exclusive, 0, runs * sizeof *exclusive);
  sp_status status = add_rank(g, rank, exclusive, err);
  sp_free_block(exclusive);
  sp_tree_clear(&g->tree, &g->calls);
  return status;
}

sp_status sp_gather_other_rank(sp_gather *g, uint32_t rank, sp_error *err) {
  const sp_rank *r = &g->profile->ranks[rank];
  sp_row_ends *ends = sp_alloc(((size_t)r->row_count + 1) * sizeof *ends);
  if (!ends) return no_memory(err);
  sp_status status = sp_rank_learn_ends(g->profile, r, ends, err);
  sp_rank_clock *clock = &g->clocks[rank];
  *clock = (sp_rank_clock){.has_calls = false};
  for (uint32_t i = 0; i < r->row_count && status == SP_OK; i++) {
    if (!ends[i].has_calls) continue;
    if (!clock->has_calls || ends[i].start_ns < clock->start_ns) clock->start_ns = ends[i].start_ns;
    if (!clock->has_calls || ends[i].end_ns > clock->end_ns) clock->end_ns = ends[i].end_ns;
    clock->has_calls = true;
    if (!sp_ends_add(&g->other_starts, &(sp_rank_ends){r->rows[i].region, rank, ends[i].start_ns,
                                                       ends[i].end_ns, 0, 0})) {
      status = no_memory(err);
    }
  }
  sp_free_block(ends);
  return status;
}
