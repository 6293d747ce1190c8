// Where the program looks up machine files, and the measurements that advice is learned from.
#ifndef HEDDLE_CLI_DIRECTORIES_H
#define HEDDLE_CLI_DIRECTORIES_H

#include "base/directories.h"

// $HEDDLE_MACHINES; beside the program (../share/heddle/machines); where it was installed; the
// source tree that it was built from.
void machine_directories(Directories *directories);
// The same for measurements: $HEDDLE_ADVISE, share/heddle/advise, the tree's reference/advise.
void advise_directories(Directories *directories);

#endif
