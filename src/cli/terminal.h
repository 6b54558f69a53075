/* terminal.h - how output should look, from flags, environment and terminal. */
#ifndef SP_CLI_TERMINAL_H
#define SP_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Columns: COLUMNS, else the terminal's, else 0. */
uint32_t sp_terminal_columns(void);
/* --color WHEN: "always", "never", "auto" (a terminal, and neither NO_COLOR nor TERM=dumb). */
bool sp_terminal_color(const char *when, bool to_terminal);

#endif
