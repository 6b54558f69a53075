/* analysis.c - the public entry: gather, make rows, and the times of the whole run. */
#include "stats/analysis.h"

#include "stats/rows.h"

static sp_status list_ranks(const sp_gather *g, sp_arena *a, sp_analysis *out, sp_error *err) {
  const sp_profile *p = g->profile;
  uint32_t *ranks = sp_arena_array(a, p->rank_count, sizeof *ranks);
  if (!ranks) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (g->keep_rank[r]) ranks[out->rank_count++] = p->ranks[r].number;
  }
  out->ranks = ranks;
  return SP_OK;
}

/* Origin, span, setup to finalize (statistics 13). */
static void set_times(const sp_gather *g, sp_analysis *out) {
  const sp_profile *p = g->profile;
  out->aligned = g->aligned;
  int64_t first = 0, begin = 0, end = 0;
  bool has_first = false;
  for (uint32_t i = 0; i < p->region_count; i++) {
    const sp_region_work *region = &g->regions[i];
    if (region->has_start && (!has_first || region->start_ns < first)) {
      first = region->start_ns;
      has_first = true;
    }
    if (!region->kept || !region->sums.has_ends) continue;
    if (!out->has_span || region->sums.start_ns < begin) begin = region->sums.start_ns;
    if (!out->has_span || region->sums.end_ns > end) end = region->sums.end_ns;
    out->has_span = true;
  }
  out->span_ns = sp_time_sub(end, begin);
  out->origin_ns = p->has_start_time ? p->start_time_ns : first;
  out->has_setup_to_finalize = p->has_start_time && p->has_finalize_time;
  if (out->has_setup_to_finalize) {
    out->setup_to_finalize_ns = sp_time_sub(p->finalize_time_ns, p->start_time_ns);
  }
}

static sp_status make_rows(sp_gather *g, sp_arena *a, sp_analysis *out, sp_error *err) {
  sp_spread *spreads = sp_alloc(g->paths.count * sizeof *spreads);
  if (!spreads) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t i = 0; i < g->paths.count; i++) spreads[i].set = false;
  sp_status status = sp_flat_rows_make(g, spreads, a, out, err);
  sp_gather_free_regions(g);
  if (status == SP_OK) status = sp_tree_rows_make(g, spreads, a, out, err);
  sp_free_block(spreads);
  if (status == SP_OK) sp_percentages_set(out);
  return status;
}

static sp_status analyse(sp_gather *g, const sp_profile *p, const sp_select *select,
                         const sp_progress *progress, sp_arena *a, sp_analysis *out,
                         sp_error *err) {
  SP_TRY(sp_gather_all(g, p, select, progress, a, err));
  sp_gather_shrink(g);
  SP_TRY(list_ranks(g, a, out, err));
  set_times(g, out);
  SP_TRY(make_rows(g, a, out, err));
  sp_warnings_add(&out->warnings, &p->warnings);
  sp_warnings_add(&out->warnings, &g->warnings);
  return a->failed ? sp_fail(err, SP_NOMEM, NULL, "out of memory") : SP_OK;
}

sp_status sp_analyse(const sp_profile *p, const sp_select *select, const sp_progress *progress,
                     sp_arena *a, sp_analysis *out, sp_error *err) {
  *out = (sp_analysis){.profile = p, .warnings = {.arena = a}};
  sp_gather gather = {.profile = p};
  sp_status status = analyse(&gather, p, select, progress, a, out, err);
  sp_gather_free(&gather);
  return status;
}
