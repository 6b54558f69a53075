/* glob.h - file arguments: patterns are expanded by the rules of Python's glob.
 *
 *   *  ?  [a-z]  [!a-z]     within one part of the path; a leading dot must be written
 *   **                      as a whole part: any folders, none included
 *
 * A word with one of * ? [ is a pattern, unless a file has just that name. Matches are regular
 * files in the byte order of their paths. */
#ifndef SP_CLI_GLOB_H
#define SP_CLI_GLOB_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

typedef struct sp_paths {
  const char **items;
  uint32_t count;
  uint32_t capacity;
} sp_paths;

/* The files that the words name, in the words' order and as they were given, each path once. A
 * pattern without match is USAGE; too many folders to look into TOO_LARGE. */
sp_status sp_glob_words(const char *const *words, uint32_t count, sp_arena *a, sp_paths *out,
                        sp_error *err);

/* Appends the path without "./" and doubled slashes, as titles print it. */
void sp_tidy_path(sp_buf *out, const char *path);

#endif
