/* calls.c - which calls count.
 *
 * A call that ends before it starts, never ended (end 0 or -1 of a killed run), or whose duration
 * does not fit int64 is left out and named. The check is one branch-free pass; only when it finds
 * something are the columns closed up. */
#include "read/calls.h"

typedef struct faults {
  uint64_t open, backward;
} faults;

static void warn_faults(const sp_profile *p, const sp_row *row, const faults *f,
                        sp_warnings *warnings) {
  char path[160];
  sp_row_path(p, row, path, sizeof path);
  sp_str name = p->regions[row->region].name;
  int shown = name.n > 80 ? 80 : (int)name.n;
  unsigned rank = p->ranks[row->rank].number;
  if (f->open)
    sp_warn(warnings, "unterminated", path,
            "rank %u, region \"%.*s\": %llu of %llu calls never ended; left out of every number",
            rank, shown, name.p, (unsigned long long)f->open, (unsigned long long)row->count);
  if (f->backward)
    sp_warn(
        warnings, "bad-time", path,
        "rank %u, region \"%.*s\": %llu of %llu calls end before they start or have no valid time; "
        "left out of every number",
        rank, shown, name.p, (unsigned long long)f->backward, (unsigned long long)row->count);
}

/* Moves the calls marked sound to the front of every array. */
static void close_up(sp_calls *c, const bool *sound_of, uint64_t n) {
  int64_t *columns[] = {c->start_ns, c->duration_ns, c->gpu_ns,  c->thread,
                        c->task,     c->await_ns,    c->call_id, c->parent_id};
  for (size_t k = 0; k < SP_ARRAY_LEN(columns); k++) {
    if (!columns[k]) continue;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
      if (sound_of[i]) columns[k][kept++] = columns[k][i];
  }
  uint64_t kept = 0;
  for (uint64_t i = 0; i < n; i++) kept += sound_of[i];
  c->count = kept;
}

/* The slow way, taken only when something is wrong. `ends`: duration_ns holds ends. */
static void drop(const sp_profile *p, const sp_row *row, sp_calls *c, bool ends,
                 sp_warnings *warnings) {
  faults f = {0};
  bool *sound = sp_alloc((size_t)c->count); /* the columns themselves fit in memory */
  for (uint64_t i = 0; i < c->count; i++) {
    int64_t start = c->start_ns[i], other = c->duration_ns[i], result;
    bool overflow = ends ? __builtin_sub_overflow(other, start, &result)
                         : __builtin_add_overflow(start, other, &result);
    bool fine =
        !overflow && start != SP_NO_TIME && other != SP_NO_TIME && (ends ? result : other) >= 0;
    if (!fine && ends && (other == 0 || other == -1))
      f.open++;
    else if (!fine)
      f.backward++;
    if (ends) c->duration_ns[i] = result;
    if (sound) sound[i] = fine;
  }
  if (sound)
    close_up(c, sound, c->count);
  else
    c->count = 0; /* out of memory: nothing unsound may get through */
  sp_free_block(sound);
  warn_faults(p, row, &f, warnings);
}

void sp_durations_from_ends(const sp_profile *p, const sp_row *row, sp_calls *c,
                            sp_warnings *warnings) {
  int64_t odd = 0;
  for (uint64_t i = 0; i < c->count; i++) {
    int64_t duration = (int64_t)((uint64_t)c->duration_ns[i] - (uint64_t)c->start_ns[i]);
    /* end < start, and a difference that wrapped, both show in a sign */
    odd |= duration | ((c->duration_ns[i] ^ c->start_ns[i]) & (c->duration_ns[i] ^ duration));
  }
  if (odd < 0) {
    drop(p, row, c, true, warnings);
    return;
  }
  for (uint64_t i = 0; i < c->count; i++) c->duration_ns[i] -= c->start_ns[i];
}

void sp_drop_unsound(const sp_profile *p, const sp_row *row, sp_calls *c, sp_warnings *warnings) {
  int64_t odd = 0;
  for (uint64_t i = 0; i < c->count; i++) {
    int64_t end = (int64_t)((uint64_t)c->start_ns[i] + (uint64_t)c->duration_ns[i]);
    odd |= c->duration_ns[i] | ((end ^ c->start_ns[i]) & (end ^ c->duration_ns[i]));
  }
  if (odd < 0) drop(p, row, c, false, warnings);
}
