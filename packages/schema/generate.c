/* generate.c - prints what follows from the core's tables: `npm run generate` runs it.
 *
 *   generate plots            the plot kinds, one a line
 *   generate schema PLOT      JSON Schema of a plot's payload
 *   generate types            payloads.d.ts
 *   generate errors           ERRORS.md */
#include <stdio.h>
#include <string.h>

#include "views/view.h"
#include "write/json.h"

/* ---- JSON Schema --------------------------------------------------------------------------- */

static void line(sp_buf *b, int depth, const char *text) {
  sp_buf_repeat(b, "  ", (size_t)depth);
  sp_buf_text(b, text);
  sp_buf_char(b, '\n');
}

static void quoted(sp_buf *b, const char *text) { sp_json_string(b, sp_str_of(text)); }

static void key_text(sp_buf *b, int depth, const char *key, const char *text, bool more) {
  sp_buf_repeat(b, "  ", (size_t)depth);
  quoted(b, key);
  sp_buf_text(b, ": ");
  quoted(b, text);
  sp_buf_text(b, more ? ",\n" : "\n");
}

/* "a b c" as ["a", "b", "c"]. */
static void words_list(sp_buf *b, const char *words) {
  sp_buf_char(b, '[');
  for (const char *at = words; *at;) {
    size_t n = strcspn(at, " ");
    if (at != words) sp_buf_text(b, ", ");
    sp_json_string(b, (sp_str){at, (uint32_t)n});
    at += n + (at[n] == ' ');
  }
  sp_buf_char(b, ']');
}

static void key_words(sp_buf *b, int depth, const char *key, const char *words, bool more) {
  sp_buf_repeat(b, "  ", (size_t)depth);
  sp_buf_printf(b, "\"%s\": ", key);
  words_list(b, words);
  sp_buf_text(b, more ? ",\n" : "\n");
}

static void column_schema(sp_buf *b, const sp_column *c, bool more) {
  sp_buf_repeat(b, "  ", 6);
  quoted(b, c->name);
  sp_buf_text(b, ": {\n");
  static const char *const types[] = {[SP_COLUMN_KIND_TEXT] = "string",
                                      [SP_COLUMN_KIND_NAME] = "string",
                                      [SP_COLUMN_KIND_INT] = "integer",
                                      [SP_COLUMN_KIND_TIME] = "number",
                                      [SP_COLUMN_KIND_REAL] = "number"};
  bool nullable = (c->flags & SP_COLUMN_NULLABLE) || c->kind == SP_COLUMN_KIND_REAL;
  sp_buf_repeat(b, "  ", 7);
  if (c->words) {
    sp_buf_text(b, "\"enum\": ");
    words_list(b, c->words);
  } else {
    sp_buf_printf(b, nullable ? "\"type\": [\"%s\", \"null\"]" : "\"type\": \"%s\"",
                  types[c->kind]);
  }
  sp_buf_text(b, ",\n");
  key_text(b, 7, "description", c->doc, false);
  line(b, 6, more ? "}," : "}");
}

static bool has_column(const sp_column *c, bool stacked) {
  return stacked || !(c->flags & SP_COLUMN_STACKED);
}

static bool has_variants(const sp_view_type *t) {
  for (uint32_t i = 0; i < t->column_count; i++)
    if (t->columns[i].flags & SP_COLUMN_STACKED) return true;
  return false;
}

static void rows_schema(sp_buf *b, const sp_view_type *t, bool stacked, bool more) {
  line(b, 3, "{");
  line(b, 4, "\"type\": \"array\",");
  line(b, 4, "\"items\": {");
  line(b, 5, "\"type\": \"object\",");
  line(b, 5, "\"properties\": {");
  uint32_t last = 0;
  for (uint32_t i = 0; i < t->column_count; i++)
    if (has_column(&t->columns[i], stacked)) last = i;
  sp_buf required = {0};
  for (uint32_t i = 0; i < t->column_count; i++) {
    if (!has_column(&t->columns[i], stacked)) continue;
    column_schema(b, &t->columns[i], i != last);
    sp_buf_printf(&required, "%s%s", required.length ? " " : "", t->columns[i].name);
  }
  sp_buf_char(&required, '\0');
  line(b, 5, "},");
  key_words(b, 5, "required", required.data, true);
  line(b, 5, "\"additionalProperties\": false");
  line(b, 4, "}");
  line(b, 3, more ? "}," : "}");
  sp_buf_free(&required);
}

static void flags_schema(sp_buf *b, const char *words) {
  line(b, 3, "\"type\": \"object\",");
  line(b, 3, "\"properties\": {");
  for (const char *at = words; *at;) {
    size_t n = strcspn(at, " ");
    sp_buf_printf(b, "        \"%.*s\": { \"type\": \"boolean\" }%s\n", (int)n, at,
                  at[n] ? "," : "");
    at += n + (at[n] == ' ');
  }
  line(b, 3, "},");
  key_words(b, 3, "required", words, true);
  line(b, 3, "\"additionalProperties\": false,");
}

static void extra_schema(sp_buf *b, const sp_extra_type *x, bool more) {
  sp_buf_repeat(b, "  ", 2);
  quoted(b, x->key);
  sp_buf_text(b, ": {\n");
  if (x->kind == SP_EXTRA_TEXTS) {
    line(b, 3, "\"type\": \"array\",");
    sp_buf_text(b, "      \"items\": { \"enum\": ");
    words_list(b, x->words);
    sp_buf_text(b, " },\n");
  } else if (x->kind == SP_EXTRA_COLORS) {
    line(b, 3, "\"type\": \"object\",");
    line(b, 3,
         "\"additionalProperties\": { \"type\": \"string\", \"pattern\": \"^#[0-9a-f]{6}$\" },");
  } else {
    flags_schema(b, x->words);
  }
  key_text(b, 3, "description", x->doc, false);
  line(b, 2, more ? "}," : "}");
}

static void print_schema(sp_buf *b, const sp_view_type *t) {
  line(b, 0, "{");
  key_text(b, 1, "$schema", "https://json-schema.org/draft/2020-12/schema", true);
  sp_buf_printf(b, "  \"$id\": \"%s.schema.json\",\n", t->plot);
  key_text(b, 1, "title", t->title, true);
  key_text(b, 1, "description", t->doc, true);
  key_text(b, 1, "type", "object", true);
  line(b, 1, "\"properties\": {");
  sp_buf_printf(b, "    \"format\": { \"const\": \"%s\" },\n", SP_PLOT_FORMAT);
  sp_buf_printf(b, "    \"format_version\": { \"const\": %d },\n", SP_PLOT_FORMAT_VERSION);
  sp_buf_printf(b, "    \"plot\": { \"const\": \"%s\" },\n", t->plot);
  sp_buf_printf(b, "    \"%s\": { \"anyOf\": [\n", t->rows_key);
  rows_schema(b, t, false, has_variants(t));
  if (has_variants(t)) rows_schema(b, t, true, false);
  line(b, 2, t->extra_count ? "] }," : "] }");
  sp_buf required = {0};
  sp_buf_printf(&required, "format format_version plot %s", t->rows_key);
  for (uint32_t i = 0; i < t->extra_count; i++) {
    extra_schema(b, &t->extras[i], i + 1 < t->extra_count);
    sp_buf_printf(&required, " %s", t->extras[i].key);
  }
  sp_buf_char(&required, '\0');
  line(b, 1, "},");
  key_words(b, 1, "required", required.data, true);
  line(b, 1, "\"additionalProperties\": false");
  line(b, 0, "}");
  sp_buf_free(&required);
}

/* ---- TypeScript ---------------------------------------------------------------------------- */

/* "a b c" as 'a' | 'b' | 'c'. */
static void words_union(sp_buf *b, const char *words) {
  for (const char *at = words; *at;) {
    size_t n = strcspn(at, " ");
    sp_buf_printf(b, "%s'%.*s'", at == words ? "" : " | ", (int)n, at);
    at += n + (at[n] == ' ');
  }
}

static void column_type(sp_buf *b, const sp_column *c) {
  bool text = c->kind == SP_COLUMN_KIND_TEXT || c->kind == SP_COLUMN_KIND_NAME;
  if (c->words)
    words_union(b, c->words);
  else
    sp_buf_text(b, text ? "string" : "number");
  if ((c->flags & SP_COLUMN_NULLABLE) || c->kind == SP_COLUMN_KIND_REAL) sp_buf_text(b, " | null");
}

static void type_name(sp_buf *b, const char *plot) {
  bool up = true;
  for (; *plot; plot++) {
    if (*plot != '_') sp_buf_char(b, up && *plot >= 'a' ? (char)(*plot - 32) : *plot);
    up = *plot == '_';
  }
}

static void print_types(sp_buf *b, const sp_view_type *t) {
  sp_buf_printf(b, "/** %s. */\nexport interface ", t->doc);
  type_name(b, t->plot);
  sp_buf_text(b, "Row {\n");
  for (uint32_t i = 0; i < t->column_count; i++) {
    const sp_column *c = &t->columns[i];
    bool optional = (c->flags & SP_COLUMN_STACKED) != 0;
    sp_buf_printf(b, "  /** %s */\n  %s%s: ", c->doc, c->name, optional ? "?" : "");
    column_type(b, c);
    sp_buf_text(b, ";\n");
  }
  sp_buf_text(b, "}\n\nexport interface ");
  type_name(b, t->plot);
  sp_buf_printf(b, "Payload {\n  format: '%s';\n  format_version: %d;\n  plot: '%s';\n  %s: ",
                SP_PLOT_FORMAT, SP_PLOT_FORMAT_VERSION, t->plot, t->rows_key);
  type_name(b, t->plot);
  sp_buf_text(b, "Row[];\n");
  for (uint32_t i = 0; i < t->extra_count; i++) {
    const sp_extra_type *x = &t->extras[i];
    sp_buf_printf(b, "  /** %s */\n  %s: ", x->doc, x->key);
    if (x->kind == SP_EXTRA_COLORS) {
      sp_buf_text(b, "Record<string, string>;\n");
    } else if (x->kind == SP_EXTRA_TEXTS) {
      sp_buf_char(b, '(');
      words_union(b, x->words);
      sp_buf_text(b, ")[];\n");
    } else {
      sp_buf_text(b, "Record<");
      words_union(b, x->words);
      sp_buf_text(b, ", boolean>;\n");
    }
  }
  sp_buf_text(b, "}\n\n");
}

static void print_all_types(sp_buf *b) {
  sp_buf_text(b, "// Generated by `npm run generate` from the column tables in src/views.\n\n");
  for (uint32_t i = 0; i < sp_view_type_count; i++) print_types(b, sp_view_types[i]);
  sp_buf_text(b, "export type Payload =");
  for (uint32_t i = 0; i < sp_view_type_count; i++) {
    sp_buf_text(b, i ? " | " : " ");
    type_name(b, sp_view_types[i]->plot);
    sp_buf_text(b, "Payload");
  }
  sp_buf_text(b, ";\n");
}

/* ---- errors -------------------------------------------------------------------------------- */

static void print_errors(sp_buf *b) {
  sp_buf_text(
      b, "# Errors\n\nGenerated by `npm run generate` from `src/base/error_codes.def`. `code` of"
         " every failure in JSON and JavaScript,\nand the exit code of the command line.\n\n"
         "| code | exit | meaning |\n| --- | --- | --- |\n");
  static const sp_status codes[] = {
#define X(name, text, exit_code, meaning) SP_##name,
#include "base/error_codes.def"
#undef X
  };
  for (size_t i = 0; i < SP_ARRAY_LEN(codes); i++)
    sp_buf_printf(b, "| `%s` | %d | %s |\n", sp_status_name(codes[i]), sp_status_exit(codes[i]),
                  sp_status_meaning(codes[i]));
}

int main(int argc, char **argv) {
  sp_buf b = {0};
  const char *what = argc > 1 ? argv[1] : "";
  const sp_view_type *type = argc > 2 ? sp_view_find(argv[2]) : NULL;
  if (strcmp(what, "plots") == 0) {
    for (uint32_t i = 0; i < sp_view_type_count; i++) line(&b, 0, sp_view_types[i]->plot);
  } else if (strcmp(what, "schema") == 0 && type) {
    print_schema(&b, type);
  } else if (strcmp(what, "types") == 0) {
    print_all_types(&b);
  } else if (strcmp(what, "errors") == 0) {
    print_errors(&b);
  } else {
    fputs("usage: generate plots | schema PLOT | types | errors\n", stderr);
    return 2;
  }
  bool written = !b.failed && fwrite(b.data, 1, b.length, stdout) == b.length;
  sp_buf_free(&b);
  return written && fflush(stdout) == 0 ? 0 : 5;
}
