/* view.h - plot kinds: what each is called, which options it takes, which columns its rows have,
 * and how the rows are made.
 *
 * A payload is the envelope (format, format_version, plot), one array of uniform rows, and small
 * extras (colours, metrics, options). The CLI's flags, the payload's JSON and CSV, the schemas and
 * the JavaScript types all come from the sp_view_type of the kind. */
#ifndef SP_VIEWS_VIEW_H
#define SP_VIEWS_VIEW_H

#include "stats/analysis.h"
#include "views/column.h"

#define SP_PLOT_FORMAT "scope-profiler-plot-data"
enum { SP_PLOT_FORMAT_VERSION = 1 };

/* ---- options ------------------------------------------------------------------------------ */

typedef enum sp_option_kind {
  SP_OPTION_TEXTS, /* sp_texts */
  SP_OPTION_TEXT,  /* const char * */
  SP_OPTION_INT,   /* sp_maybe_int */
  SP_OPTION_FLAG,  /* bool */
} sp_option_kind;

/* A list of texts; `given` tells an empty list from none. */
typedef struct sp_texts {
  const char *const *items;
  uint32_t count;
  bool given;
} sp_texts;

typedef struct sp_maybe_int {
  bool given;
  int64_t value;
} sp_maybe_int;

/* The options of all kinds; a zeroed struct is the default of each. */
typedef struct sp_view_options {
  const sp_select *select; /* NULL = everything */
  sp_texts metrics;        /* durations: avg min max total first last; none = total */
  const char *sort_by;     /* durations: name avg min max total; NULL = by first start */
  sp_maybe_int top_n;
  sp_texts combine_regions; /* durations: "NAME=RE,RE" */
  bool stack_children;
} sp_view_options;

/* One option as JSON and the command line name it ("top_n", "--top-n"). */
typedef struct sp_option {
  const char *name;
  sp_option_kind kind;
  size_t offset;     /* in sp_view_options */
  const char *words; /* the values it takes, "a b c"; NULL = any */
  const char *doc;
} sp_option;

/* ---- runs --------------------------------------------------------------------------------- */

typedef struct sp_run {
  const sp_profile *profile;
  sp_str label; /* display label; views make them unique */
} sp_run;

/* The runs of one request, and where their analyses come from. */
typedef struct sp_run_set sp_run_set;
struct sp_run_set {
  const sp_run *runs;
  uint32_t count;
  const sp_progress *progress;
  /* The analysis of a run; NULL = sp_analyse into the view's arena. Callers that keep analyses
   * set it; what it gives lives at least as long as the request. */
  sp_status (*analyse)(const sp_run_set *set, uint32_t run, const sp_select *select, sp_arena *a,
                       const sp_analysis **out, sp_error *err);
  void *context;
};

sp_status sp_run_analyse(const sp_run_set *set, uint32_t run, const sp_select *select, sp_arena *a,
                         const sp_analysis **out, sp_error *err);

/* The display label of a profile: its stored label when not empty, else the file name without
 * folders and its last suffix. Borrows from both. */
sp_str sp_display_label(const sp_profile *p, const char *file_name);

/* Labels made unique in order: the 2nd, 3rd ... equal one becomes "LABEL (2)", "LABEL (3)".
 * NULL when memory ran out. */
sp_str *sp_unique_labels(const sp_run_set *set, sp_arena *a);

/* ---- views -------------------------------------------------------------------------------- */

typedef enum sp_extra_kind {
  SP_EXTRA_TEXTS,  /* array of words */
  SP_EXTRA_COLORS, /* object: label -> "#rrggbb" */
  SP_EXTRA_FLAGS,  /* object: option -> bool */
} sp_extra_kind;

/* What an extra is called, and for the schema what it means. */
typedef struct sp_extra_type {
  const char *key;
  sp_extra_kind kind;
  const char *words; /* words of TEXTS, keys of FLAGS */
  const char *doc;
} sp_extra_type;

/* The value of one extra: `names` with, by kind, nothing, colours or flags beside them. */
typedef struct sp_extra {
  uint32_t count;
  const sp_str *names;
  const char *const *colors;
  const bool *flags;
  bool names_are_regions; /* keys are region names */
} sp_extra;

enum { SP_EXTRAS_MAX = 4 };

typedef struct sp_view_type sp_view_type;

/* A built view. Rows and extras live in the arena it was built in. */
typedef struct sp_view {
  const sp_view_type *type;
  bool stacked; /* rows have the columns marked SP_COLUMN_STACKED */
  const void *rows;
  uint64_t row_count;
  sp_extra extras[SP_EXTRAS_MAX]; /* as type->extras */
} sp_view;

struct sp_view_type {
  const char *plot;      /* "durations" */
  const char *file_name; /* "durations_data" */
  const char *title, *doc;
  const char *rows_key; /* "bars" */
  size_t row_size;
  const sp_column *columns;
  uint32_t column_count;
  const sp_extra_type *extras;
  uint32_t extra_count;
  const sp_option *options;
  uint32_t option_count;
  sp_status (*build)(const sp_run_set *runs, const sp_view_options *options, sp_arena *a,
                     sp_view *out, sp_error *err);
};

/* The registry, in the order of views.def. */
extern const sp_view_type *const sp_view_types[];
extern const uint32_t sp_view_type_count;
/* The kind called `plot`, or NULL. */
const sp_view_type *sp_view_find(const char *plot);

/* Builds a view. USAGE names a wrong option (path "--top-n"), BAD_NESTING crossing calls. */
sp_status sp_view_build(const sp_view_type *type, const sp_run_set *runs,
                        const sp_view_options *options, sp_arena *a, sp_view *out, sp_error *err);

/* ---- colours ------------------------------------------------------------------------------ */

/* The colour of item i of n ("#rrggbb", a literal): 20 colours spread over the list. */
const char *sp_color_tab20(uint32_t i, uint32_t n);

#endif
