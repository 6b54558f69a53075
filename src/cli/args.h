/* args.h - options from one table per command: parsing, help, suggestions (and later completions
 * and the man page) all follow from it.
 *
 *   enum { SORT, INCLUDE };
 *   static const sp_option options[] = {
 *     [SORT]    = {"sort", 's', SP_OPTION_VALUE, "KEY", "order of the rows", sort_words},
 *     [INCLUDE] = {"include", 'i', SP_OPTION_LIST, "PATTERN", "only regions that match", NULL, 1},
 *   };
 *
 * Options and files may be mixed. --opt VALUE, --opt=VALUE, -o VALUE, -oVALUE; unambiguous
 * beginnings of long names; "--" ends the options. A list takes every word up to the next option
 * (so files come first), but --list=VALUE takes only that one. A value given twice: the last one
 * counts; lists add up. -h and --help belong to every command and need no entry. */
#ifndef SP_CLI_ARGS_H
#define SP_CLI_ARGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

typedef enum sp_option_kind { SP_OPTION_FLAG, SP_OPTION_VALUE, SP_OPTION_LIST } sp_option_kind;

typedef struct sp_option {
  const char *name; /* without the dashes */
  char letter;      /* 0 = none */
  sp_option_kind kind;
  const char *metavar;
  const char *help;           /* one sentence without full stop */
  const char *const *choices; /* NULL-terminated, or NULL */
  uint32_t least;             /* values that a list needs */
} sp_option;

typedef struct sp_given {
  bool is_given;
  const char **values; /* of a VALUE: the last one */
  uint32_t count;
} sp_given;

typedef struct sp_args sp_args;

typedef struct sp_command {
  const char *name;
  const char *summary;  /* one line for the list of commands */
  const char *operands; /* "FILE..." */
  bool needs_operand;
  const sp_option *options;
  uint32_t option_count;
  const char *examples;            /* for --help: lines with "\n", or NULL */
  int (*run)(const sp_args *args); /* the exit code */
} sp_command;

struct sp_args {
  const sp_command *command;
  sp_given *given; /* by index of the option */
  const char **operands;
  uint32_t operand_count;
  char help; /* 'h': -h was given, 'H': --help, 0: neither */
};

/* Parses argv[1..]; argv[0] is the command's word. A fault is USAGE with the option (or "") as the
 * path; with `help` set nothing is checked. Everything lives in `a`. */
sp_status sp_args_parse(const sp_command *command, int argc, char **argv, sp_arena *a, sp_args *out,
                        sp_error *err);

/* The value of a VALUE option, or `otherwise`. */
const char *sp_args_value(const sp_args *args, uint32_t option, const char *otherwise);

/* A number from 1 to `most`, blanks not allowed. */
bool sp_args_count(const char *text, uint32_t most, uint32_t *out);

/* The word of a list that is most like `word`, or NULL when none is alike. */
const char *sp_args_alike(const char *word, const char *const *words, uint32_t count);

/* The command's help: one line for each option, or with `is_long` also examples. Wrapped at
 * `width` columns. */
void sp_args_help(sp_buf *out, const sp_command *command, bool is_long, uint32_t width);

/* Appends `text`, wrapped at `width` columns, its lines indented; the first line goes on where the
 * buffer's last line is, at column `at`. Ends with a newline. */
void sp_args_wrap(sp_buf *out, const char *text, uint32_t at, uint32_t indent, uint32_t width);

#endif
