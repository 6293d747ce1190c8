#!/usr/bin/env bash
# Tests programs built by nvcc: nvcc.sh FOLDER, where FOLDER holds our libraries. Skipped (77)
# without nvcc.
set -u
libraries=${1:?usage: nvcc.sh FOLDER} failures=0
sources=$(cd "$(dirname "$0")/nvcc" && pwd)
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) ||
    { echo 'no nvcc here: what it builds is not tested'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HEDDLE_SET='gpu.sms=2' HEDDLE_REPORT=none HEDDLE_THREADS=1
unset HEDDLE_MACHINE HEDDLE_MECHANISM HEDDLE_OUT

build() { # build PROGRAM OPTION ...
    if ! "$nvcc" -w -cudart shared -o "$work/$1" "${@:2}" >"$work/log" 2>&1; then
        printf '%s: nvcc failed:\n%s\n' "$1" "$(<"$work/log")"
        failures=$((failures + 1))
    fi
}

# expect WHAT PROGRAM STDOUT STDERR: STDERR is a pattern of the whole.
expect() {
    local out
    out=$(LD_LIBRARY_PATH=$libraries timeout 60 "$work/$2" 2>"$work/err")
    # shellcheck disable=SC2053 # a pattern
    if [[ $out != "$3" || $(<"$work/err") != $4 ]]; then
        printf '%s: stdout "%s", stderr "%s"\n' "$1" "$out" "$(<"$work/err")"
        failures=$((failures + 1))
    fi
}

# Two files, as nvcc links them, and linked to each of our libraries.
build first.o -arch=compute_75 -c "$sources/first.cu"
build second.o -arch=compute_75 -c "$sources/second.cu"
build two "$work/first.o" "$work/second.o"
expect 'two files' two 250 ''
for version in 11.0 12 13; do
    g++ -o "$work/linked" "$work/first.o" "$work/second.o" "$libraries/libcudart.so.$version" \
        -Wl,--allow-shlib-undefined || failures=$((failures + 1))
    expect "linked to libcudart.so.$version" linked 250 ''
done

# nvcc compresses by zstd unless an option says otherwise.
one=("$sources/one.cu")
build one -Xfatbin --compress-mode=none "${one[@]}"
expect 'machine code and PTX, not compressed' one '75 cudaSuccess' ''
build one -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=sm_90 \
    -gencode arch=compute_86,code=compute_86 -Xfatbin --compress-mode=speed "${one[@]}"
expect 'several architectures, LZ4' one '86 cudaSuccess' '*'
build one -gencode arch=compute_80,code=sm_80 "${one[@]}"
expect 'machine code' one '0 cudaErrorNoKernelImageForDevice' \
    'heddle: *only machine code for sm_80: expected PTX*-gencode arch=compute_75,code=compute_75'\
$'\nheddle: results of one may be missing; 1 launch needed what Heddle does not have'
build one -arch=compute_75 -rdc=true "${one[@]}"
expect 'relocatable' one '75 cudaSuccess' ''
build one -gencode arch=compute_80,code=sm_80 -rdc=true "${one[@]}"
expect 'relocatable machine code' one '0 cudaErrorNoKernelImageForDevice' \
    'heddle: *only machine code for sm_80: expected PTX*'

# Only kernels that need clusters are refused, each by the directive that says so.
build clusters -gencode arch=compute_90,code=compute_90 "$sources/clusters.cu"
expect clusters clusters \
    $'cudaSuccess\ncudaErrorNotSupported\ncudaErrorNotSupported\n12' \
    'heddle: *runs by the machine*cannot launch clustered*: '"'.reqnctapercluster': a kernel in "\
'clusters of 2 blocks: *cannot launch sized*: '"'.explicitcluster': a kernel in clusters, whose "\
'size the launch sets: *heddle: results of clusters may be missing; 2 launches needed what '\
'Heddle does not have'

# Relocatable code from several object files; then a program and a library, each with its own device
# link, whose functions and variables have the same names.
build first.o -arch=compute_75 -dc "$sources/first.cu"
build second.o -arch=compute_75 -dc "$sources/second.cu"
build two -arch=compute_75 "$work/first.o" "$work/second.o"
expect 'two relocatable files' two 250 ''
# nvcc names what it registers after the source file, so the library has copies of the sources, and
# neither has the device runtime.
cp "$sources/linked.cu" "$work/library.cu"
cp "$sources/linked_more.cu" "$work/library_more.cu"
linked=(-arch=compute_75 -rdc=true -cudadevrt none)
build liblinked.so "${linked[@]}" -shared -Xcompiler -fPIC -DLIBRARY -DNUMBER=7 \
    "$work/library.cu" "$work/library_more.cu"
build linked "${linked[@]}" -DNUMBER=5 "$sources/linked.cu" "$sources/linked_more.cu" \
    -L"$work" -llinked -Xlinker "-rpath=$work"
expect 'a program and a library, both linked' linked '15 49' ''
exit $((failures > 0))
