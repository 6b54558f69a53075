/* lane_map.h - lanes of a rank: one sequential stack of calls each (hdf5 schema 10.3).
 *
 * A lane's key is its task number, or -2 - its thread number, or -1 when neither is known; lanes
 * are numbered from 0 in order of first appearance. */
#ifndef SP_STATS_LANE_MAP_H
#define SP_STATS_LANE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sp_lane_map {
  int64_t *keys;   /* by lane number */
  uint32_t *slots; /* open addressing, lane number + 1 */
  uint32_t count, capacity, slot_count;
} sp_lane_map;

#define SP_LANE_UNKNOWN (-1)

/* Pass -1 for a column that is not there. */
static inline int64_t sp_lane_key(int64_t thread, int64_t task) {
  if (task >= 0) return task;
  if (thread < 0) return SP_LANE_UNKNOWN;
  return thread == INT64_MAX ? INT64_MIN : -2 - thread;
}

/* The number of the lane, new or known; UINT32_MAX when memory ran out. */
uint32_t sp_lane_find(sp_lane_map *m, int64_t key);
/* Forgets the lanes, keeps the memory. */
void sp_lane_map_clear(sp_lane_map *m);
void sp_lane_map_free(sp_lane_map *m);

/* "thread 3", "task 5", "unknown lane" */
void sp_lane_name(int64_t key, char *to, size_t size);

#endif
