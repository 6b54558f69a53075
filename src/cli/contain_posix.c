/* contain_posix.c - main() of the native program: the command runs in a child.
 *
 *   parent --fork--> child: sp_cli_main            ends well: its exit code is ours
 *      ^                |                          dies on a file: again, that file is fatal now
 *      '--- shared page: file in work, bytes written, temporary file
 *
 * The parent does nothing but wait, so it cannot be hurt by the file. It passes SIGINT, SIGTERM
 * and SIGHUP on, and cleans up behind the child. */
#include "cli/contain_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/arena.h"
#include "cli/host.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* A sound profile takes a hundredth of this time, and half a second for a gibibyte. */
enum { REASON_BYTES = 200, CPU_SECONDS = 20 };

#define MIB ((uint64_t)1 << 20)
#define ADDRESS_SPACE (4096 * MIB) /* plus 16 times the file: calls may be compressed */

/* A file that must not be touched again. */
typedef struct fatal_file {
  struct fatal_file *next;
  char path[SP_SHARED_PATH], reason[REASON_BYTES];
} fatal_file;

static sp_shared without_child; /* used when nothing can be shared */
static sp_shared *shared = &without_child;
static fatal_file *fatal_files;
static int stdin_copy = -1;

static volatile sig_atomic_t caught;
static volatile pid_t child;

sp_shared *sp_contain_shared(void) { return shared; }

int sp_contain_stdin_copy(void) { return stdin_copy; }

/* ---- in the child ----------------------------------------------------------------------------- */

/* Lowers a limit; one that is lower already stays. */
static void limit(int which, uint64_t wanted) {
  struct rlimit now;
  if (getrlimit(which, &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max) return;
  now.rlim_cur = (rlim_t)wanted;
  setrlimit(which, &now);
}

static uint64_t cpu_seconds_used(void) {
  struct rusage use;
  if (getrusage(RUSAGE_SELF, &use) != 0) return 0;
  return (uint64_t)use.ru_utime.tv_sec + (uint64_t)use.ru_stime.tv_sec + 1;
}

/* Limits for one file: processor time by its size on top of what was used, and memory. The child
 * is born with the limits of whoever started us; those are never raised. */
static void set_limits(const char *path) {
  static struct rlimit cpu_at_start, memory_at_start;
  static bool known;
  if (!known) {
    known = true;
    getrlimit(RLIMIT_CPU, &cpu_at_start);
    getrlimit(RLIMIT_AS, &memory_at_start);
  }
  struct stat file;
  uint64_t bytes = stat(path, &file) == 0 && file.st_size > 0 ? (uint64_t)file.st_size : 0;
  shared->cpu_seconds = CPU_SECONDS + bytes / MIB;
  uint64_t until = cpu_seconds_used() + shared->cpu_seconds;
  if (!SANITIZED && until < cpu_at_start.rlim_cur) limit(RLIMIT_CPU, until);
  uint64_t memory = ADDRESS_SPACE + 16 * bytes;
  if (!SANITIZED && memory < memory_at_start.rlim_cur) limit(RLIMIT_AS, memory);
}

#ifdef SP_DEBUG
/* For tests: PROFSCOPE_DEBUG_CRASH=11:run.h5 dies of signal 11 on that file. */
static void crash_on_purpose(const char *path) {
  const char *wish = getenv("PROFSCOPE_DEBUG_CRASH"), *colon = wish ? strchr(wish, ':') : NULL;
  if (!colon || strcmp(colon + 1, path) != 0) return;
  int number = (int)strtol(wish, NULL, 10);
  signal(number, SIG_DFL);
  raise(number);
}
#endif

void sp_host_working_on(const char *path) {
  if (path) set_limits(path);
  size_t n = path ? strlen(path) : 0;
  if (n >= SP_SHARED_PATH) n = SP_SHARED_PATH - 1; /* no such file can be opened anyway */
  if (n) memcpy(shared->working_on, path, n);
  shared->working_on[n] = '\0';
#ifdef SP_DEBUG
  if (path) crash_on_purpose(path);
#endif
}

const char *sp_host_fatal(const char *path) {
  for (const fatal_file *f = fatal_files; f; f = f->next)
    if (strcmp(f->path, path) == 0) return f->reason;
  return NULL;
}

static void begin_child(pid_t parent, const sigset_t *mask) {
  static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < SP_ARRAY_LEN(passed_on); i++) {
    struct sigaction now;
    if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      signal(passed_on[i], SIG_DFL);
  }
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write */
  signal(SIGXFSZ, SIG_IGN); /* so is a file that grows too large */
  sigprocmask(SIG_SETMASK, mask, NULL);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
#else
  (void)parent;
#endif
  if (!SANITIZED) limit(RLIMIT_CORE, 0);
}

/* Runs the command. Some file systems report a failed write only when the file is closed. */
static int serve(int argc, char **argv) {
  int code = sp_cli_main(argc, argv);
  if (close(STDOUT_FILENO) == 0 || errno == EBADF || errno == EPIPE) return code;
  fprintf(stderr, "profscope: error: cannot write standard output: %s\n", strerror(errno));
  return code == 2 ? code : sp_status_exit(SP_OUTPUT);
}

/* ---- in the parent ---------------------------------------------------------------------------- */

static void pass_on(int number) {
  caught = number;
  if (child > 0) kill(child, number);
}

static void catch_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = pass_on}; /* no SA_RESTART: waitpid must come back */
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < SP_ARRAY_LEN(numbers); i++) {
    struct sigaction now;
    if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaction(numbers[i], &action, NULL);
  }
}

/* Runs the command in a child and gives its wait status; -1 = no child could be made. */
static int run_child(int argc, char **argv) {
  sigset_t held, mask;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  sigprocmask(SIG_BLOCK, &held, &mask); /* no signal between fork and knowing the child */
  pid_t parent = getpid(), made = fork();
  if (made == 0) {
    begin_child(parent, &mask);
    exit(serve(argc, argv));
  }
  child = made;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (made < 0) return -1;
  int status = 0;
  while (waitpid(made, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  if (shared->temporary[0]) unlink(shared->temporary);
  shared->temporary[0] = '\0';
  return status;
}

static void say_reason(char *to, int number) {
  if (number == SIGXCPU)
    snprintf(to, REASON_BYTES, "took more than %u s of processor time; it is damaged or hostile",
             (unsigned)shared->cpu_seconds);
  else if (number == SIGKILL)
    snprintf(to, REASON_BYTES, "reading was killed (signal %d), perhaps for want of memory",
             number);
  else
    snprintf(to, REASON_BYTES,
             "the HDF5 library crashed on this file (signal %d); it is damaged "
             "or hostile",
             number);
}

/* Enters the file in work as fatal. False: there is none, or it is entered already. */
static bool enter_fatal(int number) {
  if (!shared->working_on[0] || sp_host_fatal(shared->working_on)) return false;
  fatal_file *f = sp_alloc(sizeof *f);
  if (!f) return false;
  memcpy(f->path, shared->working_on, sizeof f->path);
  say_reason(f->reason, number);
  f->next = fatal_files;
  fatal_files = f;
  return true;
}

static int give_up(char **argv, int number) {
  char line[200];
  bool named = argv[1] && argv[1][0] >= 'a' && argv[1][0] <= 'z';
  int n = snprintf(line, sizeof line,
                   "profscope%s%.40s: error: died of signal %d; this is a fault "
                   "of profscope itself\n",
                   named ? " " : "", named ? argv[1] : "", number);
  if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0) return 3;
  return 3;
}

static bool reads_stdin(char **argv) {
  for (char **word = argv + 1; *word; word++)
    if (strcmp(*word, "-") == 0) return true;
  return false;
}

/* Files opened later must not get the numbers of streams that were closed. What stands in for a
 * closed stream fails at its first use. */
static void occupy_streams(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

static void prepare(char **argv) {
  occupy_streams();
  void *page =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) shared = page;
#ifdef __linux__
  if (reads_stdin(argv)) stdin_copy = memfd_create("profscope-stdin", MFD_CLOEXEC);
#endif
  catch_signals();
}

int main(int argc, char **argv) {
  if (argc < 1) return 2;
  prepare(argv);
  for (;;) {
    int status = run_child(argc, argv);
    if (status == -1) return sp_cli_main(argc, argv); /* no process left: unprotected, but served */
    if (caught) return 128 + caught;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) return 128 + number;
    if (!enter_fatal(number)) return give_up(argv, number);
    shared->working_on[0] = '\0';
    shared->skip[0] = shared->passed[0];
    shared->skip[1] = shared->passed[1];
  }
}
