/* say.h - the lines on standard error.
 *
 *   profscope inspect: error: run.h5: /rank0/regions/solve: message
 *
 * Never more than 300 bytes: what is too long is cut and ends in "..." (a file's name at its
 * front). Control characters and the like are escaped, so a hostile name is one line. */
#ifndef SP_CLI_SAY_H
#define SP_CLI_SAY_H

#include "base/error.h"

/* `kind`: "error", "warning", "note". `command`, `file` and `place` may be NULL or "". */
void sp_say(const char *command, const char *kind, const char *file, const char *place,
            const char *message);

/* An error's line; returns its exit code. */
int sp_say_error(const char *command, const char *file, const sp_error *err);

/* Of two exit codes the one that goes first: 2, 5, 3, 4, 1, 0. */
int sp_graver(int a, int b);

#endif
