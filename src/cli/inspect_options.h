/* inspect_options.h - what the words of `profscope inspect` ask for; internal to its two files. */
#ifndef SP_CLI_INSPECT_OPTIONS_H
#define SP_CLI_INSPECT_OPTIONS_H

#include "cli/args.h"
#include "cli/glob.h"
#include "profile/privacy.h"
#include "profile/select.h"
#include "write/inspect_text.h"

typedef enum sp_inspect_form {
  SP_INSPECT_TEXT,
  SP_INSPECT_JSON,
  SP_INSPECT_QUIET, /* nothing for each file */
  SP_INSPECT_SECRETS,
  SP_INSPECT_SECRETS_JSON,
} sp_inspect_form;

typedef struct sp_inspect_plan {
  sp_inspect_form form;
  sp_select select;
  bool has_filter, has_patterns; /* select leaves something out; by name */
  sp_sort sort;
  sp_inspect_text text;
  sp_region_column columns[SP_REGION_COLUMNS];
  sp_privacy privacy, export_privacy;
  const char *export_metadata; /* NULL = none */
  const char *output;          /* NULL = standard output */
  bool to_terminal;
  sp_paths files;
} sp_inspect_plan;

enum { SP_INSPECT_OPTION_COUNT = 20 };

extern const sp_option sp_inspect_options[SP_INSPECT_OPTION_COUNT];

/* Checks everything that can be checked before a file is opened; texts live in `a`. Give the plan
 * to sp_select_free(&plan->select) in any case. */
sp_status sp_inspect_plan_make(const sp_args *args, sp_arena *a, sp_inspect_plan *out,
                               sp_error *err);

#endif
