/* clock.c - clock domains.
 *
 *   ranks ordered by their first call:   S0  S1  S2 |   gap   | S4  S5
 *                                        `- home -'           `- shifted so that both begin together
 */
#include "stats/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stats/index_sort.h"
#include "stats/row_sums.h"

enum { GROUPS_SHOWN = 12, RANGES_SHOWN = 8, GAP_MIN_NS = 100000000 };

/* The ranks with calls in order of their starts, and where a new domain begins. */
typedef struct domains {
  const sp_profile *profile;
  sp_rank_clock *clocks;
  uint32_t *order; /* indices of ranks */
  bool *begins;    /* by place in `order` */
  uint32_t *spare;
  int64_t *min_end_after; /* smallest end of this place and all later ones */
  uint32_t count;
} domains;

static bool starts_after(const void *context, uint32_t a, uint32_t b) {
  const sp_rank_clock *clocks = context;
  return clocks[a].start_ns > clocks[b].start_ns;
}

/* Number of machines; 0 = unknown. */
static int64_t node_count(const sp_profile *p) {
  static const char *const keys[] = {"num_nodes", "SLURM_JOB_NUM_NODES", "SLURM_STEP_NUM_NODES",
                                     "SLURM_NNODES"};
  for (size_t i = 0; i < SP_ARRAY_LEN(keys); i++) {
    int64_t n;
    if (sp_metadata_int(&p->metadata, keys[i], &n) && n > 0) return n;
  }
  return 0;
}

/* Marks the boundaries; returns the number of domains. */
static uint32_t find_boundaries(domains *d, int64_t nodes) {
  int64_t min_end = INT64_MAX;
  for (uint32_t i = d->count; i-- > 0;) {
    int64_t end = d->clocks[d->order[i]].end_ns;
    min_end = end < min_end ? end : min_end;
    d->min_end_after[i] = min_end;
  }
  uint32_t found = 1;
  int64_t max_end = d->clocks[d->order[0]].end_ns;
  for (uint32_t i = 1; i < d->count; i++) {
    int64_t previous = d->clocks[d->order[i - 1]].start_ns, start = d->clocks[d->order[i]].start_ns;
    sp_i128 gap = (sp_i128)start - previous;
    bool apart = start > max_end;
    bool alike =
        nodes > 1 && gap >= GAP_MIN_NS && (sp_i128)d->min_end_after[i] - max_end >= gap - gap / 10;
    d->begins[i] = apart || alike;
    found += d->begins[i];
    int64_t end = d->clocks[d->order[i]].end_ns;
    max_end = end > max_end ? end : max_end;
  }
  return found;
}

/* "0-3,8" of the ranks at order[from, to), ascending. */
static void write_group(const domains *d, uint32_t from, uint32_t to, char *text, size_t size) {
  size_t used = 0;
  uint32_t ranges = 0;
  text[0] = '\0';
  for (uint32_t i = from; i < to && ranges < RANGES_SHOWN; ranges++) {
    uint32_t first = d->profile->ranks[d->order[i]].number, last = first;
    for (i++; i < to && d->profile->ranks[d->order[i]].number == last + 1; i++) last++;
    int n = last > first ? snprintf(text + used, size - used, "%s%" PRIu32 "-%" PRIu32,
                                    used ? "," : "", first, last)
                         : snprintf(text + used, size - used, "%s%" PRIu32, used ? "," : "", first);
    used += (size_t)n;
    if (i < to && ranges + 1 == RANGES_SHOWN) snprintf(text + used, size - used, ",...");
  }
}

static bool index_after(const void *context, uint32_t a, uint32_t b) {
  (void)context;
  return a > b;
}

/* The place behind the domain that begins at `from`. */
static uint32_t domain_end(const domains *d, uint32_t from) {
  uint32_t to = from + 1;
  while (to < d->count && !d->begins[to]) to++;
  return to;
}

static void report(domains *d, uint32_t home, uint32_t found, uint64_t largest,
                   sp_warnings *warnings) {
  char text[900], group[128];
  size_t used = 0;
  uint32_t next = 0;
  for (uint32_t shown = 0; shown < found; shown++) { /* home first, then the others in order */
    if (shown == GROUPS_SHOWN) {
      snprintf(text + used, sizeof text - used, " and %" PRIu32 " more groups", found - shown);
      break;
    }
    if (shown && next == home) next = domain_end(d, next);
    uint32_t from = shown ? next : home, to = domain_end(d, from);
    if (shown) next = to;
    sp_index_sort(d->order + from, d->spare, to - from, index_after, NULL);
    write_group(d, from, to, group, sizeof group);
    const char *joint = shown == 0 ? "" : shown + 1 == found ? " and " : ", ";
    int n = snprintf(text + used, sizeof text - used, "%s%s", joint, group);
    used += (size_t)n; /* twelve groups of 128 bytes could not fit, but ranges are short */
    if (used >= sizeof text) break;
  }
  uint64_t micro = largest / 1000 + (largest % 1000 >= 500);
  sp_warn(warnings, "clock-domains", "/",
          "ranks %s have unrelated clocks (%" PRIu64 ".%06" PRIu64
          " s apart); times are aligned at each group's first call",
          text, micro / 1000000, micro % 1000000);
}

static void align(domains *d, uint32_t found, sp_warnings *warnings) {
  uint32_t lowest = 0, home = 0;
  for (uint32_t i = 1; i < d->count; i++) {
    if (d->order[i] < d->order[lowest]) lowest = i;
  }
  for (home = lowest; home > 0 && !d->begins[home]; home--) {
  }
  int64_t target = d->clocks[d->order[home]].start_ns;
  uint64_t largest = 0;
  for (uint32_t from = 0; from < d->count;) {
    uint32_t to = domain_end(d, from);
    int64_t shift = sp_time_sub(target, d->clocks[d->order[from]].start_ns);
    uint64_t size = shift < 0 ? 0 - (uint64_t)shift : (uint64_t)shift;
    largest = size > largest ? size : largest;
    for (; from < to; from++) d->clocks[d->order[from]].shift_ns = shift;
  }
  report(d, home, found, largest, warnings);
}

sp_status sp_clocks_align(const sp_profile *p, sp_rank_clock *clocks, sp_warnings *warnings,
                          bool *aligned, sp_error *err) {
  *aligned = false;
  uint32_t n = 0;
  for (uint32_t r = 0; r < p->rank_count; r++) {
    clocks[r].shift_ns = 0;
    n += clocks[r].has_calls;
  }
  int64_t nodes = node_count(p);
  if (n < 2 || nodes == 1) return SP_OK;
  sp_arena scratch = {0};
  domains d = {.profile = p, .clocks = clocks};
  d.order = sp_arena_array(&scratch, n, sizeof *d.order);
  d.spare = sp_arena_array(&scratch, n, sizeof *d.spare);
  d.begins = sp_arena_array(&scratch, n, sizeof *d.begins);
  d.min_end_after = sp_arena_array(&scratch, n, sizeof *d.min_end_after);
  if (scratch.failed) {
    sp_arena_free(&scratch);
    return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  }
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (clocks[r].has_calls) d.order[d.count++] = r;
  }
  sp_index_sort(d.order, d.spare, n, starts_after, clocks);
  uint32_t found = find_boundaries(&d, nodes);
  *aligned = found > 1;
  if (*aligned) align(&d, found, warnings);
  sp_arena_free(&scratch);
  return SP_OK;
}

bool sp_rank_has_summaries(const sp_rank *rank) {
  for (uint32_t i = 0; i < rank->row_count; i++) {
    const sp_row *row = &rank->rows[i];
    if (!row->is_aggregate && row->count && !row->summary) return false;
  }
  return true;
}

/* Reads one row's calls into start and duration, room for all of them. */
static sp_status learn_row(const sp_profile *p, const sp_row *row, int64_t *start,
                           int64_t *duration, sp_row_ends *ends, sp_error *err) {
  sp_calls calls = {.start_ns = start, .duration_ns = duration};
  sp_error fault = {.code = SP_OK};
  sp_status status = sp_profile_load_calls(p, row, &calls, NULL, &fault);
  if (status == SP_NOMEM) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  if (status != SP_OK) return SP_OK; /* nobody asked for this rank: its damage is not our matter */
  for (size_t i = 0; i < calls.count; i++) {
    int64_t end = start[i] + duration[i];
    if (!ends->has_calls || start[i] < ends->start_ns) ends->start_ns = start[i];
    if (!ends->has_calls || end > ends->end_ns) ends->end_ns = end;
    ends->has_calls = true;
  }
  return SP_OK;
}

sp_status sp_rank_learn_ends(const sp_profile *p, const sp_rank *rank, sp_row_ends *ends,
                             sp_error *err) {
  bool stored = sp_rank_has_summaries(rank);
  uint64_t most = 0;
  for (uint32_t i = 0; i < rank->row_count; i++) {
    const sp_row *row = &rank->rows[i];
    ends[i] = (sp_row_ends){.has_calls = false};
    if (row->is_aggregate || row->count == 0) continue;
    if (stored) {
      ends[i] = (sp_row_ends){true, row->summary->start_minimum, row->summary->end_maximum};
    } else if (row->count > most) {
      most = row->count;
    }
  }
  if (most == 0) return SP_OK;
  int64_t *start = most > SIZE_MAX / 16 ? NULL : sp_alloc((size_t)most * 16);
  if (!start) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  sp_status status = SP_OK;
  for (uint32_t i = 0; i < rank->row_count && status == SP_OK; i++) {
    const sp_row *row = &rank->rows[i];
    if (row->is_aggregate || row->count == 0) continue;
    status = learn_row(p, row, start, start + most, &ends[i], err);
  }
  sp_free_block(start);
  return status;
}

sp_status sp_clocks_read(const sp_profile *p, sp_arena *a, sp_rank_clock **out, bool *aligned,
                         sp_warnings *warnings, sp_error *err) {
  uint32_t most = 0;
  for (uint32_t r = 0; r < p->rank_count; r++) {
    if (p->ranks[r].row_count > most) most = p->ranks[r].row_count;
  }
  sp_rank_clock *clocks = sp_arena_array(a, p->rank_count, sizeof *clocks);
  sp_row_ends *ends = sp_alloc(((size_t)most + 1) * sizeof *ends);
  sp_status status = clocks && ends ? SP_OK : sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t r = 0; r < p->rank_count && status == SP_OK; r++) {
    status = sp_rank_learn_ends(p, &p->ranks[r], ends, err);
    for (uint32_t i = 0; i < p->ranks[r].row_count && status == SP_OK; i++) {
      if (!ends[i].has_calls) continue;
      sp_rank_clock *c = &clocks[r];
      if (!c->has_calls || ends[i].start_ns < c->start_ns) c->start_ns = ends[i].start_ns;
      if (!c->has_calls || ends[i].end_ns > c->end_ns) c->end_ns = ends[i].end_ns;
      c->has_calls = true;
    }
  }
  sp_free_block(ends);
  if (status == SP_OK) status = sp_clocks_align(p, clocks, warnings, aligned, err);
  *out = clocks;
  return status;
}
