/* privacy.c - the levels, the fate of every metadata key, and the list of private places. */
#include "profile/privacy.h"

#include <string.h>

static const char *const level_names[] = {
    [SP_PRIVACY_PUBLIC] = "public", [SP_PRIVACY_TEAM] = "team", [SP_PRIVACY_FULL] = "full"};

bool sp_privacy_parse(const char *word, sp_privacy *out) {
  for (size_t i = 0; i < SP_ARRAY_LEN(level_names); i++) {
    if (strcmp(word, level_names[i]) != 0) continue;
    *out = (sp_privacy)i;
    return true;
  }
  return false;
}

const char *sp_privacy_name(sp_privacy level) { return level_names[level]; }

/* ---- keys ---------------------------------------------------------------------------------- */

/* Rules in order; the first that matches wins. A `*` stands for any characters at either end. What
 * no rule names is left out of public outputs and cleaned for the team. */
static const struct {
  const char *pattern;
  sp_fate in_public, in_team;
} rules[] = {
    {"timestamp", SP_KEEP, SP_KEEP},
    {"start_time_ns", SP_KEEP, SP_KEEP},
    {"finalize_time_ns", SP_KEEP, SP_KEEP},
    {"mpi_size", SP_KEEP, SP_KEEP},
    {"mpi_rank", SP_KEEP, SP_KEEP},
    {"num_nodes", SP_KEEP, SP_KEEP},
    {"omp_num_threads", SP_KEEP, SP_KEEP},
    {"total_cores", SP_KEEP, SP_KEEP},
    {"python_version", SP_KEEP, SP_KEEP},
    {"scope_profiler_version", SP_KEEP, SP_KEEP},
    {"source", SP_KEEP, SP_KEEP},
    {"source_language", SP_KEEP, SP_KEEP},
    {"trace_format_version", SP_KEEP, SP_KEEP},
    {"label", SP_CLEAN, SP_CLEAN},
    {"platform", SP_CLEAN, SP_CLEAN},
    {"chip_information", SP_CLEAN, SP_CLEAN},
    {"SLURM_NNODES", SP_KEEP, SP_KEEP},
    {"SLURM_JOB_NUM_NODES", SP_KEEP, SP_KEEP},
    {"SLURM_STEP_NUM_NODES", SP_KEEP, SP_KEEP},
    {"SLURM_NTASKS", SP_KEEP, SP_KEEP},
    {"SLURM_NPROCS", SP_KEEP, SP_KEEP},
    {"SLURM_STEP_NUM_TASKS", SP_KEEP, SP_KEEP},
    {"SLURM_NTASKS_PER_NODE", SP_KEEP, SP_KEEP},
    {"SLURM_CPUS_PER_TASK", SP_KEEP, SP_KEEP},
    {"SLURM_DISTRIBUTION", SP_KEEP, SP_KEEP},
    {"SLURM_MPI_TYPE", SP_KEEP, SP_KEEP},
    {"user", SP_DROP, SP_DROP},
    {"SLURM_JOB_USER", SP_DROP, SP_DROP},
    {"SLURM_JOB_UID", SP_DROP, SP_DROP},
    {"SLURM_JOB_GID", SP_DROP, SP_DROP},
    {"SLURM_JOB_ACCOUNT", SP_DROP, SP_DROP},
    {"*IPADDR*", SP_DROP, SP_DROP},
    {"*_PORT", SP_DROP, SP_DROP},
    {"*_PORTS", SP_DROP, SP_DROP},
    {"SLURM_SRUN_COMM_HOST", SP_DROP, SP_DROP},
    {"SLURM_SUBMIT_HOST", SP_DROP, SP_DROP},
    {"SLURM_TOPOLOGY_ADDR*", SP_DROP, SP_DROP},
    {"SLURM_PMIX_MAPPING_SERV", SP_DROP, SP_DROP},
    {"SLURM_CONF", SP_DROP, SP_DROP},
    {"SLURM_TASK_PID", SP_DROP, SP_DROP},
    {"SLURM_SUBMIT_DIR", SP_DROP, SP_CLEAN},
    {"hostname", SP_DROP, SP_KEEP},
    {"uname", SP_DROP, SP_KEEP},
    {"SLURM_*", SP_DROP, SP_KEEP},
    {"SLURMD_*", SP_DROP, SP_KEEP},
};

static bool contains(sp_str text, const char *part, size_t n, bool any_case) {
  for (size_t at = 0; n <= text.n && at <= text.n - n; at++) {
    size_t i = 0;
    for (; i < n; i++) {
      char c = text.p[at + i];
      if (any_case && c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
      if (c != part[i]) break;
    }
    if (i == n) return true;
  }
  return false;
}

static bool is_secret(sp_str key) {
  static const char *const parts[] = {"TOKEN",  "SECRET",      "PASSW",  "CREDENTIAL", "API_KEY",
                                      "APIKEY", "PRIVATE_KEY", "COOKIE", "AUTH"};
  for (size_t i = 0; i < SP_ARRAY_LEN(parts); i++)
    if (contains(key, parts[i], strlen(parts[i]), true)) return true;
  return false;
}

static bool fits(sp_str key, const char *pattern) {
  size_t n = strlen(pattern);
  bool open_front = pattern[0] == '*', open_end = pattern[n - 1] == '*';
  pattern += open_front;
  n -= (size_t)open_front + open_end;
  if (open_front && open_end) return contains(key, pattern, n, false);
  if (n > key.n || (n < key.n && !open_front && !open_end)) return false;
  return memcmp(open_front ? key.p + key.n - n : key.p, pattern, n) == 0;
}

sp_fate sp_privacy_of_key(sp_str key, sp_privacy level) {
  if (level == SP_PRIVACY_FULL) return SP_KEEP;
  if (is_secret(key)) return SP_DROP;
  bool is_team = level == SP_PRIVACY_TEAM;
  for (size_t i = 0; i < SP_ARRAY_LEN(rules); i++)
    if (fits(key, rules[i].pattern)) return is_team ? rules[i].in_team : rules[i].in_public;
  return is_team ? SP_CLEAN : SP_DROP;
}

/* ---- private places ------------------------------------------------------------------------ */

/* Texts of a region: told once, however many ranks have them. */
enum { NAME = 1, SOURCE_FILE = 2, SOURCE_TEXT = 4, TAGS = 8, CALLS = 16 };

typedef struct teller {
  const sp_profile *profile;
  const sp_cleaner *cleaner;
  sp_private_place_fn tell;
  void *context;
  sp_buf place, scratch;
  uint8_t *told; /* by region */
  bool failed;   /* memory ran out somewhere: clearing the buffers forgets it */
} teller;

static void tell(teller *t, sp_fate fate, bool is_metadata) {
  t->failed = t->failed || t->place.failed;
  if (t->failed) return;
  sp_private_place place = {{t->place.data, (uint32_t)t->place.length}, fate, is_metadata};
  t->tell(t->context, &place);
}

typedef bool (*clean_fn)(const sp_cleaner *c, sp_str text, sp_buf *out);

static bool changes(teller *t, sp_str text, clean_fn clean) {
  if (!text.n) return false;
  sp_buf_clear(&t->scratch);
  bool any = clean(t->cleaner, text, &t->scratch);
  t->failed = t->failed || t->scratch.failed;
  return any;
}

static bool value_changes(teller *t, const sp_value *v) {
  bool any = v->kind == SP_VALUE_TEXT && changes(t, v->text, sp_clean_text);
  for (uint32_t i = 0; v->kind == SP_VALUE_LIST && i < v->count && !any; i++)
    any = v->items[i].kind == SP_VALUE_TEXT && changes(t, v->items[i].text, sp_clean_text);
  return any;
}

static void tell_metadata(teller *t, sp_privacy level) {
  const sp_metadata *m = &t->profile->metadata;
  for (uint32_t i = 0; i < m->count; i++) {
    sp_fate fate = sp_privacy_of_key(m->items[i].key, level);
    if (fate == SP_KEEP || (fate == SP_CLEAN && !value_changes(t, &m->items[i].value))) continue;
    sp_buf_clear(&t->place);
    sp_buf_text(&t->place, "metadata/");
    sp_buf_str(&t->place, m->items[i].key);
    tell(t, fate, true);
  }
}

/* A text of a region: "regions/NAME/WHAT". */
static void tell_region(teller *t, uint32_t region, unsigned what, bool is_private) {
  static const struct {
    unsigned what;
    const char *text;
  } parts[] = {{NAME, "name"},
               {SOURCE_FILE, "source_file"},
               {SOURCE_TEXT, "source_text"},
               {TAGS, "tags"},
               {CALLS, "event_metadata"}};
  if (!is_private || t->told[region] & what) return;
  t->told[region] |= (uint8_t)what;
  for (size_t i = 0; i < SP_ARRAY_LEN(parts); i++) {
    if (parts[i].what != what) continue;
    sp_buf_clear(&t->place);
    sp_buf_text(&t->place, "regions/");
    sp_buf_str(&t->place, t->profile->regions[region].name);
    sp_buf_char(&t->place, '/');
    sp_buf_text(&t->place, parts[i].text);
    tell(t, what == NAME ? SP_KEEP : SP_CLEAN, false);
  }
}

static bool any_changes(teller *t, const sp_str *texts, uint64_t count, clean_fn clean) {
  for (uint64_t i = 0; texts && i < count; i++)
    if (changes(t, texts[i], clean)) return true;
  return false;
}

static void tell_row(teller *t, const sp_row *row) {
  unsigned told = t->told[row->region];
  if (!(told & SOURCE_FILE))
    tell_region(t, row->region, SOURCE_FILE, changes(t, row->source_file, sp_clean_source_path));
  if (!(told & SOURCE_TEXT))
    tell_region(t, row->region, SOURCE_TEXT, changes(t, row->source_text, sp_clean_text));
  if (!(told & TAGS))
    tell_region(t, row->region, TAGS, any_changes(t, row->tags, row->tag_count, sp_clean_text));
  if (!(told & CALLS))
    tell_region(t, row->region, CALLS,
                any_changes(t, row->event_metadata, row->event_metadata_count, sp_clean_json));
}

/* A text of a rank: "ranks/3/threads/1/name". */
static void tell_of_rank(teller *t, const sp_rank *rank, const char *list, uint32_t index,
                         const char *what, sp_fate fate, bool is_private) {
  if (!is_private) return;
  sp_buf_clear(&t->place);
  sp_buf_printf(&t->place, "ranks/%u/%s/%u/%s", (unsigned)rank->number, list, (unsigned)index,
                what);
  tell(t, fate, false);
}

static void tell_rank(teller *t, const sp_rank *rank, sp_privacy level) {
  for (uint32_t i = 0; i < rank->thread_count; i++)
    tell_of_rank(t, rank, "threads", i, "name", SP_CLEAN,
                 changes(t, rank->threads[i].name, sp_clean_text));
  for (uint32_t i = 0; i < rank->task_count; i++) {
    const sp_task *task = &rank->tasks[i];
    tell_of_rank(t, rank, "tasks", i, "name", SP_CLEAN, changes(t, task->name, sp_clean_text));
    tell_of_rank(t, rank, "tasks", i, "coro_name", SP_KEEP,
                 changes(t, task->coro_name, sp_clean_text));
  }
  for (uint32_t i = 0; i < rank->likwid_count; i++) {
    const sp_likwid *l = &rank->likwid[i];
    tell_of_rank(t, rank, "likwid", i, "tag", SP_KEEP, changes(t, l->tag, sp_clean_text));
    tell_of_rank(t, rank, "likwid", i, "source", SP_CLEAN, changes(t, l->source, sp_clean_text));
  }
  for (uint32_t i = 0; i < rank->line_record_count; i++) {
    const sp_line_record *l = &rank->lines[i];
    tell_of_rank(t, rank, "line_profile", i, "filename", SP_CLEAN,
                 changes(t, l->filename, sp_clean_source_path));
    tell_of_rank(t, rank, "line_profile", i, "function", SP_KEEP,
                 changes(t, l->function, sp_clean_text));
    tell_of_rank(t, rank, "line_profile", i, "source", SP_CLEAN,
                 changes(t, l->source, sp_clean_text));
  }
  const sp_metadata *m = &rank->likwid_environment;
  for (uint32_t i = 0; i < m->count && level == SP_PRIVACY_PUBLIC; i++) {
    sp_buf_clear(&t->place);
    sp_buf_printf(&t->place, "ranks/%u/likwid/", (unsigned)rank->number);
    sp_buf_str(&t->place, m->items[i].key);
    tell(t, SP_DROP, false);
  }
}

sp_status sp_private_places(const sp_profile *p, sp_privacy level, sp_private_place_fn tell_place,
                            void *context, sp_error *err) {
  if (level == SP_PRIVACY_FULL) return SP_OK;
  sp_arena a = {0};
  teller t = {.profile = p, .tell = tell_place, .context = context};
  sp_cleaner *cleaner;
  t.told = sp_arena_array(&a, p->region_count, sizeof *t.told);
  sp_status status = t.told ? sp_cleaner_make(p, level, &a, &cleaner, err) : SP_NOMEM;
  if (status == SP_OK) {
    t.cleaner = cleaner;
    tell_metadata(&t, level);
    for (uint32_t i = 0; i < p->region_count; i++)
      tell_region(&t, i, NAME, changes(&t, p->regions[i].name, sp_clean_text));
    for (uint32_t i = 0; i < p->rank_count; i++)
      for (uint32_t k = 0; k < p->ranks[i].row_count; k++) tell_row(&t, &p->ranks[i].rows[k]);
    for (uint32_t i = 0; i < p->rank_count; i++) tell_rank(&t, &p->ranks[i], level);
    if (t.failed) status = SP_NOMEM;
  }
  sp_buf_free(&t.place);
  sp_buf_free(&t.scratch);
  sp_arena_free(&a);
  return status == SP_NOMEM ? sp_fail(err, SP_NOMEM, NULL, "memory ran out") : status;
}
