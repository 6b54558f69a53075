/* host_posix.c - host.h for the native program, all but containment and sp_host_save.
 *
 * Standard output and error are written with write(2) at once; how much got through is kept in the
 * page shared with the parent, so that a second child does not print it again. */
#include "cli/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/contain_posix.h"

/* Most bytes taken from a pipe: they are kept in memory. */
#define PIPE_MAX ((uint64_t)2 << 30)

enum { COPY_BYTES = 64 << 10, ONCE_MAX = 1 << 30 };

/* ---- inputs ----------------------------------------------------------------------------------- */

typedef struct file_source {
  sp_source base;
  int fd;
  struct stat opened;
  bool keep_open; /* standard input and its copy */
} file_source;

static sp_host_kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return SP_HOST_FILE;
  return S_ISDIR(mode) ? SP_HOST_FOLDER : SP_HOST_OTHER;
}

sp_host_kind sp_host_look(const char *path) {
  struct stat it;
  return stat(path, &it) == 0 ? kind_of(it.st_mode) : SP_HOST_NOTHING;
}

static sp_status read_at(sp_source *self, uint64_t offset, size_t n, void *to, sp_error *err) {
  const file_source *s = (const file_source *)self;
  char *at = to;
  while (n > 0) {
    ssize_t got = pread(s->fd, at, n < ONCE_MAX ? n : ONCE_MAX, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return sp_fail(err, SP_IO, NULL, "cannot be read: %s", strerror(errno));
    if (got == 0) return sp_fail(err, SP_IO, NULL, "changed while being read");
    at += got;
    offset += (uint64_t)got;
    n -= (size_t)got;
  }
  return SP_OK;
}

static sp_status unchanged(sp_source *self, sp_error *err) {
  const file_source *s = (const file_source *)self;
  struct stat now;
  bool same = fstat(s->fd, &now) == 0 && now.st_size == s->opened.st_size &&
              now.st_mtim.tv_sec == s->opened.st_mtim.tv_sec &&
              now.st_mtim.tv_nsec == s->opened.st_mtim.tv_nsec;
  return same ? SP_OK : sp_fail(err, SP_IO, NULL, "changed while being read");
}

static void close_source(sp_source *self) {
  file_source *s = (file_source *)self;
  if (!s->keep_open) close(s->fd);
  sp_free_block(s);
}

/* A source over an open file, which it takes over. */
static sp_status make_source(int fd, bool keep_open, sp_source **out, sp_error *err) {
  file_source *s = sp_alloc(sizeof *s);
  if (!s) {
    if (!keep_open) close(fd);
    return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  }
  *s = (file_source){.base = {.read_at = read_at, .unchanged = unchanged, .close = close_source},
                     .fd = fd,
                     .keep_open = keep_open};
  if (fstat(fd, &s->opened) != 0) {
    close_source(&s->base);
    return sp_fail(err, SP_IO, NULL, "cannot be read: %s", strerror(errno));
  }
  s->base.size = (uint64_t)s->opened.st_size;
  *out = &s->base;
  return SP_OK;
}

static sp_status write_whole(int fd, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t put = write(fd, bytes, n);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return SP_OUTPUT;
    bytes += put;
    n -= (size_t)put;
  }
  return SP_OK;
}

/* Copies a pipe to its end. */
static sp_status drain(int from, int to, uint64_t *bytes, sp_error *err) {
  static char block[COPY_BYTES];
  for (*bytes = 0;;) {
    ssize_t got = read(from, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return sp_fail(err, SP_IO, NULL, "cannot be read: %s", strerror(errno));
    if (got == 0) return SP_OK;
    *bytes += (uint64_t)got;
    if (*bytes > PIPE_MAX)
      return sp_fail(err, SP_TOO_LARGE, NULL,
                     "more than 2 GiB through a pipe; give the file by "
                     "its name");
    if (write_whole(to, block, (size_t)got) != SP_OK)
      return sp_fail(err, SP_IO, NULL, "cannot be kept in memory: %s", strerror(errno));
  }
}

static int unnamed_file(void) {
#ifdef __linux__
  return memfd_create("profscope", MFD_CLOEXEC);
#else
  char name[] = "/tmp/profscope-XXXXXX";
  int fd = mkstemp(name);
  if (fd >= 0) unlink(name);
  return fd;
#endif
}

/* Standard input: a file that was redirected is read where it is; a pipe is copied once, into the
 * file the parent made, so that a second child still has it. */
static sp_status open_stdin(sp_source **out, sp_error *err) {
  struct stat it;
  if (fstat(STDIN_FILENO, &it) != 0) return sp_fail(err, SP_IO, NULL, "standard input is closed");
  if (isatty(STDIN_FILENO))
    return sp_fail(err, SP_IO, NULL, "standard input is the terminal; pipe a profile into it");
  if (S_ISDIR(it.st_mode)) return sp_fail(err, SP_IO, NULL, "is a folder, not a profile");
  if (S_ISREG(it.st_mode)) return make_source(STDIN_FILENO, true, out, err);
  sp_shared *shared = sp_contain_shared();
  int copy = sp_contain_stdin_copy();
  if (copy < 0) copy = unnamed_file();
  if (copy < 0) return sp_fail(err, SP_IO, NULL, "cannot be kept: %s", strerror(errno));
  if (!shared->stdin_whole) {
    SP_TRY(drain(STDIN_FILENO, copy, &shared->stdin_bytes, err));
    shared->stdin_whole = true;
  }
  return make_source(copy, true, out, err);
}

/* A named pipe is copied like standard input. */
static sp_status open_pipe(int fd, sp_source **out, sp_error *err) {
  int copy = unnamed_file();
  if (copy < 0) return sp_fail(err, SP_IO, NULL, "cannot be kept: %s", strerror(errno));
  uint64_t bytes;
  sp_status status = drain(fd, copy, &bytes, err);
  if (status == SP_OK) return make_source(copy, false, out, err);
  close(copy);
  return status;
}

static sp_status cannot_open(int reason, sp_error *err) {
  if (reason == ENOENT || reason == ENOTDIR)
    return sp_fail(err, SP_NOT_FOUND, NULL, "no such file");
  if (reason == EACCES) return sp_fail(err, SP_IO, NULL, "permission denied");
  return sp_fail(err, SP_IO, NULL, "cannot be opened: %s", strerror(reason));
}

sp_status sp_host_open(const char *path, sp_source **out, sp_error *err) {
  *out = NULL;
  if (strcmp(path, "-") == 0) return open_stdin(out, err);
  struct stat it;
  if (stat(path, &it) != 0) return cannot_open(errno, err);
  if (S_ISDIR(it.st_mode)) return sp_fail(err, SP_IO, NULL, "is a folder, not a profile");
  if (S_ISCHR(it.st_mode) || S_ISBLK(it.st_mode))
    return sp_fail(err, SP_IO, NULL, "is a device, not a profile");
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot_open(errno, err);
  if (!S_ISFIFO(it.st_mode)) return make_source(fd, false, out, err);
  sp_status status = open_pipe(fd, out, err);
  close(fd);
  return status;
}

/* The kind of an entry: from the listing where it says so, from the file behind a link. */
static sp_host_kind entry_kind(int folder, const struct dirent *entry) {
  if (entry->d_type == DT_REG) return SP_HOST_FILE;
  if (entry->d_type == DT_DIR) return SP_HOST_FOLDER;
  struct stat it;
  return fstatat(folder, entry->d_name, &it, 0) == 0 ? kind_of(it.st_mode) : SP_HOST_NOTHING;
}

bool sp_host_list(const char *folder, sp_host_visit visit, void *context) {
  DIR *listing = opendir(*folder ? folder : ".");
  if (!listing) return true;
  bool go_on = true;
  for (struct dirent *entry; go_on && (entry = readdir(listing)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    go_on = visit(context, entry->d_name, entry_kind(dirfd(listing), entry));
  }
  closedir(listing);
  return go_on;
}

/* ---- outputs ---------------------------------------------------------------------------------- */

static bool pipe_closed;
static uint64_t given[2]; /* bytes this process was given to print, for each stream */

bool sp_host_closed(void) { return pipe_closed; }

sp_status sp_host_print(sp_host_stream stream, const void *bytes, size_t n, sp_error *err) {
  static const int files[] = {STDOUT_FILENO, STDERR_FILENO};
  sp_shared *shared = sp_contain_shared();
  const char *at = bytes;
  uint64_t old = shared->skip[stream] > given[stream] ? shared->skip[stream] - given[stream] : 0;
  given[stream] += n;
  if (old >= n) return SP_OK;
  at += old;
  n -= (size_t)old;
  while (n > 0 && !pipe_closed) {
    ssize_t put = write(files[stream], at, n < ONCE_MAX ? n : ONCE_MAX);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) { /* someone made the terminal non-blocking */
      usleep(1000);
      continue;
    }
    if (put < 0 && errno == EPIPE) {
      if (stream == SP_HOST_OUT) pipe_closed = true;
      break;
    }
    if (put < 0)
      return sp_fail(err, SP_OUTPUT, NULL, "cannot write %s: %s",
                     stream == SP_HOST_OUT ? "standard output" : "standard error", strerror(errno));
    at += put;
    n -= (size_t)put;
    shared->passed[stream] += (uint64_t)put;
  }
  return SP_OK;
}

bool sp_host_same_file(const char *a, const char *b) {
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

/* ---- surroundings ----------------------------------------------------------------------------- */

bool sp_host_is_terminal(sp_host_stream stream) {
  return isatty(stream == SP_HOST_OUT ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

uint32_t sp_host_columns(void) {
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

const char *sp_host_variable(const char *name) { return getenv(name); }

const char *sp_host_folder(void) {
  static char folder[SP_SHARED_PATH];
  if (!folder[0] && !getcwd(folder, sizeof folder)) folder[0] = '\0';
  return folder;
}
