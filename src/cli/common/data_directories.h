// Where the program looks up machine files, the measurements that advice is learned from, and what
// CUDA programs are compiled and run with.
#ifndef HEDDLE_CLI_COMMON_DATA_DIRECTORIES_H
#define HEDDLE_CLI_COMMON_DATA_DIRECTORIES_H

#include "base/directories.h"

#include <stdbool.h>

// $HEDDLE_MACHINES; beside the program (../share/heddle/machines); where it was installed; the
// source tree that it was built from.
void machine_directories(Directories *directories);
// The same for measurements: $HEDDLE_ADVISE, share/heddle/advise, the tree's reference/advise.
void advise_directories(Directories *directories);
// The same for CUDA headers: $HEDDLE_CUDA_INCLUDE, share/heddle/cuda, the tree's include/cuda.
void cuda_directories(Directories *directories);
// The folder of libcudart.so.*: $HEDDLE_CUDART; cudart beside the program, as it is built; where it
// is installed. false where none has libcudart.so.13.
bool runtime_directory(char path[DIRECTORY_TEXT]);

#endif
