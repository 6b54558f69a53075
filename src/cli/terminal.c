/* terminal.c - flags before environment before terminal. */
#include "cli/terminal.h"

#include <string.h>

#include "cli/args.h"
#include "cli/host.h"

static bool is_set(const char *name) {
  const char *value = sp_host_variable(name);
  return value && *value;
}

uint32_t sp_terminal_columns(void) {
  const char *wish = sp_host_variable("COLUMNS");
  uint32_t columns;
  if (wish && sp_args_count(wish, 100000, &columns)) return columns;
  return sp_host_columns();
}

bool sp_terminal_color(const char *when, bool to_terminal) {
  if (strcmp(when, "auto") != 0) return strcmp(when, "always") == 0;
  if (is_set("NO_COLOR")) return false;
  if (is_set("FORCE_COLOR")) return true;
  const char *terminal = sp_host_variable("TERM");
  return to_terminal && !(terminal && strcmp(terminal, "dumb") == 0);
}
