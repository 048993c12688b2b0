/* What a program writes into one folder, in order: a library to be preloaded.
 *
 *   REEDLIGHT_FOLDER   the folder; only what lies directly in it is told
 *   REEDLIGHT_LOG      the file into which everything is told
 *
 * A line each, the data of a write after it:
 *
 *   create NAME        write NAME OFFSET LENGTH     truncate NAME SIZE
 *   sync NAME          unlink NAME                  rename NAME NAME      folder (it was synced)
 *
 * Every call goes on to the C library as it was made. With REEDLIGHT_SYNC=fails, syncing a file fails as on a
 * disk that is broken. What is written through mapped memory is not seen; SQLite does so only in its index of
 * the log, which it makes anew when a program starts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LONGEST 4096

static void put(const void *bytes, size_t length) {
    static int log = -1;
    if (log < 0)
        log = (int)syscall(SYS_openat, AT_FDCWD, getenv("REEDLIGHT_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    const char *from = bytes;
    while (length > 0) {
        long done = syscall(SYS_write, log, from, length);
        if (done <= 0)
            abort();
        from += done;
        length -= (size_t)done;
    }
}

/* The name of a path in the folder; "" for the folder itself, NULL for anything else. */
static const char *inside(const char *path) {
    const char *folder = getenv("REEDLIGHT_FOLDER");
    if (!folder || !path)
        return NULL;
    size_t length = strlen(folder);
    if (strncmp(path, folder, length))
        return NULL;
    if (!path[length])
        return "";
    return path[length] == '/' && !strchr(path + length + 1, '/') ? path + length + 1 : NULL;
}

/* The same for an open file. */
static const char *inside_open(int file, char *room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, room, LONGEST - 1);
    if (length < 0)
        return NULL;
    room[length] = 0;
    return inside(room);
}

static void tell(const char *what, const char *name) {
    char line[LONGEST + 64];
    put(line, (size_t)snprintf(line, sizeof line, "%s %s\n", what, name));
}

static void tell_write(int file, long long offset, const void *bytes, long long length) {
    char room[LONGEST], line[LONGEST + 128];
    const char *name = inside_open(file, room);
    if (!name || length <= 0)
        return;
    put(line, (size_t)snprintf(line, sizeof line, "write %s %lld %lld\n", name, offset, length));
    put(bytes, (size_t)length);
}

#define REAL(type, name, ...) type (*real)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static void tell_creation(const char *path, int flags) {
    const char *name = flags & O_CREAT ? inside(path) : NULL;
    if (name && access(path, F_OK))
        tell("create", name);
}

#define OPEN(function)                                                      \
    int function(const char *path, int flags, ...) {                        \
        va_list rest;                                                       \
        va_start(rest, flags);                                              \
        unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, unsigned) : 0; \
        va_end(rest);                                                       \
        tell_creation(path, flags);                                         \
        REAL(int, #function, const char *, int, ...);                       \
        return real(path, flags, mode);                                     \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    ssize_t done = real(file, bytes, length);
    tell_write(file, -1, bytes, done);
    return done;
}

#define PWRITE(function, position)                                          \
    ssize_t function(int file, const void *bytes, size_t length, position offset) { \
        REAL(ssize_t, #function, int, const void *, size_t, position);      \
        ssize_t done = real(file, bytes, length, offset);                   \
        tell_write(file, (long long)offset, bytes, done);                   \
        return done;                                                        \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(function, position)                                        \
    int function(int file, position size) {                                 \
        char room[LONGEST], line[LONGEST + 128];                            \
        REAL(int, #function, int, position);                                \
        int failed = real(file, size);                                      \
        const char *name = inside_open(file, room);                         \
        if (!failed && name)                                                \
            put(line, (size_t)snprintf(line, sizeof line, "truncate %s %lld\n", name, (long long)size)); \
        return failed;                                                      \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(function)                                                      \
    int function(int file) {                                                \
        char room[LONGEST];                                                 \
        REAL(int, #function, int);                                          \
        const char *name = inside_open(file, room), *how = getenv("REEDLIGHT_SYNC"); \
        if (name && *name && how && !strcmp(how, "fails")) {                \
            errno = EIO;                                                    \
            return -1;                                                      \
        }                                                                   \
        int failed = real(file);                                            \
        if (!failed && name)                                                \
            *name ? tell("sync", name) : tell("folder", "");                \
        return failed;                                                      \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    int failed = real(path);
    const char *name = inside(path);
    if (!failed && name)
        tell("unlink", name);
    return failed;
}

int rename(const char *from, const char *to) {
    char line[2 * LONGEST];
    REAL(int, "rename", const char *, const char *);
    int failed = real(from, to);
    if (!failed && inside(from) && inside(to))
        put(line, (size_t)snprintf(line, sizeof line, "rename %s %s\n", inside(from), inside(to)));
    return failed;
}
