/* cmd_inspect.c - `profscope inspect`: one file after the other, each printed when it is done.
 *
 *   options -> plan -> for each file: open, read, analyse, write to a buffer, print
 *                                        `- a failure is one line on stderr, then the next file */
#include <string.h>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/input.h"
#include "cli/inspect_options.h"
#include "cli/say.h"
#include "write/inspect_json.h"
#include "write/json.h"
#include "write/metadata_json.h"

enum { EXIT_FOUND = 1 };

static const char command[] = "inspect";

typedef struct run {
  const sp_inspect_plan *plan;
  sp_buf out;      /* of the file in work; with --output of all files */
  sp_buf metadata; /* for --export-metadata */
  uint32_t shown;  /* files in `out` or printed */
  uint32_t exported;
  uint32_t places; /* lines of --secrets */
  bool hints_given;
  bool is_over; /* standard output failed */
  int code;
} run;

/* One file and what is known of it. */
typedef struct input {
  sp_input file;
  sp_analysis analysis;
} input;

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "out of memory");
}

/* ---- analysis ------------------------------------------------------------------------------ */

/* Fills in->analysis as far as the plan needs it. */
static sp_status analyse(const run *r, input *in, sp_inspect_text *text, sp_error *err) {
  const sp_inspect_plan *plan = r->plan;
  sp_analysis *an = &in->analysis;
  const sp_select *select = plan->has_filter ? &plan->select : NULL;
  bool needs_rows =
      plan->form == SP_INSPECT_JSON || (plan->form == SP_INSPECT_TEXT && text->regions);
  if (needs_rows) {
    SP_TRY(sp_analyse(in->file.profile, select, NULL, &in->file.arena, an, err));
    if (plan->sort != SP_SORT_START || text->table.flat)
      SP_TRY(sp_analysis_sort(an, plan->sort, text->table.flat, &in->file.arena, err));
    text->has_span = an->has_span;
    text->span_ns = an->span_ns;
    if (select && plan->form == SP_INSPECT_TEXT)
      SP_TRY(sp_input_span(&in->file, &text->has_span, &text->span_ns, NULL, err));
    return SP_OK;
  }
  *an = (sp_analysis){.profile = in->file.profile, .warnings = {.arena = &in->file.arena}};
  sp_warnings_add(&an->warnings, &in->file.profile->warnings);
  bool *keep = sp_arena_array(&in->file.arena, in->file.profile->rank_count, sizeof *keep);
  if (!keep) return out_of_memory(err);
  SP_TRY(sp_select_ranks(select, in->file.profile, keep, err));
  if (plan->form != SP_INSPECT_TEXT) return SP_OK;
  return sp_input_span(&in->file, &text->has_span, &text->span_ns, &an->warnings, err);
}

/* ---- what is written ----------------------------------------------------------------------- */

/* `path` as a word of a shell. */
static void put_quoted(sp_buf *out, const char *path) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (*path && !path[strspn(path, plain)]) {
    sp_buf_text(out, path);
    return;
  }
  sp_buf_char(out, '\'');
  for (; *path; path++) {
    if (*path == '\'')
      sp_buf_text(out, "'\\''");
    else
      sp_buf_char(out, *path);
  }
  sp_buf_char(out, '\'');
}

/* What else could be asked, once, for a person at a terminal. NULL when memory ran out. */
static const char *const *make_hints(sp_arena *a, const char *path) {
  static const char *const hints[][2] = {
      {"  Order:    ", " --sort total"},
      {"  Columns:  ", " --columns region calls avg p95 imbalance"},
      {"  Own time: ", " --percentage-mode exclusive --columns region percent total"},
      {"  Programs: ", " --json"},
  };
  const char **lines = sp_arena_array(a, SP_ARRAY_LEN(hints) + 3, sizeof *lines);
  if (!lines) return NULL;
  uint32_t n = 0;
  lines[n++] = "";
  lines[n++] = "Explore:";
  for (size_t i = 0; i < SP_ARRAY_LEN(hints); i++) {
    sp_buf line = {0}, quoted = {0};
    put_quoted(&quoted, path);
    sp_buf_printf(&line, "%sprofscope inspect ", hints[i][0]);
    sp_terminal_text(&line, (sp_str){quoted.data, (uint32_t)quoted.length});
    sp_buf_text(&line, hints[i][1]);
    bool fine = !quoted.failed && !line.failed;
    lines[n] = fine ? sp_arena_copy(a, line.data, line.length) : NULL;
    sp_buf_free(&line);
    sp_buf_free(&quoted);
    if (!lines[n++]) return NULL;
  }
  return lines;
}

static sp_status write_text(run *r, input *in, sp_inspect_text *text, sp_error *err) {
  sp_buf path = {0};
  sp_tidy_path(&path, in->file.path);
  text->path = path.failed ? NULL : sp_arena_copy(&in->file.arena, path.data, path.length);
  sp_buf_free(&path);
  if (!text->path) return out_of_memory(err);
  bool wants_hints = r->plan->to_terminal && !r->hints_given && in->analysis.row_count;
  text->notes.hints = wants_hints ? make_hints(&in->file.arena, text->path) : NULL;
  if (wants_hints && !text->notes.hints) return out_of_memory(err);
  if (r->shown) sp_buf_char(&r->out, '\n');
  SP_TRY(sp_inspect_text_write(&r->out, &in->analysis, text, err));
  r->hints_given = r->hints_given || wants_hints;
  return SP_OK;
}

typedef struct secrets {
  run *r;
  const char *path;
} secrets;

static void tell_secret(void *context, const sp_private_place *place) {
  secrets *s = context;
  sp_buf *out = &s->r->out;
  static const char *const kinds[] = {
      [SP_KEEP] = "kept", [SP_CLEAN] = "cleaned", [SP_DROP] = "dropped"};
  if (s->r->plan->form == SP_INSPECT_SECRETS) {
    if (s->r->plan->files.count > 1) {
      sp_terminal_text(out, sp_str_of(s->path));
      sp_buf_text(out, ": ");
    }
    sp_terminal_text(out, place->place);
    sp_buf_char(out, '\n');
  } else {
    sp_buf_text(out, s->r->places ? ",\n  { \"file\": " : "\n  { \"file\": ");
    sp_json_string(out, sp_str_of(s->path));
    sp_buf_text(out, ", \"place\": ");
    sp_json_name(out, place->place);
    sp_buf_printf(out, ", \"kind\": \"%s\" }", kinds[place->fate]);
  }
  s->r->places++;
}

/* Passes output on, whole or a part of a long document; false when no more can be written. */
static bool print_part(void *context, const char *bytes, size_t n) {
  run *r = context;
  sp_error err = {0};
  if (sp_host_print(SP_HOST_OUT, bytes, n, &err) != SP_OK)
    r->code = sp_graver(r->code, sp_say_error(command, NULL, &err));
  if (err.code != SP_OK) r->is_over = true; /* the next files would fail alike */
  return !r->is_over;
}

static sp_status write_file(run *r, input *in, sp_inspect_text *text, sp_error *err) {
  switch (r->plan->form) {
  case SP_INSPECT_TEXT: return write_text(r, in, text, err);
  case SP_INSPECT_JSON:
    if (!r->plan->output) {
      r->out.drain = print_part; /* all is computed: from here only memory could fail */
      r->out.drain_context = r;
    }
    if (!r->shown) sp_inspect_json_begin(&r->out, r->plan->privacy);
    sp_inspect_json_profile(&r->out, !r->shown, in->file.path, &in->analysis, r->plan->privacy);
    r->out.drain = NULL;
    if (r->is_over) r->out.failed = false; /* the output ended, and that was said */
    break;
  case SP_INSPECT_SECRETS:
  case SP_INSPECT_SECRETS_JSON:
    if (r->plan->form == SP_INSPECT_SECRETS_JSON && !r->shown) sp_buf_char(&r->out, '[');
    SP_TRY(sp_private_places(in->file.profile, SP_PRIVACY_PUBLIC, tell_secret,
                             &(secrets){r, in->file.path}, err));
    break;
  case SP_INSPECT_QUIET: break;
  }
  return r->out.failed ? out_of_memory(err) : SP_OK;
}

/* ---- the exported metadata ----------------------------------------------------------------- */

static void count_metadata(void *context, const sp_private_place *place) {
  if (place->is_metadata) ++*(uint32_t *)context;
}

static void say_removed(const char *path, uint32_t count, sp_privacy level) {
  sp_buf text = {0};
  sp_buf_printf(&text, "privacy %s: %u metadata entr%s left out or cleaned", sp_privacy_name(level),
                (unsigned)count, count == 1 ? "y" : "ies");
  sp_buf_char(&text, '\0');
  if (!text.failed) sp_say(command, "note", path, "", text.data);
  sp_buf_free(&text);
}

/* The path as the level lets it be printed: absolute at full. */
static void put_export_path(sp_buf *out, const char *path, sp_privacy level) {
  if (level == SP_PRIVACY_FULL && *path != '/' && strcmp(path, "-") != 0) {
    sp_buf_text(out, sp_host_folder());
    sp_buf_char(out, '/');
  }
  if (level == SP_PRIVACY_FULL && strcmp(path, "-") != 0)
    sp_tidy_path(out, path);
  else
    sp_buf_str(out, sp_clean_profile_path(sp_str_of(path), level));
}

static sp_status export_file(run *r, const input *in, uint32_t *removed, sp_error *err) {
  sp_privacy level = r->plan->export_privacy;
  *removed = 0;
  if (!r->plan->export_metadata) return SP_OK;
  SP_TRY(sp_private_places(in->file.profile, level, count_metadata, removed, err));
  if (!r->exported) sp_metadata_json_begin(&r->metadata);
  sp_buf path = {0};
  put_export_path(&path, in->file.path, level);
  sp_status status = path.failed ? out_of_memory(err)
                                 : sp_metadata_json_file(&r->metadata, !r->exported,
                                                         (sp_str){path.data, (uint32_t)path.length},
                                                         in->file.profile, level, err);
  sp_buf_free(&path);
  return status;
}

/* ---- one file ------------------------------------------------------------------------------ */

/* Reads, analyses and writes to the buffers; `removed` counts what privacy took. */
static sp_status process(run *r, input *in, uint32_t *removed, sp_error *err) {
  sp_inspect_text text = r->plan->text;
  SP_TRY(sp_input_open(&in->file, err));
  SP_TRY(analyse(r, in, &text, err));
  SP_TRY(sp_input_unchanged(&in->file, err)); /* all has been read; nothing is out yet */
  SP_TRY(write_file(r, in, &text, err));
  SP_TRY(export_file(r, in, removed, err));
  return in->file.arena.failed ? out_of_memory(err) : SP_OK;
}

static void print_output(run *r) {
  print_part(r, r->out.data, r->out.length);
  sp_buf_clear(&r->out);
}

static void do_file(run *r, const char *path) {
  sp_error err = {0};
  input in = {.file = {.path = path}};
  size_t written = r->out.length, exported = r->metadata.length;
  uint32_t removed, places = r->places;
  if (process(r, &in, &removed, &err) == SP_OK) {
    if (!r->plan->output) print_output(r);
    r->shown++;
    r->exported++;
    sp_input_say_warnings(&in.file, command, &in.analysis.warnings);
    bool nothing =
        r->plan->has_patterns && in.analysis.row_count == 0 && in.file.profile->region_count;
    if (nothing && (r->plan->form == SP_INSPECT_JSON || r->plan->text.regions) &&
        r->plan->form <= SP_INSPECT_JSON)
      sp_say(command, "warning", path, "", "no region matches --include and --exclude");
    if (removed) say_removed(path, removed, r->plan->export_privacy);
  } else {
    /* nothing of this file stays; what earlier ones wrote does, even if memory ran out */
    r->out.length = written; /* 0 where output is passed on in parts */
    r->metadata.length = exported;
    r->out.failed = r->metadata.failed = false;
    r->places = places;
    r->code = sp_graver(r->code, sp_say_error(command, path, &err));
  }
  sp_input_close(&in.file);
}

/* ---- the end ------------------------------------------------------------------------------- */

static void save(run *r, const char *path, const sp_buf *bytes) {
  sp_error err = {0};
  if (sp_host_save(path, bytes->data, bytes->length, &err) != SP_OK)
    r->code = sp_graver(r->code, sp_say_error(command, path, &err));
}

static void finish_output(run *r) {
  if (r->plan->form == SP_INSPECT_JSON && r->shown) sp_inspect_json_end(&r->out, true);
  if (r->plan->form == SP_INSPECT_SECRETS_JSON && r->shown)
    sp_buf_text(&r->out, r->places ? "\n]\n" : "]\n");
  if (r->out.failed) {
    sp_error err = {0};
    out_of_memory(&err);
    r->code = sp_graver(r->code, sp_say_error(command, NULL, &err));
  } else if (!r->plan->output) {
    print_output(r);
  } else if (r->shown) {
    save(r, r->plan->output, &r->out);
  }
  if (r->places) r->code = sp_graver(r->code, EXIT_FOUND);
}

static void finish_export(run *r) {
  const char *path = r->plan->export_metadata;
  if (!path || !r->exported) return;
  sp_metadata_json_end(&r->metadata, true);
  int before = r->code;
  if (strcmp(path, "-") == 0) {
    sp_buf_bytes(&r->out, r->metadata.data, r->metadata.length);
  } else {
    save(r, path, &r->metadata);
    if (r->code == 5 && before != 5) return;
    sp_buf_text(&r->out, "Metadata written to ");
    sp_terminal_text(&r->out, sp_str_of(path));
    sp_buf_char(&r->out, '\n');
  }
  print_output(r);
}

static int run_plan(const sp_inspect_plan *plan) {
  run r = {.plan = plan};
  for (uint32_t i = 0; i < plan->files.count && !r.is_over && !sp_host_closed(); i++)
    do_file(&r, plan->files.items[i]);
  if (!r.is_over) finish_output(&r);
  sp_buf_clear(&r.out);
  if (!r.is_over) finish_export(&r);
  sp_buf_free(&r.out);
  sp_buf_free(&r.metadata);
  return r.code;
}

static int run_inspect(const sp_args *args) {
  sp_arena arena = {0};
  sp_inspect_plan plan;
  sp_error err = {0};
  sp_status status = sp_inspect_plan_make(args, &arena, &plan, &err);
  int code = status == SP_OK ? run_plan(&plan) : sp_say_error(command, NULL, &err);
  sp_select_free(&plan.select);
  sp_arena_free(&arena);
  return code;
}

const sp_command sp_cmd_inspect = {
    .name = "inspect",
    .summary = "metadata and region table of profiles",
    .operands = "FILE...",
    .needs_operand = true,
    .options = sp_inspect_options,
    .option_count = SP_INSPECT_OPTION_COUNT,
    .examples =
        "examples:\n"
        "  profscope inspect run.h5\n"
        "  profscope inspect run.h5 --columns region calls total avg p95 --sort total\n"
        "  profscope inspect 'runs/**/*.h5' --regions-only --include 'solve' 'assemble'\n"
        "  profscope inspect run.h5 --ranks 0-3,8 --percentage-mode exclusive\n"
        "  profscope inspect run.h5 --json -o run.json\n"
        "  zcat run.json.gz | profscope inspect -\n"
        "\n"
        "A list option takes every word up to the next option: write files first, or end "
        "the list with --.\n"
        "Exit codes: 0 fine, 1 --secrets found something, 2 wrong use, 3 a file could not be "
        "read,\n"
        "5 the output could not be written.\n",
    .run = run_inspect,
};
