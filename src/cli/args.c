/* args.c - the scan: getopt_long in "-" mode, which hands over words that are no options in
 * their order. Lists are declared as having an optional value: then --list=VALUE comes with its
 * value, and the words behind --list come one by one. Messages are our own, since those of glibc
 * and musl differ. */
#include "cli/args.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CODE = 256, HELP_CODE = 255, NO_OPTION = -1 };

typedef struct scan {
  sp_args *args;
  sp_arena *arena;
  sp_error *err;
  int argc;
  char **argv;
  struct option *longs;
  char *shorts;
} scan;

static const sp_option *option_of(const scan *s, int index) {
  return &s->args->command->options[index];
}

static const char *spelled(const scan *s, int index) {
  const char *name = option_of(s, index)->name;
  char *text = sp_arena_alloc(s->arena, strlen(name) + 3);
  if (!text) return name;
  memcpy(text, "--", 2);
  memcpy(text + 2, name, strlen(name) + 1);
  return text;
}

/* ---- what getopt is told ------------------------------------------------------------------- */

static bool declare(scan *s) {
  const sp_command *c = s->args->command;
  s->longs = sp_arena_array(s->arena, c->option_count + 2, sizeof *s->longs);
  s->shorts = sp_arena_array(s->arena, 3 * (c->option_count + 1) + 3, 1);
  if (!s->longs || !s->shorts) return false;
  char *letter = s->shorts;
  *letter++ = '-';
  *letter++ = ':';
  for (uint32_t i = 0; i < c->option_count; i++) {
    const sp_option *o = &c->options[i];
    int has = o->kind == SP_OPTION_FLAG    ? no_argument
              : o->kind == SP_OPTION_VALUE ? required_argument
                                           : optional_argument;
    s->longs[i] = (struct option){o->name, has, NULL, FIRST_CODE + (int)i};
    if (!o->letter) continue;
    *letter++ = o->letter;
    for (int k = 0; k < has; k++) *letter++ = ':'; /* required ":", optional "::" */
  }
  s->longs[c->option_count] = (struct option){"help", no_argument, NULL, HELP_CODE};
  *letter = 'h';
  return true;
}

static int index_of(const scan *s, int code) {
  if (code >= FIRST_CODE) return code - FIRST_CODE;
  for (uint32_t i = 0; i < s->args->command->option_count; i++)
    if (option_of(s, (int)i)->letter == code) return (int)i;
  return NO_OPTION;
}

/* ---- faults -------------------------------------------------------------------------------- */

static sp_status unknown_letter(const scan *s, int letter) {
  if (letter < '!' || letter > '~')
    return sp_fail(s->err, SP_USAGE, NULL, "unknown option (its letter is none of ASCII)");
  return sp_fail(s->err, SP_USAGE, NULL, "unknown option -%c", letter);
}

/* Whether `name` begins with the first `n` bytes of `word`. */
static bool begins(const char *name, const char *word, size_t n) {
  return strncmp(name, word, n) == 0;
}

/* The names an ambiguous beginning may stand for, "--a, --b". */
static const char *candidates(const scan *s, const char *word, size_t n, uint32_t *count) {
  size_t room = 1;
  *count = 0;
  bool is_exact = false;
  for (const struct option *o = s->longs; o->name; o++) {
    room += strlen(o->name) + 4;
    is_exact = is_exact || (begins(o->name, word, n) && !o->name[n]);
  }
  char *text = sp_arena_alloc(s->arena, room);
  size_t used = 0;
  for (const struct option *o = s->longs; text && o->name; o++) {
    if (!begins(o->name, word, n) || (is_exact && o->name[n])) continue;
    int put = snprintf(text + used, room - used, "%s--%s", used ? ", " : "", o->name);
    used += put > 0 ? (size_t)put : 0;
    ++*count;
  }
  return text ? text : "";
}

static sp_status unknown_name(const scan *s, const char *word) {
  size_t n = strcspn(word, "=");
  uint32_t count, names = 0;
  const char *which = candidates(s, word, n, &count);
  if (count > 1)
    return sp_fail(s->err, SP_USAGE, NULL, "--%.*s can be any of %s", (int)n, word, which);
  if (count == 1) return sp_fail(s->err, SP_USAGE, which, "takes no value");
  const char **known = sp_arena_array(s->arena, s->args->command->option_count + 1, sizeof *known);
  char *name = sp_arena_copy(s->arena, word, n);
  for (const struct option *o = s->longs; known && o->name; o++) known[names++] = o->name;
  const char *alike = known && name ? sp_args_alike(name, known, names) : NULL;
  if (alike)
    return sp_fail(s->err, SP_USAGE, NULL, "unknown option --%.*s; did you mean --%s?", (int)n,
                   word, alike);
  return sp_fail(s->err, SP_USAGE, NULL, "unknown option --%.*s", (int)n, word);
}

static sp_status bad_choice(const scan *s, int index, const char *value) {
  const sp_option *o = option_of(s, index);
  sp_buf list = {0};
  uint32_t count = 0;
  for (; o->choices[count]; count++) {
    if (count) sp_buf_text(&list, ", ");
    sp_buf_text(&list, o->choices[count]);
  }
  sp_buf_char(&list, '\0');
  const char *alike = sp_args_alike(value, o->choices, count), *where = spelled(s, index);
  const char *words = list.failed ? "" : list.data;
  sp_status status =
      alike ? sp_fail(s->err, SP_USAGE, where, "'%s' is not known; did you mean %s?", value, alike)
            : sp_fail(s->err, SP_USAGE, where, "'%s' is not one of %s", value, words);
  sp_buf_free(&list);
  return status;
}

/* ---- values -------------------------------------------------------------------------------- */

static sp_status add_value(const scan *s, int index, const char *value) {
  const sp_option *o = option_of(s, index);
  sp_given *given = &s->args->given[index];
  bool is_known = !o->choices;
  for (uint32_t i = 0; !is_known && o->choices[i]; i++) is_known = !strcmp(o->choices[i], value);
  if (!is_known) return bad_choice(s, index, value);
  if (!given->values)
    given->values = sp_arena_array(s->arena, (uint64_t)s->argc + 1, sizeof *given->values);
  if (!given->values) return sp_fail(s->err, SP_NOMEM, NULL, "out of memory");
  if (o->kind == SP_OPTION_VALUE) given->count = 0;
  given->values[given->count++] = value;
  return SP_OK;
}

static sp_status take_option(const scan *s, int index, const char *value, int *list) {
  const sp_option *o = option_of(s, index);
  s->args->given[index].is_given = true;
  *list = o->kind == SP_OPTION_LIST && !value ? index : NO_OPTION;
  return value ? add_value(s, index, value) : SP_OK;
}

static sp_status take_word(const scan *s, int list, const char *word) {
  if (list != NO_OPTION) return add_value(s, list, word);
  s->args->operands[s->args->operand_count++] = word;
  return SP_OK;
}

/* "-" (which musl's getopt ends at) and numbers below zero are words. */
static bool looks_like_option(const char *word) {
  return word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9');
}

/* Makes getopt forget an earlier scan; afterwards optind may be moved by hand. */
static void restart_getopt(void) {
  char *nothing[] = {"", NULL};
  opterr = 0;
  optind = 0;
  getopt_long(1, nothing, "", (struct option[]){{0}}, NULL);
  optind = 1;
}

static sp_status take_code(scan *s, int code, int *list) {
  if (code == 1) return take_word(s, *list, optarg);
  if (code == ':') {
    int index = index_of(s, optopt);
    return sp_fail(s->err, SP_USAGE, index < 0 ? NULL : spelled(s, index), "needs a value");
  }
  if (code == '?') {
    bool is_long = optopt == 0 || optopt >= HELP_CODE;
    return is_long ? unknown_name(s, s->argv[optind - 1] + 2) : unknown_letter(s, optopt);
  }
  int index = index_of(s, code);
  /* "-o --json" lacks a value; who means it writes "--output=--json" */
  bool is_option = optarg && optarg == s->argv[optind - 1] && strncmp(optarg, "--", 2) == 0;
  if (is_option) return sp_fail(s->err, SP_USAGE, spelled(s, index), "needs a value");
  return take_option(s, index, optarg, list);
}

/* Everything that getopt_long finds. */
static sp_status scan_words(scan *s) {
  int list = NO_OPTION; /* the list option that takes the words that come */
  restart_getopt();
  for (;;) {
    if (optind < s->argc && !looks_like_option(s->argv[optind])) {
      SP_TRY(take_word(s, list, s->argv[optind++]));
      continue;
    }
    int code = getopt_long(s->argc, s->argv, s->shorts, s->longs, NULL);
    if (code == -1) break;
    if (code == HELP_CODE || code == 'h') {
      s->args->help = code == 'h' ? 'h' : 'H';
      return SP_OK;
    }
    SP_TRY(take_code(s, code, &list));
  }
  while (optind < s->argc) SP_TRY(take_word(s, NO_OPTION, s->argv[optind++]));
  return SP_OK;
}

static sp_status check_counts(const scan *s) {
  const sp_command *c = s->args->command;
  const char *taker = NULL;
  for (uint32_t i = 0; i < c->option_count; i++) {
    const sp_given *given = &s->args->given[i];
    if (given->is_given && given->count < c->options[i].least)
      return sp_fail(s->err, SP_USAGE, spelled(s, (int)i), "needs at least one value");
    if (c->options[i].kind == SP_OPTION_LIST && given->count) taker = spelled(s, (int)i);
  }
  if (!c->needs_operand || s->args->operand_count) return SP_OK;
  if (taker)
    return sp_fail(s->err, SP_USAGE, NULL,
                   "no file given; %s takes every word behind it, so write the files first", taker);
  return sp_fail(s->err, SP_USAGE, NULL, "no file given");
}

sp_status sp_args_parse(const sp_command *command, int argc, char **argv, sp_arena *a, sp_args *out,
                        sp_error *err) {
  *out = (sp_args){.command = command};
  out->given = sp_arena_array(a, command->option_count + 1, sizeof *out->given);
  out->operands = sp_arena_array(a, (uint64_t)argc + 1, sizeof *out->operands);
  scan s = {.args = out, .arena = a, .err = err, .argc = argc, .argv = argv};
  if (!out->given || !out->operands || !declare(&s))
    return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  SP_TRY(scan_words(&s));
  return out->help ? SP_OK : check_counts(&s);
}

const char *sp_args_value(const sp_args *args, uint32_t option, const char *otherwise) {
  const sp_given *given = &args->given[option];
  return given->count ? given->values[given->count - 1] : otherwise;
}

bool sp_args_count(const char *text, uint32_t most, uint32_t *out) {
  uint64_t n = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    n = n * 10 + (uint64_t)(*text - '0');
    if (n > most) return false;
  }
  *out = (uint32_t)n;
  return n > 0;
}
