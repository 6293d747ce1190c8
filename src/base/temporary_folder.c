// Makes and removes folders of temporary files.
#include "base/temporary_folder.h"

#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char random_part[] = "XXXXXX";

static bool is_name(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0 &&
           strlen(name) == strlen(prefix) + strlen(random_part);
}

static int open_folder(int at, const char *path)
{
    return openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Removes the files in an open folder.
static void remove_files(int folder)
{
    int copy = dup(folder); // closedir closes it
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries && copy >= 0) close(copy);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        unlinkat(folder, entry->d_name, 0); // fails for "." and ".."
    if (entries) closedir(entries);
}

static void remove_left(const char *base, const char *prefix)
{
    DIR *entries = opendir(base);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        int folder = is_name(entry->d_name, prefix) ? open_folder(dirfd(entries), entry->d_name)
                                                    : -1;
        if (folder < 0) continue;
        if (temporary_is_left(folder)) {
            remove_files(folder);
            unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
        }
        close(folder);
    }
    if (entries) closedir(entries);
}

bool temporary_folder_make(TemporaryFolder *folder, const char *prefix, HdError *err)
{
    enum { TRIES = 100 };
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    remove_left(base, prefix);
    for (int i = 0; i < TRIES; i++) {
        int length = snprintf(folder->path, sizeof folder->path, "%s/%s%s", base, prefix,
                              random_part);
        if (length >= (int)sizeof folder->path) errno = ENAMETOOLONG;
        if (length >= (int)sizeof folder->path || !mkdtemp(folder->path)) break;
        folder->lock = open_folder(AT_FDCWD, folder->path);
        if (folder->lock < 0) {
            int why = errno;
            rmdir(folder->path);
            errno = why;
            break;
        }
        if (temporary_lock(folder->lock)) return true;
        close(folder->lock);
    }
    hd_fail(err, "%s: %s", folder->path, strerror(errno));
    folder->path[0] = 0;
    return false;
}

void temporary_folder_remove(TemporaryFolder *folder)
{
    if (!folder->path[0]) return;
    remove_files(folder->lock);
    rmdir(folder->path);
    close(folder->lock);
}
