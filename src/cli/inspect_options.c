/* inspect_options.c - the option table of inspect, and the plan made from it. */
#include "cli/inspect_options.h"

#include <string.h>

#include "cli/host.h"
#include "cli/terminal.h"

enum option {
  INCLUDE,
  EXCLUDE,
  RANKS,
  SORT,
  FLAT,
  COLUMNS,
  PERCENTAGE_MODE,
  FULL,
  SOURCE,
  METADATA_ONLY,
  REGIONS_ONLY,
  QUIET,
  JSON,
  OUTPUT,
  EXPORT_METADATA,
  PRIVACY,
  SECRETS,
  WIDTH,
  COLOR,
  ASCII,
  OPTION_COUNT
};

_Static_assert((int)OPTION_COUNT == (int)SP_INSPECT_OPTION_COUNT, "the table's size");

enum { NARROWEST = 20, WIDEST = 100000, BOX_WIDTH = 100 };

static const char *const sort_words[] = {"start", "total", "calls",     "avg",  "min",
                                         "max",   "first", "last",      "std",  "p50",
                                         "p95",   "p99",   "imbalance", "name", NULL};
static const char *const mode_words[] = {"coverage", "exclusive", NULL};
static const char *const privacy_words[] = {"public", "team", "full", NULL};
static const char *const color_words[] = {"auto", "always", "never", NULL};

const sp_option sp_inspect_options[SP_INSPECT_OPTION_COUNT] = {
    [INCLUDE] = {"include", 'i', SP_OPTION_LIST, "PATTERN",
                 "only regions whose name begins with a match of one of these regular expressions",
                 NULL, 1},
    [EXCLUDE] = {"exclude", 'e', SP_OPTION_LIST, "PATTERN", "leave such regions out", NULL, 1},
    [RANKS] = {"ranks", 'r', SP_OPTION_LIST, "RANKS", "only these ranks: 0 2, 0,2, 0-3,8", NULL, 1},
    [SORT] = {"sort", 's', SP_OPTION_VALUE, "KEY", "order of regions below one parent", sort_words,
              0},
    [FLAT] = {"flat", 0, SP_OPTION_FLAG, NULL, "one list in the order of --sort, no tree", NULL, 0},
    [COLUMNS] = {"columns", 'c', SP_OPTION_LIST, "NAME", "columns of the region table",
                 sp_region_column_words, 1},
    [PERCENTAGE_MODE] = {"percentage-mode", 0, SP_OPTION_VALUE, "MODE",
                         "what percentages are of: time covered (default) or own time", mode_words,
                         0},
    [FULL] = {"full", 0, SP_OPTION_FLAG, NULL, "do not cut long values and names", NULL, 0},
    [SOURCE] = {"source", 0, SP_OPTION_LIST, "NAME", "print the captured source of these regions",
                NULL, 1},
    [METADATA_ONLY] = {"metadata-only", 0, SP_OPTION_FLAG, NULL, "no region table", NULL, 0},
    [REGIONS_ONLY] = {"regions-only", 0, SP_OPTION_FLAG, NULL, "no metadata", NULL, 0},
    [QUIET] = {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing for each file", NULL, 0},
    [JSON] = {"json", 0, SP_OPTION_FLAG, NULL, "one JSON document instead of text", NULL, 0},
    [OUTPUT] = {"output", 'o', SP_OPTION_VALUE, "FILE", "write to this file; - is standard output",
                NULL, 0},
    [EXPORT_METADATA] = {"export-metadata", 0, SP_OPTION_VALUE, "FILE",
                         "also write the metadata of all files as one JSON document; privacy is "
                         "public unless --privacy says otherwise",
                         NULL, 0},
    [PRIVACY] = {"privacy", 0, SP_OPTION_VALUE, "LEVEL",
                 "what of user, host, paths and environment is printed", privacy_words, 0},
    [SECRETS] = {"secrets", 0, SP_OPTION_FLAG, NULL,
                 "list what privacy level public would leave out or clean; exit code 1 if anything",
                 NULL, 0},
    [WIDTH] = {"width", 'w', SP_OPTION_VALUE, "COLUMNS",
               "fit the region table into so many columns; auto: those of the terminal", NULL, 0},
    [COLOR] = {"color", 0, SP_OPTION_VALUE, "WHEN", "coloured headings", color_words, 0},
    [ASCII] = {"ascii", 0, SP_OPTION_FLAG, NULL, "no box-drawing characters", NULL, 0},
};

static bool is_given(const sp_args *args, enum option o) { return args->given[o].is_given; }

/* ---- rules between options ----------------------------------------------------------------- */

static sp_status check_combinations(const sp_args *args, sp_error *err) {
  static const struct {
    enum option option;
    const char *name;
  } of_text[] = {{COLUMNS, "--columns"},
                 {PERCENTAGE_MODE, "--percentage-mode"},
                 {FULL, "--full"},
                 {SOURCE, "--source"},
                 {METADATA_ONLY, "--metadata-only"},
                 {REGIONS_ONLY, "--regions-only"},
                 {QUIET, "--quiet"}};
  if (is_given(args, METADATA_ONLY) && is_given(args, REGIONS_ONLY))
    return sp_fail(err, SP_USAGE, "--metadata-only", "cannot be used with --regions-only");
  for (size_t i = 0; i < SP_ARRAY_LEN(of_text); i++) {
    if (!is_given(args, of_text[i].option)) continue;
    if (is_given(args, JSON))
      return sp_fail(err, SP_USAGE, of_text[i].name, "cannot be used with --json");
    if (is_given(args, SECRETS))
      return sp_fail(err, SP_USAGE, of_text[i].name, "cannot be used with --secrets");
  }
  return SP_OK;
}

static sp_inspect_form form_of(const sp_args *args) {
  bool json = is_given(args, JSON);
  if (is_given(args, SECRETS)) return json ? SP_INSPECT_SECRETS_JSON : SP_INSPECT_SECRETS;
  if (json) return SP_INSPECT_JSON;
  return is_given(args, QUIET) ? SP_INSPECT_QUIET : SP_INSPECT_TEXT;
}

/* The option before the environment before the default of each output. */
static sp_status choose_privacy(const sp_args *args, sp_inspect_plan *plan, sp_error *err) {
  const char *variable = sp_host_variable("PROFSCOPE_PRIVACY");
  const char *word = sp_args_value(args, PRIVACY, variable && *variable ? variable : NULL);
  plan->privacy = SP_PRIVACY_FULL;
  plan->export_privacy = SP_PRIVACY_PUBLIC;
  if (!word) return SP_OK;
  if (!sp_privacy_parse(word, &plan->privacy))
    return sp_fail(err, SP_USAGE, "PROFSCOPE_PRIVACY", "'%s' is not one of public, team, full",
                   word);
  plan->export_privacy = plan->privacy;
  return SP_OK;
}

static sp_status choose_width(const sp_args *args, sp_inspect_plan *plan, sp_error *err) {
  const char *word = sp_args_value(args, WIDTH, NULL);
  uint32_t *width = &plan->text.style.width;
  if (!word) return SP_OK;
  if (strcmp(word, "auto") == 0) {
    *width = plan->to_terminal ? sp_terminal_columns() : 0;
    if (*width && *width < NARROWEST) *width = NARROWEST;
    return SP_OK;
  }
  if (sp_args_count(word, WIDEST, width) && *width >= NARROWEST) return SP_OK;
  return sp_fail(err, SP_USAGE, "--width", "'%s' is neither auto nor a number from %d to %d", word,
                 NARROWEST, WIDEST);
}

static void choose_columns(const sp_args *args, sp_inspect_plan *plan) {
  const sp_given *given = &args->given[COLUMNS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < given->count; i++) {
    uint32_t c = 0, k = 0;
    while (strcmp(sp_region_column_words[c], given->values[i]) != 0) c++;
    while (k < n && plan->columns[k] != (sp_region_column)c) k++;
    if (k == n) plan->columns[n++] = (sp_region_column)c; /* the same column once is enough */
  }
  plan->text.table.columns = plan->columns;
  plan->text.table.column_count = n;
}

static sp_status choose_selection(const sp_args *args, sp_arena *a, sp_inspect_plan *plan,
                                  sp_error *err) {
  const sp_given *in = &args->given[INCLUDE], *ex = &args->given[EXCLUDE], *r = &args->given[RANKS];
  plan->has_patterns = in->count || ex->count;
  plan->has_filter = plan->has_patterns || r->count;
  return sp_select_parse(a, in->values, in->count, ex->values, ex->count, r->values, r->count,
                         &plan->select, err);
}

/* ---- files --------------------------------------------------------------------------------- */

static bool is_stream(const char *path) { return strcmp(path, "-") == 0; }

static sp_status check_output(const sp_inspect_plan *plan, const char *option, const char *path,
                              sp_error *err) {
  for (uint32_t i = 0; path && i < plan->files.count; i++) {
    const char *file = plan->files.items[i];
    bool is_same = strcmp(file, path) == 0 ? !is_stream(path) : sp_host_same_file(file, path);
    if (is_same) return sp_fail(err, SP_USAGE, option, "%s is one of the inputs", path);
  }
  return SP_OK;
}

static sp_status choose_outputs(const sp_args *args, sp_inspect_plan *plan, sp_error *err) {
  const char *output = sp_args_value(args, OUTPUT, NULL);
  plan->output = output && !is_stream(output) ? output : NULL;
  plan->export_metadata = sp_args_value(args, EXPORT_METADATA, NULL);
  plan->to_terminal = !plan->output && sp_host_is_terminal(SP_HOST_OUT);
  SP_TRY(check_output(plan, "--output", plan->output, err));
  SP_TRY(check_output(plan, "--export-metadata", plan->export_metadata, err));
  const char *metadata = plan->export_metadata;
  if (metadata && plan->output && strcmp(metadata, plan->output) == 0)
    return sp_fail(err, SP_USAGE, "--export-metadata", "is the same file as --output");
  if (metadata && is_stream(metadata) && plan->form != SP_INSPECT_QUIET && !plan->output)
    return sp_fail(err, SP_USAGE, "--export-metadata", "- needs --quiet or --output FILE");
  return SP_OK;
}

sp_status sp_inspect_plan_make(const sp_args *args, sp_arena *a, sp_inspect_plan *out,
                               sp_error *err) {
  *out = (sp_inspect_plan){.form = form_of(args)};
  SP_TRY(check_combinations(args, err));
  SP_TRY(choose_privacy(args, out, err));
  SP_TRY(choose_selection(args, a, out, err));
  SP_TRY(sp_glob_words(args->operands, args->operand_count, a, &out->files, err));
  SP_TRY(choose_outputs(args, out, err));
  SP_TRY(choose_width(args, out, err));
  sp_sort_parse(sp_args_value(args, SORT, "start"), &out->sort);
  choose_columns(args, out);
  sp_inspect_text *text = &out->text;
  text->style.ascii = is_given(args, ASCII);
  text->style.full = is_given(args, FULL);
  text->style.color = sp_terminal_color(sp_args_value(args, COLOR, "auto"), out->to_terminal);
  text->metadata = !is_given(args, REGIONS_ONLY);
  text->regions = !is_given(args, METADATA_ONLY);
  text->table.flat = is_given(args, FLAT);
  text->table.exclusive =
      strcmp(sp_args_value(args, PERCENTAGE_MODE, "coverage"), "exclusive") == 0;
  text->notes.exclusive = text->table.exclusive;
  uint32_t columns = out->to_terminal ? sp_terminal_columns() : 0;
  text->notes.width = text->style.width ? text->style.width : columns ? columns : BOX_WIDTH;
  text->select = out->has_filter ? &out->select : NULL;
  text->sources = args->given[SOURCE].values;
  text->source_count = args->given[SOURCE].count;
  text->privacy = out->privacy;
  return SP_OK;
}
