/* view.c - the registry, labels, and what all kinds share. */
#include "views/view.h"

#include <stdio.h>
#include <string.h>

#define X(kind) extern const sp_view_type sp_view_##kind;
#include "views/views.def"
#undef X

const sp_view_type *const sp_view_types[] = {
#define X(kind) &sp_view_##kind,
#include "views/views.def"
#undef X
};
const uint32_t sp_view_type_count = SP_ARRAY_LEN(sp_view_types);

const sp_view_type *sp_view_find(const char *plot) {
  for (uint32_t i = 0; i < sp_view_type_count; i++)
    if (strcmp(sp_view_types[i]->plot, plot) == 0) return sp_view_types[i];
  return NULL;
}

/* Whether `word` is one of the words of "a b c". */
static bool is_word_of(const char *word, const char *words) {
  size_t n = strlen(word);
  for (const char *at = words; n && (at = strstr(at, word)) != NULL; at++)
    if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0') && !strchr(word, ' '))
      return true;
  return false;
}

/* "top_n" -> "--top-n". */
static void flag_name(const char *option, char *to, size_t size) {
  snprintf(to, size, "--%s", option);
  for (; *to; to++)
    if (*to == '_') *to = '-';
}

static sp_status check_word(const sp_option *option, const char *word, sp_error *err) {
  if (is_word_of(word, option->words)) return SP_OK;
  char flag[48];
  flag_name(option->name, flag, sizeof flag);
  return sp_fail(err, SP_USAGE, flag, "\"%s\" is none of: %s", word, option->words);
}

static sp_status check_options(const sp_view_type *type, const sp_view_options *options,
                               sp_error *err) {
  for (uint32_t i = 0; i < type->option_count; i++) {
    const sp_option *option = &type->options[i];
    const void *at = (const char *)options + option->offset;
    if (!option->words) continue;
    if (option->kind == SP_OPTION_TEXT && *(const char *const *)at)
      SP_TRY(check_word(option, *(const char *const *)at, err));
    const sp_texts *texts = at;
    for (uint32_t k = 0; option->kind == SP_OPTION_TEXTS && k < texts->count; k++)
      SP_TRY(check_word(option, texts->items[k], err));
  }
  return SP_OK;
}

sp_status sp_view_build(const sp_view_type *type, const sp_run_set *runs,
                        const sp_view_options *options, sp_arena *a, sp_view *out, sp_error *err) {
  *out = (sp_view){.type = type};
  SP_TRY(check_options(type, options, err));
  SP_TRY(type->build(runs, options, a, out, err));
  if (a->failed) return sp_fail(err, SP_NOMEM, NULL, "memory ran out while the plot was made");
  return SP_OK;
}

sp_status sp_run_analyse(const sp_run_set *set, uint32_t run, const sp_select *select, sp_arena *a,
                         const sp_analysis **out, sp_error *err) {
  if (set->analyse) return set->analyse(set, run, select, a, out, err);
  sp_analysis *an = sp_arena_alloc(a, sizeof *an);
  if (!an) return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
  *out = an;
  return sp_analyse(set->runs[run].profile, select, set->progress, a, an, err);
}

sp_str sp_display_label(const sp_profile *p, const char *file_name) {
  if (p->label.p && p->label.n) return p->label;
  const char *base = strrchr(file_name, '/');
  base = base ? base + 1 : file_name;
  const char *dot = strrchr(base, '.');
  size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);
  return (sp_str){base, (uint32_t)n};
}

static uint32_t equal_before(const sp_run_set *set, uint32_t run) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run; i++)
    if (sp_str_equal(set->runs[i].label, set->runs[run].label)) count++;
  return count;
}

sp_str *sp_unique_labels(const sp_run_set *set, sp_arena *a) {
  sp_str *labels = sp_arena_array(a, set->count, sizeof *labels);
  for (uint32_t i = 0; labels && i < set->count; i++) {
    sp_str label = set->runs[i].label;
    uint32_t before = equal_before(set, i);
    labels[i] = label;
    if (!before) continue;
    char suffix[16];
    int n = snprintf(suffix, sizeof suffix, " (%u)", (unsigned)before + 1);
    char *text = sp_arena_alloc(a, label.n + (size_t)n + 1);
    if (!text) return NULL;
    memcpy(text, label.p, label.n);
    memcpy(text + label.n, suffix, (size_t)n);
    labels[i] = (sp_str){text, label.n + (uint32_t)n};
  }
  return labels;
}
