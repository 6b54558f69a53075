/* call_merge.c - the beginning of a tournament, and its ties. */
#include "stats/call_merge.h"

#include "stats/index_sort.h"

/* Whether the tie `a` must stand behind `b`: later, or shorter, or by the order of regions. */
static bool after(const void *context, uint32_t a, uint32_t b) {
  const sp_merge *m = context;
  sp_merge_call x = m->ties[a], y = m->ties[b];
  const sp_run *u = &m->runs[x.run], *v = &m->runs[y.run];
  int64_t start_x = u->start_ns[x.at], start_y = v->start_ns[y.at];
  if (start_x != start_y) return start_x > start_y;
  int64_t duration_x = u->duration_ns[x.at], duration_y = v->duration_ns[y.at];
  if (duration_x != duration_y) return duration_x < duration_y;
  return u->place > v->place;
}

/* Room for one more tie. */
static bool make_room(sp_merge *m) {
  if (m->tie_count < m->tie_room) return true;
  uint64_t wanted = m->tie_room ? (uint64_t)m->tie_room * 2 : 64;
  if (wanted > UINT32_MAX || wanted > SIZE_MAX / 16) return false;
  sp_merge_call *ties = sp_resize(m->ties, (size_t)wanted * sizeof *ties);
  if (!ties) return false;
  m->ties = ties;
  uint32_t *order = sp_resize(m->tie_order, (size_t)wanted * 2 * sizeof *order);
  if (!order) return false;
  m->tie_order = order;
  m->tie_room = (uint32_t)wanted;
  return true;
}

static void note_pair(sp_tie_pairs *pairs, uint32_t first, uint32_t second) {
  for (uint32_t i = 0; i < pairs->count; i++) {
    if (pairs->first[i] == first && pairs->second[i] == second) return;
  }
  if (pairs->count == SP_TIE_PAIRS_MAX) {
    pairs->more = true;
    return;
  }
  pairs->first[pairs->count] = first;
  pairs->second[pairs->count++] = second;
}

/* Notes which regions stand in an order that only their place gave them. */
static void note_pairs(sp_merge *m) {
  for (uint32_t i = 1; i < m->tie_count; i++) {
    sp_merge_call x = m->ties[m->tie_order[i - 1]], y = m->ties[m->tie_order[i]];
    const sp_run *u = &m->runs[x.run], *v = &m->runs[y.run];
    if (u == v || u->start_ns[x.at] != v->start_ns[y.at]) continue;
    if (u->duration_ns[x.at] != v->duration_ns[y.at]) continue;
    m->tied = true;
    if (m->pairs) note_pair(m->pairs, u->region, v->region);
  }
}

bool sp_merge_collect_ties(sp_merge *m, sp_merge_call first, uint64_t key) {
  m->tie_at = m->tie_count = 0;
  for (sp_merge_call call = first;; call = sp_merge_take(m)) {
    if (!make_room(m)) return false;
    m->tie_order[m->tie_count] = m->tie_count;
    m->ties[m->tie_count++] = call;
    if ((key ^ m->nodes[0]) > m->run_mask) break;
  }
  sp_index_sort(m->tie_order, m->tie_order + m->tie_room, m->tie_count, after, m);
  note_pairs(m);
  return true;
}

static unsigned bits_of(uint64_t value) {
  unsigned bits = 0;
  for (; value; value >>= 1) bits++;
  return bits;
}

bool sp_merge_begin(sp_merge *m, sp_rank_calls *calls) {
  uint32_t n = calls->run_count;
  if (n > m->key_room) {
    sp_free_block(m->nodes);
    m->key_room = 0;
    m->nodes = sp_alloc((size_t)n * 3 * sizeof *m->nodes); /* the last third: winners, see below */
    if (!m->nodes) return false;
    m->key_room = n;
  }
  m->ahead = m->nodes + n;
  m->runs = calls->runs;
  m->run_count = n;
  m->base_ns = calls->start_ns;
  m->tied = false;
  m->tie_at = m->tie_count = 0;
  unsigned run_bits = bits_of(n); /* so that the largest run number is not all ones */
  m->run_mask = (UINT64_C(1) << run_bits) - 1;
  unsigned start_bits = bits_of((uint64_t)calls->end_ns - (uint64_t)m->base_ns);
  m->dropped_bits = start_bits + run_bits > 64 ? start_bits + run_bits - 64 : 0;
  uint64_t *winners = m->ahead + n; /* of inner nodes, from the last to the first */
  for (uint32_t r = 0; r < n; r++) {
    m->runs[r].at = 0;
    m->ahead[r] = sp_merge_key(m, r, 1);
  }
  for (uint32_t i = n; i-- > 1;) {
    uint32_t left = 2 * i, right = left + 1;
    uint64_t x = left < n ? winners[left] : sp_merge_key(m, left - n, 0);
    uint64_t y = right < n ? winners[right] : sp_merge_key(m, right - n, 0);
    m->nodes[i] = x < y ? y : x;
    winners[i] = x < y ? x : y;
  }
  m->nodes[0] = n > 1 ? winners[1] : sp_merge_key(m, 0, 0);
  return true;
}

void sp_merge_free(sp_merge *m) {
  sp_free_block(m->nodes);
  sp_free_block(m->ties);
  sp_free_block(m->tie_order);
  *m = (sp_merge){.pairs = m->pairs};
}
