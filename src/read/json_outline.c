/* json_outline.c - one pass over the text without recursion: an open container is one bit. */
#include "read/json_outline.h"

#include "base/arena.h"
#include "read/json_scan.h"

enum { DEPTH_MAX = 64, NODE_BYTES = 128 };

typedef enum expectation {
  VALUE,
  VALUE_OR_END,
  KEY,
  KEY_OR_END,
  COLON,
  COMMA_OR_END,
  DONE,
} expectation;

static const char *const wanted[] = {
    [VALUE] = "a value",
    [VALUE_OR_END] = "a value or \"]\"",
    [KEY] = "a key",
    [KEY_OR_END] = "a key or \"}\"",
    [COLON] = "\":\"",
    [COMMA_OR_END] = "\",\" or the end of the list",
    [DONE] = "the end of the text",
};

typedef struct pass {
  sp_json_outline *outline;
  sp_buf out;
  const char *at, *end;
  expectation expect;
  unsigned depth;
  uint64_t objects; /* bit d: the container at depth d + 1 is an object */
  bool keep;        /* the last key was "event_metadata" */
  uint64_t nodes, budget;
  sp_error *err;
} pass;

static sp_status damaged(const pass *p, const char *what) {
  if (p->at >= p->end)
    return sp_fail(p->err, SP_CORRUPT, NULL,
                   "cut off: the JSON text ends after %zu bytes, where %s must follow",
                   p->outline->length, what);
  size_t line = 1, column = 1;
  for (const char *c = p->outline->text; c < p->at; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  return sp_fail(p->err, SP_CORRUPT, NULL, "line %zu, column %zu of the JSON text: %s was expected",
                 line, column, what);
}

static sp_status add_part(pass *p, sp_json_part_kind kind, const char *at, uint64_t n) {
  sp_json_outline *o = p->outline;
  if (o->count == o->capacity) {
    uint32_t more = o->capacity ? o->capacity * 2 : 256;
    sp_json_part *grown = NULL;
    if (more > o->capacity) grown = sp_resize(o->parts, (size_t)more * sizeof *grown);
    if (!grown) return sp_fail(p->err, SP_NOMEM, NULL, "out of memory");
    o->parts = grown;
    o->capacity = more;
  }
  o->parts[o->count] = (sp_json_part){.at = at, .n = n, .kind = kind};
  sp_buf_printf(&p->out, "%u", o->count++);
  return SP_OK;
}

static int hex4(const char *at) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    char c = at[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* One \uXXXX, p->at behind the "u". Pairs and plain characters are cJSON's business; it would cut
 * a text at a NUL and refuse half a pair. NUL goes through as the overlong C0 80, which
 * sp_json_str turns back; Python writes an invalid byte of a name as \udc80 .. \udcff. */
static bool escape(pass *p) {
  int code = hex4(p->at);
  if (code < 0) return false;
  const char *from = p->at - 2;
  p->at += 4;
  if (code >= 0xD800 && code < 0xDC00 && p->at[0] == '\\' && p->at[1] == 'u') {
    int low = hex4(p->at + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      p->at += 6;
      sp_buf_bytes(&p->out, from, 12);
      return true;
    }
  }
  if (code == 0)
    sp_buf_text(&p->out, "\xC0\x80");
  else if (code >= 0xDC80 && code <= 0xDCFF)
    sp_buf_char(&p->out, (char)(code - 0xDC00));
  else if (code >= 0xD800 && code < 0xE000)
    sp_buf_text(&p->out, "\xEF\xBF\xBD");
  else
    sp_buf_bytes(&p->out, from, 6);
  return true;
}

/* A text in quotes, p->at on the first quote. */
static sp_status text(pass *p) {
  sp_buf_char(&p->out, *p->at++);
  for (;;) {
    const char *run = p->at;
    while (*p->at != '"' && *p->at != '\\' && *p->at != '\0') p->at++;
    sp_buf_bytes(&p->out, run, (size_t)(p->at - run));
    if (*p->at == '\0') return damaged(p, "the end of a text in quotes");
    if (*p->at == '"') {
      sp_buf_char(&p->out, *p->at++);
      return SP_OK;
    }
    char kind = p->at[1];
    if (kind == 'u') {
      p->at += 2;
      if (!escape(p)) return damaged(p, "four hexadecimal digits");
    } else if (kind != '\0' && strchr("\"\\/bfnrt", kind)) {
      sp_buf_bytes(&p->out, p->at, 2);
      p->at += 2;
    } else {
      p->at++;
      return damaged(p, "a character that can be escaped");
    }
  }
}

/* An array of numbers alone, p->at on "["; *taken false (and nothing done) for any other. */
static sp_status numbers(pass *p, bool *taken) {
  const char *at = sp_json_skip_blanks(p->at + 1);
  uint64_t n = 0;
  *taken = false;
  for (;;) {
    at = sp_json_number_end(at);
    if (!at) return SP_OK;
    n++;
    at = sp_json_skip_blanks(at);
    if (*at == ']') break;
    if (*at != ',') return SP_OK;
    at = sp_json_skip_blanks(at + 1);
  }
  SP_TRY(add_part(p, SP_JSON_NUMBERS, p->at + 1, n));
  p->at = at + 1;
  *taken = true;
  return SP_OK;
}

/* The array under "event_metadata", p->at on "["; its inside is looked at by its reader. */
static sp_status keep(pass *p) {
  const char *first = p->at;
  unsigned depth = 0;
  bool quoted = false;
  for (; *p->at; p->at++) {
    char c = *p->at;
    if (quoted && c == '\\' && p->at[1])
      p->at++;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      depth++;
    else if (!quoted && (c == ']' || c == '}') && --depth == 0)
      break;
  }
  if (*p->at == '\0') return damaged(p, "the end of the metadata of calls");
  p->at++;
  return add_part(p, SP_JSON_TEXT, first, (uint64_t)(p->at - first));
}

static sp_status push(pass *p, bool object) {
  if (p->depth == DEPTH_MAX)
    return sp_fail(p->err, SP_CORRUPT, NULL, "nests deeper than %d, which no profile does",
                   DEPTH_MAX);
  uint64_t bit = (uint64_t)1 << p->depth;
  p->objects = object ? p->objects | bit : p->objects & ~bit;
  p->depth++;
  sp_buf_char(&p->out, *p->at++);
  p->expect = object ? KEY_OR_END : VALUE_OR_END;
  return SP_OK;
}

static bool in_object(const pass *p) { return p->depth && (p->objects >> (p->depth - 1) & 1); }

static void value_done(pass *p) { p->expect = p->depth ? COMMA_OR_END : DONE; }

static sp_status pop(pass *p) {
  p->depth--;
  sp_buf_char(&p->out, *p->at++);
  value_done(p);
  return SP_OK;
}

static sp_status value(pass *p) {
  char c = *p->at;
  bool kept = p->keep;
  p->keep = false;
  p->nodes++;
  if (c == '{') return push(p, true);
  if (c == '[') {
    bool taken = false;
    if (kept) {
      SP_TRY(keep(p));
      taken = true;
    } else {
      SP_TRY(numbers(p, &taken));
    }
    if (!taken) return push(p, false);
  } else if (c == '"') {
    SP_TRY(text(p));
  } else if (strncmp(p->at, "null", 4) == 0 || strncmp(p->at, "true", 4) == 0) {
    sp_buf_bytes(&p->out, p->at, 4);
    p->at += 4;
  } else if (strncmp(p->at, "false", 5) == 0) {
    sp_buf_bytes(&p->out, p->at, 5);
    p->at += 5;
  } else {
    const char *end = sp_json_number_end(p->at);
    if (!end) return damaged(p, wanted[p->expect]);
    SP_TRY(add_part(p, SP_JSON_NUMBER, p->at, 1));
    p->at = end;
  }
  value_done(p);
  return SP_OK;
}

static sp_status key(pass *p) {
  static const char kept[] = "\"event_metadata\"";
  p->keep = strncmp(p->at, kept, sizeof kept - 1) == 0;
  p->expect = COLON;
  return text(p);
}

/* One token; the caller has skipped the blanks. */
static sp_status step(pass *p) {
  char c = *p->at;
  switch (p->expect) {
  case VALUE_OR_END:
    if (c == ']') return pop(p);
    return value(p);
  case VALUE: return value(p);
  case KEY_OR_END:
    if (c == '}') return pop(p);
    return c == '"' ? key(p) : damaged(p, wanted[p->expect]);
  case KEY: return c == '"' ? key(p) : damaged(p, wanted[p->expect]);
  case COLON:
    if (c != ':') break;
    sp_buf_char(&p->out, *p->at++);
    p->expect = VALUE;
    return SP_OK;
  case COMMA_OR_END:
    if (c == (in_object(p) ? '}' : ']')) return pop(p);
    if (c != ',') break;
    sp_buf_char(&p->out, *p->at++);
    p->expect = in_object(p) ? KEY : VALUE;
    return SP_OK;
  case DONE: break;
  }
  return damaged(p, wanted[p->expect]);
}

static sp_status run(pass *p) {
  for (;;) {
    p->at = sp_json_skip_blanks(p->at);
    if (p->expect == DONE && p->at == p->end) return SP_OK;
    SP_TRY(step(p));
    if (p->nodes * NODE_BYTES + p->out.length > p->budget)
      return sp_fail(p->err, SP_TOO_LARGE, NULL,
                     "needs more than %llu MiB for names, texts and tables beside its calls",
                     (unsigned long long)(p->budget >> 20));
    if (p->out.failed) return sp_fail(p->err, SP_NOMEM, NULL, "out of memory");
  }
}

sp_status sp_json_outline_make(const char *source, size_t length, uint64_t budget,
                               sp_json_outline *out, sp_error *err) {
  *out = (sp_json_outline){.text = source, .length = length};
  pass p = {.outline = out, .at = source, .end = source + length, .budget = budget, .err = err};
  if (strncmp(p.at, "\xEF\xBB\xBF", 3) == 0) p.at += 3;
  sp_status status = run(&p);
  if (status == SP_OK) {
    /* one allocator for all users of cJSON, whose setting is global */
    cJSON_Hooks hooks = {.malloc_fn = sp_alloc, .free_fn = sp_free_block};
    cJSON_InitHooks(&hooks);
    out->root = cJSON_ParseWithLength(p.out.data, p.out.length);
    if (!out->root) status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  }
  sp_buf_free(&p.out);
  return status;
}

void sp_json_outline_free(sp_json_outline *o) {
  cJSON_Delete(o->root);
  sp_free_block(o->parts);
  *o = (sp_json_outline){0};
}
