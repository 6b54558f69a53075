/* main.c - the first word: a command, help, or the version. */
#include <string.h>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/say.h"
#include "cli/terminal.h"

static const sp_command *const commands[] = {&sp_cmd_inspect};

enum { DEFAULT_WIDTH = 80, WIDEST_HELP = 100, EXIT_USAGE = 2 };

static uint32_t help_width(void) {
  uint32_t columns = sp_terminal_columns();
  if (!columns) return DEFAULT_WIDTH;
  return columns < WIDEST_HELP ? columns : WIDEST_HELP;
}

/* Prints what was written; the exit code. */
static int print(sp_host_stream stream, sp_buf *text, const char *command) {
  sp_error err = {0};
  if (text->failed)
    sp_fail(&err, SP_NOMEM, NULL, "out of memory");
  else
    sp_host_print(stream, text->data, text->length, &err);
  sp_buf_free(text);
  return err.code == SP_OK ? 0 : sp_say_error(command, NULL, &err);
}

static void write_help(sp_buf *out) {
  sp_buf_text(out, "usage: profscope COMMAND [options] FILE...\n\n");
  sp_args_wrap(out,
               "Fast analysis of scope-profiler profiles: what a program spent its time on, "
               "region by region and rank by rank.",
               0, 0, help_width());
  sp_buf_text(out, "\ncommands:\n");
  for (size_t i = 0; i < SP_ARRAY_LEN(commands); i++) {
    sp_buf_printf(out, "  %-12s  ", commands[i]->name);
    sp_args_wrap(out, commands[i]->summary, 16, 16, help_width());
  }
  sp_buf_text(out, "\noptions:\n"
                   "  -h, --help    show this help and exit\n"
                   "  --version     show the version and exit\n"
                   "\nprofscope COMMAND --help explains a command.\n");
}

static int show_help(sp_host_stream stream) {
  sp_buf text = {0};
  write_help(&text);
  int code = print(stream, &text, NULL);
  return stream == SP_HOST_ERR ? EXIT_USAGE : code;
}

static int show_version(void) {
  sp_buf text = {0};
  sp_buf_text(&text, "profscope " SP_VERSION " (HDF5 " SP_HDF5_VERSION ", " SP_BUILD ")\n");
  return print(SP_HOST_OUT, &text, NULL);
}

static int run_command(const sp_command *command, int argc, char **argv) {
  sp_arena arena = {0};
  sp_args args;
  sp_error err = {0};
  int code;
  if (sp_args_parse(command, argc, argv, &arena, &args, &err) != SP_OK) {
    code = sp_say_error(command->name, NULL, &err);
  } else if (args.help) {
    sp_buf text = {0};
    sp_args_help(&text, command, args.help == 'H', help_width());
    code = print(SP_HOST_OUT, &text, command->name);
  } else {
    code = command->run(&args);
  }
  sp_arena_free(&arena);
  return code;
}

static int refuse(const char *word) {
  const char *names[SP_ARRAY_LEN(commands)];
  sp_error err = {0};
  for (size_t i = 0; i < SP_ARRAY_LEN(commands); i++) names[i] = commands[i]->name;
  const char *alike = sp_args_alike(word, names, SP_ARRAY_LEN(names));
  if (strcmp(word, "run") == 0)
    sp_fail(&err, SP_USAGE, word,
            "recording needs the Python package scope-profiler; profscope "
            "reads what it recorded");
  else if (word[0] == '-')
    sp_fail(&err, SP_USAGE, NULL, "unknown option %s; try profscope --help", word);
  else if (alike)
    sp_fail(&err, SP_USAGE, NULL, "there is no command '%s'; did you mean %s?", word, alike);
  else
    sp_fail(&err, SP_USAGE, NULL, "there is no command '%s'; try profscope --help", word);
  return sp_say_error(NULL, NULL, &err);
}

int sp_cli_main(int argc, char **argv) {
  if (argc < 2) return show_help(SP_HOST_ERR);
  const char *word = argv[1];
  if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) return show_help(SP_HOST_OUT);
  if (strcmp(word, "--version") == 0) return show_version();
  for (size_t i = 0; i < SP_ARRAY_LEN(commands); i++)
    if (strcmp(word, commands[i]->name) == 0) return run_command(commands[i], argc - 1, argv + 1);
  return refuse(word);
}
