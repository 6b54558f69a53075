/* gather.c - all ranks, once or twice. */
#include "stats/gather.h"

#include <string.h>

#include "stats/index_sort.h"

static sp_status no_memory(sp_error *err) { return sp_fail(err, SP_NOMEM, NULL, "out of memory"); }

/* Lays out the pool and the shares. */
static sp_status lay_out(sp_gather *g, sp_arena *a, sp_error *err) {
  const sp_profile *p = g->profile;
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (!g->keep_rank[r]) continue;
    for (uint32_t i = 0; i < p->ranks[r].row_count; i++) {
      const sp_row *row = &p->ranks[r].rows[i];
      sp_region_work *region = &g->regions[row->region];
      if (!row->is_aggregate) g->tree.total += row->count;
      if (!region->kept) continue;
      region->share_room++;
      if (!row->is_aggregate) region->pool_room += row->count;
    }
  }
  uint64_t begin = 0;
  for (uint32_t i = 0; i < p->region_count; i++) {
    sp_region_work *region = &g->regions[i];
    region->pool_begin = begin;
    if (__builtin_add_overflow(begin, region->pool_room, &begin)) return no_memory(err);
    region->shares = sp_arena_array(a, region->share_room, sizeof *region->shares);
    if (!region->shares) return no_memory(err);
  }
  if (begin > SIZE_MAX / sizeof *g->pool) return no_memory(err);
  g->pool = sp_alloc((size_t)begin * sizeof *g->pool);
  return g->pool ? SP_OK : no_memory(err);
}

static sp_status prepare(sp_gather *g, const sp_select *select, sp_arena *a, sp_error *err) {
  const sp_profile *p = g->profile;
  g->keep_region = sp_arena_array(&g->scratch, p->region_count, sizeof *g->keep_region);
  g->keep_rank = sp_arena_array(&g->scratch, p->rank_count, sizeof *g->keep_rank);
  g->order = sp_arena_array(&g->scratch, p->region_count, sizeof *g->order);
  g->clocks = sp_arena_array(&g->scratch, p->rank_count, sizeof *g->clocks);
  /* In a block of their own: with 100,000 regions it is worth giving back early. */
  if ((uint64_t)p->region_count + 1 > SIZE_MAX / sizeof *g->regions) return no_memory(err);
  size_t size = ((size_t)p->region_count + 1) * sizeof *g->regions;
  g->regions = sp_alloc(size);
  if (g->regions) memset(g->regions, 0, size);
  if (!g->regions || g->scratch.failed) return no_memory(err);
  SP_TRY(sp_select_regions(select, p, g->keep_region, err));
  SP_TRY(sp_select_ranks(select, p, g->keep_rank, err));
  for (uint32_t i = 0; i < p->region_count; i++) {
    g->regions[i].kept = g->keep_region[i];
    g->order[i] = g->regions[i].place = i;
  }
  SP_TRY(lay_out(g, a, err));
  return sp_rank_calls_room(&g->calls, p, g->keep_rank, g->keep_region, err);
}

void sp_gather_start(sp_gather *g, uint32_t region, uint32_t rank, int64_t start_ns) {
  sp_region_work *work = &g->regions[region];
  int64_t start = sp_time_add(start_ns, g->clocks[rank].shift_ns);
  if (!work->has_start || start < work->start_ns) work->start_ns = start;
  work->has_start = true;
}

/* Regions without any call first, then by first start; the file's order between equals. */
static bool starts_after(const void *context, uint32_t a, uint32_t b) {
  const sp_region_work *regions = context, *x = &regions[a], *y = &regions[b];
  if (!x->has_start || !y->has_start) return x->has_start && !y->has_start;
  return x->start_ns > y->start_ns;
}

sp_status sp_gather_order(sp_gather *g, sp_error *err) {
  uint32_t n = g->profile->region_count;
  if (n == 0) return SP_OK;
  uint32_t *spare = sp_alloc((size_t)n * sizeof *spare);
  if (!spare) return no_memory(err);
  for (uint32_t i = 0; i < n; i++) g->order[i] = i;
  sp_index_sort(g->order, spare, n, starts_after, g->regions);
  for (uint32_t i = 0; i < n; i++) g->regions[g->order[i]].place = i;
  sp_free_block(spare);
  return SP_OK;
}

/* The order that stored summaries promise; without them the file's, until a rank was loaded. */
static sp_status assume_order(sp_gather *g, sp_error *err) {
  const sp_profile *p = g->profile;
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (!sp_rank_has_summaries(&p->ranks[r])) return SP_OK;
  }
  for (uint32_t pass = 0; pass < 2; pass++) { /* clocks first, then starts on them */
    for (uint32_t r = 0; r < p->rank_count; r++) {
      sp_rank_clock *clock = &g->clocks[r];
      for (uint32_t i = 0; i < p->ranks[r].row_count; i++) {
        const sp_row *row = &p->ranks[r].rows[i];
        if (row->is_aggregate || row->count == 0) continue;
        int64_t start = row->summary->start_minimum, end = row->summary->end_maximum;
        if (pass == 1) {
          sp_gather_start(g, row->region, r, start);
          continue;
        }
        if (!clock->has_calls || start < clock->start_ns) clock->start_ns = start;
        if (!clock->has_calls || end > clock->end_ns) clock->end_ns = end;
        clock->has_calls = true;
      }
    }
    if (pass == 0) SP_TRY(sp_clocks_align(p, g->clocks, NULL, &g->aligned, err));
  }
  g->has_order = true;
  return sp_gather_order(g, err);
}

/* Back to nothing gathered. */
static sp_status reset(sp_gather *g, sp_error *err) {
  for (uint32_t i = 0; i < g->profile->region_count; i++) {
    sp_region_work *region = &g->regions[i];
    region->has_start = false;
    region->only_path = SP_PATH_ROOT;
    sp_free_block(region->call_paths);
    region->call_paths = NULL;
    region->pool_used = 0;
    region->share_count = 0;
    region->sums = (sp_sums){0};
  }
  g->region_ends.count = g->other_starts.count = g->path_ends.count = 0;
  g->tree.done = 0;
  g->tie_pairs.count = 0;
  g->tie_pairs.more = false;
  g->tree.merge.pairs = &g->tie_pairs;
  g->warnings = (sp_warnings){.arena = &g->scratch};
  sp_path_table_free(&g->paths);
  g->tree.paths = &g->paths;
  return sp_path_table_init(&g->paths, err);
}

static sp_status gather_once(sp_gather *g, sp_error *err) {
  SP_TRY(reset(g, err));
  for (uint32_t r = 0; r < g->profile->rank_count; r++) {
    SP_TRY(g->keep_rank[r] ? sp_gather_rank(g, r, err) : sp_gather_other_rank(g, r, err));
  }
  return SP_OK;
}

/* Finds the true order. *wrong tells whether some calls were put in another one. */
static sp_status learn_order(sp_gather *g, bool *wrong, sp_error *err) {
  for (uint32_t i = 0; i < g->profile->region_count; i++) g->regions[i].has_start = false;
  SP_TRY(sp_clocks_align(g->profile, g->clocks, &g->warnings, &g->aligned, err));
  for (size_t i = 0; i < g->region_ends.count; i++) {
    const sp_rank_ends *e = &g->region_ends.items[i];
    sp_gather_start(g, e->owner, e->rank, e->start_ns);
  }
  for (size_t i = 0; i < g->other_starts.count; i++) {
    const sp_rank_ends *e = &g->other_starts.items[i];
    sp_gather_start(g, e->owner, e->rank, e->start_ns);
  }
  g->has_order = true;
  SP_TRY(sp_gather_order(g, err));
  const sp_tie_pairs *pairs = &g->tie_pairs;
  *wrong = pairs->more && !*wrong; /* the second time the order was the true one */
  for (uint32_t i = 0; i < pairs->count; i++) {
    *wrong |= g->regions[pairs->first[i]].place > g->regions[pairs->second[i]].place;
  }
  return SP_OK;
}

/* Gives the sums their first and last calls, now that clocks can be compared. */
static void place_ends(sp_gather *g) {
  for (size_t i = 0; i < g->region_ends.count + g->path_ends.count; i++) {
    bool of_region = i < g->region_ends.count;
    const sp_rank_ends *e =
        of_region ? &g->region_ends.items[i] : &g->path_ends.items[i - g->region_ends.count];
    int64_t shift = g->clocks[e->rank].shift_ns;
    sp_sums_ends(of_region ? &g->regions[e->owner].sums : &g->paths.rows[e->owner].sums,
                 sp_time_add(e->start_ns, shift), sp_time_add(e->end_ns, shift), e->first_ns,
                 e->last_ns);
  }
}

sp_status sp_gather_all(sp_gather *g, const sp_profile *p, const sp_select *select,
                        const sp_progress *progress, sp_arena *a, sp_error *err) {
  g->profile = p;
  g->tree.progress = progress;
  SP_TRY(prepare(g, select, a, err));
  SP_TRY(assume_order(g, err));
  bool wrong = false;
  do {
    sp_status status = gather_once(g, err);
    if (status == SP_TOO_LARGE && g->paths.full && !g->tree.whole_outside) {
      g->tree.whole_outside = true; /* too many paths: once more, rows without a tree */
      status = gather_once(g, err);
    }
    SP_TRY(status);
    SP_TRY(learn_order(g, &wrong, err));
  } while (wrong);
  if (g->tree.whole_outside) {
    sp_warn(&g->warnings, "limit", "/",
            "more than %d different call paths; the regions stand without a call tree",
            (int)SP_PATHS_MAX);
  }
  place_ends(g);
  return g->scratch.failed ? no_memory(err) : SP_OK;
}

void sp_gather_shrink(sp_gather *g) {
  sp_rank_calls_free(&g->calls);
  sp_tree_free(&g->tree);
  sp_path_table_shrink(&g->paths);
  sp_free_block(g->region_ends.items);
  sp_free_block(g->other_starts.items);
  sp_free_block(g->path_ends.items);
  g->region_ends = g->other_starts = g->path_ends = (sp_ends_list){0};
}

void sp_gather_free_regions(sp_gather *g) {
  for (uint32_t i = 0; g->regions && i < g->profile->region_count; i++) {
    sp_free_block(g->regions[i].call_paths);
  }
  sp_free_block(g->regions);
  sp_free_block(g->pool);
  g->regions = NULL;
  g->pool = NULL;
}

void sp_gather_free(sp_gather *g) {
  sp_gather_shrink(g);
  sp_path_table_free(&g->paths);
  sp_gather_free_regions(g);
  sp_arena_free(&g->scratch);
  *g = (sp_gather){.profile = NULL};
}
