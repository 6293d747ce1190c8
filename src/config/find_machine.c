// Finds the file of a machine by its name.
#include "config/state.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".yaml";

static bool ends_in_suffix(const char *name)
{
    size_t length = strlen(name), end = sizeof suffix - 1;
    return length > end && strcmp(name + length - end, suffix) == 0;
}

// The names of the machines in all directories, without the suffix. false: out of memory.
static bool list_machines(const char *const *directories, HdArena *arena, const char ***names,
                          size_t *count)
{
    size_t capacity = 0;
    for (; directories && *directories; directories++) {
        DIR *folder = opendir(*directories);
        if (!folder) continue;
        bool ok = true;
        for (struct dirent *entry; ok && (entry = readdir(folder));) {
            if (!ends_in_suffix(entry->d_name)) continue;
            size_t length = strlen(entry->d_name) - (sizeof suffix - 1);
            char *name = hd_arena_text(arena, entry->d_name, length);
            ok = name && HD_PUSH(*names, *count, capacity, name);
        }
        closedir(folder);
        if (!ok) return false;
    }
    return true;
}

static char *fail_unknown(const char *name, const char *const *directories, HdArena *arena,
                          HdError *err)
{
    const char **names = NULL;
    size_t count = 0;
    char places[1024] = "";
    size_t used = 0;
    for (const char *const *d = directories; d && *d && used < sizeof places; d++)
        used += (size_t)snprintf(places + used, sizeof places - used, "%s%s",
                                 d == directories ? "" : ", ", *d);
    const char *near = NULL;
    if (list_machines(directories, arena, &names, &count))
        near = hd_nearest(name, names, (int)count);
    hd_fail(err, "there is no machine '%s' in %s: expected a name that heddle machine list "
                 "shows, or the path of a file, with a slash or .yaml%s%s%s",
            name, used ? places : "any directory", HD_DID_YOU_MEAN(near));
    free(names);
    return NULL;
}

char *config_find_file(const char *name, const char *from, const char *const *directories,
                       HdArena *arena, HdError *err)
{
    if (!*name) {
        hd_fail(err, "the name of a machine is empty");
        return NULL;
    }
    if (strchr(name, '/') || ends_in_suffix(name)) {
        const char *slash = from && *name != '/' ? strrchr(from, '/') : NULL;
        size_t folder = slash ? (size_t)(slash + 1 - from) : 0;
        char *path = hd_arena_new(arena, folder + strlen(name) + 1);
        if (!path) {
            hd_fail_memory(err, "finding a machine file");
            return NULL;
        }
        if (folder) memcpy(path, from, folder);
        strcpy(path + folder, name);
        return path;
    }
    for (const char *const *d = directories; d && *d; d++) {
        size_t size = strlen(*d) + strlen(name) + sizeof suffix + 1;
        char *path = hd_arena_new(arena, size);
        if (!path) {
            hd_fail_memory(err, "finding a machine file");
            return NULL;
        }
        snprintf(path, size, "%s/%s%s", *d, name, suffix);
        if (access(path, F_OK) == 0) return path;
    }
    return fail_unknown(name, directories, arena, err);
}
