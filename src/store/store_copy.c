// Copies of stores, and the lock beside the store.
//
// A process opens a store and then looks for the lock; another one makes the lock and then looks
// for the files that an open store has. So one of the two sees the other.
#include "store/store_copy.h"

#include "base/file.h"
#include "base/host_time.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAUSE_MICROSECONDS = 20000 };

static bool beside(char path[PATH_MAX], const char *store, const char *ending)
{
    return snprintf(path, PATH_MAX, "%s%s", store, ending) < PATH_MAX;
}

static bool is_there(const char *store, const char *ending)
{
    char path[PATH_MAX];
    return beside(path, store, ending) && access(path, F_OK) == 0;
}

bool store_file(const char *store, char file[PATH_MAX], HdError *err)
{
    enum { ENDING = 16 }; // room for what others put behind it
    bool ok = realpath(store, file);
    if (!ok && errno == ENOENT) {
        const char *slash = strrchr(store, '/'), *name = slash ? slash + 1 : store;
        char folder[PATH_MAX];
        int length = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - store) + 1 : 1,
                              slash ? store : ".");
        ok = length < PATH_MAX && realpath(folder, file) &&
             strlen(file) + strlen(name) + ENDING < PATH_MAX;
        if (ok) strcat(strcat(file, "/"), name);
    }
    return (ok && strlen(file) + ENDING < PATH_MAX) ||
           hd_fail(err, "%s: %s", store, strerror(errno ? errno : ENAMETOOLONG));
}

static FileState state_of(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return (FileState){0};
    return (FileState){.device = st.st_dev, .number = st.st_ino, .size = st.st_size,
                       .changed = st.st_mtim};
}

static bool is_unchanged(const FileState *before, const FileState *now)
{
    return before->device == now->device && before->number == now->number &&
           before->size == now->size &&
           before->changed.tv_sec == now->changed.tv_sec &&
           before->changed.tv_nsec == now->changed.tv_nsec;
}

// ---- the lock ----

// Says which process has locked the store. Returns false.
static bool fail_locked(const char *path, HdError *err)
{
    char who[256] = "another process";
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, who, sizeof who - 1) : 0;
    if (fd >= 0) close(fd);
    if (got > 0) who[got] = 0;
    return hd_fail(err, "%s: %s adds results to the store: expected that it ends; if it does not "
                        "run any more, delete this file", path, who);
}

bool store_copy_wait(const char *store, int milliseconds, HdError *err)
{
    char file[PATH_MAX], path[PATH_MAX];
    bool locked;
    double begun = host_seconds();
    if (!store_file(store, file, NULL) || !beside(path, file, "-lock"))
        return true; // store_open says what is wrong with the path
    while ((locked = access(path, F_OK) == 0) && (host_seconds() - begun) * 1000 < milliseconds)
        usleep(PAUSE_MICROSECONDS);
    return !locked || fail_locked(path, err);
}

void store_copy_unlock(const char *store)
{
    char file[PATH_MAX], path[PATH_MAX];
    struct stat st;
    if (store_file(store, file, NULL) && beside(path, file, "-lock") && lstat(path, &st) == 0 &&
        st.st_uid == geteuid())
        unlink(path);
}

static bool lock(StoreCopy *copy, const char *who, HdError *err)
{
    char path[PATH_MAX];
    if (!beside(path, copy->store, "-lock"))
        return hd_fail(err, "%s: %s", copy->store, strerror(ENAMETOOLONG));
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) return fail_locked(path, err);
    copy->lock = fd;
    return (fd >= 0 && write(fd, who, strlen(who)) >= 0) ||
           hd_fail(err, "%s: cannot be written: %s", path, strerror(errno));
}

// Whether the lock is still the one that was made; `path` becomes its path.
static bool is_own(const StoreCopy *copy, char path[PATH_MAX])
{
    struct stat own, there;
    return copy->lock >= 0 && beside(path, copy->store, "-lock") && fstat(copy->lock, &own) == 0 &&
           stat(path, &there) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

// Waits until no process has the store open.
static bool wait_closed(const StoreCopy *copy, HdError *err)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    double begun = host_seconds();
    for (;;) {
        const char *open = NULL;
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            if (is_there(copy->store, endings[i])) open = endings[i];
        if (!open) return true;
        if ((host_seconds() - begun) * 1000 >= copy->milliseconds)
            return hd_fail(err, "%s: is open: %s%s is there; results stay where they are, and the "
                                "next heddle study run adds them", copy->store, copy->store, open);
        usleep(PAUSE_MICROSECONDS);
    }
}

// ---- the copy ----

// Copies a file as a whole; file_write replaces the other one.
static bool copy_file(const char *from, const char *to, HdError *err)
{
    struct stat st;
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        hd_fail(err, "%s: cannot be read: %s", from, strerror(errno));
        if (fd >= 0) close(fd);
        return false;
    }
    size_t size = (size_t)st.st_size;
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (bytes == MAP_FAILED)
        return hd_fail(err, "%s: cannot be read: %s", from, strerror(errno));
    bool ok = file_write(to, size ? bytes : "", size, err);
    if (bytes) munmap(bytes, size);
    return ok;
}

bool store_copy_open(StoreCopy *copy, const char *store, const char *who, int milliseconds,
                     HdError *err)
{
    char file[PATH_MAX];
    bool there;
    *copy = (StoreCopy){.milliseconds = milliseconds, .lock = -1};
    if (!store_file(store, file, err)) return false;
    copy->store = strdup(file);
    if (!copy->store) return hd_fail_memory(err, "copying a store");
    if (!lock(copy, who, err) || !wait_closed(copy, err) ||
        !file_is_there(copy->store, &there, err) ||
        !temporary_folder_make(&copy->folder, "heddle-store-", err))
        return false;
    if (asprintf(&copy->path, "%s/store.db", copy->folder.path) < 0) {
        copy->path = NULL;
        return hd_fail_memory(err, "copying a store");
    }
    copy->before = state_of(copy->store);
    return !there || copy_file(copy->store, copy->path, err);
}

bool store_copy_keep(StoreCopy *copy, HdError *err)
{
    bool there;
    char lock[PATH_MAX];
    if (!file_is_there(copy->path, &there, err)) return false;
    if (!there) return true;
    // A program that knows no lock may have opened the store, and a user may have removed the lock.
    if (!wait_closed(copy, err)) return false;
    FileState now = state_of(copy->store);
    if (!is_own(copy, lock) || !is_unchanged(&copy->before, &now))
        return hd_fail(err, "%s: another process has changed the store meanwhile: results stay "
                            "where they are, and the next heddle study run adds them",
                       copy->store);
    return copy_file(copy->path, copy->store, err);
}

void store_copy_close(StoreCopy *copy)
{
    char path[PATH_MAX];
    temporary_folder_remove(&copy->folder);
    if (is_own(copy, path)) unlink(path);
    if (copy->lock >= 0) close(copy->lock);
    free(copy->path);
    free(copy->store);
    *copy = (StoreCopy){.lock = -1};
}
