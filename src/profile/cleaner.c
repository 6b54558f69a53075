/* cleaner.c - who and where a profile was recorded, gathered from its metadata.
 *
 * Whole words are found through a hash table: lists of nodes name thousands of hosts. */
#include "profile/cleaner.h"

#include <stdio.h>
#include <string.h>

/* A node list can claim any number of nodes; more than this are no machine's. */
enum { IDENTITIES_MAX = 1 << 17, VALUE_MIN = 3, VALUE_MAX = 255, BRACKETS_MAX = 4 };

static const char user[] = "[user]", host[] = "[host]", account[] = "[account]";

/* ---- the table ----------------------------------------------------------------------------- */

static uint32_t hash_of(const char *p, uint32_t n) {
  uint32_t h = 2166136261u;
  for (uint32_t i = 0; i < n; i++) h = (h ^ (unsigned char)p[i]) * 16777619u;
  return h ^ (h >> 15);
}

/* The slot of a value, or the free one where it belongs. */
static uint32_t slot_of(const sp_cleaner *c, sp_str value) {
  uint32_t mask = c->slot_count - 1, i = hash_of(value.p, value.n) & mask;
  while (c->slots[i] && !sp_str_equal(c->identities[c->slots[i] - 1].value, value))
    i = (i + 1) & mask;
  return i;
}

static bool grow(sp_cleaner *c) {
  uint32_t room = c->identity_room ? c->identity_room * 2 : 32;
  sp_identity *items = sp_arena_array(c->arena, room, sizeof *items);
  c->slots = sp_arena_array(c->arena, (uint64_t)room * 2, sizeof *c->slots);
  if (!items || !c->slots) return false;
  if (c->identity_count) memcpy(items, c->identities, c->identity_count * sizeof *items);
  c->identities = items;
  c->identity_room = room;
  c->slot_count = room * 2;
  for (uint32_t i = 0; i < c->identity_count; i++) c->slots[slot_of(c, items[i].value)] = i + 1;
  return true;
}

/* The first meaning of a value wins. Out of memory shows in the arena. */
static void add(sp_cleaner *c, const char *p, size_t n, const char *replacement) {
  while (n && (unsigned char)*p <= ' ') p++, n--;
  while (n && (unsigned char)p[n - 1] <= ' ') n--;
  if (n < VALUE_MIN || n > VALUE_MAX || (n == 4 && memcmp(p, "root", 4) == 0)) return;
  if (c->identity_count >= IDENTITIES_MAX) return;
  if (c->identity_count == c->identity_room && !grow(c)) return;
  sp_str value = {p, (uint32_t)n};
  uint32_t slot = slot_of(c, value);
  if (c->slots[slot]) return;
  value.p = sp_arena_copy(c->arena, p, n);
  if (!value.p) return;
  c->identities[c->identity_count] = (sp_identity){value, replacement};
  c->slots[slot] = ++c->identity_count;
  c->has_length[n] = true;
  if (n > c->longest) c->longest = (uint32_t)n;
}

const sp_identity *sp_identity_at(const sp_cleaner *c, sp_str text, uint32_t at) {
  if (!c->identity_count || (at && sp_is_word_char(text.p[at - 1]))) return NULL;
  uint32_t left = text.n - at;
  for (uint32_t n = left < c->longest ? left : c->longest; n >= VALUE_MIN; n--) {
    if (!c->has_length[n] || (n < left && sp_is_word_char(text.p[at + n]))) continue;
    uint32_t found = c->slots[slot_of(c, (sp_str){text.p + at, n})];
    if (found) return &c->identities[found - 1];
  }
  return NULL;
}

/* ---- hosts --------------------------------------------------------------------------------- */

static void add_host(sp_cleaner *c, const char *p, size_t n) {
  add(c, p, n, host);
  const char *dot =
      memchr(p, '.', n); /* node7 of node7.cluster.org; an address has no short form */
  if (dot && dot > p && strspn(p, "0123456789.") < n) add(c, p, (size_t)(dot - p), host);
}

/* The bracket that closes the one at `from`, or NULL. */
static const char *closing(const char *from, const char *end) {
  return memchr(from, ']', (size_t)(end - from));
}

static bool read_number(const char **at, const char *end, uint64_t *out) {
  const char *from = *at;
  for (*out = 0; *at < end && **at >= '0' && **at <= '9' && *at - from < 18; ++*at)
    *out = *out * 10 + (uint64_t)(**at - '0');
  return *at > from;
}

/* One name of a list: "node[01-04,7]x[1-2]" or plain. `depth` brackets are open already. */
static void expand(sp_cleaner *c, const char *p, size_t n, unsigned depth) {
  const char *end = p + n, *open = memchr(p, '[', n);
  const char *close = open ? closing(open, end) : NULL;
  if (!close || depth >= BRACKETS_MAX) {
    add_host(c, p, n);
    return;
  }
  size_t before = (size_t)(open - p), after = (size_t)(end - close - 1);
  if (before + after > VALUE_MAX) return;
  for (const char *at = open + 1; at < close; at++) { /* stands on the item; skips its comma */
    uint64_t first, last;
    const char *digits = at;
    if (!read_number(&at, close, &first)) return;
    int width = (int)(at - digits);
    last = first;
    if (at < close && *at == '-') {
      at++;
      if (!read_number(&at, close, &last)) return;
    }
    for (; first <= last && c->expansions_left && !c->arena->failed; first++) {
      c->expansions_left--;
      char name[VALUE_MAX + 32];
      memcpy(name, p, before);
      int m = snprintf(name + before, 24, "%0*llu", width, (unsigned long long)first);
      memcpy(name + before + m, close + 1, after);
      expand(c, name, before + (size_t)m + after, depth + 1);
    }
  }
}

/* A list of nodes: names with or without brackets, commas between them. */
static void add_hosts(sp_cleaner *c, sp_str list) {
  const char *from = list.p, *end = list.p + list.n;
  bool in_brackets = false;
  for (const char *at = from; at <= end; at++) {
    if (at < end && *at == '[') in_brackets = true;
    if (at < end && *at == ']') in_brackets = false;
    bool is_end = at == end || (!in_brackets && (*at == ',' || (unsigned char)*at <= ' '));
    if (!is_end) continue;
    if (at > from) expand(c, from, (size_t)(at - from), 0);
    from = at + 1;
  }
}

/* ---- directories --------------------------------------------------------------------------- */

static sp_str without_end(sp_str path) {
  while (path.n && (path.p[path.n - 1] == '/' || path.p[path.n - 1] == '\\')) path.n--;
  return path.n ? path : (sp_str){0};
}

static void add_home(sp_cleaner *c, sp_str path) {
  path = without_end(path);
  for (uint32_t i = 0; i < c->home_count; i++)
    if (sp_str_equal(c->homes[i], path)) return;
  if (path.n < 2) return;
  if (c->home_count == c->home_room) {
    uint32_t room = c->home_room ? c->home_room * 2 : 8;
    sp_str *homes = sp_arena_array(c->arena, room, sizeof *homes);
    if (!homes) return;
    if (c->home_count) memcpy(homes, c->homes, c->home_count * sizeof *homes);
    c->homes = homes;
    c->home_room = room;
  }
  c->homes[c->home_count++] = path;
}

/* The part up to and with a component that is the user's name. */
static void add_home_of(sp_cleaner *c, sp_str path, sp_str name) {
  if (name.n < VALUE_MIN) return;
  for (uint32_t i = 1; i + name.n <= path.n; i++) {
    bool begins = path.p[i - 1] == '/' || path.p[i - 1] == '\\';
    uint32_t end = i + name.n;
    bool ends = end == path.n || path.p[end] == '/' || path.p[end] == '\\';
    if (begins && ends && memcmp(path.p + i, name.p, name.n) == 0) {
      add_home(c, (sp_str){path.p, end});
      return;
    }
  }
}

static void add_homes(sp_cleaner *c, const sp_metadata *m, sp_str name) {
  add_home_of(c, sp_metadata_text(m, "working_directory"), name);
  sp_str list = sp_metadata_text(m, "PATH");
  for (uint32_t from = 0, at = 0; at <= list.n && list.p; at++) {
    if (at < list.n && list.p[at] != ':' && list.p[at] != ';') continue;
    add_home_of(c, (sp_str){list.p + from, at - from}, name);
    from = at + 1;
  }
}

/* ---- gathering ----------------------------------------------------------------------------- */

typedef enum role { USER, HOSTS, ACCOUNT } role;

static void add_value(sp_cleaner *c, const sp_value *v, role what) {
  if (v->kind == SP_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++)
      if (v->items[i].kind == SP_VALUE_TEXT) add_value(c, &v->items[i], what);
  }
  if (v->kind != SP_VALUE_TEXT) return;
  if (what == HOSTS)
    add_hosts(c, v->text);
  else
    add(c, v->text.p, v->text.n, what == USER ? user : account);
}

/* "Linux node7 5.14.0 ...": the second word. */
static void add_uname(sp_cleaner *c, sp_str text) {
  const char *from = text.n ? memchr(text.p, ' ', text.n) : NULL, *end = text.p + text.n;
  if (!from) return;
  from++;
  const char *to = memchr(from, ' ', (size_t)(end - from));
  add_host(c, from, (size_t)((to ? to : end) - from));
}

sp_status sp_cleaner_make(const sp_profile *p, sp_privacy level, sp_arena *a, sp_cleaner **out,
                          sp_error *err) {
  static const struct {
    const char *key;
    role what;
  } sources[] = {{"user", USER},
                 {"SLURM_JOB_USER", USER},
                 {"SLURM_JOB_ACCOUNT", ACCOUNT},
                 {"hostname", HOSTS},
                 {"SLURMD_NODENAME", HOSTS},
                 {"SLURM_SUBMIT_HOST", HOSTS},
                 {"SLURM_SRUN_COMM_HOST", HOSTS},
                 {"SLURM_LAUNCH_NODE_IPADDR", HOSTS},
                 {"SLURM_NODELIST", HOSTS},
                 {"SLURM_JOB_NODELIST", HOSTS},
                 {"SLURM_STEP_NODELIST", HOSTS}};
  sp_cleaner *c = sp_arena_alloc(a, sizeof *c);
  *out = c;
  if (!c) return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
  c->level = level;
  c->arena = a;
  c->expansions_left = IDENTITIES_MAX;
  if (level == SP_PRIVACY_FULL) return SP_OK;
  const sp_metadata *m = &p->metadata;
  for (size_t i = 0; i < SP_ARRAY_LEN(sources); i++) {
    const sp_value *v = sp_metadata_get(m, sources[i].key);
    /* the team knows its hosts */
    if (v && (sources[i].what != HOSTS || level == SP_PRIVACY_PUBLIC))
      add_value(c, v, sources[i].what);
  }
  if (level == SP_PRIVACY_PUBLIC) add_uname(c, sp_metadata_text(m, "uname"));
  sp_str name = sp_metadata_text(m, "user");
  add_homes(c, m, name);
  add_homes(c, m, sp_metadata_text(m, "SLURM_JOB_USER"));
  add_home(c, sp_metadata_text(m, "HOME"));
  c->working_directory = without_end(sp_metadata_text(m, "working_directory"));
  return a->failed ? sp_fail(err, SP_NOMEM, NULL, "memory ran out") : SP_OK;
}
