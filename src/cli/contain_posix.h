/* contain_posix.h - what the child that runs a command and the parent that waits for it share:
 * one page that survives the child. Private to the *_posix.c files. */
#ifndef SP_CLI_CONTAIN_POSIX_H
#define SP_CLI_CONTAIN_POSIX_H

#include <stdbool.h>
#include <stdint.h>

enum { SP_SHARED_PATH = 4096 + 64 };

typedef struct sp_shared {
  char working_on[SP_SHARED_PATH]; /* the input in work; empty = none */
  char temporary[SP_SHARED_PATH];  /* to be removed when the child dies; empty = none */
  uint64_t passed[2];              /* bytes written so far to standard output and error */
  uint64_t skip[2];                /* of those, bytes written by children before this one */
  uint64_t cpu_seconds;            /* that the file in work may take */
  uint64_t stdin_bytes;            /* in stdin_copy, when stdin_whole */
  bool stdin_whole;
} sp_shared;

sp_shared *sp_contain_shared(void);

/* A file without a name that outlives the child, for standard input that is a pipe; -1 when there
 * is none. */
int sp_contain_stdin_copy(void);

#endif
