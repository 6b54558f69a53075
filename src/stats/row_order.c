/* row_order.c - pre-order, and sorting by a column. */
#include "stats/row_order.h"

#include <string.h>

#include "stats/analysis.h"
#include "stats/index_sort.h"

#define NONE UINT32_MAX

sp_status sp_rows_preorder(const uint32_t *parent, const uint32_t *sorted, uint32_t n,
                           uint32_t *out, sp_error *err) {
  if (n == 0) return SP_OK;
  uint32_t *child = sp_alloc((size_t)n * 2 * sizeof *child), *next = child ? child + n : NULL;
  if (!child) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t i = 0; i < n; i++) child[i] = NONE;
  uint32_t root = NONE;
  for (uint32_t i = n; i-- > 0;) { /* from the last, so that lists come out in order */
    uint32_t row = sorted[i];
    uint32_t *first = parent[row] == NONE ? &root : &child[parent[row]];
    next[row] = *first;
    *first = row;
  }
  uint32_t placed = 0;
  for (uint32_t row = root; row != NONE;) {
    out[placed++] = row;
    if (child[row] != NONE) {
      row = child[row];
      continue;
    }
    while (row != NONE && next[row] == NONE) row = parent[row];
    if (row != NONE) row = next[row];
  }
  sp_free_block(child);
  return SP_OK;
}

bool sp_sort_parse(const char *word, sp_sort *out) {
  static const char *const words[] = {"start", "name", "total", "calls", "avg", "min", "max",
                                      "first", "last", "std",   "p50",   "p95", "p99", "imbalance"};
  for (size_t i = 0; word && i < SP_ARRAY_LEN(words); i++) {
    if (strcmp(word, words[i]) != 0) continue;
    *out = (sp_sort)i;
    return true;
  }
  return false;
}

typedef struct sort_context {
  const sp_analysis *an;
  sp_sort key;
} sort_context;

/* Ranks and values of a column: whether it has a value, and that value as an integer or a real. */
typedef struct sort_value {
  bool has;
  sp_i128 integer;
  double real;
} sort_value;

static sort_value value_of(const sp_stats *s, sp_sort key) {
  switch (key) {
  case SP_SORT_TOTAL: return (sort_value){s->has_calls, s->total_ns, 0};
  case SP_SORT_CALLS: return (sort_value){true, (sp_i128)s->calls, 0};
  case SP_SORT_AVG: return (sort_value){s->has_calls, 0, s->avg_ns};
  case SP_SORT_MIN: return (sort_value){s->has_calls, s->min_ns, 0};
  case SP_SORT_MAX: return (sort_value){s->has_calls, s->max_ns, 0};
  case SP_SORT_FIRST: return (sort_value){s->has_ends, s->first_ns, 0};
  case SP_SORT_LAST: return (sort_value){s->has_ends, s->last_ns, 0};
  case SP_SORT_STD: return (sort_value){s->has_spread, 0, s->std_ns};
  case SP_SORT_P50: return (sort_value){s->has_percentiles, 0, s->p50_ns};
  case SP_SORT_P95: return (sort_value){s->has_percentiles, 0, s->p95_ns};
  case SP_SORT_P99: return (sort_value){s->has_percentiles, 0, s->p99_ns};
  case SP_SORT_IMBALANCE: return (sort_value){true, 0, s->imbalance_pct};
  case SP_SORT_START:
  case SP_SORT_NAME: break;
  }
  return (sort_value){.has = false};
}

static bool after(const void *context, uint32_t a, uint32_t b) {
  const sort_context *c = context;
  const sp_tree_row *x = &c->an->rows[a], *y = &c->an->rows[b];
  if (c->key != SP_SORT_START) {
    sort_value u = value_of(&x->stats, c->key), v = value_of(&y->stats, c->key);
    if (u.has != v.has) return v.has;
    if (u.integer != v.integer) return u.integer < v.integer;
    if (u.real < v.real) return true;
    if (u.real > v.real) return false;
    const sp_region *regions = c->an->profile->regions;
    int order = sp_str_compare(regions[x->region].name, regions[y->region].name);
    if (order) return order > 0;
  }
  return x->order > y->order;
}

sp_status sp_analysis_sort(sp_analysis *an, sp_sort key, bool flat, sp_arena *a, sp_error *err) {
  uint32_t n = an->row_count;
  if (n == 0) return SP_OK;
  uint32_t *sorted = sp_arena_array(a, (uint64_t)n * 3, sizeof *sorted);
  sp_tree_row *rows = sp_arena_array(a, n, sizeof *rows);
  if (!sorted || !rows) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  uint32_t *order = sorted + n, *parent = order + n;
  for (uint32_t i = 0; i < n; i++) {
    sorted[i] = i;
    parent[i] = an->rows[i].parent;
  }
  sort_context context = {an, key};
  sp_index_sort(sorted, order, n, after, &context);
  if (flat || key == SP_SORT_NAME) { /* by name is an index: one alphabet, rows keep their depth */
    memcpy(order, sorted, n * sizeof *order);
  } else {
    SP_TRY(sp_rows_preorder(parent, sorted, n, order, err));
  }
  for (uint32_t i = 0; i < n; i++) sorted[order[i]] = i; /* from here: old place to new place */
  for (uint32_t i = 0; i < n; i++) {
    rows[i] = an->rows[order[i]];
    if (rows[i].parent != SP_NO_ROW) rows[i].parent = sorted[rows[i].parent];
  }
  an->rows = rows;
  return SP_OK;
}
