/* commands.h - the commands there are. A new one is a file cmd_<name>.c and a line in main.c. */
#ifndef SP_CLI_COMMANDS_H
#define SP_CLI_COMMANDS_H

#include "cli/args.h"

extern const sp_command sp_cmd_inspect;

#endif
