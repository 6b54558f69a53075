/* metadata_text.c - keys are sorted into sections; three sections have an order of their own. */
#include "write/metadata_text.h"

#include <string.h>

#include "base/num.h"
#include "base/utf8.h"

enum { VALUE_MAX = 96, VALUE_CUT = 92, FIXED_MAX = 9 };

typedef enum section { RUN, SYSTEM, PARALLELISM, SLURM, ENVIRONMENT, OTHER, MODULES } section;

static const char *const titles[] = {"Run",   "System",      "Parallelism",
                                     "Slurm", "Environment", "Other"};

static const char *const fixed[][FIXED_MAX] = {
    {"timestamp", "start_time_ns", "finalize_time_ns", "user", "hostname", "working_directory",
     "scope_profiler_version", "python_version", NULL},
    {"platform", "uname", "chip_information", NULL},
    {"mpi_size", "num_nodes", "omp_num_threads", "total_cores", NULL},
};

typedef struct writer {
  sp_buf *out;
  const sp_metadata *metadata;
  const sp_cleaner *cleaner;
  sp_privacy level;
  const sp_text_style *style;
  size_t key_width;
  sp_buf scratch, value;
} writer;

static bool starts(sp_str text, const char *front) {
  size_t n = strlen(front);
  return text.n >= n && memcmp(text.p, front, n) == 0;
}

/* Like Python's isupper: a letter, and none in lower case. */
static bool is_upper(sp_str text) {
  bool any = false;
  for (uint32_t i = 0; i < text.n; i++) {
    if (text.p[i] >= 'a' && text.p[i] <= 'z') return false;
    any = any || (text.p[i] >= 'A' && text.p[i] <= 'Z');
  }
  return any;
}

static section section_of(sp_str key) {
  for (unsigned s = 0; s < sizeof fixed / sizeof *fixed; s++)
    for (unsigned i = 0; fixed[s][i]; i++)
      if (sp_str_equal(key, sp_str_of(fixed[s][i]))) return (section)s;
  if (sp_str_equal(key, SP_STR("modules"))) return MODULES;
  if (starts(key, "SLURM_") || starts(key, "SLURMD_")) return SLURM;
  return is_upper(key) ? ENVIRONMENT : OTHER;
}

/* ---- values -------------------------------------------------------------------------------- */

static void put_text(writer *w, sp_str text, bool clean) {
  if (!clean) {
    sp_terminal_text(&w->value, text);
    return;
  }
  sp_buf_clear(&w->scratch);
  sp_clean_text(w->cleaner, text, &w->scratch);
  w->out->failed = w->out->failed || w->scratch.failed; /* clearing forgets it */
  sp_terminal_text(&w->value, (sp_str){w->scratch.data, (uint32_t)w->scratch.length});
}

static void put_scalar(writer *w, const sp_value *v, bool clean) {
  switch (v->kind) {
  case SP_VALUE_INT: sp_buf_i64(&w->value, v->integer); return;
  case SP_VALUE_UINT: sp_buf_i128(&w->value, (sp_i128)(uint64_t)v->integer); return;
  case SP_VALUE_FLOAT: sp_buf_double(&w->value, v->real); return;
  case SP_VALUE_BOOL: sp_buf_text(&w->value, v->integer ? "true" : "false"); return;
  case SP_VALUE_TEXT: put_text(w, v->text, clean); return;
  case SP_VALUE_LIST: return; /* lists hold no lists */
  }
}

/* Appends w->value, cut at characters where it is too long. */
static void put_cut(writer *w) {
  const sp_buf *v = &w->value;
  uint32_t characters = 0, at = 0, cut = 0;
  sp_str text = {v->data, (uint32_t)v->length};
  for (; at < text.n && characters <= VALUE_MAX; characters++) {
    if (characters == VALUE_CUT) cut = at;
    sp_utf8_next(text, &at);
  }
  bool is_long = characters > VALUE_MAX && !w->style->full;
  sp_buf_bytes(w->out, v->data, is_long ? cut : v->length);
  if (is_long) sp_buf_text(w->out, w->style->ascii ? " [...]" : " […]");
  sp_buf_char(w->out, '\n');
  w->out->failed = w->out->failed || v->failed;
}

static void put_entry(writer *w, const sp_meta *item, sp_fate fate) {
  bool clean = fate == SP_CLEAN;
  sp_buf_text(w->out, "    ");
  size_t width = sp_clip_end(w->out, item->key, SP_CLIP_COLUMNS, w->style);
  sp_buf_repeat(w->out, " ", w->key_width > width ? w->key_width - width : 0);
  sp_buf_text(w->out, " : ");
  sp_buf_clear(&w->value);
  if (item->value.kind == SP_VALUE_LIST) {
    sp_buf_char(&w->value, '[');
    for (uint32_t i = 0; i < item->value.count; i++) {
      if (i) sp_buf_text(&w->value, ", ");
      put_scalar(w, &item->value.items[i], clean);
    }
    sp_buf_char(&w->value, ']');
  } else {
    put_scalar(w, &item->value, clean);
  }
  put_cut(w);
}

/* ---- sections ------------------------------------------------------------------------------ */

static void put_title(writer *w, section s, bool *has_title) {
  if (!*has_title) sp_buf_printf(w->out, "  %s\n", titles[s]);
  *has_title = true;
}

static void put_fixed(writer *w, section s) {
  bool has_title = false;
  for (const char *const *key = fixed[s]; *key; key++) {
    const sp_value *v = sp_metadata_get(w->metadata, *key);
    sp_fate fate = sp_privacy_of_key(sp_str_of(*key), w->level);
    if (!v || fate == SP_DROP) continue;
    put_title(w, s, &has_title);
    put_entry(w, &(sp_meta){sp_str_of(*key), *v}, fate);
  }
}

static void put_sorted(writer *w, section s) {
  bool has_title = false;
  for (uint32_t i = 0; i < w->metadata->count; i++) {
    const sp_meta *item = &w->metadata->items[i];
    sp_fate fate = sp_privacy_of_key(item->key, w->level);
    if (section_of(item->key) != s || fate == SP_DROP) continue;
    put_title(w, s, &has_title);
    put_entry(w, item, fate);
  }
}

static void put_modules(writer *w) {
  const sp_value *v = sp_metadata_get(w->metadata, "modules");
  sp_fate fate = sp_privacy_of_key(SP_STR("modules"), w->level);
  if (!v || fate == SP_DROP) return;
  const sp_value *items = v->kind == SP_VALUE_LIST ? v->items : v;
  uint32_t count = v->kind == SP_VALUE_LIST ? v->count : 1;
  sp_buf_printf(w->out, "  Modules (%u)\n", (unsigned)count);
  if (!count) sp_buf_text(w->out, "    (none loaded)\n");
  for (uint32_t i = 0; i < count; i++) {
    sp_buf_text(w->out, "    ");
    sp_buf_clear(&w->value);
    put_scalar(w, &items[i], fate == SP_CLEAN);
    put_cut(w);
  }
}

/* The widest key of all that is shown (the modules have no key). */
static size_t width_of_keys(const writer *w, uint32_t *shown) {
  size_t widest = 0;
  *shown = 0;
  for (uint32_t i = 0; i < w->metadata->count; i++) {
    sp_str key = w->metadata->items[i].key;
    if (sp_privacy_of_key(key, w->level) == SP_DROP) continue;
    ++*shown;
    size_t width = sp_terminal_width(key);
    if (width > widest && section_of(key) != MODULES) widest = width;
  }
  return widest < SP_CLIP_COLUMNS || w->style->full ? widest : SP_CLIP_COLUMNS;
}

void sp_put_metadata(sp_buf *out, const sp_metadata *m, const sp_cleaner *cleaner, sp_privacy level,
                     const sp_text_style *style) {
  writer w = {.out = out, .metadata = m, .cleaner = cleaner, .level = level, .style = style};
  uint32_t shown;
  w.key_width = width_of_keys(&w, &shown);
  sp_buf_text(out, "Metadata\n");
  if (!m->count)
    sp_buf_text(out, "  (none recorded)\n");
  else if (!shown)
    sp_buf_printf(out, "  (nothing shown at privacy %s)\n", sp_privacy_name(level));
  for (section s = RUN; s <= PARALLELISM; s++) put_fixed(&w, s);
  for (section s = SLURM; s <= OTHER; s++) put_sorted(&w, s);
  put_modules(&w);
  sp_buf_char(out, '\n');
  sp_buf_free(&w.scratch);
  sp_buf_free(&w.value);
}
