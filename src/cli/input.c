/* input.c - from a path to a profile. */
#include "cli/input.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/host.h"
#include "cli/say.h"
#include "read/read.h"
#include "stats/clock.h"

enum { WARNINGS_SHOWN = 20 };

sp_status sp_input_open(sp_input *in, sp_error *err) {
  const char *fatal = sp_host_fatal(in->path);
  if (fatal) return sp_fail(err, SP_CORRUPT, NULL, "%s", fatal);
  sp_host_working_on(in->path);
  SP_TRY(sp_host_open(in->path, &in->source, err));
  return sp_read(in->source, NULL, &in->profile, err);
}

sp_status sp_input_unchanged(const sp_input *in, sp_error *err) {
  return in->source->unchanged ? in->source->unchanged(in->source, err) : SP_OK;
}

void sp_input_close(sp_input *in) {
  sp_host_working_on(NULL);
  sp_profile_free(in->profile);
  if (in->source) sp_source_close(in->source);
  sp_arena_free(&in->arena);
}

sp_status sp_input_span(sp_input *in, bool *has_span, int64_t *span_ns, sp_warnings *warnings,
                        sp_error *err) {
  sp_rank_clock *clocks;
  bool aligned;
  int64_t begin = 0, end = 0;
  *has_span = false;
  SP_TRY(sp_clocks_read(in->profile, &in->arena, &clocks, &aligned, warnings, err));
  for (uint32_t i = 0; i < in->profile->rank_count; i++) {
    const sp_rank_clock *c = &clocks[i];
    int64_t from, to;
    if (!c->has_calls || __builtin_add_overflow(c->start_ns, c->shift_ns, &from) ||
        __builtin_add_overflow(c->end_ns, c->shift_ns, &to))
      continue;
    if (!*has_span || from < begin) begin = from;
    if (!*has_span || to > end) end = to;
    *has_span = true;
  }
  if (__builtin_sub_overflow(end, begin, span_ns)) *has_span = false;
  return SP_OK;
}

/* ---- warnings ------------------------------------------------------------------------------ */

/* What the JSON document says with its own warnings. */
static void warn_of_names(const sp_profile *p, sp_warnings *w) {
  uint32_t changed = 0;
  for (uint32_t i = 0; i < p->region_count; i++) changed += !sp_utf8_valid(p->regions[i].name);
  if (changed == 1)
    sp_warn(w, "names-changed", "/",
            "1 region name is not UTF-8; its invalid bytes are written as \\xNN");
  if (changed > 1)
    sp_warn(w, "names-changed", "/",
            "%u region names are not UTF-8; their invalid bytes are written as \\xNN",
            (unsigned)changed);
}

void sp_input_say_warnings(const sp_input *in, const char *command, sp_warnings *warnings) {
  uint32_t told = 0, all = 0;
  warn_of_names(in->profile, warnings);
  for (uint32_t i = 0; i < warnings->count; i++) {
    const sp_warning *w = &warnings->items[i];
    bool is_note = strcmp(w->code, "clock-domains") == 0;
    all += !is_note;
    if (!is_note && told == WARNINGS_SHOWN) continue;
    told += !is_note;
    sp_say(command, is_note ? "note" : "warning", in->path,
           strcmp(w->path, "/") == 0 ? "" : w->path, w->message);
  }
  uint64_t more = warnings->dropped + all - told;
  if (!more) return;
  sp_buf text = {0};
  sp_buf_printf(&text, "%llu more warnings (all of them: inspect --json)",
                (unsigned long long)more);
  sp_buf_char(&text, '\0');
  if (!text.failed) sp_say(command, "warning", in->path, "", text.data);
  sp_buf_free(&text);
}
