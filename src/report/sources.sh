#!/bin/sh
# Prints a header with the hash of the sources that decide the result of a simulation: the layers
# below this one, workloads and graphs, kernels, and the compiler of the kernels.
#
#     sources.sh SOURCE 'COMPILER --version'
set -eu
cd "$1"
hash=$({
    printf '%s\n' "$2"
    find src/base src/stats src/config src/hooks src/ptx src/exec src/memory src/core src/gpu \
        src/mechanisms src/device src/graph src/workloads include/heddle kernels \
        -type f -print | LC_ALL=C sort | xargs sha256sum
} | sha256sum)
printf '// The hash of the sources that decide results. Made by sources.sh.\n'
printf '#define HEDDLE_SOURCES "%.16s"\n' "$hash"
