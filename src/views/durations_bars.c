/* durations_bars.c - union of the runs' regions, groups, values, and the displayed order. */
#include "views/durations_bars.h"

#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "memory ran out while the bars were made");
}

void sp_bars_free(sp_bars *b) { sp_intern_free(&b->names); }

uint32_t sp_bars_of_region(const sp_bars *b, const sp_profile *p, uint32_t region) {
  return b->bar_of[sp_intern_find(&b->names, p->regions[region].name)];
}

sp_time sp_bar_metric(const sp_bar_value *v, const char *metric) {
  if (!v->calls) return (sp_time){.kind = SP_TIME_NONE};
  if (strcmp(metric, "total") == 0) return (sp_time){.kind = SP_TIME_EXACT, .ns = v->total_ns};
  if (strcmp(metric, "avg") == 0)
    return (sp_time){.kind = SP_TIME_REAL, .real_ns = (double)v->total_ns / (double)v->calls};
  bool is_end = strcmp(metric, "first") == 0 || strcmp(metric, "last") == 0;
  if (is_end ? !v->has_ends : !v->has_calls) return (sp_time){.kind = SP_TIME_NONE};
  int64_t ns = strcmp(metric, "min") == 0     ? v->min_ns
               : strcmp(metric, "max") == 0   ? v->max_ns
               : strcmp(metric, "first") == 0 ? v->first_ns
                                              : v->last_ns;
  return (sp_time){.kind = SP_TIME_EXACT, .ns = ns};
}

/* ---- the union of region names ------------------------------------------------------------- */

/* Interns the names of one run in region order and marks the selected ones in `plotted`, which
 * grows with the union. */
static sp_status add_run(const sp_bars *b, sp_intern *names, uint32_t run, const sp_select *select,
                         bool whole_tree, sp_arena *a, bool **plotted, uint32_t *capacity,
                         sp_error *err) {
  const sp_analysis *an = b->analyses[run];
  const sp_profile *p = an->profile;
  bool *keep = sp_arena_array(a, p->region_count, sizeof *keep);
  if (!keep) return out_of_memory(err);
  if (whole_tree) SP_TRY(sp_select_regions(select, p, keep, err));
  for (uint32_t i = 0; i < an->region_count; i++) {
    uint32_t region = an->regions[i].region;
    uint32_t id = sp_intern_add(names, p->regions[region].name);
    if (id == SP_NO_ID) return out_of_memory(err);
    if (id >= *capacity) {
      uint32_t wanted = *capacity ? *capacity * 2 : 64;
      bool *grown = sp_arena_array(a, wanted, sizeof *grown);
      if (!grown) return out_of_memory(err);
      if (*capacity) memcpy(grown, *plotted, *capacity * sizeof *grown);
      *plotted = grown;
      *capacity = wanted;
    }
    if (!whole_tree || keep[region]) (*plotted)[id] = true;
  }
  return SP_OK;
}

/* ---- groups -------------------------------------------------------------------------------- */

static sp_status bad_group(const char *text, const char *why, sp_error *err) {
  return sp_fail(err, SP_USAGE, "--combine-regions", "\"%s\" %s", text, why);
}

/* Puts the plotted names that match one pattern and belong to no group yet into `group`. */
static sp_status claim(const sp_bars *b, const bool *plotted, const char *pattern_text,
                       uint32_t group, uint32_t *group_of, bool *any, sp_error *err) {
  sp_pattern *pattern = NULL;
  SP_TRY(sp_pattern_compile(pattern_text, "--combine-regions", &pattern, err));
  sp_status status = SP_OK;
  for (uint32_t i = 0; i < b->names.count && status == SP_OK; i++) {
    bool matches = false;
    if (!plotted[i] || group_of[i] < group) continue;
    status = sp_pattern_match(pattern, b->names.names[i], &matches, err);
    if (matches) {
      group_of[i] = group;
      *any = true;
    }
  }
  sp_pattern_free(pattern);
  return status;
}

/* "NAME=RE,RE": the name, and group_of[i] = group for the regions claimed. */
static sp_status parse_group(const sp_bars *b, const bool *plotted, const char *text,
                             uint32_t group, uint32_t *group_of, sp_str *name, sp_arena *a,
                             sp_error *err) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return bad_group(text, "is not NAME=PATTERN[,PATTERN...]", err);
  *name = (sp_str){text, (uint32_t)(equals - text)};
  char *patterns = sp_arena_copy(a, equals + 1, strlen(equals + 1));
  if (!patterns) return out_of_memory(err);
  bool any = false;
  for (char *at = patterns; at;) {
    char *comma = strchr(at, ',');
    if (comma) *comma = '\0';
    if (!*at) return bad_group(text, "holds an empty pattern", err);
    SP_TRY(claim(b, plotted, at, group, group_of, &any, err));
    at = comma ? comma + 1 : NULL;
  }
  return any ? SP_OK : bad_group(text, "matches no region", err);
}

/* Two groups, or a group and a region outside all groups, must not share a name. */
static sp_status check_group_names(const sp_bars *b, const bool *plotted, const uint32_t *group_of,
                                   const sp_str *names, uint32_t count, sp_error *err) {
  for (uint32_t g = 0; g < count; g++) {
    for (uint32_t other = 0; other < g; other++)
      if (sp_str_equal(names[g], names[other]))
        return sp_fail(err, SP_USAGE, "--combine-regions", "the name \"%.*s\" is given twice",
                       (int)names[g].n, names[g].p);
    uint32_t id = sp_intern_find(&b->names, names[g]);
    if (id != SP_NO_ID && plotted[id] && group_of[id] >= count)
      return sp_fail(err, SP_USAGE, "--combine-regions",
                     "the name \"%.*s\" is also that of a region outside the group",
                     (int)names[g].n, names[g].p);
  }
  return SP_OK;
}

/* One bar per group (at its first member's place) and per region outside groups. */
static sp_status make_bars(sp_bars *b, const bool *plotted, const sp_texts *groups, sp_arena *a,
                           sp_error *err) {
  uint32_t n = b->names.count;
  uint32_t *group_of = sp_arena_array(a, n, sizeof *group_of);
  sp_str *group_names = sp_arena_array(a, groups->count, sizeof *group_names);
  uint32_t *bar_of_group = sp_arena_array(a, groups->count, sizeof *bar_of_group);
  b->bar_of = sp_arena_array(a, n, sizeof *b->bar_of);
  b->bars = sp_arena_array(a, n, sizeof *b->bars);
  if (!group_of || !group_names || !bar_of_group || !b->bar_of || !b->bars)
    return out_of_memory(err);
  for (uint32_t i = 0; i < n; i++) group_of[i] = UINT32_MAX;
  for (uint32_t g = 0; g < groups->count; g++) {
    bar_of_group[g] = UINT32_MAX;
    SP_TRY(parse_group(b, plotted, groups->items[g], g, group_of, &group_names[g], a, err));
  }
  SP_TRY(check_group_names(b, plotted, group_of, group_names, groups->count, err));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t g = group_of[i];
    bool grouped = g != UINT32_MAX;
    if (grouped && bar_of_group[g] != UINT32_MAX) {
      b->bar_of[i] = bar_of_group[g];
      continue;
    }
    if (grouped) bar_of_group[g] = b->count;
    b->bar_of[i] = b->count;
    b->bars[b->count++] = (sp_bar){grouped ? group_names[g] : b->names.names[i], plotted[i]};
  }
  return SP_OK;
}

/* ---- values -------------------------------------------------------------------------------- */

static void add_region(sp_bar_value *v, const sp_flat_row *row) {
  const sp_stats *s = &row->stats;
  if (!s->calls) return;
  if (s->has_calls) {
    if (!v->has_calls || s->min_ns < v->min_ns) v->min_ns = s->min_ns;
    if (!v->has_calls || s->max_ns > v->max_ns) v->max_ns = s->max_ns;
    v->has_calls = true;
  }
  if (s->has_ends) {
    if (!v->has_ends || row->start_ns < v->first_start_ns) {
      v->first_start_ns = row->start_ns;
      v->first_ns = s->first_ns;
    }
    if (!v->has_ends || row->end_ns > v->last_end_ns) {
      v->last_end_ns = row->end_ns;
      v->last_ns = s->last_ns;
    }
    v->has_ends = true;
  }
  v->calls += s->calls;
  v->total_ns += s->total_ns;
}

static sp_status fill_values(sp_bars *b, uint32_t run_count, sp_arena *a, sp_error *err) {
  b->values = sp_arena_array(a, (uint64_t)run_count * b->count, sizeof *b->values);
  if (!b->values) return out_of_memory(err);
  for (uint32_t run = 0; run < run_count; run++) {
    const sp_analysis *an = b->analyses[run];
    for (uint32_t i = 0; i < an->region_count; i++) {
      uint32_t bar = sp_bars_of_region(b, an->profile, an->regions[i].region);
      add_region(&b->values[(size_t)run * b->count + bar], &an->regions[i]);
    }
  }
  return SP_OK;
}

/* ---- order --------------------------------------------------------------------------------- */

typedef struct sort_key {
  sp_str name;
  double value;
  bool has_value;
  uint32_t bar;
} sort_key;

static int by_name(const void *a, const void *b) {
  return sp_str_compare(((const sort_key *)a)->name, ((const sort_key *)b)->name);
}

static int by_value(const void *a, const void *b) {
  const sort_key *x = a, *y = b;
  if (x->has_value != y->has_value) return x->has_value ? -1 : 1;
  if (x->has_value && x->value != y->value) return x->value > y->value ? -1 : 1;
  return by_name(a, b);
}

/* The largest value over the runs. */
static sort_key key_of(const sp_bars *b, uint32_t bar, uint32_t run_count, const char *metric) {
  sort_key key = {.name = b->bars[bar].name, .bar = bar};
  for (uint32_t run = 0; metric && run < run_count; run++) {
    sp_time t = sp_bar_metric(&b->values[(size_t)run * b->count + bar], metric);
    if (t.kind == SP_TIME_NONE) continue;
    double value = t.kind == SP_TIME_EXACT ? (double)t.ns : t.real_ns;
    if (!key.has_value || value > key.value) key.value = value;
    key.has_value = true;
  }
  return key;
}

static sp_status make_order(sp_bars *b, uint32_t run_count, const sp_view_options *o, sp_arena *a,
                            sp_error *err) {
  sort_key *keys = sp_arena_array(a, b->count, sizeof *keys);
  b->order = sp_arena_array(a, b->count, sizeof *b->order);
  if (!keys || !b->order) return out_of_memory(err);
  bool named = !o->sort_by || strcmp(o->sort_by, "name") == 0;
  uint32_t n = 0;
  for (uint32_t bar = 0; bar < b->count; bar++)
    if (b->bars[bar].plotted) keys[n++] = key_of(b, bar, run_count, named ? NULL : o->sort_by);
  if (n > 1 && (o->sort_by || o->top_n.given))
    qsort(keys, n, sizeof *keys, named ? by_name : by_value);
  int64_t shown = n;
  if (o->top_n.given && o->top_n.value < 0)
    shown = n + o->top_n.value;
  else if (o->top_n.given && o->top_n.value < shown)
    shown = o->top_n.value;
  if (shown < 0) shown = 0;
  for (uint32_t i = 0; i < shown; i++) b->order[i] = keys[i].bar;
  b->order_count = (uint32_t)shown;
  return SP_OK;
}

static bool any_plotted(const bool *plotted, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (plotted[i]) return true;
  return false;
}

sp_status sp_bars_make(const sp_run_set *runs, const sp_view_options *o, bool whole_tree,
                       sp_arena *a, sp_bars *out, sp_error *err) {
  *out = (sp_bars){.names.arena = a};
  out->analyses = sp_arena_array(a, runs->count, sizeof *out->analyses);
  if (!out->analyses) return out_of_memory(err);
  sp_select ranks_only = o->select ? *o->select : (sp_select){0};
  ranks_only.include_count = ranks_only.exclude_count = 0;
  const sp_select *select = whole_tree ? &ranks_only : o->select;
  bool *plotted = NULL;
  uint32_t capacity = 0;
  for (uint32_t run = 0; run < runs->count; run++) {
    SP_TRY(sp_run_analyse(runs, run, select, a, &out->analyses[run], err));
    SP_TRY(add_run(out, &out->names, run, o->select, whole_tree, a, &plotted, &capacity, err));
  }
  bool filtered = o->select && (o->select->include_count || o->select->exclude_count);
  if (filtered && !any_plotted(plotted, out->names.count))
    return sp_fail(err, SP_USAGE, o->select->include_count ? "--include" : "--exclude",
                   "no region is left by the filters");
  SP_TRY(make_bars(out, plotted, &o->combine_regions, a, err));
  SP_TRY(fill_values(out, runs->count, a, err));
  return make_order(out, runs->count, o, a, err);
}
