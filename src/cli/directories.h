// Where machine files, and the measurements that advice is learned from, are looked up.
#ifndef HEDDLE_CLI_DIRECTORIES_H
#define HEDDLE_CLI_DIRECTORIES_H

#include "base/error.h"

enum { MOST_DIRECTORIES = 4, DIRECTORY_TEXT = 4096 };

// NULL-terminated; each stands in `room`.
typedef struct MachineDirectories {
    const char *paths[MOST_DIRECTORIES + 1];
    char room[MOST_DIRECTORIES][DIRECTORY_TEXT];
} MachineDirectories;

// Finds those that exist, in the order in which they are searched: $HEDDLE_MACHINES; beside the
// program (../share/heddle/machines); where it was installed; the source tree that it was built
// from.
void machine_directories(MachineDirectories *directories);
// The same for measurements: $HEDDLE_ADVISE, share/heddle/advise, the tree's reference/advise.
void advise_directories(MachineDirectories *directories);

#endif
