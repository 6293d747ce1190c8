// Finds the folders of files that come with Heddle.
#include "base/directories.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(Directories *directories, int *count, const char *start, const char *rest)
{
    if (*count == MAX_DIRECTORIES) return;
    char *room = directories->room[*count];
    int length = snprintf(room, DIRECTORY_TEXT, "%s%s", start, rest);
    struct stat st;
    if (length >= DIRECTORY_TEXT || stat(room, &st) != 0 || !S_ISDIR(st.st_mode)) return;
    directories->paths[(*count)++] = room;
}

// `beside` is an absolute path; it is shortened and restored.
static void add_beside(Directories *directories, int *count, char *beside, int levels,
                       const char *installed)
{
    char *slash = strrchr(beside, '/'); // in front of the file's name
    for (int level = 0; slash && level < levels; level++) {
        *slash = 0;
        char *above = strrchr(beside, '/');
        if (above) *above = 0;
        add(directories, count, beside, installed);
        if (above) *above = '/';
        *slash = '/';
        slash = above;
    }
}

void directories_find(Directories *directories, const DirectoryQuery *query)
{
    memset(directories, 0, sizeof *directories);
    int count = 0;
    const char *given = getenv(query->variable);
    if (given && *given) add(directories, &count, given, "");
    int own = count; // found below
    char installed[64], beside[PATH_MAX] = "";
    snprintf(installed, sizeof installed, "/share/heddle/%s", query->name);
    if (query->beside && !realpath(query->beside, beside)) *beside = 0;
    add_beside(directories, &count, beside, query->levels, installed);
    // A Heddle in the folder in which it was built does not use installed files.
    char build[PATH_MAX];
    size_t length = realpath(HEDDLE_BUILD, build) ? strlen(build) : 0;
    bool in_build = length && strncmp(beside, build, length) == 0 && beside[length] == '/';
    if (!in_build) add(directories, &count, HEDDLE_DATA "/", query->name);
    // An installed Heddle works without its source tree and never mixes with a newer one.
    if (count == own) add(directories, &count, HEDDLE_SOURCE, query->source);
}
