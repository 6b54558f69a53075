/* counter_text.c - grid tables of counters: a column for each region and hardware thread. */
#include "write/counter_text.h"

#include <string.h>

#include "write/figures.h"
#include "write/table.h"

/* One column of a LIKWID table. */
typedef struct lane {
  const sp_likwid *region;
  double runtime; /* of the region: its slowest thread */
  uint32_t thread;
} lane;

typedef struct writer {
  sp_buf *out;
  const sp_profile *profile;
  const sp_select *select;
  const sp_text_style *style;
  sp_error *err;
  sp_arena arena; /* of one rank */
} writer;

static sp_status out_of_memory(const writer *w) {
  return sp_fail(w->err, SP_NOMEM, NULL, "out of memory");
}

static void heading_begin(const writer *w) {
  if (w->style->color) sp_buf_text(w->out, "\x1b[1;36m");
}

static void heading_end(const writer *w) {
  sp_buf_text(w->out, w->style->color ? "\x1b[0m\n" : "\n");
}

/* ---- LIKWID -------------------------------------------------------------------------------- */

/* "EVENT", or where a name occurs several times "EVENT:COUNTER" or "EVENT#3". */
static sp_str event_label(writer *w, const sp_likwid *l, uint32_t event) {
  uint32_t same = 0;
  for (uint32_t i = 0; i < l->event_count; i++)
    same += sp_str_equal(l->event_names[i], l->event_names[event]);
  if (same == 1) return l->event_names[event];
  sp_buf label = {0};
  sp_buf_str(&label, l->event_names[event]);
  if (l->counter_names && l->counter_names[event].n) {
    sp_buf_char(&label, ':');
    sp_buf_str(&label, l->counter_names[event]);
  } else {
    sp_buf_printf(&label, "#%u", (unsigned)event);
  }
  char *copy = label.failed ? NULL : sp_arena_copy(&w->arena, label.data, label.length);
  sp_str result = {copy, copy ? (uint32_t)label.length : 0};
  sp_buf_free(&label);
  return result;
}

/* The labels of one region's events or metrics. */
static const sp_str *labels_of(writer *w, const sp_likwid *l, bool metrics) {
  if (metrics) return l->metric_names;
  sp_str *labels = sp_arena_array(&w->arena, l->event_count, sizeof *labels);
  for (uint32_t i = 0; labels && i < l->event_count; i++) labels[i] = event_label(w, l, i);
  return labels;
}

static uint32_t find(const sp_str *labels, uint32_t count, sp_str label) {
  uint32_t i = 0;
  while (i < count && !sp_str_equal(labels[i], label)) i++;
  return i;
}

static void lane_header(writer *w, sp_table *t, const lane *l) {
  sp_buf header = {0};
  sp_buf_str(&header, l->region->tag);
  if (l->region->thread_count != 1) {
    int64_t cpu = l->thread < l->region->cpu_count ? l->region->cpus[l->thread] : l->thread;
    sp_buf_printf(&header, "@cpu%lld", (long long)cpu);
  }
  sp_table_column(t, (sp_str){header.data, (uint32_t)header.length});
  if (header.failed) w->arena.failed = true;
  sp_buf_free(&header);
}

static void number_cell(sp_table *t, bool has, double v) {
  size_t before = t->text.length;
  if (has)
    sp_put_counter(&t->text, v);
  else
    sp_buf_char(&t->text, '-');
  sp_table_cell(t, t->text.length - before);
}

static void draw(writer *w, sp_table *t) {
  if (!w->arena.failed) sp_table_draw(w->out, t, SP_TABLE_GRID, w->style->ascii, NULL, 0);
}

/* Calls and time. */
static void draw_times(writer *w, const lane *lanes, uint32_t count) {
  sp_table t;
  if (sp_table_begin(&t, &w->arena, 2, count + 1)) {
    sp_table_column(&t, SP_STR("counter"));
    sp_table_cell_text(&t, "call count");
    sp_table_cell_text(&t, "runtime [s]");
    for (uint32_t i = 0; i < count; i++) {
      lane_header(w, &t, &lanes[i]);
      number_cell(&t, true, (double)lanes[i].region->call_counts[lanes[i].thread]);
      number_cell(&t, true, lanes[i].region->times[lanes[i].thread]);
    }
    draw(w, &t);
  }
  sp_table_free(&t);
}

/* Events or metrics: a row for each label that occurs, in order of appearance. */
static void draw_values(writer *w, const lane *lanes, uint32_t count, bool metrics) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    most += metrics ? lanes[i].region->metric_count : lanes[i].region->event_count;
  sp_str *rows = sp_arena_array(&w->arena, most, sizeof *rows);
  const sp_str **labels = sp_arena_array(&w->arena, count, sizeof *labels);
  uint32_t row_count = 0;
  for (uint32_t i = 0; rows && labels && i < count; i++) {
    const sp_likwid *l = lanes[i].region;
    bool is_same = i && lanes[i - 1].region == l;
    labels[i] = is_same ? labels[i - 1] : labels_of(w, l, metrics);
    if (!labels[i]) continue;
    for (uint32_t k = 0; k < (metrics ? l->metric_count : l->event_count) && !is_same; k++)
      if (find(rows, row_count, labels[i][k]) == row_count) rows[row_count++] = labels[i][k];
  }
  sp_table t = {0};
  if (row_count && sp_table_begin(&t, &w->arena, row_count, count + 1)) {
    sp_buf_text(w->out, "  ");
    heading_begin(w);
    sp_buf_text(w->out, metrics ? "Metrics" : "Events");
    heading_end(w);
    sp_table_column(&t, SP_STR("counter"));
    for (uint32_t r = 0; r < row_count; r++)
      sp_table_cell(&t, sp_clip_end(&t.text, rows[r], SP_CLIP_COLUMNS, w->style));
    for (uint32_t i = 0; i < count; i++) {
      const sp_likwid *l = lanes[i].region;
      const double *values = metrics ? l->metrics : l->events;
      uint32_t values_count = metrics ? l->metric_count : l->event_count;
      lane_header(w, &t, &lanes[i]);
      for (uint32_t r = 0; r < row_count; r++) {
        uint32_t k = labels[i] ? find(labels[i], values_count, rows[r]) : values_count;
        bool has = k < values_count;
        number_cell(&t, has, has ? values[(size_t)k * l->thread_count + lanes[i].thread] : 0);
      }
    }
    draw(w, &t);
  }
  sp_table_free(&t);
}

/* Longest first, then by name; threads of a region stay in order. */
static bool goes_before(const lane *a, const lane *b) {
  if (a->runtime != b->runtime) return a->runtime > b->runtime;
  return sp_str_compare(a->region->tag, b->region->tag) < 0;
}

static void add_lanes(lane *lanes, uint32_t *count, const sp_likwid *l) {
  double runtime = 0;
  for (uint32_t t = 0; t < l->thread_count; t++)
    if (l->times[t] > runtime) runtime = l->times[t];
  lane first = {l, runtime, 0};
  uint32_t at = *count;
  while (at > 0 && goes_before(&first, &lanes[at - 1])) at--;
  memmove(lanes + at + l->thread_count, lanes + at, (*count - at) * sizeof *lanes);
  for (uint32_t t = 0; t < l->thread_count; t++) lanes[at + t] = (lane){l, runtime, t};
  *count += l->thread_count;
}

static void draw_group(writer *w, const sp_rank *rank, sp_str group, const lane *lanes,
                       uint32_t count) {
  heading_begin(w);
  sp_buf_printf(w->out, "LIKWID counters (rank %u", (unsigned)rank->number);
  if (group.n) {
    sp_buf_text(w->out, ", group ");
    sp_clip_end(w->out, group, SP_CLIP_COLUMNS, w->style);
  }
  sp_buf_char(w->out, ')');
  heading_end(w);
  draw_times(w, lanes, count);
  draw_values(w, lanes, count, false);
  draw_values(w, lanes, count, true);
  sp_buf_char(w->out, '\n');
}

static sp_status put_likwid(writer *w, const sp_rank *rank) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < rank->likwid_count; i++) most += rank->likwid[i].thread_count;
  bool *todo = sp_arena_array(&w->arena, rank->likwid_count, sizeof *todo);
  lane *lanes = sp_arena_array(&w->arena, most, sizeof *lanes);
  if (!todo || !lanes) return out_of_memory(w);
  for (uint32_t i = 0; i < rank->likwid_count; i++)
    SP_TRY(sp_select_name(w->select, rank->likwid[i].tag, &todo[i], w->err));
  for (;;) { /* the group of the smallest name that is still to do */
    const sp_likwid *next = NULL;
    for (uint32_t i = 0; i < rank->likwid_count; i++) {
      const sp_likwid *l = &rank->likwid[i];
      if (todo[i] && (!next || sp_str_compare(l->group_name, next->group_name) < 0)) next = l;
    }
    if (!next) return SP_OK;
    uint32_t count = 0;
    for (uint32_t i = 0; i < rank->likwid_count; i++) {
      if (!todo[i] || !sp_str_equal(rank->likwid[i].group_name, next->group_name)) continue;
      add_lanes(lanes, &count, &rank->likwid[i]);
      todo[i] = false;
    }
    if (count) draw_group(w, rank, next->group_name, lanes, count);
  }
}

/* ---- perf events --------------------------------------------------------------------------- */

/* Puts `text` into the sorted list unless it is there. */
static void insert_sorted(sp_str *list, uint32_t *count, sp_str text) {
  uint32_t at = *count;
  while (at > 0 && sp_str_compare(list[at - 1], text) > 0) at--;
  if (at > 0 && sp_str_equal(list[at - 1], text)) return;
  memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
  list[at] = text;
  ++*count;
}

static const sp_perf **sorted_rows(writer *w, const sp_rank *rank, uint32_t *count,
                                   sp_status *status) {
  const sp_perf **rows = sp_arena_array(&w->arena, rank->perf_count, sizeof *rows);
  *status = rows ? SP_OK : out_of_memory(w);
  for (uint32_t i = 0; i < rank->perf_count && *status == SP_OK; i++) {
    const sp_perf *row = &rank->perf[i];
    bool keep;
    *status = sp_select_name(w->select, row->region, &keep, w->err);
    if (*status != SP_OK || !keep) continue;
    uint32_t at = (*count)++;
    for (; at > 0 && sp_str_compare(rows[at - 1]->region, row->region) > 0; at--)
      rows[at] = rows[at - 1];
    rows[at] = row;
  }
  return rows;
}

static void draw_perf(writer *w, const sp_rank *rank, const sp_perf **rows, uint32_t count) {
  uint64_t most = 0;
  uint32_t events = 0;
  for (uint32_t i = 0; i < count; i++) most += rows[i]->event_count;
  sp_str *names = sp_arena_array(&w->arena, most, sizeof *names);
  if (!names) return;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < rows[i]->event_count; k++)
      insert_sorted(names, &events, rows[i]->event_names[k]);
  sp_table t;
  if (sp_table_begin(&t, &w->arena, count, events + 2)) {
    heading_begin(w);
    sp_buf_printf(w->out, "Perf events (rank %u)", (unsigned)rank->number);
    heading_end(w);
    sp_table_column(&t, SP_STR("region"));
    for (uint32_t i = 0; i < count; i++)
      sp_table_cell(&t, sp_clip_end(&t.text, rows[i]->region, SP_CLIP_COLUMNS, w->style));
    sp_table_column(&t, SP_STR("calls"));
    for (uint32_t i = 0; i < count; i++) number_cell(&t, true, (double)rows[i]->calls);
    for (uint32_t e = 0; e < events; e++) {
      sp_table_column(&t, names[e]);
      for (uint32_t i = 0; i < count; i++) {
        uint32_t k = find(rows[i]->event_names, rows[i]->event_count, names[e]);
        bool has = k < rows[i]->event_count;
        number_cell(&t, has, has ? (double)rows[i]->values[k] : 0);
      }
    }
    draw(w, &t);
    sp_buf_char(w->out, '\n');
  }
  sp_table_free(&t);
}

static sp_status put_perf(writer *w, const sp_rank *rank) {
  uint32_t count = 0;
  sp_status status;
  const sp_perf **rows = sorted_rows(w, rank, &count, &status);
  if (status == SP_OK && count) draw_perf(w, rank, rows, count);
  return status;
}

sp_status sp_put_counters(sp_buf *out, const sp_profile *p, const sp_select *select,
                          const sp_text_style *style, sp_error *err) {
  writer w = {.out = out, .profile = p, .select = select, .style = style, .err = err};
  bool *keep = sp_alloc(p->rank_count * sizeof *keep);
  sp_status status = keep ? sp_select_ranks(select, p, keep, err) : out_of_memory(&w);
  for (int perf = 0; perf < 2; perf++) {
    for (uint32_t i = 0; i < p->rank_count && status == SP_OK; i++) {
      if (!keep[i]) continue;
      status = perf ? put_perf(&w, &p->ranks[i]) : put_likwid(&w, &p->ranks[i]);
      if (status == SP_OK && (w.arena.failed || out->failed)) status = out_of_memory(&w);
      sp_arena_free(&w.arena);
    }
  }
  sp_free_block(keep);
  return status;
}
