/* Loaded before the C library (LD_PRELOAD), it lets calls that write to a disk fail.
 *
 * CHAJA_FAULT_FOLDER  files below it are concerned, and no others
 * CHAJA_FAULT_FILE    while there is such a file: `<errno> <calls> <of 1000> <part of the path>`; `calls` is a sum of the numbers
 *                     below, so many of a thousand calls fail, of files whose path has the part in it (`*`: all);
 *                     with -9 for the errno that many calls are made, and the process is killed before the next
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PWRITE = 1, PWRITEV = 2, WRITE = 4, SYNC = 8, TRUNCATE = 16, OPEN = 32, RENAME = 64, REMOVE = 128, FOLDER = 256 };

static atomic_uint turns, counted;

static unsigned chance(void) {
  unsigned x = atomic_fetch_add(&turns, 1) * 2654435761u ^ (unsigned)getpid();
  x ^= x >> 16;
  x *= 0x85ebca6b;
  x ^= x >> 13;
  return x % 1000;
}

/* Whether a call for a file fails; errno says how. */
static int fails(const char *path, int call) {
  const char *folder = getenv("CHAJA_FAULT_FOLDER"), *trigger = getenv("CHAJA_FAULT_FILE");
  if (!folder || !trigger || strncmp(path, folder, strlen(folder)) != 0) return 0;
  int before = errno;
  FILE *file = fopen(trigger, "re");
  if (!file) {
    errno = before;
    return 0;
  }
  int code = 0, calls = 0;
  unsigned share = 0;
  char part[200] = "";
  int count = fscanf(file, "%d %d %u %199s", &code, &calls, &share, part);
  fclose(file);
  errno = before;
  if (count != 4 || !(calls & call) || (strcmp(part, "*") != 0 && !strstr(path, part))) return 0;
  if (code == -SIGKILL) {
    if (atomic_fetch_add(&counted, 1) >= share) kill(getpid(), SIGKILL);
    return 0;
  }
  if (chance() >= share) return 0;
  errno = code;
  return 1;
}

static int fails_of(int fd, int call) {
  char link[64], path[4096];
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = 0;
  return fails(path, call);
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  REAL(pwrite);
  return fails_of(fd, PWRITE) ? -1 : real(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  REAL(pwrite64);
  return fails_of(fd, PWRITE) ? -1 : real(fd, bytes, size, at);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  REAL(pwritev);
  return fails_of(fd, PWRITEV) ? -1 : real(fd, parts, count, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  REAL(pwritev64);
  return fails_of(fd, PWRITEV) ? -1 : real(fd, parts, count, at);
}
ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(write);
  return fails_of(fd, WRITE) ? -1 : real(fd, bytes, size);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  return fails_of(fd, WRITE) ? -1 : real(fd, parts, count);
}
int fsync(int fd) {
  REAL(fsync);
  return fails_of(fd, SYNC) ? -1 : real(fd);
}
int fdatasync(int fd) {
  REAL(fdatasync);
  return fails_of(fd, SYNC) ? -1 : real(fd);
}
int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  return fails_of(fd, TRUNCATE) ? -1 : real(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  REAL(ftruncate64);
  return fails_of(fd, TRUNCATE) ? -1 : real(fd, size);
}
static int is_made(int flags) {
  return flags & O_CREAT;
}
static mode_t mode_of(int flags, va_list rest) {
  return is_made(flags) ? va_arg(rest, mode_t) : 0;
}
int open(const char *path, int flags, ...) {
  REAL(open);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return is_made(flags) && fails(path, OPEN) ? -1 : real(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  REAL(open64);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return is_made(flags) && fails(path, OPEN) ? -1 : real(path, flags, mode);
}
int rename(const char *from, const char *to) {
  REAL(rename);
  return fails(to, RENAME) ? -1 : real(from, to);
}
int unlink(const char *path) {
  REAL(unlink);
  return fails(path, REMOVE) ? -1 : real(path);
}
int rmdir(const char *path) {
  REAL(rmdir);
  return fails(path, REMOVE) ? -1 : real(path);
}
int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  return fails(path, FOLDER) ? -1 : real(path, mode);
}
