/* Random profiles against a plain quadratic reading of the definitions. */
#include <stdlib.h>

#include "check.h"
#include "stats_fixture.h"

enum { REGIONS = 6, RANKS = 4, CALLS_MAX = 200, PATHS_MAX = 4000, DEPTH_MAX = CALLS_MAX };

static uint64_t dice_state = 1;

static int64_t dice(int64_t n) {
  dice_state = dice_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int64_t)((dice_state >> 33) % (uint64_t)n);
}

typedef struct call {
  int64_t start, end;
  int region, recorded, lane, parent, depth; /* parent: index of the sorted call, -1 */
  int64_t own;
  int outside;
} call;

/* What one row should show. */
typedef struct expected {
  char path[PATHS_MAX];
  int64_t calls, total, own, coverage, first_start, first, last_end, last, ranks, min, max;
  int64_t rank_totals[RANKS];
  int recursive, in_rank[RANKS];
  int64_t durations[RANKS * CALLS_MAX];
} expected;

typedef struct run {
  int counts[RANKS];
  call calls[RANKS][CALLS_MAX];
  int order[REGIONS]; /* place of a region in the order of first starts */
  int hidden[REGIONS];
} run;

/* Calls that mostly nest: each picks a piece of an earlier one, or anything at all. */
static void make_calls(run *r, int rank, int64_t span, int crossings, int lanes) {
  r->counts[rank] = (int)dice(CALLS_MAX / (1 + (int)dice(8)));
  for (int i = 0; i < r->counts[rank]; i++) {
    call *c = &r->calls[rank][i];
    *c = (call){.region = (int)dice(REGIONS), .recorded = i, .lane = (int)dice(lanes)};
    c->start = dice(span);
    c->end = c->start + dice(span / 3 + 1);
    if (crossings && dice(100) < crossings) continue;
    /* Shrink until nothing of the lane is crossed. */
    for (int again = 1; again;) {
      again = 0;
      for (int j = 0; j < i; j++) {
        call *o = &r->calls[rank][j];
        if (o->lane != c->lane) continue;
        int64_t end = c->end;
        if (o->start < c->start && c->start < o->end && o->end < end) c->end = o->end;
        if (c->start < o->start && o->start < end && end < o->end) c->end = o->start;
        again |= c->end != end;
      }
    }
  }
}

static const run *sorting;

static int by_tree_order(const void *a, const void *b) {
  const call *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  if (x->end != y->end) return x->end > y->end ? -1 : 1;
  int p = sorting->order[x->region], q = sorting->order[y->region];
  if (p != q) return p - q;
  return x->recorded - y->recorded;
}

/* Parents by the stack of statistics 8, without any cleverness. Returns whether they nest. */
static int find_parents(const run *r, call *calls, int n, int lane, int shown_only) {
  int stack[CALLS_MAX], depth = 0;
  for (int i = 0; i < n; i++) {
    call *c = &calls[i];
    if (c->lane != lane || (shown_only && r->hidden[c->region])) continue;
    while (depth) {
      call *t = &calls[stack[depth - 1]];
      if (t->end > t->start ? t->end <= c->start : t->end < c->start) {
        depth--;
      } else {
        break;
      }
    }
    c->parent = depth ? stack[depth - 1] : -1;
    if (depth && calls[c->parent].end < c->end) return 0;
    stack[depth++] = i;
  }
  return 1;
}

static void find_tree(const run *r, call *calls, int n, int lanes) {
  for (int lane = 0; lane < lanes; lane++) {
    int nests = find_parents(r, calls, n, lane, 0);
    int filtered = !nests && find_parents(r, calls, n, lane, 1);
    for (int i = 0; i < n; i++) {
      call *c = &calls[i];
      if (c->lane != lane) continue;
      c->outside = !nests && !filtered;
      c->own = c->end - c->start;
      if (!c->outside) continue;
      c->parent = -1;
    }
    for (int i = 0; i < n; i++) {
      call *c = &calls[i];
      if (c->lane != lane || c->outside || (filtered && r->hidden[c->region])) continue;
      if (c->parent >= 0) calls[c->parent].own -= c->end - c->start;
    }
  }
}

static int shown_parent(const run *r, const call *calls, int i) {
  int p = calls[i].parent;
  while (p >= 0 && r->hidden[calls[p].region]) p = calls[p].parent;
  return p;
}

/* The collapsed path, "-R" outside the tree. */
static void write_path(const run *r, const call *calls, int i, char *to) {
  int chain[DEPTH_MAX], n = 0;
  for (int at = i; at >= 0; at = shown_parent(r, calls, at)) chain[n++] = calls[at].region;
  char *out = to;
  if (calls[i].outside) *out++ = '-';
  for (int k = n - 1; k >= 0; k--) {
    if (k < n - 1 && chain[k] == chain[k + 1]) continue;
    if (k < n - 1) *out++ = '>';
    *out++ = (char)('a' + chain[k]);
  }
  *out = '\0';
}

static expected *rows;
static int row_count;

static expected *expected_row(const char *path) {
  for (int i = 0; i < row_count; i++) {
    if (strcmp(rows[i].path, path) == 0) return &rows[i];
  }
  expected *e = &rows[row_count++];
  memset(e, 0, sizeof *e);
  strcpy(e->path, path); /* NOLINT: both are PATHS_MAX */
  return e;
}

static int by_value(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static double percentile(const int64_t *sorted, int64_t n, double q) {
  double h = (double)(n - 1) * q / 100;
  int64_t k = (int64_t)h;
  if (k + 1 >= n) return (double)sorted[n - 1];
  return (double)sorted[k] + (h - (double)k) * (double)(sorted[k + 1] - sorted[k]);
}

/* Length of the union of the row's calls on one rank. */
static int64_t covered(const run *r, const call *calls, int n, const char *path, int64_t span) {
  int64_t length = 0;
  for (int64_t t = 0; t < span; t++) {
    int in = 0;
    for (int i = 0; i < n && !in; i++) {
      if (calls[i].start > t || calls[i].end <= t || r->hidden[calls[i].region]) continue;
      char own[PATHS_MAX];
      write_path(r, calls, i, own);
      in = strcmp(own, path) == 0;
    }
    length += in;
  }
  return length;
}

static void expect_rank(const run *r, int rank, call *calls, int n) {
  for (int i = 0; i < n; i++) {
    call *c = &calls[i];
    if (r->hidden[c->region]) continue;
    char path[PATHS_MAX];
    write_path(r, calls, i, path);
    expected *e = expected_row(path);
    int64_t d = c->end - c->start;
    int p = shown_parent(r, calls, i);
    int nested = !c->outside && p >= 0 && calls[p].region == c->region;
    e->recursive |= nested;
    e->own += c->own;
    if (!nested) e->total += d;
    if (!nested) e->rank_totals[rank] += d;
    if (!e->in_rank[rank]) e->ranks++;
    e->in_rank[rank] = 1;
    if (!e->calls || c->start < e->first_start) e->first_start = c->start, e->first = d;
    if (!e->calls || c->end > e->last_end) e->last_end = c->end, e->last = d;
    if (!e->calls || d < e->min) e->min = d;
    if (!e->calls || d > e->max) e->max = d;
    e->durations[e->calls++] = d;
  }
}

static void check_row(const fixture *f, expected *e) {
  const sp_tree_row *got = row(f, e->path);
  const sp_stats *s = &got->stats;
  CHECK_INT(s->calls, e->calls);
  CHECK_INT(s->total_ns, e->total);
  CHECK_INT(s->exclusive_ns, e->own);
  CHECK_INT(s->coverage_ns, e->coverage);
  CHECK_INT(got->recursive, e->recursive);
  CHECK_INT(s->min_ns, e->min);
  CHECK_INT(s->max_ns, e->max);
  if (got->in_tree) CHECK_INT(s->first_ns, e->first);
  if (got->in_tree) CHECK_INT(s->last_ns, e->last);
  if (got->in_tree) CHECK_INT(s->num_ranks, e->ranks);
  CHECK_INT(got->start_ns + f->an.origin_ns, e->first_start);
  qsort(e->durations, (size_t)e->calls, sizeof e->durations[0], by_value);
  CHECK_NEAR(s->p50_ns, percentile(e->durations, e->calls, 50));
  CHECK_NEAR(s->p95_ns, percentile(e->durations, e->calls, 95));
  CHECK_NEAR(s->p99_ns, percentile(e->durations, e->calls, 99));
  double sum = 0, squares = 0, most = 0, ranks = 0, all = 0;
  for (int64_t i = 0; i < e->calls; i++) sum += (double)e->durations[i];
  double mean = sum / (double)e->calls;
  for (int64_t i = 0; i < e->calls; i++) {
    squares += ((double)e->durations[i] - mean) * ((double)e->durations[i] - mean);
  }
  CHECK(fabs(s->std_ns - sqrt(squares / (double)e->calls)) <= 1e-9 * (1 + mean));
  for (int i = 0; i < RANKS; i++) {
    double t = (double)e->rank_totals[i];
    if (!(got->in_tree ? e->in_rank[i] : t > 0)) continue;
    ranks++;
    all += t;
    most = t > most ? t : most;
  }
  double imbalance = ranks < 2 || all <= 0 ? 0 : 100 * (most * ranks / all - 1);
  CHECK(fabs(s->imbalance_pct - imbalance) < 1e-9);
}

/* The flat row of a region: everything but own time is a matter of its calls alone. */
static void check_flat(const fixture *f, const run *r, int region, int64_t own) {
  char name[2] = {(char)('a' + region), 0};
  const sp_flat_row *got = flat(f, name);
  int64_t calls = 0, total = 0, first = 0, last = 0, start = 0, end = 0;
  for (int rank = 0; rank < RANKS; rank++) {
    for (int i = 0; i < r->counts[rank]; i++) { /* recorded order */
      const call *c = &r->calls[rank][i];
      if (c->region != region) continue;
      if (!calls || c->start < start) start = c->start, first = c->end - c->start;
      if (!calls || c->end > end) end = c->end, last = c->end - c->start;
      calls++;
      total += c->end - c->start;
    }
  }
  CHECK_INT(got->stats.calls, calls);
  CHECK_INT(got->stats.total_ns, total);
  CHECK_INT(got->stats.exclusive_ns, own);
  if (calls) CHECK_INT(got->stats.first_ns, first);
  if (calls) CHECK_INT(got->stats.last_ns, last);
  if (calls) CHECK_INT(got->start_ns, start);
}

static sp_profile *profile_of(const run *r, int lanes) {
  static int64_t starts[RANKS][REGIONS][CALLS_MAX], durations[RANKS][REGIONS][CALLS_MAX],
      threads[RANKS][REGIONS][CALLS_MAX];
  sp_profile *p = fake_profile_new();
  for (int g = 0; g < REGIONS; g++) fake_region(p, (char[2]){(char)('a' + g), 0});
  for (int rank = 0; rank < RANKS; rank++) {
    fake_rank(p, (uint32_t)rank);
    for (int g = 0; g < REGIONS; g++) {
      size_t n = 0;
      for (int i = 0; i < r->counts[rank]; i++) {
        const call *c = &r->calls[rank][i];
        if (c->region != g) continue;
        starts[rank][g][n] = c->start;
        durations[rank][g][n] = c->end - c->start;
        threads[rank][g][n++] = c->lane;
      }
      fake_row(p, (char[2]){(char)('a' + g), 0}, n, starts[rank][g], durations[rank][g]);
      if (lanes > 1) fake_columns(p, threads[rank][g], NULL, NULL);
    }
  }
  fake_finish(p);
  fake_metadata_int(p, "num_nodes", 1);
  return p;
}

static void find_order(run *r) {
  int64_t first[REGIONS];
  for (int g = 0; g < REGIONS; g++) {
    first[g] = -1;
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < r->counts[rank]; i++) {
        const call *c = &r->calls[rank][i];
        if (c->region == g && (first[g] < 0 || c->start < first[g])) first[g] = c->start;
      }
    }
  }
  for (int g = 0; g < REGIONS; g++) {
    r->order[g] = 0;
    for (int h = 0; h < REGIONS; h++) {
      r->order[g] += first[h] < first[g] || (first[h] == first[g] && h < g);
    }
  }
}

static void one_round(void) {
  static run r;
  static call sorted[RANKS][CALLS_MAX];
  int64_t span = 4 + dice(1 << (2 + dice(8))); /* small ones are full of ties */
  int lanes = dice(2) ? 1 : 1 + (int)dice(4), crossings = dice(3) ? 0 : 1 + (int)dice(5);
  for (int rank = 0; rank < RANKS; rank++) make_calls(&r, rank, span, crossings, lanes);
  int hides = !dice(3);
  for (int g = 0; g < REGIONS; g++) r.hidden[g] = hides && !dice(3);
  find_order(&r);
  fixture f = {.profile = profile_of(&r, lanes)};
  if (dice(2)) fake_summaries(f.profile);
  char exclude[64] = "";
  const char *words[REGIONS];
  uint32_t count = 0;
  for (int g = 0; g < REGIONS; g++) {
    if (!r.hidden[g]) continue;
    exclude[2 * g] = (char)('a' + g);
    words[count++] = &exclude[2 * g];
  }
  sp_select select;
  sp_arena arena = {0};
  CHECK_STATUS(sp_select_parse(&arena, NULL, 0, words, count, NULL, 0, &select, &f.err), SP_OK);
  CHECK_STATUS(sp_analyse(f.profile, &select, NULL, &f.arena, &f.an, &f.err), SP_OK);
  row_count = 0;
  int64_t own[REGIONS] = {0};
  sorting = &r;
  for (int rank = 0; rank < RANKS; rank++) {
    memcpy(sorted[rank], r.calls[rank], sizeof sorted[rank]);
    qsort(sorted[rank], (size_t)r.counts[rank], sizeof(call), by_tree_order);
    find_tree(&r, sorted[rank], r.counts[rank], lanes);
    expect_rank(&r, rank, sorted[rank], r.counts[rank]);
    for (int i = 0; i < r.counts[rank]; i++) own[sorted[rank][i].region] += sorted[rank][i].own;
  }
  uint32_t with_calls = 0;
  for (uint32_t i = 0; i < f.an.row_count; i++) with_calls += f.an.rows[i].stats.calls > 0;
  CHECK_INT(with_calls, row_count);
  for (int i = 0; i < row_count; i++) {
    for (int rank = 0; rank < RANKS; rank++) {
      rows[i].coverage += covered(&r, sorted[rank], r.counts[rank], rows[i].path,
                                  rows[i].calls && span < 70 ? 2 * span : 0);
    }
    if (span >= 70) rows[i].coverage = (int64_t)row(&f, rows[i].path)->stats.coverage_ns;
    check_row(&f, &rows[i]);
  }
  for (int g = 0; g < REGIONS; g++) {
    if (!r.hidden[g]) check_flat(&f, &r, g, own[g]);
  }
  sp_select_free(&select);
  sp_arena_free(&arena);
  done(&f);
}

static void random_profiles_agree_with_the_definitions(void) {
  for (int i = 0; i < 300 && !check_failures; i++) {
    dice_state = (uint64_t)i * 7919 + 1;
    one_round();
    if (check_failures) fprintf(stderr, "in round %d\n", i);
  }
}

int main(void) {
  rows = calloc(RANKS * CALLS_MAX, sizeof *rows);
  if (!rows) return 2;
  RUN(random_profiles_agree_with_the_definitions);
  free(rows);
  return CHECK_DONE();
}
