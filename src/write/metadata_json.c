/* metadata_json.c - typed metadata values as JSON. */
#include "write/metadata_json.h"

#include "base/num.h"
#include "write/json.h"

typedef struct writer {
  sp_buf *out;
  const sp_cleaner *cleaner;
  sp_buf scratch;
} writer;

static void line(sp_buf *out, bool first, unsigned depth) {
  sp_buf_text(out, first ? "\n" : ",\n");
  sp_buf_repeat(out, "  ", depth);
}

static void text(writer *w, sp_str value, bool clean) {
  if (!clean) {
    sp_json_string(w->out, value);
    return;
  }
  sp_buf_clear(&w->scratch);
  sp_clean_text(w->cleaner, value, &w->scratch);
  const char *bytes = w->scratch.length ? w->scratch.data : "";
  sp_json_string(w->out, (sp_str){bytes, (uint32_t)w->scratch.length});
  w->out->failed = w->out->failed || w->scratch.failed;
}

static void scalar(writer *w, const sp_value *v, bool clean) {
  switch (v->kind) {
  case SP_VALUE_INT: sp_buf_i64(w->out, v->integer); return;
  case SP_VALUE_UINT: sp_buf_i128(w->out, (sp_i128)(uint64_t)v->integer); return;
  case SP_VALUE_FLOAT: sp_buf_double(w->out, v->real); return;
  case SP_VALUE_BOOL: sp_buf_text(w->out, v->integer ? "true" : "false"); return;
  case SP_VALUE_TEXT: text(w, v->text, clean); return;
  case SP_VALUE_LIST: break; /* lists hold no lists */
  }
  sp_buf_text(w->out, "null");
}

static void value(writer *w, const sp_value *v, bool clean) {
  if (v->kind != SP_VALUE_LIST) {
    scalar(w, v, clean);
    return;
  }
  sp_buf_char(w->out, '[');
  for (uint32_t i = 0; i < v->count; i++) {
    if (i) sp_buf_text(w->out, ", ");
    scalar(w, &v->items[i], clean);
  }
  sp_buf_char(w->out, ']');
}

void sp_json_metadata(sp_buf *out, const sp_metadata *m, const sp_cleaner *cleaner,
                      sp_privacy level, unsigned depth) {
  writer w = {.out = out, .cleaner = cleaner};
  bool any = false;
  sp_buf_char(out, '{');
  for (uint32_t i = 0; i < m->count; i++) {
    sp_fate fate = sp_privacy_of_key(m->items[i].key, level);
    if (fate == SP_DROP) continue;
    line(out, !any, depth + 1);
    any = true;
    sp_json_string(out, m->items[i].key);
    sp_buf_text(out, ": ");
    value(&w, &m->items[i].value, fate == SP_CLEAN);
  }
  if (any) line(out, true, depth);
  sp_buf_char(out, '}');
  sp_buf_free(&w.scratch);
}

void sp_metadata_json_begin(sp_buf *out) { sp_buf_text(out, "{\n  \"files\": ["); }

sp_status sp_metadata_json_file(sp_buf *out, bool first, sp_str path, const sp_profile *p,
                                sp_privacy level, sp_error *err) {
  sp_arena arena = {0};
  sp_cleaner *cleaner;
  sp_status status = sp_cleaner_make(p, level, &arena, &cleaner, err);
  if (status == SP_OK) {
    line(out, first, 2);
    sp_buf_text(out, "{\n      \"file_path\": ");
    sp_json_string(out, path);
    sp_buf_printf(out, ",\n      \"num_ranks\": %u,\n      \"metadata\": ", (unsigned)p->num_ranks);
    sp_json_metadata(out, &p->metadata, cleaner, level, 3);
    line(out, true, 2);
    sp_buf_char(out, '}');
    if (out->failed) status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  }
  sp_arena_free(&arena);
  return status;
}

void sp_metadata_json_end(sp_buf *out, bool any) {
  if (any) line(out, true, 1);
  sp_buf_text(out, "]\n}\n");
}
