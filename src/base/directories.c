// Finds the folders of files that come with Heddle.
#include "base/directories.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add(Directories *directories, int *count, const char *start, const char *rest)
{
    if (*count == MAX_DIRECTORIES) return;
    char *room = directories->room[*count];
    int length = snprintf(room, DIRECTORY_TEXT, "%s%s", start, rest);
    if (length >= DIRECTORY_TEXT || !is_directory(room)) return;
    directories->paths[(*count)++] = room;
}

static void add_beside(Directories *directories, int *count, const DirectoryQuery *query,
                       const char *installed)
{
    char path[PATH_MAX];
    if (!query->beside || !realpath(query->beside, path)) return;
    char *slash = strrchr(path, '/'); // behind it the file's name
    for (int level = 0; slash && level < query->levels; level++) {
        *slash = 0;
        slash = strrchr(path, '/');
        if (slash) *slash = 0;
        add(directories, count, path, installed);
        if (slash) *slash = '/';
    }
}

void directories_find(Directories *directories, const DirectoryQuery *query)
{
    memset(directories, 0, sizeof *directories);
    int count = 0;
    const char *given = getenv(query->variable);
    if (given && *given) add(directories, &count, given, "");
    char installed[64];
    snprintf(installed, sizeof installed, "/share/heddle/%s", query->name);
    add_beside(directories, &count, query, installed);
    add(directories, &count, HEDDLE_PREFIX, installed);
    add(directories, &count, HEDDLE_SOURCE, query->source);
}
