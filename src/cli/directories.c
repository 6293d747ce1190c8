// Finds the folders of machine files and of measurements.
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

// The folder called `name` where Heddle is installed, or `source` in its tree; that which the
// environment's `variable` says comes first.
static void find(MachineDirectories *directories, const char *variable, const char *name,
                 const char *source)
{
    memset(directories, 0, sizeof *directories);
    int count = 0;
    const char *given = getenv(variable);
    if (given && *given) add(directories, &count, given, "");
    char program[DIRECTORY_TEXT / 2], installed[64];
    snprintf(installed, sizeof installed, "/../share/heddle/%s", name);
    if (program_directory(program, sizeof program)) add(directories, &count, program, installed);
    add(directories, &count, HEDDLE_PREFIX, installed + strlen("/.."));
    add(directories, &count, HEDDLE_SOURCE, source);
}

void machine_directories(MachineDirectories *directories)
{
    find(directories, "HEDDLE_MACHINES", "machines", "/machines");
}

void advise_directories(MachineDirectories *directories)
{
    find(directories, "HEDDLE_ADVISE", "advise", "/reference/advise");
}
