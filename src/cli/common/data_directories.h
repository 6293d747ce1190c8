// The folders of machine files, of measurements for heddle advise, and of the headers and the
// runtime of CUDA programs.
#ifndef HEDDLE_CLI_COMMON_DATA_DIRECTORIES_H
#define HEDDLE_CLI_COMMON_DATA_DIRECTORIES_H

#include "base/directories.h"

#include <stdbool.h>

// $HEDDLE_MACHINES; ../share/heddle/machines from the program and the installation's, or the source
// tree for a program that is not installed (base/directories.h).
void machine_directories(Directories *directories);
// The same for measurements: $HEDDLE_ADVISE, share/heddle/advise, the tree's reference/advise.
void advise_directories(Directories *directories);
// The same for studies and for the data of studies: $HEDDLE_STUDIES, share/heddle/studies, the
// tree's studies; $HEDDLE_RESULTS, share/heddle/results, the tree's reference/results.
void study_directories(Directories *directories);
void results_directories(Directories *directories);
// The same for CUDA headers: $HEDDLE_CUDA_INCLUDE, share/heddle/cuda, the tree's include/cuda.
void cuda_directories(Directories *directories);
// The same for the kernels' sources: $HEDDLE_KERNELS, share/heddle/kernels, the tree's kernels.
void kernel_directories(Directories *directories);
// The folder of libcudart.so.*: $HEDDLE_CUDART; cudart/ next to the program, as in a build; the
// installation's. false: none of them has libcudart.so.13.
bool runtime_directory(char path[DIRECTORY_TEXT]);

#endif
