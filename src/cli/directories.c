// Finds the folders of machine files.
#include "cli/directories.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add(MachineDirectories *directories, int *count, const char *start, const char *rest)
{
    char *room = directories->room[*count];
    int length = snprintf(room, DIRECTORY_TEXT, "%s%s", start, rest);
    if (length >= DIRECTORY_TEXT || !is_directory(room)) return;
    directories->paths[(*count)++] = room;
}

// The folder of the running program; false where the system does not tell.
static bool program_directory(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return slash;
}

void machine_directories(MachineDirectories *directories)
{
    memset(directories, 0, sizeof *directories);
    int count = 0;
    const char *given = getenv("HEDDLE_MACHINES");
    if (given && *given) add(directories, &count, given, "");
    char program[DIRECTORY_TEXT / 2];
    if (program_directory(program, sizeof program))
        add(directories, &count, program, "/../share/heddle/machines");
    add(directories, &count, HEDDLE_PREFIX, "/share/heddle/machines");
    add(directories, &count, HEDDLE_SOURCE, "/machines");
}
