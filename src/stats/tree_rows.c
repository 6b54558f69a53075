/* tree_rows.c - the region table: one row per path, then regions that have none. */
#include <string.h>

#include "stats/index_sort.h"
#include "stats/row_order.h"
#include "stats/rows.h"

const char sp_session_name[] = "scope_profiler.session";

/* The rows before they are in order. A row is a path (its number - 1), or behind all paths the
 * flat row of a region without any. */
typedef struct rows_work {
  sp_gather *g;
  const sp_spread *spreads;
  const uint32_t *flat_of;  /* region -> its flat row */
  const bool *has_tree_row; /* region has a row inside the tree */
  uint32_t path_count, count;
  const uint32_t *pathless; /* flat rows behind the paths */
  uint32_t *parent, *sorted, *order, *place;
} rows_work;

static bool start_of(const rows_work *w, uint32_t row, int64_t *start) {
  if (row >= w->path_count) return false; /* never called: after everything that was */
  const sp_sums *sums = &w->g->paths.rows[row + 1].sums;
  *start = sums->start_ns;
  return sums->has_ends;
}

static bool starts_after(const void *context, uint32_t a, uint32_t b) {
  int64_t x = 0, y = 0;
  bool has_x = start_of(context, a, &x), has_y = start_of(context, b, &y);
  if (has_x != has_y) return has_y;
  return x > y;
}

static void flat_row(const sp_flat_row *from, int64_t origin_ns, sp_tree_row *to) {
  *to = (sp_tree_row){.region = from->region,
                      .parent = SP_NO_ROW,
                      .stats = from->stats,
                      .has_start = from->has_start};
  if (from->has_start) to->start_ns = sp_time_sub(from->start_ns, origin_ns);
}

static void make_row(const rows_work *w, uint32_t row, const sp_analysis *an, sp_tree_row *to) {
  if (row >= w->path_count) {
    flat_row(&an->regions[w->pathless[row - w->path_count]], an->origin_ns, to);
    return;
  }
  const sp_path_row *path = &w->g->paths.rows[row + 1];
  bool in_tree = path->parent != SP_PATH_OUTSIDE;
  if (!in_tree && !w->has_tree_row[path->region]) {
    flat_row(&an->regions[w->flat_of[path->region]], an->origin_ns, to);
    return;
  }
  *to = (sp_tree_row){.region = path->region,
                      .depth = path->depth,
                      .in_tree = in_tree,
                      .recursive = path->recursive,
                      .has_children = path->has_children};
  to->parent = w->parent[row] == UINT32_MAX ? SP_NO_ROW : w->place[w->parent[row]];
  sp_sums_stats(&path->sums, &w->spreads[row + 1], &to->stats);
  to->has_start = path->sums.has_ends;
  to->start_ns = sp_time_sub(path->sums.start_ns, an->origin_ns);
}

/* Finds the parents and the regions without any path. False when memory ran out. */
static bool survey(rows_work *w, const sp_analysis *an, sp_arena *scratch) {
  const sp_profile *p = an->profile;
  sp_path_table *paths = &w->g->paths;
  bool *has_tree_row = sp_arena_array(scratch, p->region_count, sizeof *has_tree_row);
  bool *has_row = sp_arena_array(scratch, p->region_count, sizeof *has_row);
  uint32_t *flat_of = sp_arena_array(scratch, p->region_count, sizeof *flat_of);
  uint32_t *pathless = sp_arena_array(scratch, an->region_count, sizeof *pathless);
  w->path_count = paths->count - 1;
  uint64_t most = (uint64_t)w->path_count + an->region_count;
  w->parent = sp_arena_array(scratch, most, sizeof *w->parent);
  w->sorted = sp_arena_array(scratch, most, sizeof *w->sorted);
  w->order = sp_arena_array(scratch, most, sizeof *w->order);
  w->place = sp_arena_array(scratch, most, sizeof *w->place);
  if (scratch->failed || most >= UINT32_MAX) return false;
  for (uint32_t i = 0; i < w->path_count; i++) {
    const sp_path_row *path = &paths->rows[i + 1];
    bool in_tree = path->parent != SP_PATH_OUTSIDE, root = !in_tree || path->parent == SP_PATH_ROOT;
    w->parent[i] = root ? UINT32_MAX : path->parent - 1;
    if (!root) paths->rows[path->parent].has_children = true;
    has_row[path->region] = true;
    has_tree_row[path->region] |= in_tree;
  }
  w->count = w->path_count;
  for (uint32_t i = 0; i < an->region_count; i++) {
    flat_of[an->regions[i].region] = i;
    if (has_row[an->regions[i].region]) continue;
    pathless[w->count - w->path_count] = i;
    w->parent[w->count++] = UINT32_MAX;
  }
  w->has_tree_row = has_tree_row;
  w->flat_of = flat_of;
  w->pathless = pathless;
  return true;
}

static sp_status make_all(rows_work *w, sp_arena *a, sp_analysis *out, sp_arena *scratch,
                          sp_error *err) {
  out->row_count = 0;
  if (!survey(w, out, scratch)) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t i = 0; i < w->count; i++) w->sorted[i] = i;
  sp_index_sort(w->sorted, w->order, w->count, starts_after, w);
  SP_TRY(sp_rows_preorder(w->parent, w->sorted, w->count, w->order, err));
  for (uint32_t i = 0; i < w->count; i++) w->place[w->order[i]] = i;
  out->rows = sp_arena_array(a, w->count, sizeof *out->rows);
  if (!out->rows) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t i = 0; i < w->count; i++) {
    make_row(w, w->order[i], out, &out->rows[i]);
    out->rows[i].order = i;
  }
  out->row_count = w->count;
  return SP_OK;
}

sp_status sp_tree_rows_make(sp_gather *g, const sp_spread *spreads, sp_arena *a, sp_analysis *out,
                            sp_error *err) {
  sp_arena scratch = {0};
  rows_work w = {.g = g, .spreads = spreads};
  sp_status status = make_all(&w, a, out, &scratch, err);
  sp_arena_free(&scratch);
  return status;
}

/* How well a row serves as the session: a root of the tree, else inside it, else outside. */
static int session_fitness(const sp_analysis *an, const sp_tree_row *row) {
  sp_str name = an->profile->regions[row->region].name;
  if (row->stats.calls == 0 || !sp_str_equal(name, sp_str_of(sp_session_name))) return 0;
  return row->in_tree ? (row->depth == 0 ? 3 : 2) : 1;
}

static double percent(sp_i128 part, sp_i128 whole) {
  return 100.0 * ((double)part / (double)whole);
}

void sp_percentages_set(sp_analysis *an) {
  int best = 0;
  for (uint32_t i = 0; i < an->row_count; i++) {
    int fitness = session_fitness(an, &an->rows[i]);
    if (fitness <= best) continue;
    best = fitness;
    an->session_ns = an->rows[i].stats.total_ns;
  }
  an->has_session = best > 0;
  for (uint32_t i = 0; i < an->row_count && best > 1; i++) {
    /* Ranks whose calls cross have their session outside the tree; it is part of the base. */
    if (session_fitness(an, &an->rows[i]) == 1) an->session_ns += an->rows[i].stats.total_ns;
  }
  for (uint32_t i = 0; i < an->row_count; i++) {
    sp_tree_row *row = &an->rows[i];
    const sp_stats *s = &row->stats;
    if (s->calls == 0) continue;
    if (an->has_session && an->session_ns > 0) {
      row->has_session_pct = true;
      row->session_pct = percent(s->coverage_ns, an->session_ns);
      row->own_session_pct = percent(s->exclusive_ns, an->session_ns);
    }
    if (s->coverage_ns > 0) row->own_parent_pct = percent(s->exclusive_ns, s->coverage_ns);
    if (row->parent == SP_NO_ROW) continue;
    sp_i128 whole = an->rows[row->parent].stats.coverage_ns;
    row->has_parent_pct = whole > 0;
    if (whole > 0) row->parent_pct = percent(s->coverage_ns, whole);
  }
}
