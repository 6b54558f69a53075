/* args_help.c - help texts and suggestions from the option tables. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"

enum { HELP_COLUMN = 26, WORD_MAX = 40 };

static uint32_t least_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Edits that turn one word into the other; a swap of neighbours counts as one. */
static uint32_t distance(const char *a, const char *b) {
  uint32_t rows[3][WORD_MAX + 1];
  uint32_t n = (uint32_t)strlen(a), m = (uint32_t)strlen(b);
  if (n > WORD_MAX || m > WORD_MAX) return UINT32_MAX;
  for (uint32_t j = 0; j <= m; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= n; i++) {
    uint32_t *row = rows[i % 3];
    const uint32_t *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (uint32_t j = 1; j <= m; j++) {
      row[j] = least_of(least_of(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = least_of(row[j], above2[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

const char *sp_args_alike(const char *word, const char *const *words, uint32_t count) {
  const char *best = NULL;
  size_t n = strlen(word);
  uint32_t limit = n < 3 ? 1 : n < 6 ? 2 : 3, least = limit + 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t d = distance(word, words[i]);
    /* "columns" for "col" and "regions" for "regio": a beginning is alike whatever is missing */
    if (n >= 2 && strncmp(words[i], word, n) == 0) d = 0;
    if (d < least && d < strlen(words[i])) {
      least = d;
      best = words[i];
    }
  }
  return best;
}

void sp_args_wrap(sp_buf *out, const char *text, uint32_t at, uint32_t indent, uint32_t width) {
  bool is_first = true;
  if (width < indent + 20) width = indent + 20;
  while (*text) {
    size_t n = strcspn(text, " ");
    if (!is_first && at + 1 + n > width) {
      sp_buf_char(out, '\n');
      sp_buf_repeat(out, " ", indent);
      at = indent;
      is_first = true;
    }
    if (!is_first) {
      sp_buf_char(out, ' ');
      at++;
    }
    sp_buf_bytes(out, text, n);
    at += (uint32_t)n;
    is_first = false;
    text += n + (text[n] == ' ');
  }
  sp_buf_char(out, '\n');
}

/* "  -s, --sort KEY" padded to the column of the explanations. */
static void put_entry(sp_buf *out, const sp_option *o, uint32_t width) {
  size_t start = out->length;
  if (o->letter)
    sp_buf_printf(out, "  -%c, --%s", o->letter, o->name);
  else
    sp_buf_printf(out, "      --%s", o->name);
  if (o->kind != SP_OPTION_FLAG) sp_buf_printf(out, " %s", o->metavar);
  if (o->kind == SP_OPTION_LIST) sp_buf_text(out, "...");
  size_t used = out->length - start;
  if (used + 2 > HELP_COLUMN) {
    sp_buf_char(out, '\n');
    used = 0;
  }
  sp_buf_repeat(out, " ", HELP_COLUMN - used);
  sp_buf text = {0};
  sp_buf_text(&text, o->help);
  for (uint32_t i = 0; o->choices && o->choices[i]; i++) {
    sp_buf_text(&text, i ? ", " : ": ");
    sp_buf_text(&text, o->choices[i]);
  }
  sp_buf_char(&text, '\0');
  sp_args_wrap(out, text.failed ? o->help : text.data, HELP_COLUMN, HELP_COLUMN, width);
  sp_buf_free(&text);
}

void sp_args_help(sp_buf *out, const sp_command *c, bool is_long, uint32_t width) {
  static const sp_option help = {
      "help", 'h', SP_OPTION_FLAG, NULL, "show this help (--help: with examples) and exit",
      NULL,   0};
  sp_buf_printf(out, "usage: profscope %s [options] %s\n\n", c->name, c->operands);
  sp_args_wrap(out, c->summary, 0, 0, width);
  sp_buf_text(out, "\noptions:\n");
  for (uint32_t i = 0; i < c->option_count; i++) put_entry(out, &c->options[i], width);
  put_entry(out, &help, width);
  if (is_long && c->examples) sp_buf_printf(out, "\n%s", c->examples);
}
