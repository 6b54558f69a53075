/* save_posix.c - sp_host_save: a file whole or not at all.
 *
 *   temporary file beside the target -> write -> fsync -> rename over the target
 *
 * Its name stands in the shared page as long as it exists, so that the parent can remove it when
 * the child dies. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/contain_posix.h"
#include "cli/host.h"

enum { TRIES = 100, ONCE_MAX = 1 << 30 };

static sp_status failed(const char *what, sp_error *err) {
  return sp_fail(err, SP_OUTPUT, NULL, "%s: %s", what, strerror(errno));
}

static sp_status write_all(int fd, const char *bytes, size_t n, sp_error *err) {
  while (n > 0) {
    ssize_t put = write(fd, bytes, n < ONCE_MAX ? n : ONCE_MAX);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failed("cannot be written", err);
    bytes += put;
    n -= (size_t)put;
  }
  return SP_OK;
}

/* Bytes of `path` up to and with its last slash. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

static sp_status make_folders(const char *path, sp_error *err) {
  char folder[SP_SHARED_PATH];
  size_t n = folder_length(path);
  memcpy(folder, path, n); /* save() has checked that it fits */
  for (size_t i = 1; i < n; i++) {
    if (folder[i] != '/') continue;
    char kept = folder[i];
    folder[i] = '\0';
    if (mkdir(folder, 0777) != 0 && errno != EEXIST && errno != EISDIR && errno != EROFS &&
        errno != EACCES)
      return failed("its folder cannot be made", err);
    folder[i] = kept;
  }
  return SP_OK;
}

/* A link is followed when the file behind it lies in the link's own folder. */
static sp_status follow_link(const char *path, char *target, sp_error *err) {
  char folder[SP_SHARED_PATH], real_folder[SP_SHARED_PATH], real_file[SP_SHARED_PATH];
  size_t n = folder_length(path);
  memcpy(folder, n ? path : "./", n ? n : 2);
  folder[n ? n : 2] = '\0';
  bool inside = realpath(folder, real_folder) && realpath(path, real_file);
  if (inside) {
    size_t length = strlen(real_folder);
    size_t prefix = length == 1 ? 1 : length + 1; /* "/" ends in its slash already */
    inside = strncmp(real_file, real_folder, length) == 0 && folder_length(real_file) == prefix;
  }
  if (inside) snprintf(target, SP_SHARED_PATH, "%s", real_file);
  return inside ? SP_OK : sp_fail(err, SP_OUTPUT, NULL, "is a link that leads out of its folder");
}

static int make_temporary(const char *target, char *name) {
  for (int i = 0; i < TRIES; i++) {
    int n = snprintf(name, SP_SHARED_PATH, "%.*s.profscope-%ld-%d.tmp", (int)folder_length(target),
                     target, (long)getpid(), i);
    if (n < 0 || n >= SP_SHARED_PATH) break;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static sp_status replace(const char *target, const struct stat *old, const void *bytes, size_t n,
                         sp_error *err) {
  /* the name is in the page before the file is there: nothing is ever left over */
  char *name = sp_contain_shared()->temporary;
  int fd = make_temporary(target, name);
  if (fd < 0) {
    name[0] = '\0';
    return failed("cannot be written", err);
  }
  if (old) fchmod(fd, old->st_mode & 0777);
  sp_status status = write_all(fd, bytes, n, err);
  if (status == SP_OK && fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
    status = failed("cannot be written", err);
  if (close(fd) != 0 && status == SP_OK) status = failed("cannot be written", err);
  if (status == SP_OK && rename(name, target) != 0) status = failed("cannot be written", err);
  if (status != SP_OK) unlink(name);
  name[0] = '\0';
  return status;
}

/* A device, a pipe: there is nothing to put aside. */
static sp_status write_in_place(const char *path, const void *bytes, size_t n, sp_error *err) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return failed("cannot be written", err);
  sp_status status = write_all(fd, bytes, n, err);
  if (close(fd) != 0 && status == SP_OK) status = failed("cannot be written", err);
  return status;
}

sp_status sp_host_save(const char *path, const void *bytes, size_t n, sp_error *err) {
  char target[SP_SHARED_PATH];
  struct stat link, old;
  if (!*path || strlen(path) >= SP_SHARED_PATH - 64) {
    errno = *path ? ENAMETOOLONG : ENOENT;
    return failed("cannot be written", err);
  }
  bool exists = stat(path, &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return sp_fail(err, SP_OUTPUT, NULL, "is a folder");
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes, n, err);
  if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode)) {
    SP_TRY(follow_link(path, target, err));
  } else {
    snprintf(target, sizeof target, "%s", path);
    if (!exists) SP_TRY(make_folders(path, err));
  }
  /* renaming would get around a write protection */
  if (exists && access(target, W_OK) != 0) return failed("cannot be written", err);
  return replace(target, exists ? &old : NULL, bytes, n, err);
}
