/* profile.h - the model of one file, as every room behind the reader sees it.
 *
 *   sp_profile - arena, label, metadata, clock readings, warnings of the reading
 *     |- regions[]            the names, in file order
 *     `- ranks[]              ascending by number
 *          |- rows[]          one per region that has an entry on this rank
 *          |    |- stored summary, aggregate, exclusive total, tags, source (all optional)
 *          |    `- calls      loaded on demand: sp_profile_load_calls
 *          `- threads[], tasks[], likwid[], perf[], lines[]
 *
 * Time is int64 nanoseconds on the rank's own clock, exactly as stored. A profile is immutable
 * after it was read; event columns stay in the file until asked for (the source the profile was
 * read from is borrowed until sp_profile_free). Everything a profile holds lives in its arena. */
#ifndef SP_PROFILE_PROFILE_H
#define SP_PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/int128.h"
#include "base/str.h"
#include "profile/metadata.h"
#include "profile/warning.h"

typedef enum sp_layout {
  SP_LAYOUT_RANK_GROUPS,  /* schema 1 */
  SP_LAYOUT_COLUMNAR,     /* schema 2, 3 */
  SP_LAYOUT_AGGREGATE,    /* totals only, no calls */
  SP_LAYOUT_JSON,         /* JSON profile */
  SP_LAYOUT_NATIVE_TRACE, /* .spt */
} sp_layout;

/* Columns of calls beside start and duration. */
enum {
  SP_COLUMN_GPU = 1,
  SP_COLUMN_THREAD = 2,
  SP_COLUMN_TASK = 4,
  SP_COLUMN_AWAIT = 8,
  SP_COLUMN_CALL_ID = 16,
  SP_COLUMN_PARENT_ID = 32,
};

/* Fixed-size statistics stored beside a row (hdf5 schema 6.4), ns. */
typedef struct sp_stored_summary {
  int64_t total, minimum, maximum, first, last, start_minimum, end_maximum, gpu_total;
  uint64_t gpu_count;
  double mean, m2;
} sp_stored_summary;

/* One region on one rank. */
typedef struct sp_row {
  uint32_t region;  /* index into sp_profile.regions */
  uint32_t rank;    /* index into sp_profile.ranks */
  uint64_t count;   /* calls stored; loading may give fewer (unsound ones are left out) */
  uint64_t offset;  /* place of its calls, the reader's own business */
  uint32_t columns; /* SP_COLUMN_* that this row has */
  uint32_t event_metadata_count;
  const sp_str *event_metadata;     /* one JSON object text per stored call, or NULL */
  int64_t exclusive_ns;             /* stored exclusive total; -1 = none */
  const sp_stored_summary *summary; /* NULL = none */
  bool is_aggregate;                /* no calls; the five values below instead */
  uint64_t aggregate_calls;
  int64_t aggregate_total, aggregate_minimum, aggregate_maximum, aggregate_exclusive;
  sp_str source_file, source_text; /* zeroed = none */
  int64_t source_line;             /* -1 = none */
  const sp_str *tags;
  uint32_t tag_count;
} sp_row;

typedef struct sp_thread {
  int64_t index, ident, native_id, start_ns, end_ns, cpu_ns; /* relative; end -1 = running */
  bool daemon;
  sp_str name;
} sp_thread;

typedef struct sp_task {
  int64_t index, thread_index, created_ns, done_ns, steps, running_ns, suspended_ns;
  sp_str kind, name, coro_name;
} sp_task;

/* Hardware counters of one LIKWID tag on one rank. events[e * threads + t] and metrics alike. */
typedef struct sp_likwid {
  sp_str tag, group_name, source;
  int64_t group_id;                                   /* -1 unknown */
  sp_str *event_names, *counter_names, *metric_names; /* counter_names NULL or event_count long */
  uint32_t event_count, metric_count;
  uint32_t thread_count, cpu_count; /* cpus may be fewer than threads */
  int64_t *cpus, *call_counts;
  double *times, *events, *metrics;
} sp_likwid;

typedef struct sp_perf {
  sp_str region;
  int64_t calls;
  sp_str *event_names;
  uint64_t *values;
  uint32_t event_count;
} sp_perf;

typedef struct sp_line_record {
  sp_str region, filename, function, source; /* source zeroed = none */
  int64_t first_lineno, source_first_lineno;
  double unit; /* seconds per time unit */
  uint32_t line_count;
  int64_t *lines, *hits;
  double *times; /* in units */
} sp_line_record;

typedef struct sp_rank {
  uint32_t number; /* the rank's number in the run; up to 2^32 - 1, never used as a size */
  sp_row *rows;    /* in file order; none on a silent rank */
  uint32_t row_count;
  sp_thread *threads;
  sp_task *tasks;
  sp_likwid *likwid; /* by group name order */
  sp_perf *perf;
  sp_line_record *lines;
  uint32_t thread_count, task_count, likwid_count, perf_count, line_record_count;
  sp_metadata likwid_environment; /* LIKWID_* attributes of the group */
} sp_rank;

typedef struct sp_region {
  sp_str name; /* raw bytes: its identity */
} sp_region;

/* The calls of one row, in recorded order, unsound ones left out. The caller gives the arrays
 * (room for row->count values each; NULL = not wanted); a wanted column that is not stored comes
 * back NULL. gpu, thread, task, ids keep their stored sentinels. */
typedef struct sp_calls {
  uint64_t count;
  int64_t *start_ns, *duration_ns;
  int64_t *gpu_ns, *thread, *task, *await_ns, *call_id, *parent_id;
} sp_calls;

typedef struct sp_profile sp_profile;

/* How a reader serves calls later on. */
typedef struct sp_reader_ops {
  sp_status (*load_calls)(const sp_profile *p, const sp_row *row, sp_calls *into,
                          sp_warnings *warnings, sp_error *err);
  void (*close)(sp_profile *p);
} sp_reader_ops;

struct sp_profile {
  sp_arena arena;
  sp_layout layout;
  int schema;     /* 1, 2, 3 */
  uint64_t bytes; /* size of the file */
  sp_str label;   /* zeroed = none */
  sp_metadata metadata;
  uint32_t num_ranks; /* as the format defines it */
  int64_t num_nodes;  /* -1 = unknown */
  sp_region *regions;
  sp_rank *ranks; /* those with data, and silent ones that the metadata vouches for */
  uint32_t region_count, rank_count;
  bool has_start_time, has_finalize_time;
  int64_t start_time_ns, finalize_time_ns; /* rank 0's clock */
  uint64_t call_count; /* stored calls of all rows (aggregate counts included) */
  sp_warnings warnings;
  const sp_reader_ops *ops;
  void *reader;
};

/* Loads the calls of one row. Calls that end before they start, never ended, or do not fit int64
 * are left out, each kind with one warning naming region, rank and count. Damage confined to the
 * row gives count 0 and a warning; damage to shared columns is a failure. Loading twice gives the
 * same calls and the same warnings. */
sp_status sp_profile_load_calls(const sp_profile *p, const sp_row *row, sp_calls *into,
                                sp_warnings *warnings, sp_error *err);

/* Whether single calls are stored (false: aggregate data or a summary). */
bool sp_profile_has_calls(const sp_profile *p);

/* The index of a rank by its number, or UINT32_MAX. */
uint32_t sp_profile_find_rank(const sp_profile *p, uint32_t number);

/* "/rank1/regions/solve" or "/rank_region_index (rank 1, region solve)": where a row lies, for
 * warnings. Writes at most `size` bytes, NUL included. */
void sp_row_path(const sp_profile *p, const sp_row *row, char *to, size_t size);

/* Frees the profile and what the reader holds; NULL is fine. The source is not closed. */
void sp_profile_free(sp_profile *p);

#endif
