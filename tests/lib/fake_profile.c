/* fake_profile.c - a profile in memory with a reader that serves arrays. */
#include "fake_profile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fake_calls {
  const int64_t *starts, *durations, *thread, *task, *gpu;
} fake_calls;

/* The reader's side; row->offset is the index into `calls`. */
typedef struct fake_reader {
  fake_calls *calls;
  uint32_t call_room, row_count, row_room, region_room, rank_room;
  sp_row *rows; /* of all ranks, until fake_finish */
  uint64_t left_out, loads;
  uint32_t damaged; /* region + 1 */
  sp_arena arena;
} fake_reader;

static void die(const char *what, const char *where) {
  fprintf(stderr, "fake_profile: %s at \"%.40s\"\n", what, where);
  exit(2);
}

static void *need(void *block) {
  if (!block) die("out of memory", "");
  return block;
}

static void *grow(void *block, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) return block;
  *room = *room ? *room * 2 : 16;
  return need(realloc(block, *room * size));
}

static fake_reader *reader_of(const sp_profile *p) { return p->reader; }

static void copy(int64_t **to, const int64_t *from, size_t n) {
  if (!*to) return;
  if (!from) {
    *to = NULL;
  } else if (n) {
    memcpy(*to, from, n * sizeof *from);
  }
}

static sp_status load(const sp_profile *p, const sp_row *row, sp_calls *into, sp_warnings *warnings,
                      sp_error *err) {
  fake_reader *r = reader_of(p);
  const fake_calls *from = &r->calls[row->offset];
  r->loads++;
  if (r->damaged == row->region + 1) return sp_fail(err, SP_CORRUPT, "/events", "damaged");
  into->count = row->count > r->left_out ? row->count - r->left_out : 0;
  if (r->left_out) sp_warn(warnings, "bad-time", p->regions[row->region].name.p, "left out");
  size_t n = (size_t)into->count;
  copy(&into->start_ns, from->starts, n);
  copy(&into->duration_ns, from->durations, n);
  copy(&into->thread, from->thread, n);
  copy(&into->task, from->task, n);
  copy(&into->gpu_ns, from->gpu, n);
  into->await_ns = into->call_id = into->parent_id = NULL;
  return SP_OK;
}

sp_profile *fake_profile_new(void) {
  static const sp_reader_ops ops = {.load_calls = load};
  sp_profile *p = need(calloc(1, sizeof *p));
  p->layout = SP_LAYOUT_COLUMNAR;
  p->schema = 3;
  p->num_nodes = -1;
  p->ops = &ops;
  p->reader = need(calloc(1, sizeof(fake_reader)));
  p->warnings.arena = &p->arena;
  return p;
}

uint32_t fake_region(sp_profile *p, const char *name) {
  for (uint32_t i = 0; i < p->region_count; i++) {
    if (strcmp(p->regions[i].name.p, name) == 0) return i;
  }
  p->regions = grow(p->regions, p->region_count, &reader_of(p)->region_room, sizeof *p->regions);
  char *text = need(sp_arena_copy(&p->arena, name, strlen(name)));
  p->regions[p->region_count].name = sp_str_of(text);
  return p->region_count++;
}

void fake_rank(sp_profile *p, uint32_t number) {
  p->ranks = grow(p->ranks, p->rank_count, &reader_of(p)->rank_room, sizeof *p->ranks);
  p->ranks[p->rank_count++] = (sp_rank){.number = number};
  p->num_ranks = number + 1;
}

sp_row *fake_row(sp_profile *p, const char *name, uint64_t count, const int64_t *starts,
                 const int64_t *durations) {
  fake_reader *r = reader_of(p);
  r->calls = grow(r->calls, r->row_count, &r->call_room, sizeof *r->calls);
  r->rows = grow(r->rows, r->row_count, &r->row_room, sizeof *r->rows);
  r->calls[r->row_count] = (fake_calls){.starts = starts, .durations = durations};
  r->rows[r->row_count] = (sp_row){.region = fake_region(p, name),
                                   .rank = p->rank_count - 1,
                                   .count = count,
                                   .offset = r->row_count,
                                   .exclusive_ns = -1,
                                   .source_line = -1};
  p->ranks[p->rank_count - 1].row_count++;
  p->call_count += count;
  return &r->rows[r->row_count++];
}

void fake_columns(sp_profile *p, const int64_t *thread, const int64_t *task, const int64_t *gpu) {
  fake_reader *r = reader_of(p);
  fake_calls *calls = &r->calls[r->row_count - 1];
  calls->thread = thread;
  calls->task = task;
  calls->gpu = gpu;
  r->rows[r->row_count - 1].columns =
      (thread ? SP_COLUMN_THREAD : 0u) | (task ? SP_COLUMN_TASK : 0u) | (gpu ? SP_COLUMN_GPU : 0u);
}

void fake_finish(sp_profile *p) {
  sp_row *rows = reader_of(p)->rows;
  for (uint32_t i = 0; i < p->rank_count; i++) {
    p->ranks[i].rows = rows;
    rows += p->ranks[i].row_count;
  }
}

sp_row *fake_find(const sp_profile *p, uint32_t rank, const char *name) {
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (p->ranks[r].number != rank) continue;
    for (uint32_t i = 0; i < p->ranks[r].row_count; i++) {
      sp_row *row = &p->ranks[r].rows[i];
      if (strcmp(p->regions[row->region].name.p, name) == 0) return row;
    }
  }
  return NULL;
}

void fake_summaries(sp_profile *p) {
  fake_reader *r = reader_of(p);
  for (uint32_t i = 0; i < r->row_count; i++) {
    sp_row *row = &r->rows[i];
    const fake_calls *c = &r->calls[i];
    size_t n = (size_t)row->count;
    sp_stored_summary *s = need(sp_arena_alloc(&r->arena, sizeof *s));
    row->summary = s;
    if (n == 0) continue;
    *s = (sp_stored_summary){.minimum = INT64_MAX,
                             .first = c->durations[0],
                             .last = c->durations[n - 1],
                             .start_minimum = INT64_MAX,
                             .end_maximum = INT64_MIN};
    for (size_t j = 0; j < n; j++) {
      int64_t d = c->durations[j], end = c->starts[j] + d;
      s->total += d;
      if (d < s->minimum) s->minimum = d;
      if (d > s->maximum) s->maximum = d;
      if (c->starts[j] < s->start_minimum) s->start_minimum = c->starts[j];
      if (end > s->end_maximum) s->end_maximum = end;
    }
    s->mean = (double)s->total / (double)n;
    for (size_t j = 0; j < n; j++) {
      s->m2 += ((double)c->durations[j] - s->mean) * ((double)c->durations[j] - s->mean);
    }
  }
}

void fake_leave_out(sp_profile *p, uint64_t n) { reader_of(p)->left_out = n; }

void fake_damage(sp_profile *p, const char *name) {
  reader_of(p)->damaged = fake_region(p, name) + 1;
}

void fake_metadata_int(sp_profile *p, const char *key, int64_t value) {
  sp_value v = {.kind = SP_VALUE_INT, .integer = value};
  if (!sp_metadata_put(&p->metadata, &p->arena, sp_str_of(key), v)) die("out of memory", key);
}

uint64_t fake_loads(const sp_profile *p) { return reader_of(p)->loads; }

void fake_free(sp_profile *p) {
  fake_reader *r = reader_of(p);
  free(r->calls);
  free(r->rows);
  sp_arena_free(&r->arena);
  free(r);
  free(p->regions);
  free(p->ranks);
  sp_arena_free(&p->arena);
  free(p);
}

/* --- from text --- */

typedef struct text_call {
  char name[64];
  int64_t start, end, thread, task, gpu;
  int has_call, has_thread, has_task, has_gpu, done;
} text_call;

static const char *skip(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

static const char *number(const char *at, int64_t *out) {
  char *end;
  *out = strtoll(at, &end, 10);
  if (end == at) die("a number is missing", at);
  return end;
}

static const char *read_call(const char *at, text_call *call) {
  size_t n = strcspn(at, " \n;");
  if (n == 0 || n >= sizeof call->name) die("a name is missing or too long", at);
  *call = (text_call){.thread = -1, .task = -1, .gpu = -1};
  memcpy(call->name, at, n);
  at = skip(at + n);
  if (isdigit((unsigned char)*at) || *at == '-') {
    at = number(at, &call->start);
    at = skip(number(at, &call->end));
    call->has_call = 1;
  }
  for (;; at = skip(at)) {
    if (*at == '@') {
      call->has_thread = 1;
      at = number(at + 1, &call->thread);
    } else if (*at == '#') {
      call->has_task = 1;
      at = number(at + 1, &call->task);
    } else if (strncmp(at, "gpu ", 4) == 0) {
      call->has_gpu = 1;
      at = number(at + 4, &call->gpu);
    } else {
      return at;
    }
  }
}

/* One row from all calls of the rank that have the name of calls[first]. */
static void add_row(sp_profile *p, text_call *calls, size_t first, size_t count) {
  sp_arena *a = &reader_of(p)->arena;
  int64_t *column[5];
  for (int i = 0; i < 5; i++) column[i] = need(sp_arena_array(a, count, sizeof(int64_t)));
  size_t n = 0;
  int thread = 0, task = 0, gpu = 0;
  for (size_t i = first; i < count; i++) {
    text_call *c = &calls[i];
    if (strcmp(c->name, calls[first].name) != 0) continue;
    c->done = 1;
    if (!c->has_call) continue;
    column[0][n] = c->start;
    column[1][n] = c->end - c->start;
    column[2][n] = c->thread;
    column[3][n] = c->task;
    column[4][n++] = c->gpu;
    thread |= c->has_thread;
    task |= c->has_task;
    gpu |= c->has_gpu;
  }
  fake_row(p, calls[first].name, n, column[0], column[1]);
  fake_columns(p, thread ? column[2] : NULL, task ? column[3] : NULL, gpu ? column[4] : NULL);
}

sp_profile *fake_profile(const char *text) {
  sp_profile *p = fake_profile_new();
  for (const char *at = skip(text); *at;) {
    int64_t rank;
    if (strncmp(at, "rank ", 5) != 0) die("no rank", at);
    at = skip(number(at + 5, &rank));
    if (*at++ != ':') die("no colon", at);
    fake_rank(p, (uint32_t)rank);
    text_call *calls = NULL;
    uint32_t count = 0, room = 0;
    for (at = skip(at); *at && strncmp(at, "rank ", 5) != 0; at = skip(at)) {
      calls = grow(calls, count, &room, sizeof *calls);
      at = read_call(at, &calls[count++]);
      if (*at == ';') at++;
    }
    for (size_t i = 0; i < count; i++) {
      if (!calls[i].done) add_row(p, calls, i, count);
    }
    free(calls);
  }
  fake_finish(p);
  return p;
}
