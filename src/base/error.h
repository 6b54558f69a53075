/* error.h - failures as values: a code, a sentence, and the place it is about.
 *
 * Every function that can fail returns sp_status and takes an `sp_error *err` as its last
 * parameter; `err` may be NULL. The first failure wins: sp_fail() leaves a filled error alone.
 * `path` names the place: an HDF5 object path, a JSON pointer, or an option such as "--ranks".
 * `message` says what is wrong and, where there is a cure, what to do; it never names the file
 * (the caller knows it) and never ends in a full stop. */
#ifndef SP_BASE_ERROR_H
#define SP_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum sp_status {
#define X(name, text, exit_code, meaning) SP_##name,
#include "base/error_codes.def"
#undef X
} sp_status;

typedef struct sp_error {
  sp_status code;
  char message[240];
  char path[160];
} sp_error;

/* Fills `err` (unless it already holds a failure) and returns `code`. Texts that do not fit are
 * cut at a UTF-8 boundary and end in "...". `path` may be NULL. */
sp_status sp_fail(sp_error *err, sp_status code, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Empties `err` so that it can take a new failure. */
void sp_error_clear(sp_error *err);

const char *sp_status_name(sp_status code);    /* "CORRUPT" */
const char *sp_status_meaning(sp_status code); /* one phrase */
int sp_status_exit(sp_status code);            /* exit code of the command line */

/* Forwards a failure to the caller. */
#define SP_TRY(expression)                \
  do {                                    \
    sp_status sp_try_ = (expression);     \
    if (sp_try_ != SP_OK) return sp_try_; \
  } while (0)

#define SP_ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
