/* The words of a command line against an option table. */
#include "check.h"

#include "cli/args.h"

enum { INCLUDE, SORT, QUIET, REGIONS, RANKS, OUTPUT, SOURCE };

static const char *const sort_words[] = {"start", "total", "name", NULL};

static const sp_option options[] = {
    [INCLUDE] = {"include", 'i', SP_OPTION_LIST, "PATTERN", "only these", NULL, 1},
    [SORT] = {"sort", 's', SP_OPTION_VALUE, "KEY", "order of the rows", sort_words, 0},
    [QUIET] = {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing", NULL, 0},
    [REGIONS] = {"regions-only", 0, SP_OPTION_FLAG, NULL, "no metadata", NULL, 0},
    [RANKS] = {"ranks", 'r', SP_OPTION_LIST, "N", "only these ranks", NULL, 0},
    [OUTPUT] = {"output", 'o', SP_OPTION_VALUE, "FILE", "write to a file", NULL, 0},
    [SOURCE] = {"source", 0, SP_OPTION_LIST, "NAME", "print source", NULL, 1},
};

static const sp_command command = {.name = "inspect",
                                   .summary = "Show the region table.",
                                   .operands = "FILE...",
                                   .needs_operand = true,
                                   .options = options,
                                   .option_count = SP_ARRAY_LEN(options),
                                   .examples = "examples:\n  profscope inspect run.h5\n"};

static sp_arena arena;
static sp_args args;
static sp_error error;

/* Parses the words of `line`, which are separated by one space. */
static sp_status parse(const char *line) {
  static char text[400];
  static char *argv[40];
  char name[] = "inspect";
  int argc = 1;
  argv[0] = sp_arena_copy(&arena, name, sizeof name);
  snprintf(text, sizeof text, "%s", line);
  for (char *at = text; *at;) {
    argv[argc++] = at;
    at += strcspn(at, " ");
    if (*at) *at++ = '\0';
  }
  argv[argc] = NULL;
  sp_error_clear(&error);
  return sp_args_parse(&command, argc, argv, &arena, &args, &error);
}

/* Values of a list, or the operands, as one text. */
static const char *joined(const char **items, uint32_t count) {
  static char text[400];
  size_t n = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < count; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "|" : "", items[i]);
  return text;
}

static const char *operands(void) { return joined(args.operands, args.operand_count); }

static const char *list(uint32_t option) {
  return joined(args.given[option].values, args.given[option].count);
}

static void options_and_operands_mix_in_any_order(void) {
  CHECK_STATUS(parse("a.h5 --regions-only b.h5 -q --sort total c.h5"), SP_OK);
  CHECK_STR(operands(), "a.h5|b.h5|c.h5");
  CHECK(args.given[REGIONS].is_given && args.given[QUIET].is_given);
  CHECK_STR(sp_args_value(&args, SORT, "start"), "total");
  CHECK_STR(sp_args_value(&args, OUTPUT, "-"), "-");
}

static void values_stand_behind_equals_blank_or_letter(void) {
  CHECK_STATUS(parse("a.h5 --output=x.txt"), SP_OK);
  CHECK_STR(sp_args_value(&args, OUTPUT, ""), "x.txt");
  CHECK_STATUS(parse("a.h5 -ox.txt"), SP_OK);
  CHECK_STR(sp_args_value(&args, OUTPUT, ""), "x.txt");
  CHECK_STATUS(parse("a.h5 -qo x.txt"), SP_OK);
  CHECK_STR(sp_args_value(&args, OUTPUT, ""), "x.txt");
  CHECK(args.given[QUIET].is_given);
  CHECK_STATUS(parse("a.h5 --output= -q"), SP_OK);
  CHECK_STR(sp_args_value(&args, OUTPUT, "none"), "");
}

static void the_last_value_counts_and_lists_add_up(void) {
  CHECK_STATUS(parse("a.h5 --sort total --sort name"), SP_OK);
  CHECK_STR(sp_args_value(&args, SORT, ""), "name");
  CHECK_STATUS(parse("a.h5 --include a b -q --include c"), SP_OK);
  CHECK_STR(list(INCLUDE), "a|b|c");
  CHECK_STR(operands(), "a.h5");
}

static void a_list_takes_every_word_up_to_the_next_option(void) {
  CHECK_STATUS(parse("--include a b --quiet f.h5"), SP_OK);
  CHECK_STR(list(INCLUDE), "a|b");
  CHECK_STR(operands(), "f.h5");
  CHECK_STATUS(parse("--include a f.h5"), SP_USAGE);
  CHECK(strstr(error.message, "--include") != NULL);
  CHECK_STATUS(parse("f.h5 --include"), SP_USAGE);
  CHECK_STATUS(parse("f.h5 --ranks"), SP_OK);
  CHECK(args.given[RANKS].is_given);
  CHECK_INT(args.given[RANKS].count, 0);
}

static void two_dashes_end_the_options(void) {
  CHECK_STATUS(parse("-q -- --sort -x a.h5"), SP_OK);
  CHECK_STR(operands(), "--sort|-x|a.h5");
  CHECK_STATUS(parse("--include a -- f.h5"), SP_OK);
  CHECK_STR(operands(), "f.h5");
}

/* musl's getopt stops at "-", glibc's does not */
static void a_single_dash_is_a_word_like_any_other(void) {
  CHECK_STATUS(parse("- -q"), SP_OK);
  CHECK_STR(operands(), "-");
  CHECK(args.given[QUIET].is_given);
  CHECK_STATUS(parse("a.h5 - --sort name b.h5"), SP_OK);
  CHECK_STR(operands(), "a.h5|-|b.h5");
  CHECK_STATUS(parse("a.h5 -o - -q"), SP_OK);
  CHECK_STR(sp_args_value(&args, OUTPUT, ""), "-");
}

static void beginnings_that_fit_one_option_are_enough(void) {
  CHECK_STATUS(parse("a.h5 --reg --inc x"), SP_OK);
  CHECK(args.given[REGIONS].is_given);
  CHECK_STATUS(parse("a.h5 --so name"), SP_USAGE); /* --sort, --source */
  CHECK(strstr(error.message, "--sort") && strstr(error.message, "--source"));
}

static void faults_name_what_was_meant(void) {
  CHECK_STATUS(parse("a.h5 --reginos-only"), SP_USAGE);
  CHECK(strstr(error.message, "--regions-only") != NULL);
  CHECK_STATUS(parse("a.h5 --sort totl"), SP_USAGE);
  CHECK_STR(error.path, "--sort");
  CHECK(strstr(error.message, "total") != NULL);
  CHECK_STATUS(parse("a.h5 --sort zzzzz"), SP_USAGE);
  CHECK(strstr(error.message, "start, total, name") != NULL);
  CHECK_STATUS(parse("a.h5 --nothing-like-it"), SP_USAGE);
  CHECK_STATUS(parse("a.h5 -x"), SP_USAGE);
  CHECK(strstr(error.message, "-x") || strstr(error.path, "-x"));
  CHECK_STATUS(parse("a.h5 --quiet=yes"), SP_USAGE);
  CHECK_STATUS(parse("a.h5 --sort"), SP_USAGE);
  CHECK_STR(error.path, "--sort");
  CHECK_STATUS(parse("a.h5 -\xC3\xA9"), SP_USAGE);
  CHECK_STATUS(parse("-q"), SP_USAGE);
}

static void help_is_found_whatever_else_is_wrong(void) {
  CHECK_STATUS(parse("-h"), SP_OK);
  CHECK_INT(args.help, 'h');
  CHECK_STATUS(parse("a.h5 --help"), SP_OK);
  CHECK_INT(args.help, 'H');
}

static void help_names_every_option_and_fits_the_width(void) {
  sp_buf out = {0};
  sp_args_help(&out, &command, true, 70);
  sp_buf_char(&out, '\0');
  for (uint32_t i = 0; i < command.option_count; i++) CHECK(strstr(out.data, options[i].name));
  CHECK(strstr(out.data, "profscope inspect run.h5") != NULL);
  for (const char *line = out.data; *line;) {
    size_t n = strcspn(line, "\n");
    CHECK(n <= 70);
    line += n + (line[n] == '\n');
  }
  size_t whole = out.length;
  sp_buf_clear(&out);
  sp_args_help(&out, &command, false, 70);
  CHECK(out.length < whole);
  sp_buf_free(&out);
}

static void counts_are_plain_digits(void) {
  uint32_t n = 0;
  CHECK(sp_args_count("120", 1000, &n));
  CHECK_INT(n, 120);
  CHECK(!sp_args_count("", 1000, &n) && !sp_args_count("0", 1000, &n));
  CHECK(!sp_args_count("1001", 1000, &n) && !sp_args_count("-1", 1000, &n));
  CHECK(!sp_args_count("99999999999999999999", UINT32_MAX, &n) && !sp_args_count("1 ", 9, &n));
}

static void memory_may_run_out_anywhere(void) {
  for (uint64_t n = 1; n < 100; n++) {
    sp_arena_free(&arena);
    sp_arena_copy(&arena, "", 0);
    sp_alloc_fail_at(n, true);
    sp_status status = parse("a.h5 --include a b --sort total");
    sp_alloc_fail_at(0, false);
    if (status == SP_OK) return;
    CHECK_STATUS(status, SP_NOMEM);
  }
}

int main(void) {
  RUN(options_and_operands_mix_in_any_order);
  RUN(values_stand_behind_equals_blank_or_letter);
  RUN(the_last_value_counts_and_lists_add_up);
  RUN(a_list_takes_every_word_up_to_the_next_option);
  RUN(two_dashes_end_the_options);
  RUN(a_single_dash_is_a_word_like_any_other);
  RUN(beginnings_that_fit_one_option_are_enough);
  RUN(faults_name_what_was_meant);
  RUN(help_is_found_whatever_else_is_wrong);
  RUN(help_names_every_option_and_fits_the_width);
  RUN(counts_are_plain_digits);
  RUN(memory_may_run_out_anywhere);
  sp_arena_free(&arena);
  return CHECK_DONE();
}
