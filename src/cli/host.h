/* host.h - the command line's only door to the world: files, streams, terminal, environment.
 *
 *   host_posix.c     the native program        wasm/host_js.c   the same commands in Node
 *   contain_posix.c  its main(): containment   packages/cli     its JavaScript half
 *
 * The commands themselves (sp_cli_main) never touch the C library's files, and print the same
 * bytes on both. All paths are texts as the user gave them, relative to the current directory.
 *
 * Containment. HDF5 may die on a hostile file, so a command runs where its death can be survived:
 * natively in a forked child, in Node in a WebAssembly instance. The host counts the bytes that
 * sp_host_print has passed on (for each stream) and remembers sp_host_working_on's path. When the
 * command dies while working on a file, the host runs it again from the start in a fresh child or
 * instance, with that file entered as fatal (sp_host_fatal gives the reason), and drops as many
 * bytes of each stream as were passed on before: a command must therefore print the same bytes
 * when it is run twice, and print a file's output only when the file is done. A death without a
 * file, or on a file that is fatal already, ends the program: one line on stderr, exit 3. */
#ifndef SP_CLI_HOST_H
#define SP_CLI_HOST_H

#include "read/source.h"

/* The program (main.c): runs one command and returns the exit code. `argv[argc]` is NULL. The host
 * calls it, once per child or instance. */
int sp_cli_main(int argc, char **argv);

/* ---- inputs -------------------------------------------------------------------------------- */

typedef enum sp_host_kind {
  SP_HOST_NOTHING, /* no such name, or it cannot be looked at */
  SP_HOST_FILE,
  SP_HOST_FOLDER,
  SP_HOST_OTHER, /* device, pipe, socket */
} sp_host_kind;

/* What a path names; links are followed. */
sp_host_kind sp_host_look(const char *path);

/* Opens a file for reading; "-" is standard input, which may be opened more than once. The source
 * is given back with sp_source_close (which also frees it). `unchanged` compares size and
 * modification time with those at opening; a read that comes up short is IO "changed while being
 * read". Offsets have 64 bits. NOT_FOUND: no such file; IO: a folder, no permission, ... The
 * message does not name the file. */
sp_status sp_host_open(const char *path, sp_source **out, sp_error *err);

/* Calls `visit` for every entry of a folder, in any order, "." and ".." left out. `folder` "" is
 * the current directory. A folder that cannot be listed has no entries. False from `visit` ends
 * the listing, and is the result. */
typedef bool (*sp_host_visit)(void *context, const char *name, sp_host_kind kind);
bool sp_host_list(const char *folder, sp_host_visit visit, void *context);

/* ---- outputs ------------------------------------------------------------------------------- */

typedef enum sp_host_stream { SP_HOST_OUT, SP_HOST_ERR } sp_host_stream;

/* Writes all bytes to standard output or standard error, at once (nothing is kept back until the
 * exit). OUTPUT when that failed, with the system's reason. A pipe whose reader has gone is no
 * failure: the bytes are dropped and sp_host_closed() is true from then on. */
sp_status sp_host_print(sp_host_stream stream, const void *bytes, size_t n, sp_error *err);
bool sp_host_closed(void);

/* Makes a file whole or not at all: a temporary file beside it, flushed, then renamed over it.
 * Missing folders are made. A link that leads out of its folder is refused; what is no regular
 * file (/dev/null, a pipe) is written as it is. A failure is OUTPUT, leaves the old file alone and
 * removes the temporary one, as does a signal. */
sp_status sp_host_save(const char *path, const void *bytes, size_t n, sp_error *err);

/* Whether two paths are one existing file (device and inode, not spelling). */
bool sp_host_same_file(const char *a, const char *b);

/* ---- surroundings -------------------------------------------------------------------------- */

bool sp_host_is_terminal(sp_host_stream stream);
/* Columns of the terminal behind standard output, 0 when it is none. */
uint32_t sp_host_columns(void);
/* An environment variable, or NULL. Valid until the end. */
const char *sp_host_variable(const char *name);
/* The current directory as an absolute path; "" when it is unknown. Valid until the end. */
const char *sp_host_folder(void);

/* ---- containment --------------------------------------------------------------------------- */

/* Tells the host what the command works on from now on; NULL = nothing. Also sets the limits of
 * processor time and memory, from the size of that file. */
void sp_host_working_on(const char *path);
/* Why this file must not be touched again ("the HDF5 library crashed on this file (signal 11); it
 * is damaged or hostile"), or NULL. */
const char *sp_host_fatal(const char *path);

#endif
