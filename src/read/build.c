/* build.c - rows are collected in one array and dealt to their ranks at the end. */
#include "read/build.h"

#include <string.h>

#include "base/sort.h"

void sp_build_begin(sp_build *b, sp_profile *p) {
  *b = (sp_build){.profile = p, .names = {.arena = &p->arena}};
}

void sp_build_free(sp_build *b) {
  sp_intern_free(&b->names);
  sp_free_block(b->rows);
  sp_free_block(b->silent);
  *b = (sp_build){.profile = b->profile};
}

sp_row *sp_build_row(sp_build *b, uint32_t rank_number, sp_str region) {
  if (b->count == b->capacity) {
    uint32_t wanted = b->capacity ? b->capacity * 2 : 64;
    sp_row *grown = wanted > b->capacity ? sp_resize(b->rows, wanted * sizeof *grown) : NULL;
    if (!grown) return NULL;
    b->rows = grown;
    b->capacity = wanted;
  }
  uint32_t id = sp_intern_add(&b->names, region);
  if (id == SP_NO_ID) return NULL;
  sp_row *row = &b->rows[b->count++];
  *row = (sp_row){.region = id, .rank = rank_number, .exclusive_ns = -1, .source_line = -1};
  return row;
}

bool sp_build_rank(sp_build *b, uint32_t rank_number) {
  if (b->silent_count == b->silent_capacity) {
    uint32_t wanted = b->silent_capacity ? b->silent_capacity * 2 : 64;
    uint32_t *grown = sp_resize(b->silent, wanted * sizeof *grown);
    if (!grown) return false;
    b->silent = grown;
    b->silent_capacity = wanted;
  }
  b->silent[b->silent_count++] = rank_number;
  return true;
}

/* Order of the entries (rows first, then silent ranks) by rank number. */
static uint32_t *order_of(const sp_build *b, uint32_t total, uint32_t *keys) {
  uint32_t *order = sp_alloc(((size_t)total * 2 + 1) * sizeof *order);
  if (!order) return NULL;
  bool sorted = true;
  for (uint32_t i = 0; i < total; i++) {
    order[i] = i;
    keys[i] = i < b->count ? b->rows[i].rank : b->silent[i - b->count];
    sorted = sorted && (i == 0 || keys[i - 1] <= keys[i]);
  }
  if (!sorted) sp_sort_by_u32(order, order + total, total, keys);
  return order;
}

static sp_status duplicate(const sp_build *b, const sp_row *row, uint32_t number, sp_error *err) {
  sp_str name = b->names.names[row->region];
  return sp_fail(err, SP_CORRUPT, "/rank_region_index",
                 "two rows for rank %u and region \"%.*s\": whose calls are whose is unclear",
                 number, name.n > 80 ? 80 : (int)name.n, name.p);
}

/* Copies the sorted rows into the profile, rank after rank. */
static sp_status deal(sp_build *b, const uint32_t *order, const uint32_t *keys, uint32_t total,
                      uint32_t *stamp, sp_error *err) {
  sp_profile *p = b->profile;
  uint32_t ranks = 0, at = 0;
  for (uint32_t i = 0; i < total; i++) ranks += i == 0 || keys[order[i]] != keys[order[i - 1]];
  p->ranks = sp_arena_array(&p->arena, ranks, sizeof *p->ranks);
  sp_row *rows = sp_arena_array(&p->arena, b->count, sizeof *rows);
  if (!p->ranks || !rows) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t i = 0; i < total; i++) {
    uint32_t number = keys[order[i]];
    if (p->rank_count == 0 || p->ranks[p->rank_count - 1].number != number) {
      p->ranks[p->rank_count].number = number;
      p->ranks[p->rank_count++].rows = rows + at;
    }
    if (order[i] >= b->count) continue;
    sp_rank *rank = &p->ranks[p->rank_count - 1];
    sp_row *row = &rows[at++];
    *row = b->rows[order[i]];
    row->rank = p->rank_count - 1;
    rank->row_count++;
    if (stamp[row->region] == p->rank_count) return duplicate(b, row, number, err);
    stamp[row->region] = p->rank_count;
    p->call_count += row->is_aggregate ? row->aggregate_calls : row->count;
  }
  return SP_OK;
}

sp_status sp_build_finish(sp_build *b, sp_error *err) {
  sp_profile *p = b->profile;
  uint32_t total = b->count + b->silent_count, regions = b->names.count;
  p->regions = sp_arena_array(&p->arena, regions, sizeof *p->regions);
  uint32_t *keys = sp_alloc(((size_t)total + regions + 1) * sizeof *keys);
  uint32_t *order = keys ? order_of(b, total, keys) : NULL;
  sp_status status;
  if (!p->regions || !order) {
    status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  } else {
    for (uint32_t i = 0; i < regions; i++) p->regions[i].name = b->names.names[i];
    p->region_count = regions;
    uint32_t *stamp = keys + total;
    memset(stamp, 0, (size_t)regions * sizeof *stamp);
    status = deal(b, order, keys, total, stamp, err);
  }
  sp_free_block(order);
  sp_free_block(keys);
  return status;
}
