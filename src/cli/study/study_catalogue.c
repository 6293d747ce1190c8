// Finds the studies that come with Heddle.
#include "cli/study/study_catalogue.h"

#include "cli/common/data_directories.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int study_catalogue(const char *names[MOST_STUDIES], HdArena *arena)
{
    Directories directories;
    int count = 0;
    study_directories(&directories);
    for (const char *const *path = directories.paths; *path; path++) {
        DIR *folder = opendir(*path);
        const struct dirent *entry;
        while (folder && (entry = readdir(folder)) && count < MOST_STUDIES) {
            size_t length = strlen(entry->d_name);
            if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
            names[count] = hd_arena_text(arena, entry->d_name, length - 5);
            bool again = false; // a folder before has one of this name
            for (int i = 0; names[count] && i < count; i++)
                again |= strcmp(names[i], names[count]) == 0;
            count += names[count] && !again;
        }
        if (folder) closedir(folder);
    }
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

bool study_catalogue_find(const char *name, char path[DIRECTORY_TEXT])
{
    Directories directories;
    study_directories(&directories);
    for (const char *const *folder = directories.paths; *folder; folder++)
        if (snprintf(path, DIRECTORY_TEXT, "%s/%s.yaml", *folder, name) < DIRECTORY_TEXT &&
            access(path, R_OK) == 0)
            return true;
    return false;
}
