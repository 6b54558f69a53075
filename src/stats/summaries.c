/* summaries.c - flat rows from stored summaries, without reading a single call (statistics 16). */
#include "stats/index_sort.h"
#include "stats/rows.h"

typedef struct summary_work {
  const sp_profile *profile;
  bool *keep_region, *keep_rank;
  sp_region_work *regions;
  uint32_t *order;
} summary_work;

static sp_status no_memory(sp_error *err) { return sp_fail(err, SP_NOMEM, NULL, "out of memory"); }

static sp_status prepare(summary_work *w, const sp_select *select, sp_arena *scratch, sp_arena *a,
                         sp_error *err) {
  const sp_profile *p = w->profile;
  w->keep_region = sp_arena_array(scratch, p->region_count, sizeof *w->keep_region);
  w->keep_rank = sp_arena_array(scratch, p->rank_count, sizeof *w->keep_rank);
  w->regions = sp_arena_array(scratch, p->region_count, sizeof *w->regions);
  w->order = sp_arena_array(scratch, (uint64_t)p->region_count * 2, sizeof *w->order);
  if (scratch->failed) return no_memory(err);
  SP_TRY(sp_select_regions(select, p, w->keep_region, err));
  SP_TRY(sp_select_ranks(select, p, w->keep_rank, err));
  for (uint32_t r = 0; r < p->rank_count; r++) {
    for (uint32_t i = 0; i < p->ranks[r].row_count && w->keep_rank[r]; i++) {
      w->regions[p->ranks[r].rows[i].region].share_room++;
    }
  }
  for (uint32_t i = 0; i < p->region_count; i++) {
    sp_region_work *region = &w->regions[i];
    w->order[i] = i;
    region->kept = w->keep_region[i];
    if (!region->kept) continue;
    region->shares = sp_arena_array(a, region->share_room, sizeof *region->shares);
    if (!region->shares) return no_memory(err);
  }
  return SP_OK;
}

/* What a row says of itself, as a part. */
static sp_part part_of(const sp_row *row, sp_i128 *exclusive_ns, int64_t *min, int64_t *max) {
  const sp_stored_summary *s = row->summary;
  sp_part part = {0};
  *exclusive_ns = 0;
  part.calls = row->is_aggregate ? row->aggregate_calls : row->count;
  if (part.calls == 0) return part;
  part.all_ns = row->is_aggregate ? row->aggregate_total : s->total;
  *min = row->is_aggregate ? row->aggregate_minimum : s->minimum;
  *max = row->is_aggregate ? row->aggregate_maximum : s->maximum;
  *exclusive_ns = row->is_aggregate ? row->aggregate_exclusive : row->exclusive_ns;
  if (*exclusive_ns < 0 && !row->is_aggregate) *exclusive_ns = part.all_ns;
  if (s && s->gpu_count) {
    part.gpu_ns = s->gpu_total;
    part.gpu_count = s->gpu_count;
  }
  return part;
}

static void add_row(summary_work *w, const sp_row *row) {
  sp_region_work *region = &w->regions[row->region];
  const sp_stored_summary *s = row->summary;
  bool has_calls = (row->is_aggregate ? row->aggregate_calls : row->count) > 0;
  if (s && has_calls) { /* all ranks have a say in the order */
    if (!region->has_start || s->start_minimum < region->start_ns) {
      region->start_ns = s->start_minimum;
    }
    region->has_start = true;
  }
  if (!region->kept || !w->keep_rank[row->rank]) return;
  sp_i128 exclusive;
  int64_t min = 0, max = 0;
  sp_part part = part_of(row, &exclusive, &min, &max);
  sp_sums_rank(&region->sums, &part, part.all_ns, exclusive, false);
  region->shares[region->share_count++] =
      (sp_rank_share){w->profile->ranks[row->rank].number, part.calls, part.all_ns, exclusive};
  if (!has_calls) return;
  sp_sums_bounds(&region->sums, min, max);
  if (!s) return;
  sp_sums_moments(&region->sums, part.calls, s->mean, s->m2);
  sp_sums_ends(&region->sums, s->start_minimum, s->end_maximum, s->first, s->last);
}

static bool starts_after(const void *context, uint32_t a, uint32_t b) {
  const sp_region_work *regions = context, *x = &regions[a], *y = &regions[b];
  if (!x->has_start || !y->has_start) return x->has_start && !y->has_start;
  return x->start_ns > y->start_ns;
}

static sp_status finish(summary_work *w, sp_arena *a, sp_analysis *out, sp_error *err) {
  const sp_profile *p = w->profile;
  uint32_t *ranks = sp_arena_array(a, p->rank_count, sizeof *ranks);
  out->regions = sp_arena_array(a, p->region_count, sizeof *out->regions);
  if (!ranks || !out->regions) return no_memory(err);
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (w->keep_rank[r]) ranks[out->rank_count++] = p->ranks[r].number;
  }
  out->ranks = ranks;
  sp_index_sort(w->order, w->order + p->region_count, p->region_count, starts_after, w->regions);
  int64_t first = 0, begin = 0, end = 0;
  bool has_first = false;
  for (uint32_t i = 0; i < p->region_count; i++) {
    const sp_region_work *region = &w->regions[w->order[i]];
    if (region->has_start && (!has_first || region->start_ns < first)) first = region->start_ns;
    has_first |= region->has_start;
    if (!region->kept) continue;
    const sp_sums *sums = &region->sums;
    sp_flat_row *row = &out->regions[out->region_count++];
    *row = (sp_flat_row){.region = w->order[i],
                         .has_start = sums->has_ends,
                         .start_ns = sums->start_ns,
                         .end_ns = sums->end_ns,
                         .per_rank = region->shares,
                         .per_rank_count = region->share_count};
    sp_sums_stats(sums, NULL, &row->stats);
    if (sums->calls && sp_str_equal(p->regions[row->region].name, sp_str_of(sp_session_name))) {
      out->has_session = true;
      out->session_ns = sums->total_ns;
    }
    if (!sums->has_ends) continue;
    if (!out->has_span || sums->start_ns < begin) begin = sums->start_ns;
    if (!out->has_span || sums->end_ns > end) end = sums->end_ns;
    out->has_span = true;
  }
  out->span_ns = sp_time_sub(end, begin);
  out->origin_ns = p->has_start_time ? p->start_time_ns : first;
  return SP_OK;
}

static sp_status summarise(summary_work *w, const sp_select *select, sp_arena *scratch, sp_arena *a,
                           sp_analysis *out, sp_error *err) {
  const sp_profile *p = w->profile;
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (!sp_rank_has_summaries(&p->ranks[r])) {
      return sp_fail(err, SP_NO_SPANS, "/", "the profile stores no summaries");
    }
  }
  SP_TRY(prepare(w, select, scratch, a, err));
  for (uint32_t r = 0; r < p->rank_count; r++) {
    for (uint32_t i = 0; i < p->ranks[r].row_count; i++) add_row(w, &p->ranks[r].rows[i]);
  }
  SP_TRY(finish(w, a, out, err));
  out->has_setup_to_finalize = p->has_start_time && p->has_finalize_time;
  if (out->has_setup_to_finalize) {
    out->setup_to_finalize_ns = sp_time_sub(p->finalize_time_ns, p->start_time_ns);
  }
  sp_warnings_add(&out->warnings, &p->warnings);
  return a->failed ? no_memory(err) : SP_OK;
}

sp_status sp_analyse_summaries(const sp_profile *p, const sp_select *select, sp_arena *a,
                               sp_analysis *out, sp_error *err) {
  *out = (sp_analysis){.profile = p, .warnings = {.arena = a}};
  sp_arena scratch = {0};
  summary_work w = {.profile = p};
  sp_status status = summarise(&w, select, &scratch, a, out, err);
  sp_arena_free(&scratch);
  return status;
}
