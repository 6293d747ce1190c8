// Replaces whole files, so that under its name a file is always complete.
//
// The new file is written beside the old one, under a name of its own, and locked while it is
// written (base/temporary.h). The next process that writes into the folder removes the files that
// killed processes left.
#include "base/file.h"

#include "base/memory.h"
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = ".heddle-writing-";
enum { DIGITS = 16, TEMPORARY_NAME = sizeof prefix + DIGITS, TRIES = 100 };

// Where the bytes go.
typedef struct Target {
    char path[PATH_MAX]; // of the file, behind symbolic links
    size_t folder;       // the length of the folder's part of the path, the slash included
    int descriptor;      // of this process, where the path names one; else -1
    bool there, special; // special: a pipe, a device, a descriptor; written without a rename
    struct stat st;      // of the file, if it is there
} Target;

// ---- the target ----

// The number in "/dev/stdout", "/dev/fd/3", "/proc/self/fd/3"; -1: the path names no descriptor of
// this process. Such a file is continued where its other output ends: it cannot be replaced.
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]), digits;
        if (strncmp(path, folders[i], length) != 0) continue;
        digits = strspn(path + length, "0123456789");
        if (digits && digits < 8 && !path[length + digits]) return atoi(path + length);
    }
    return -1;
}

// Replaces the path of a symbolic link by what it names. false: errno is set.
static bool follow_link(Target *target)
{
    char link[PATH_MAX];
    ssize_t length = readlink(target->path, link, sizeof link - 1);
    if (length < 0) return false;
    link[length] = 0;
    size_t kept = *link == '/' ? 0 : target->folder;
    if (kept + (size_t)length >= sizeof target->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target->path + kept, link, (size_t)length + 1);
    return true;
}

// false: errno is set.
static bool find_target(const char *path, Target *target)
{
    enum { MOST_LINKS = 40 }; // as Linux
    *target = (Target){.descriptor = -1};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof target->path) return false;
    strcpy(target->path, path);
    for (int links = 0;; links++) {
        const char *slash = strrchr(target->path, '/');
        target->folder = slash ? (size_t)(slash - target->path) + 1 : 0;
        target->descriptor = descriptor_of(target->path);
        if (target->descriptor >= 0) break;
        target->there = lstat(target->path, &target->st) == 0;
        if (!target->there && errno != ENOENT) return false; // such as a name that is too long
        if (!target->there || !S_ISLNK(target->st.st_mode)) break;
        errno = ELOOP;
        if (links == MOST_LINKS || !follow_link(target)) return false;
    }
    target->special = target->descriptor >= 0 || (target->there && !S_ISREG(target->st.st_mode));
    return true;
}

// ---- temporary files ----

// Removes the files that killed processes left in the folder.
static void remove_left(const char *folder)
{
    DIR *entries = opendir(*folder ? folder : ".");
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat st;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            strlen(entry->d_name) + 1 != TEMPORARY_NAME)
            continue;
        int fd = openat(dirfd(entries), entry->d_name,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) continue;
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && temporary_is_left(fd))
            unlinkat(dirfd(entries), entry->d_name, 0);
        close(fd);
    }
    if (entries) closedir(entries);
}

// Makes a temporary file in the folder of the target. Returns its descriptor, and its path in
// `name`; -1: errno is set.
static int make_temporary(const Target *target, char name[PATH_MAX])
{
    for (int i = 0; i < TRIES; i++) {
        uint64_t random;
        if (getentropy(&random, sizeof random) != 0) return -1;
        int length = snprintf(name, PATH_MAX, "%.*s%s%016llx", (int)target->folder, target->path,
                              prefix, (unsigned long long)random);
        if (length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) return -1;
        if (fd >= 0 && temporary_lock(fd)) return fd;
        if (fd >= 0) close(fd);
    }
    return -1;
}

// Gives the new file the mode and the group of the old one. Where it cannot have the group, the
// other group gets no rights.
static bool keep_mode(int fd, const Target *target)
{
    struct stat own;
    if (!target->there) return true; // a new file has the mode that the umask leaves
    mode_t mode = target->st.st_mode & 0777;
    if (fstat(fd, &own) != 0) return false;
    if (own.st_gid != target->st.st_gid && fchown(fd, (uid_t)-1, target->st.st_gid) != 0)
        mode &= 0707;
    return fchmod(fd, mode) == 0;
}

// ---- writing ----

static bool write_bytes(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes += done;
        size -= (size_t)done;
    }
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

// Writes all bytes. A file beyond `ulimit -f` and a pipe without a reader are errors as others
// are, not signals: a program that Heddle is a part of may have no handler for them.
static bool write_all(int fd, const void *bytes, size_t size)
{
    sigset_t errors, before, pending;
    sigemptyset(&errors);
    sigaddset(&errors, SIGXFSZ);
    sigaddset(&errors, SIGPIPE);
    sigpending(&pending);
    if (sigismember(&pending, SIGXFSZ)) sigdelset(&errors, SIGXFSZ);
    if (sigismember(&pending, SIGPIPE)) sigdelset(&errors, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &errors, &before);
    bool ok = write_bytes(fd, bytes, size);
    int why = errno;
    while (sigtimedwait(&errors, NULL, &(struct timespec){0}) > 0) {}
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return ok;
}

// Opens a named pipe for writing: waits for its reader, and ends with EINTR when a signal comes.
// open would be restarted after a signal that the program handles, and wait on.
static int open_pipe(const char *path)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    int fd;
    while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO)
        if (nanosleep(&pause, NULL) != 0) return -1;
    if (fd < 0 || fcntl(fd, F_SETFL, O_WRONLY) == 0) return fd;
    close(fd);
    return -1;
}

static bool write_special(const Target *target, const void *bytes, size_t size)
{
    int fd;
    if (target->descriptor == STDOUT_FILENO) fflush(stdout);
    if (target->descriptor == STDERR_FILENO) fflush(stderr);
    if (target->descriptor >= 0) fd = fcntl(target->descriptor, F_DUPFD_CLOEXEC, 3);
    else if (S_ISFIFO(target->st.st_mode)) fd = open_pipe(target->path);
    else fd = open(target->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, bytes, size);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok) return false;
    errno = why;
    return ok;
}

static bool replace(const Target *target, const void *bytes, size_t size)
{
    char name[PATH_MAX], folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)target->folder, target->path);
    remove_left(folder);
    int fd = make_temporary(target, name);
    if (fd < 0) return false;
    bool ok = keep_mode(fd, target) && write_all(fd, bytes, size) &&
              rename(name, target->path) == 0;
    int why = errno;
    if (!ok) unlink(name);
    close(fd); // after fsync, close has no error to report
    errno = why;
    return ok;
}

bool file_write(const char *path, const void *bytes, size_t size, HdError *err)
{
    Target target;
    bool ok = find_target(path, &target) && (target.special ? write_special(&target, bytes, size)
                                                            : replace(&target, bytes, size));
    return ok || hd_fail(err, "%s: cannot be written: %s", path, strerror(errno));
}

// Whether a file can be made beside the target.
static bool try_folder(const Target *target)
{
    char name[PATH_MAX];
    int fd = make_temporary(target, name);
    if (fd < 0) return false;
    unlink(name);
    close(fd);
    return true;
}

bool file_check_writable(const char *path, HdError *err)
{
    Target target;
    bool ok = find_target(path, &target);
    if (ok && target.there && S_ISDIR(target.st.st_mode))
        return hd_fail(err, "%s: is a directory: expected a file", path);
    // The rights of a regular file do not matter: it will be replaced. Opening a pipe would wait
    // for its reader.
    if (ok && target.descriptor >= 0) ok = fcntl(target.descriptor, F_GETFL) >= 0;
    else if (ok && target.special) ok = access(target.path, W_OK) == 0;
    else if (ok) ok = try_folder(&target);
    return ok || hd_fail(err, "%s: cannot be written: %s", path, strerror(errno));
}
