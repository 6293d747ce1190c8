#!/usr/bin/env bash
# declared.sh HEDDLE CUDART SOURCE: checks that the headers of `heddle cc` declare what CUDA 13.0
# declares: device functions, functions of the runtime, members of cudaDeviceProp with those that
# CUDA 13 removed, and constants of errors and device attributes. The names are facts from CUDA's
# headers, in lists below names/:
#   functions.txt   functions with __device__: nvcc -E -arch=compute_90 of cuda_fp16.h, cuda_bf16.h
#   properties.txt  members of cudaDeviceProp in driver_types.h of 13.0, then those of 12.9 that
#                   13.0 lacks
#   constants.txt   cudaError... and cudaDevAttr... of driver_types.h, with their values
# and in tests/cudart/names13.txt, the symbols of libcudart.so.13. A reason behind a name says why
# Heddle does not declare it; of the runtime, src/cudart/runtime/unsupported_names.h has the names
# that are not declared. Where CUDA 13.0 is installed (CUDA_HOME, by default /usr/local/cuda), the
# lists are compared with its headers.
set -u
heddle=$(realpath "$1") source=$(realpath "$3")
export HEDDLE_CUDART=$2 LC_ALL=C
lists=$source/tests/cuda/names
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
failed=0

# same WHAT FILE FILE: prints the lines that only one of two files has.
same() {
    local difference
    difference=$(diff <(sort -u "$2") <(sort -u "$3") | grep '^[<>]') || return 0
    printf '%s:\n%s\n' "$1" "$difference"
    failed=1
}

# undeclared: compiles the text of stdin, one statement for each name; prints the lines, by number,
# that do not compile.
undeclared() {
    cat >"$folder/names.cu"
    "$heddle" cc --ptx -arch=sm_80 -w -ferror-limit=0 "$folder/names.cu" -o "$folder/names.ptx" \
        2>&1 | sed -n 's/.*names\.cu:\([0-9]*\):.*error: .*/\1/p' | sort -un
}
# names_of LINES: the names in the first column of stdin at these line numbers.
names_of() {
    awk 'FNR == NR { wanted[$1]; next } FNR in wanted { print $1 }' "$1" -
}

# Each name is a macro or can be named.
try_functions() {
    {
        printf '#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n'
        awk '{ printf "#ifndef %s\n#line %d\nusing ::%s;\n#endif\n", $1, NR, $1 }' "$1"
    } | undeclared >"$folder/lines"
    names_of "$folder/lines" <"$1"
}

try_functions "$lists/functions.txt" >"$folder/missing"
awk 'NF > 1 { print $1 }' "$lists/functions.txt" >"$folder/excused"
same 'device functions: undeclared without a reason (<), declared in spite of one (>)' \
    "$folder/missing" "$folder/excused"

grep -v '^__\|_pts[zd]$\|_ptds$' "$source/tests/cudart/names13.txt" >"$folder/runtime"
try_functions "$folder/runtime" >"$folder/missing"
grep -o 'cuda[A-Z][A-Za-z0-9]*' "$source/src/cudart/runtime/unsupported_names.h" |
    grep -xFf "$folder/runtime" >"$folder/excused"
same 'runtime: undeclared though the library has it (<), declared though unsupported (>)' \
    "$folder/missing" "$folder/excused"

awk '{ print "static_assert(sizeof(((cudaDeviceProp *)0)->" $1 ") > 0, \"\");" }' \
    "$lists/properties.txt" | undeclared >"$folder/lines"
names_of "$folder/lines" <"$lists/properties.txt" >"$folder/missing"
same 'members of cudaDeviceProp that are not declared (<)' "$folder/missing" /dev/null

awk '{ print "static_assert((int)" $1 " == " $2 ", \"\");" }' "$lists/constants.txt" |
    undeclared >"$folder/lines"
names_of "$folder/lines" <"$lists/constants.txt" >"$folder/missing"
same 'constants that are not declared, or have another value (<)' "$folder/missing" /dev/null

cuda=${CUDA_HOME:-/usr/local/cuda}
if ! grep -qs 'define CUDART_VERSION *13000' "$cuda/include/cuda_runtime_api.h" ||
    [ ! -x "$cuda/bin/nvcc" ]; then
    echo "no CUDA 13.0 in $cuda: the lists are not compared with its headers"
    exit $failed
fi
cuda=$(realpath "$cuda")
printf '#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n' >"$folder/all.cu"
"$cuda/bin/nvcc" -E -arch=compute_90 "$folder/all.cu" >"$folder/all.ii" || failed=1
headers=$(sed -n 's/^# [0-9]* "\(.*\)\/cuda_fp16\.h".*/\1/p' "$folder/all.ii" | head -n 1)
awk -v folder="$headers" -f "$lists/device_functions.awk" "$folder/all.ii" >"$folder/theirs"
awk '{ print $1 }' "$lists/functions.txt" >"$folder/ours"
same "functions.txt (<) and the headers of $cuda (>)" "$folder/ours" "$folder/theirs"

# Comments end in their line, or begin a line of their own.
sed -n '/struct .*cudaDeviceProp$/,/^};/p' "$cuda/include/driver_types.h" |
    sed -n 's/^ *[a-z][A-Za-z_0-9 ]* \([A-Za-z0-9]*\)\(\[.*\]\)*;.*/\1/p' >"$folder/theirs"
awk 'NF == 1 && $1 != "reserved"' "$lists/properties.txt" >"$folder/ours"
sed -i '/^reserved$/d' "$folder/theirs"
same "properties.txt (<) and driver_types.h of $cuda (>)" "$folder/ours" "$folder/theirs"

sed -nE 's/^ *(cudaSuccess|cuda(Error|DevAttr)[A-Z][A-Za-z0-9]*) *= *([0-9]+).*/\1 \3/p' \
    "$cuda/include/driver_types.h" >"$folder/theirs"
same "constants.txt (<) and driver_types.h of $cuda (>)" "$lists/constants.txt" "$folder/theirs"
exit $failed
