/* call_merge.h - the calls of one rank in the order of its call tree, from runs that are in it.
 *
 * A tournament of losers: a run's next start climbs from its leaf to the top, stays where it meets
 * a smaller one, and lets that one climb on.
 *
 *        0       Node 0 holds the winner, the others the loser of their match. Nodes lie as in a
 *        1       heap; run r climbs from node (run_count + r) / 2. The path depends on the run
 *      /   \     alone, so the processor fetches it early, and both outcomes of a match are
 *     2     3    written without a branch.
 *
 *   key = | start - base, its low bits dropped if need be | run |     all ones: the run is used up
 *
 * Keys that differ in the run only are ties (equal or nearly equal starts); they come out one
 * after the other, so the merge collects them and puts them in order by the calls themselves. */
#ifndef SP_STATS_CALL_MERGE_H
#define SP_STATS_CALL_MERGE_H

#include "stats/rank_calls.h"

typedef struct sp_merge_call {
  uint32_t run, at; /* run's number, place of the call in the run */
} sp_merge_call;

/* Pairs of regions whose order decided between calls with the same start and end. */
enum { SP_TIE_PAIRS_MAX = 64 };
typedef struct sp_tie_pairs {
  uint32_t first[SP_TIE_PAIRS_MAX], second[SP_TIE_PAIRS_MAX]; /* regions, as they were put */
  uint32_t count;
  bool more; /* there were others */
} sp_tie_pairs;

typedef struct sp_merge {
  uint64_t *nodes; /* run_count */
  uint64_t *ahead; /* by run: the key after the one on its way, so that nobody waits for it */
  sp_run *runs;
  uint32_t run_count;
  uint64_t run_mask; /* of a key; one less than a power of two */
  unsigned dropped_bits;
  int64_t base_ns;
  uint32_t key_room;
  sp_merge_call *ties; /* those collected */
  uint32_t *tie_order; /* ties[tie_order[i]], and as much room to sort with */
  uint32_t tie_at, tie_count, tie_room;
  bool tied;           /* since the beginning, the order of regions decided something */
  sp_tie_pairs *pairs; /* where that is noted, over all ranks; NULL = nowhere */
} sp_merge;

/* Begins with the first call of every run. False when memory ran out. A zeroed merge owns no
 * memory; used again it keeps what it has. */
bool sp_merge_begin(sp_merge *m, sp_rank_calls *calls);
void sp_merge_free(sp_merge *m);

/* Collects and sorts `first` and all that tie with `key`. False when memory ran out. */
bool sp_merge_collect_ties(sp_merge *m, sp_merge_call first, uint64_t key);

static inline uint32_t sp_merge_run(const sp_merge *m, uint64_t key) {
  return (uint32_t)(key & m->run_mask);
}

/* The key of the run's call `at`. */
static inline uint64_t sp_merge_key(const sp_merge *m, uint32_t index, size_t at) {
  const sp_run *run = &m->runs[index];
  if (at >= run->count) return UINT64_MAX;
  uint64_t start = (uint64_t)run->start_ns[at] - (uint64_t)m->base_ns;
  if (__builtin_expect(m->dropped_bits, 0)) start >>= m->dropped_bits;
  return start * (m->run_mask + 1) + index; /* a product costs less than a shift by a variable */
}

/* Asks for what the run needs sixteen calls later: there are more columns in play than the
 * processor foresees by itself (a third of the time). The address may lie behind the column. */
static inline void sp_merge_fetch(const int64_t *column, size_t at) {
  __builtin_prefetch((const void *)((uintptr_t)column + (at + 16) * sizeof *column));
}

/* Takes the winner out and lets the run's next call climb. */
static inline sp_merge_call sp_merge_take(sp_merge *m) {
  uint64_t *nodes = m->nodes;
  uint32_t index = sp_merge_run(m, nodes[0]);
  uint64_t key = m->ahead[index];
  size_t at = m->runs[index].at++;
  m->ahead[index] = sp_merge_key(m, index, at + 2);
  sp_merge_fetch(m->runs[index].start_ns, at);
  sp_merge_fetch(m->runs[index].duration_ns, at);
  for (size_t node = ((size_t)m->run_count + index) >> 1; node; node >>= 1) {
    uint64_t other = nodes[node];
    nodes[node] = other < key ? key : other;
    key = other < key ? other : key;
  }
  nodes[0] = key;
  return (sp_merge_call){index, (uint32_t)at};
}

/* The next call; there must be one. False when memory ran out. */
static inline bool sp_merge_next(sp_merge *m, sp_merge_call *call) {
  if (__builtin_expect(m->tie_at == m->tie_count, 1)) {
    uint64_t key = m->nodes[0];
    *call = sp_merge_take(m);
    if (__builtin_expect((key ^ m->nodes[0]) > m->run_mask, 1)) return true;
    if (!sp_merge_collect_ties(m, *call, key)) return false;
  }
  *call = m->ties[m->tie_order[m->tie_at++]];
  return true;
}

#endif
