#!/usr/bin/env bash
# Compiles the kernels of this folder to PTX by nvcc, and prints their registers as ptxas counts
# them.
#
#     bench/fidelity/compile.sh [NVCC]
#
# The PTX is kept in the tree, because the counts of other simulators (reference/gpgpusim) hold for
# it alone: another version of nvcc writes other PTX.
set -eu
cd "$(dirname "$0")/kernels"
nvcc=${1:-nvcc}
for source in *.cu; do
    ptx=${source%.cu}.ptx
    "$nvcc" -arch=compute_75 -ptx "$source" -o "$ptx"
    # Lists of initial values are one line.
    fold -s -w 100 "$ptx" | sed 's/[ \t]*$//' >"$ptx.folded"
    mv "$ptx.folded" "$ptx"
    "$(dirname "$(command -v "$nvcc")")/ptxas" -arch sm_75 -v "$ptx" -o /dev/null 2>&1 |
        awk -F"'" '/Compiling entry/ { kernel = $2 }
                   / registers/ { sub(/.*Used /, ""); print kernel "=" $1 + 0 }'
done
