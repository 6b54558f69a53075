/* pattern.c - PCRE2 behind a small door: every limit is set here, memory comes from arena.h. */
#include "base/pattern.h"

#include <pcre2.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

/* A match of region names takes some hundred steps; beyond a million the pattern explodes. Frames
 * for backtracking lie on the heap, never on the stack. */
enum { STEPS_MAX = 1000000, DEPTH_MAX = 1000, HEAP_MAX_KIB = 8 << 10, SHOWN_MAX = 80 };

struct sp_pattern {
  pcre2_code *code;
  pcre2_match_data *data;
  pcre2_match_context *limits;
  char *text; /* as given, for messages */
  char option[32];
};

static void *take(size_t n, void *context) {
  (void)context;
  return sp_alloc(n);
}

static void give_back(void *block, void *context) {
  (void)context;
  sp_free_block(block);
}

/* The text for a message: cut at a character's start. */
static const char *shown(char to[SHOWN_MAX + 4], const char *text, size_t n) {
  bool is_cut = n > SHOWN_MAX;
  if (is_cut)
    for (n = SHOWN_MAX; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;) n--;
  memcpy(to, text, n);
  memcpy(to + n, is_cut ? "..." : "", is_cut ? 4 : 1);
  return to;
}

static sp_status bad_pattern(const char *text, const char *option, int code, size_t offset,
                             sp_error *err) {
  if (code == PCRE2_ERROR_HEAP_FAILED) return sp_fail(err, SP_NOMEM, option, "memory ran out");
  char reason[120] = "it cannot be used", pattern[SHOWN_MAX + 4];
  pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
  size_t column = 1;
  for (size_t i = 0; i < offset && text[i]; i++) column += ((unsigned char)text[i] & 0xC0) != 0x80;
  return sp_fail(err, SP_USAGE, option, "bad pattern \"%s\": column %zu: %s",
                 shown(pattern, text, strlen(text)), column, reason);
}

/* Everything that a compiled pattern needs; false when memory ran out. */
static bool equip(sp_pattern *p, const char *text, const char *option,
                  pcre2_general_context *memory) {
  size_t n = strlen(text);
  snprintf(p->option, sizeof p->option, "%s", option ? option : "");
  p->text = sp_alloc(n + 1);
  p->data = pcre2_match_data_create_from_pattern(p->code, memory);
  p->limits = pcre2_match_context_create(memory);
  if (!p->text || !p->data || !p->limits) return false;
  memcpy(p->text, text, n + 1);
  pcre2_set_match_limit(p->limits, STEPS_MAX);
  pcre2_set_depth_limit(p->limits, DEPTH_MAX);
  pcre2_set_heap_limit(p->limits, HEAP_MAX_KIB);
  return true;
}

sp_status sp_pattern_compile(const char *text, const char *option, sp_pattern **out,
                             sp_error *err) {
  *out = NULL;
  sp_pattern *p = sp_alloc(sizeof *p);
  if (p) *p = (sp_pattern){0};
  pcre2_general_context *memory = pcre2_general_context_create(take, give_back, NULL);
  pcre2_compile_context *context = memory ? pcre2_compile_context_create(memory) : NULL;
  sp_status status = SP_OK;
  if (!p || !context) {
    status = sp_fail(err, SP_NOMEM, option, "memory ran out");
  } else {
    int code;
    PCRE2_SIZE offset;
    p->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
                            PCRE2_ANCHORED | PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &code,
                            &offset, context);
    if (!p->code)
      status = bad_pattern(text, option, code, offset, err);
    else if (!equip(p, text, option, memory))
      status = sp_fail(err, SP_NOMEM, option, "memory ran out");
  }
  pcre2_compile_context_free(context);
  pcre2_general_context_free(memory);
  if (status == SP_OK) {
    *out = p;
  } else {
    sp_pattern_free(p);
  }
  return status;
}

static sp_status failed_match(const sp_pattern *p, int code, sp_str name, sp_error *err) {
  if (code == PCRE2_ERROR_NOMEMORY) return sp_fail(err, SP_NOMEM, p->option, "memory ran out");
  char pattern[SHOWN_MAX + 4], region[SHOWN_MAX + 4], reason[120] = "it cannot be used";
  shown(pattern, p->text, strlen(p->text));
  shown(region, name.n ? name.p : "", name.n);
  bool is_limit = code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_DEPTHLIMIT ||
                  code == PCRE2_ERROR_HEAPLIMIT;
  if (!is_limit) pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
  return sp_fail(err, SP_USAGE, p->option, "pattern \"%s\" on region \"%s\": %s", pattern, region,
                 is_limit ? "too many steps; simplify it" : reason);
}

sp_status sp_pattern_match(const sp_pattern *p, sp_str name, bool *matches, sp_error *err) {
  *matches = false;
  sp_buf replaced = {0};
  sp_str subject = name;
  if (!sp_utf8_valid(name)) {
    for (uint32_t at = 0; at < name.n;) {
      uint32_t start = at;
      if (sp_utf8_next(name, &at) & SP_BAD_BYTE)
        sp_buf_text(&replaced, "\xEF\xBF\xBD");
      else
        sp_buf_bytes(&replaced, name.p + start, at - start);
    }
    subject = (sp_str){replaced.data, (uint32_t)replaced.length};
  }
  int code = replaced.failed || replaced.length > UINT32_MAX
                 ? PCRE2_ERROR_NOMEMORY
                 : pcre2_match(p->code, (PCRE2_SPTR)(subject.p ? subject.p : ""), subject.n, 0,
                               PCRE2_NO_UTF_CHECK, p->data, p->limits);
  sp_buf_free(&replaced);
  if (code < 0 && code != PCRE2_ERROR_NOMATCH) return failed_match(p, code, name, err);
  *matches = code >= 0;
  return SP_OK;
}

void sp_pattern_free(sp_pattern *p) {
  if (!p) return;
  pcre2_match_context_free(p->limits);
  pcre2_match_data_free(p->data);
  pcre2_code_free(p->code);
  sp_free_block(p->text);
  sp_free_block(p);
}
