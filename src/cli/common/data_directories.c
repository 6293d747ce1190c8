// The program's folders.
#include "cli/common/data_directories.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void machine_directories(Directories *directories)
{
    directories_find(directories, &(DirectoryQuery){"HEDDLE_MACHINES", "machines", "/machines",
                                                    "/proc/self/exe", 1});
}

void advise_directories(Directories *directories)
{
    directories_find(directories, &(DirectoryQuery){"HEDDLE_ADVISE", "advise", "/reference/advise",
                                                    "/proc/self/exe", 1});
}

void study_directories(Directories *directories)
{
    directories_find(directories, &(DirectoryQuery){"HEDDLE_STUDIES", "studies", "/studies",
                                                    "/proc/self/exe", 1});
}

void results_directories(Directories *directories)
{
    directories_find(directories, &(DirectoryQuery){"HEDDLE_RESULTS", "results",
                                                    "/reference/results", "/proc/self/exe", 1});
}

void cuda_directories(Directories *directories)
{
    directories_find(directories, &(DirectoryQuery){"HEDDLE_CUDA_INCLUDE", "cuda", "/include/cuda",
                                                    "/proc/self/exe", 1});
}

void kernel_directories(Directories *directories)
{
    directories_find(directories, &(DirectoryQuery){"HEDDLE_KERNELS", "kernels", "/kernels",
                                                    "/proc/self/exe", 1});
}

// Does the folder start/rest have the newest runtime? Then *path is that folder.
static bool has_runtime(char path[DIRECTORY_TEXT], const char *start, const char *rest)
{
    char file[DIRECTORY_TEXT + 32];
    int length = snprintf(path, DIRECTORY_TEXT, "%s%s", start, rest);
    if (!*start || length >= DIRECTORY_TEXT) return false;
    snprintf(file, sizeof file, "%s/libcudart.so.13", path);
    return access(file, R_OK) == 0;
}

bool runtime_directory(char path[DIRECTORY_TEXT])
{
    const char *given = getenv("HEDDLE_CUDART");
    char program[PATH_MAX] = "";
    if (given && *given) return has_runtime(path, given, "");
    char *slash = realpath("/proc/self/exe", program) ? strrchr(program, '/') : NULL;
    if (slash) *slash = 0;
    return has_runtime(path, program, "/cudart") ||
           has_runtime(path, program, "/../" HEDDLE_LIBDIR "/heddle") ||
           has_runtime(path, HEDDLE_PREFIX, "/" HEDDLE_LIBDIR "/heddle");
}
