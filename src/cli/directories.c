// The program's folders of machine files and of measurements.
#include "cli/directories.h"

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
