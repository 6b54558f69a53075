/* view_durations.c - one bar per metric, run and region; stacked, one segment per called region.
 *
 *   region    |== self ==|== child A ==|= child B =|
 *
 * A stacked segment (bar of the caller, bar of the callee) is the sum over the callee's calls made
 * directly from the caller's bar; `self` is what is left. */
#include <stdlib.h>
#include <string.h>

#include "views/durations_bars.h"
#include "views/view.h"

#define METRICS "avg min max total first last"

typedef struct durations_row {
  sp_str file, region, metric, segment;
  sp_time value;
} durations_row;

static const sp_column columns[] = {
    SP_COL(durations_row, file, "file", TEXT, 0, "run label, made unique over the runs"),
    SP_COL(durations_row, region, "region", NAME, 0, "region name, or the name of a group"),
    {.name = "metric",
     .kind = SP_COLUMN_KIND_TEXT,
     .offset = offsetof(durations_row, metric),
     .words = METRICS,
     .doc = "statistic over the calls of all selected ranks"},
    SP_COL(durations_row, segment, "segment", NAME, SP_COLUMN_STACKED,
           "'self' or the name of the called region"),
    SP_COL(durations_row, value, "value_seconds", TIME, SP_COLUMN_NULLABLE,
           "null when the run has no call of the region"),
};

static const sp_extra_type extra_types[] = {
    {"colors", SP_EXTRA_COLORS, NULL, "colour per run label; per segment when stacked"},
    {"metrics", SP_EXTRA_TEXTS, METRICS, "in the order requested"},
    {"options", SP_EXTRA_FLAGS, "stack_children", "how the bars were made"},
};

static const sp_option options[] = {
    {"metrics", SP_OPTION_TEXTS, offsetof(sp_view_options, metrics), METRICS,
     "statistics to show (default total)"},
    {"sort_by", SP_OPTION_TEXT, offsetof(sp_view_options, sort_by), "name avg min max total",
     "order of the bars (default: by first start)"},
    {"top_n", SP_OPTION_INT, offsetof(sp_view_options, top_n), NULL, "only the first N bars"},
    {"combine_regions", SP_OPTION_TEXTS, offsetof(sp_view_options, combine_regions), NULL,
     "groups of regions under one name, NAME=PATTERN[,PATTERN...]"},
    {"stack_children", SP_OPTION_FLAG, offsetof(sp_view_options, stack_children), NULL,
     "split each bar into its own time and its direct children"},
};

typedef struct build {
  const sp_run_set *runs;
  sp_arena *arena;
  sp_bars bars;
  sp_str *labels;
  const char *const *metrics;
  uint32_t metric_count;
  durations_row *rows;
  uint64_t row_count;
} build;

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "memory ran out while the bars were made");
}

static const char *const default_metrics[] = {"total"};

static sp_status plain_rows(build *b, sp_error *err) {
  uint64_t n = (uint64_t)b->metric_count * b->runs->count * b->bars.order_count;
  b->rows = sp_arena_array(b->arena, n, sizeof *b->rows);
  if (!b->rows) return out_of_memory(err);
  for (uint32_t m = 0; m < b->metric_count; m++)
    for (uint32_t run = 0; run < b->runs->count; run++)
      for (uint32_t i = 0; i < b->bars.order_count; i++) {
        uint32_t bar = b->bars.order[i];
        b->rows[b->row_count++] = (durations_row){
            .file = b->labels[run],
            .region = b->bars.bars[bar].name,
            .metric = sp_str_of(b->metrics[m]),
            .value =
                sp_bar_metric(&b->bars.values[(size_t)run * b->bars.count + bar], b->metrics[m]),
        };
      }
  return SP_OK;
}

/* ---- stacked ------------------------------------------------------------------------------- */

/* Time of the callee's calls made from the caller, in one run. */
typedef struct segment_part {
  uint32_t run, callee, caller;      /* bars */
  uint32_t segment_place, bar_place; /* displayed positions, set before sorting */
  sp_i128 ns;
} segment_part;

typedef struct stack {
  sp_i128 *self_ns; /* [run * bars + bar] */
  segment_part *parts;
  uint32_t part_count;
  uint32_t *bar_place; /* position of a bar in the displayed order, UINT32_MAX = not shown */
  uint32_t *segments;  /* callee bars, by descending total */
  uint32_t segment_count;
} stack;

static sp_status check_nesting(const sp_analysis *an, sp_error *err) {
  if (!sp_profile_has_calls(an->profile))
    return sp_fail(err, SP_NO_SPANS, NULL, "holds totals only, so bars cannot be split");
  for (uint32_t i = 0; i < an->row_count; i++)
    if (!an->rows[i].in_tree && an->rows[i].stats.calls)
      return sp_fail(err, SP_BAD_NESTING, NULL,
                     "calls cross each other, so bars cannot be split into children");
  return SP_OK;
}

/* Adds the tree rows of one run to self times and parts. */
static void add_tree(build *b, stack *s, uint32_t run) {
  const sp_analysis *an = b->bars.analyses[run];
  for (uint32_t i = 0; i < an->row_count; i++) {
    const sp_tree_row *row = &an->rows[i];
    if (!row->in_tree) continue;
    uint32_t bar = sp_bars_of_region(&b->bars, an->profile, row->region);
    s->self_ns[(size_t)run * b->bars.count + bar] += row->stats.exclusive_ns;
    if (row->parent == SP_NO_ROW) continue;
    uint32_t caller = sp_bars_of_region(&b->bars, an->profile, an->rows[row->parent].region);
    if (caller == bar || s->bar_place[caller] == UINT32_MAX) continue;
    s->parts[s->part_count++] = (segment_part){.run = run,
                                               .callee = bar,
                                               .caller = caller,
                                               .bar_place = s->bar_place[caller],
                                               .ns = row->stats.total_ns};
  }
}

typedef struct segment_total {
  sp_i128 ns;
  sp_str name;
  uint32_t callee;
} segment_total;

static int by_total(const void *a, const void *b) {
  const segment_total *x = a, *y = b;
  if (x->ns != y->ns) return x->ns > y->ns ? -1 : 1;
  return sp_str_compare(x->name, y->name);
}

static int by_place(const void *a, const void *b) {
  const segment_part *x = a, *y = b;
  if (x->run != y->run) return x->run < y->run ? -1 : 1;
  if (x->segment_place != y->segment_place) return x->segment_place < y->segment_place ? -1 : 1;
  return (x->bar_place > y->bar_place) - (x->bar_place < y->bar_place);
}

/* Orders the segments, then the parts by run, segment and bar, with equal ones made one. */
static sp_status order_parts(build *b, stack *s, sp_error *err) {
  segment_total *totals = sp_arena_array(b->arena, b->bars.count, sizeof *totals);
  uint32_t *place = sp_arena_array(b->arena, b->bars.count, sizeof *place);
  s->segments = sp_arena_array(b->arena, b->bars.count, sizeof *s->segments);
  if (!totals || !place || !s->segments) return out_of_memory(err);
  for (uint32_t bar = 0; bar < b->bars.count; bar++)
    totals[bar] = (segment_total){.name = b->bars.bars[bar].name, .callee = bar};
  for (uint32_t i = 0; i < s->part_count; i++) totals[s->parts[i].callee].ns += s->parts[i].ns;
  if (b->bars.count) qsort(totals, b->bars.count, sizeof *totals, by_total);
  for (uint32_t i = 0; i < b->bars.count && totals[i].ns > 0; i++) {
    place[totals[i].callee] = i;
    s->segments[s->segment_count++] = totals[i].callee;
  }
  for (uint32_t i = 0; i < s->part_count; i++)
    s->parts[i].segment_place = place[s->parts[i].callee];
  if (s->part_count) qsort(s->parts, s->part_count, sizeof *s->parts, by_place);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->part_count; i++) {
    if (!s->parts[i].ns) continue;
    if (kept && by_place(&s->parts[kept - 1], &s->parts[i]) == 0)
      s->parts[kept - 1].ns += s->parts[i].ns;
    else
      s->parts[kept++] = s->parts[i];
  }
  s->part_count = kept;
  return SP_OK;
}

static sp_status make_stack(build *b, stack *s, sp_error *err) {
  uint64_t tree_rows = 0;
  for (uint32_t run = 0; run < b->runs->count; run++) {
    SP_TRY(check_nesting(b->bars.analyses[run], err));
    tree_rows += b->bars.analyses[run]->row_count;
  }
  s->self_ns =
      sp_arena_array(b->arena, (uint64_t)b->runs->count * b->bars.count, sizeof *s->self_ns);
  s->parts = sp_arena_array(b->arena, tree_rows, sizeof *s->parts);
  s->bar_place = sp_arena_array(b->arena, b->bars.count, sizeof *s->bar_place);
  if (!s->self_ns || !s->parts || !s->bar_place) return out_of_memory(err);
  for (uint32_t bar = 0; bar < b->bars.count; bar++) s->bar_place[bar] = UINT32_MAX;
  for (uint32_t i = 0; i < b->bars.order_count; i++) s->bar_place[b->bars.order[i]] = i;
  for (uint32_t run = 0; run < b->runs->count; run++) add_tree(b, s, run);
  return order_parts(b, s, err);
}

/* ns, or ns per call of the bar for "avg". */
static sp_time stacked_value(sp_i128 ns, const sp_bar_value *bar, const char *metric) {
  if (strcmp(metric, "avg") != 0) return (sp_time){.kind = SP_TIME_EXACT, .ns = ns};
  if (!bar->calls) return (sp_time){.kind = SP_TIME_NONE};
  return (sp_time){.kind = SP_TIME_REAL, .real_ns = (double)ns / (double)bar->calls};
}

static void add_stacked(build *b, uint32_t run, uint32_t bar, const char *metric, sp_str segment,
                        sp_i128 ns) {
  const sp_bar_value *value = &b->bars.values[(size_t)run * b->bars.count + bar];
  b->rows[b->row_count++] = (durations_row){
      .file = b->labels[run],
      .region = b->bars.bars[bar].name,
      .metric = sp_str_of(metric),
      .segment = segment,
      .value = stacked_value(ns, value, metric),
  };
}

static const sp_str self_segment = {"self", 4};

/* A region called "self" must not be taken for the bars' own time. */
static sp_str segment_name(const build *b, uint32_t callee) {
  sp_str name = b->bars.bars[callee].name;
  return sp_str_equal(name, self_segment) ? SP_STR("self (2)") : name;
}

static sp_status stacked_rows(build *b, stack *s, sp_error *err) {
  SP_TRY(make_stack(b, s, err));
  uint64_t n = (uint64_t)b->runs->count * b->bars.order_count + s->part_count;
  b->rows = sp_arena_array(b->arena, n * b->metric_count, sizeof *b->rows);
  if (!b->rows) return out_of_memory(err);
  for (uint32_t m = 0; m < b->metric_count; m++) {
    uint32_t at = 0;
    for (uint32_t run = 0; run < b->runs->count; run++) {
      for (uint32_t i = 0; i < b->bars.order_count; i++) {
        uint32_t bar = b->bars.order[i];
        add_stacked(b, run, bar, b->metrics[m], self_segment,
                    s->self_ns[(size_t)run * b->bars.count + bar]);
      }
      for (; at < s->part_count && s->parts[at].run == run; at++)
        add_stacked(b, run, s->parts[at].caller, b->metrics[m],
                    segment_name(b, s->parts[at].callee), s->parts[at].ns);
    }
  }
  return SP_OK;
}

/* ---- extras -------------------------------------------------------------------------------- */

static sp_status fill_extras(build *b, const stack *s, sp_view *out, sp_error *err) {
  uint32_t n = out->stacked ? s->segment_count + 1 : b->runs->count;
  sp_str *names = sp_arena_array(b->arena, n, sizeof *names);
  const char **colors = sp_arena_array(b->arena, n, sizeof *colors);
  sp_str *metrics = sp_arena_array(b->arena, b->metric_count, sizeof *metrics);
  sp_str *flag_names = sp_arena_array(b->arena, 1, sizeof *flag_names);
  bool *flags = sp_arena_array(b->arena, 1, sizeof *flags);
  if (!names || !colors || !metrics || !flag_names || !flags) return out_of_memory(err);
  for (uint32_t i = 0; i < n; i++) {
    names[i] = !out->stacked ? b->labels[i]
               : i == 0      ? self_segment
                             : segment_name(b, s->segments[i - 1]);
    colors[i] = sp_color_tab20(i, n);
  }
  for (uint32_t m = 0; m < b->metric_count; m++) metrics[m] = sp_str_of(b->metrics[m]);
  flag_names[0] = SP_STR("stack_children");
  flags[0] = out->stacked;
  out->extras[0] =
      (sp_extra){.count = n, .names = names, .colors = colors, .names_are_regions = out->stacked};
  out->extras[1] = (sp_extra){.count = b->metric_count, .names = metrics};
  out->extras[2] = (sp_extra){.count = 1, .names = flag_names, .flags = flags};
  return SP_OK;
}

static sp_status check_metrics(const sp_view_options *o, sp_error *err) {
  if (o->metrics.given && !o->metrics.count)
    return sp_fail(err, SP_USAGE, "--metrics", "names no metric");
  for (uint32_t i = 0; o->stack_children && i < o->metrics.count; i++)
    if (strcmp(o->metrics.items[i], "avg") != 0 && strcmp(o->metrics.items[i], "total") != 0)
      return sp_fail(err, SP_USAGE, "--metrics", "stacked bars are of avg or total, not of %s",
                     o->metrics.items[i]);
  return SP_OK;
}

static sp_status build_durations(const sp_run_set *runs, const sp_view_options *o, sp_arena *a,
                                 sp_view *out, sp_error *err) {
  SP_TRY(check_metrics(o, err));
  build b = {.runs = runs,
             .arena = a,
             .metrics = o->metrics.items,
             .metric_count = o->metrics.count,
             .labels = sp_unique_labels(runs, a)};
  if (!b.labels) return out_of_memory(err);
  if (!b.metric_count) {
    b.metrics = default_metrics;
    b.metric_count = 1;
  }
  stack s = {0};
  out->stacked = o->stack_children;
  sp_status status = sp_bars_make(runs, o, o->stack_children, a, &b.bars, err);
  if (status == SP_OK) status = out->stacked ? stacked_rows(&b, &s, err) : plain_rows(&b, err);
  if (status == SP_OK) status = fill_extras(&b, &s, out, err);
  sp_bars_free(&b.bars);
  out->rows = b.rows;
  out->row_count = b.row_count;
  return status;
}

const sp_view_type sp_view_durations = {
    .plot = "durations",
    .file_name = "durations_data",
    .title = "Durations plot data",
    .doc = "one bar per metric, run and region; with children stacked, one per segment",
    .rows_key = "bars",
    .row_size = sizeof(durations_row),
    .columns = columns,
    .column_count = SP_ARRAY_LEN(columns),
    .extras = extra_types,
    .extra_count = SP_ARRAY_LEN(extra_types),
    .options = options,
    .option_count = SP_ARRAY_LEN(options),
    .build = build_durations,
};
