/* ops.c - the operations. */
#include "api/ops.h"

#include <string.h>

#include "api/arguments.h"
#include "api/session_private.h"
#include "base/version.h"
#include "profile/privacy.h"
#include "read/read.h"
#include "write/inspect_json.h"
#include "write/json.h"
#include "write/view_json.h"

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
}

/* ---- about the core ------------------------------------------------------------------------ */

sp_status sp_op_version(sp_call *c, sp_error *err) {
  (void)err;
  sp_buf_text(c->out, "{\"version\":");
  sp_json_string(c->out, sp_str_of(SP_VERSION));
  sp_buf_text(c->out, ",\"hdf5\":");
  sp_json_string(c->out, sp_str_of(SP_HDF5_VERSION));
  sp_buf_text(c->out, ",\"build\":");
  sp_json_string(c->out, sp_str_of(SP_BUILD));
  sp_buf_printf(c->out, ",\"abi\":%d}\n", SP_ABI);
  return SP_OK;
}

sp_status sp_op_errors(sp_call *c, sp_error *err) {
  (void)err;
  static const sp_status codes[] = {
#define X(name, text, exit_code, meaning) SP_##name,
#include "base/error_codes.def"
#undef X
  };
  for (size_t i = 0; i < SP_ARRAY_LEN(codes); i++) {
    sp_buf_text(c->out, i ? ",\n{\"name\":" : "[{\"name\":");
    sp_json_string(c->out, sp_str_of(sp_status_name(codes[i])));
    sp_buf_printf(c->out, ",\"exit\":%d,\"meaning\":", sp_status_exit(codes[i]));
    sp_json_string(c->out, sp_str_of(sp_status_meaning(codes[i])));
    sp_buf_char(c->out, '}');
  }
  sp_buf_text(c->out, "]\n");
  return SP_OK;
}

/* ---- what a request is about --------------------------------------------------------------- */

typedef struct target {
  sp_select select;
  const char *select_text; /* canonical */
  const char *ranks_text;  /* of the ranks alone */
} target;

static const char *ranks_part(const char *select_text) {
  /* include and exclude come first, each as mark, length, colon, text */
  while (*select_text == 'i' || *select_text == 'e') {
    size_t n = 0;
    const char *at = select_text + 1;
    for (; *at >= '0' && *at <= '9'; at++) n = n * 10 + (size_t)(*at - '0');
    select_text = at + 1 + n;
  }
  return select_text;
}

static sp_status read_target(sp_call *c, target *t, sp_error *err) {
  SP_TRY(sp_select_argument(c->request, &c->arena, &t->select, &t->select_text, err));
  t->ranks_text = ranks_part(t->select_text);
  return SP_OK;
}

static sp_status privacy_argument(sp_call *c, sp_privacy *level, sp_error *err) {
  const char *word = "full";
  SP_TRY(sp_text_argument(c->request, "", "privacy", &word, err));
  if (sp_privacy_parse(word, level)) return SP_OK;
  return sp_fail(err, SP_BAD_REQUEST, "/privacy", "must be public, team or full");
}

/* The analysis of an open profile: the kept one when the selection is the same, else a new one,
 * which is kept unless the kept one is in use by this very request. */
static sp_status analysis_of(sp_call *c, uint32_t handle, const sp_select *select,
                             const char *select_text, const sp_analysis **out, sp_error *err) {
  const sp_profile *p;
  const char *name;
  SP_TRY(sp_session_get(c->session, handle, &p, &name, err));
  sp_session_cache *cache = sp_session_cache_of(c->session, handle);
  if (cache->selection && strcmp(cache->selection, select_text) == 0) {
    cache->used_by = c->number;
    *out = cache->analysis;
    return SP_OK;
  }
  bool keep = cache->used_by != c->number;
  sp_arena *a = keep ? &cache->arena : &c->arena;
  if (keep) {
    cache->selection = NULL;
    sp_arena_free(&cache->arena);
  }
  sp_analysis *an = sp_arena_alloc(a, sizeof *an);
  if (!an) return out_of_memory(err);
  sp_status status = sp_analyse(p, select, c->progress, a, an, err);
  if (status == SP_OK && a->failed) status = out_of_memory(err);
  char *selection =
      status == SP_OK && keep ? sp_arena_copy(a, select_text, strlen(select_text)) : NULL;
  if (status != SP_OK && keep) sp_arena_free(&cache->arena);
  if (status != SP_OK) return status;
  if (keep) {
    cache->selection = selection; /* NULL: not kept, but alive until the next analysis */
    cache->analysis = an;
    cache->used_by = c->number;
  }
  *out = an;
  return SP_OK;
}

/* ---- region tables ------------------------------------------------------------------------- */

sp_status sp_op_summary(sp_call *c, sp_error *err) {
  uint32_t handle;
  sp_privacy level;
  const sp_profile *p;
  const char *name;
  SP_TRY(sp_handle_argument(c->request, "profile", &handle, err));
  SP_TRY(privacy_argument(c, &level, err));
  SP_TRY(sp_session_get(c->session, handle, &p, &name, err));
  c->profile = handle;
  target t = {0};
  sp_analysis an;
  sp_status status = read_target(c, &t, err);
  if (status == SP_OK) status = sp_analyse_summaries(p, &t.select, &c->arena, &an, err);
  sp_select_free(&t.select);
  if (status != SP_OK) return status;
  sp_inspect_json_begin(c->out, level);
  sp_inspect_json_profile(c->out, true, name, &an, level);
  sp_inspect_json_end(c->out, true);
  return SP_OK;
}

typedef struct inspect_arguments {
  uint32_t *handles, count;
  sp_sort sort;
  bool flat;
  sp_privacy level;
  target target;
} inspect_arguments;

static sp_status read_inspect(sp_call *c, inspect_arguments *in, sp_error *err) {
  const char *sort = "start";
  SP_TRY(sp_handles_argument(c->request, "profiles", &c->arena, &in->handles, &in->count, err));
  SP_TRY(sp_text_argument(c->request, "", "sort", &sort, err));
  if (!sp_sort_parse(sort, &in->sort))
    return sp_fail(err, SP_BAD_REQUEST, "/sort", "\"%s\" is no sort key", sort);
  SP_TRY(sp_flag_argument(c->request, "", "flat", &in->flat, err));
  SP_TRY(privacy_argument(c, &in->level, err));
  return read_target(c, &in->target, err);
}

static sp_status write_inspect(sp_call *c, const inspect_arguments *in, sp_error *err) {
  sp_inspect_json_begin(c->out, in->level);
  for (uint32_t i = 0; i < in->count; i++) {
    const sp_analysis *kept = NULL;
    const sp_profile *p;
    const char *name;
    sp_analysis an;
    c->profile = in->handles[i];
    SP_TRY(sp_session_get(c->session, in->handles[i], &p, &name, err));
    SP_TRY(analysis_of(c, in->handles[i], &in->target.select, in->target.select_text, &kept, err));
    an = *kept; /* sorting gives it rows of its own: a kept analysis never changes */
    if (in->sort != SP_SORT_START || in->flat)
      SP_TRY(sp_analysis_sort(&an, in->sort, in->flat, &c->arena, err));
    sp_inspect_json_profile(c->out, i == 0, name, &an, in->level);
  }
  sp_inspect_json_end(c->out, in->count > 0);
  return SP_OK;
}

sp_status sp_op_inspect(sp_call *c, sp_error *err) {
  inspect_arguments in = {0};
  sp_status status = read_inspect(c, &in, err);
  if (status == SP_OK) status = write_inspect(c, &in, err);
  sp_select_free(&in.target.select);
  return status;
}

/* ---- plots --------------------------------------------------------------------------------- */

typedef struct view_context {
  sp_call *call;
  const uint32_t *handles;
  const target *target;
} view_context;

/* Gives views the session's kept analyses. Views ask for the request's selection or for its ranks
 * alone. */
static sp_status analyse_run(const sp_run_set *set, uint32_t run, const sp_select *select,
                             sp_arena *a, const sp_analysis **out, sp_error *err) {
  (void)a;
  const view_context *v = set->context;
  bool ranks_only = !select || (!select->include_count && !select->exclude_count);
  const char *text = ranks_only ? v->target->ranks_text : v->target->select_text;
  v->call->profile = v->handles[run];
  return analysis_of(v->call, v->handles[run], select, text, out, err);
}

static sp_status make_runs(sp_call *c, const uint32_t *handles, uint32_t count,
                           const sp_texts *labels, sp_run **out, sp_error *err) {
  if (labels->given && labels->count != count)
    return sp_fail(err, SP_BAD_REQUEST, "/labels", "has %u texts for %u profiles",
                   (unsigned)labels->count, (unsigned)count);
  sp_run *runs = sp_arena_array(&c->arena, count, sizeof *runs);
  if (!runs) return out_of_memory(err);
  for (uint32_t i = 0; i < count; i++) {
    const char *name;
    c->profile = handles[i];
    SP_TRY(sp_session_get(c->session, handles[i], &runs[i].profile, &name, err));
    runs[i].label =
        labels->given ? sp_str_of(labels->items[i]) : sp_display_label(runs[i].profile, name);
  }
  c->profile = 0;
  *out = runs;
  return SP_OK;
}

static sp_status write_view(sp_call *c, const sp_view_type *type, const target *t, sp_error *err) {
  uint32_t *handles = NULL, count = 0;
  sp_texts labels = {0};
  bool indent = false;
  sp_view_options options = {.select = &t->select};
  sp_run *runs = NULL;
  SP_TRY(sp_handles_argument(c->request, "profiles", &c->arena, &handles, &count, err));
  SP_TRY(sp_texts_argument(c->request, "", "labels", &c->arena, &labels, err));
  SP_TRY(sp_flag_argument(c->request, "", "indent", &indent, err));
  SP_TRY(sp_view_options_argument(c->request, type, &c->arena, &options, err));
  SP_TRY(make_runs(c, handles, count, &labels, &runs, err));
  view_context context = {.call = c, .handles = handles, .target = t};
  sp_run_set set = {.runs = runs,
                    .count = count,
                    .progress = c->progress,
                    .analyse = analyse_run,
                    .context = &context};
  sp_view view;
  SP_TRY(sp_view_build(type, &set, &options, &c->arena, &view, err));
  sp_view_json(c->out, &view, indent);
  return SP_OK;
}

sp_status sp_op_view(sp_call *c, sp_error *err) {
  const char *plot = NULL;
  SP_TRY(sp_text_argument(c->request, "", "plot", &plot, err));
  const sp_view_type *type = plot ? sp_view_find(plot) : NULL;
  if (!type)
    return plot ? sp_fail(err, SP_BAD_REQUEST, "/plot", "there is no plot \"%s\"", plot)
                : sp_fail(err, SP_BAD_REQUEST, "/plot", "is missing");
  target t = {0};
  sp_status status = read_target(c, &t, err);
  if (status == SP_OK) status = write_view(c, type, &t, err);
  sp_select_free(&t.select);
  return status;
}

/* ---- closing ------------------------------------------------------------------------------- */

sp_status sp_op_close(sp_call *c, sp_error *err) {
  uint32_t handle;
  SP_TRY(sp_handle_argument(c->request, "profile", &handle, err));
  SP_TRY(sp_session_close(c->session, handle, err));
  sp_buf_text(c->out, "{}\n");
  return SP_OK;
}
