#!/usr/bin/env bash
# Builds CUDA programs and runs them on a small simulated GPU: with `heddle cc` by run.sh heddle
# HEDDLE CUDART NAME..., with nvcc by run.sh nvcc HEDDLE CUDART NAME..., which is skipped without
# nvcc (NVCC names another one). HEDDLE is the program, CUDART the folder of its libcudart. A
# program is NAME.cu and, if it exists, NAME_more.cu. If NAME_last.cu exists, the three have
# relocatable device code: each is compiled to an object by -dc. Programs of nvcc with such code
# are then linked again, by nvcc, from objects of `heddle cc`. A program's last line must begin
# with PASS, and its status must be 0. If NAME.expected exists, the output must be equal to it.
# NAME.nvcc has options for nvcc only. NAME.arch names the architecture of a program that needs a
# newer one, which then runs on a Hopper. NAME.locale names the locale of a program, which
# localedef makes; the report must have decimal points. NAME.mechanism names a mechanism with which
# the program runs once more, and in its second line a counter that is then not 0, by default
# "useful" (of prefetches). SANITIZER is the sanitizer's runtime of a sanitized libcudart; leaks of
# the programs themselves are ignored.
set -u
with=$1 heddle=$(realpath "$2") cudart=$3
shift 3
cd "$(dirname "$0")/programs" || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT

if [ "$with" = nvcc ]; then
    nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v "${NVCC:-nvcc}") || {
        echo 'there is no nvcc here: not run'
        exit 77
    }
fi

export HEDDLE_CUDART=$cudart LD_LIBRARY_PATH=$cudart${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export HEDDLE_MACHINE=volta-v100 HEDDLE_SET=${HEDDLE_SET:-gpu.sms=8} HEDDLE_THREADS=1
export HEDDLE_REPORT=none

# compile COMPILER NAME OPTION...
compile() {
    local arch=75 compiler=$1
    shift
    [ ! -f "$1.arch" ] || arch=$(<"$1.arch")
    if [ "$compiler" = nvcc ]; then
        [ ! -f "$1.nvcc" ] || set -- "$1" $(<"$1.nvcc") "${@:2}"
        # PTX only, without any machine code.
        "$nvcc" -std=c++17 --extended-lambda -cudart shared \
            -gencode "arch=compute_$arch,code=compute_$arch" "${@:2}"
    else
        [ -f "$1.arch" ] || arch=70
        "$heddle" cc -arch="sm_$arch" -Wall -Wextra -Werror "${@:2}"
    fi
}

# build NAME COMPILER: into $folder/NAME, linked by $with from objects of COMPILER.
build() {
    local sources=("$1.cu") part
    [ ! -f "$1_more.cu" ] || sources+=("$1_more.cu")
    if [ -f "$1_last.cu" ]; then
        sources=()
        for part in "$1" "$1_more" "$1_last"; do
            compile "$2" "$1" -dc "$part.cu" -o "$folder/$part.o" || return
            sources+=("$folder/$part.o")
        done
    fi
    compile "$with" "$1" -o "$folder/$1" "${sources[@]}" -lpthread
}

# run PROGRAM
run() {
    if [ -z "${SANITIZER:-}" ]; then
        timeout 300 "$1"
    else
        ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
            timeout 900 env LD_PRELOAD="$SANITIZER" "$1"
    fi
}

# use_locale NAME: gives the program its locale, and asks for its report.
use_locale() {
    local name
    name=$(<"$1.locale")
    export HEDDLE_REPORT=$folder/report LOCPATH=$folder
    if localedef -i "$name" -f UTF-8 "$folder/$name.utf8" >"$folder/err" 2>&1; then
        export LC_ALL=$name.utf8
    else
        echo "$1: no locale $name can be made here: run in the C locale"
    fi
}

# with_mechanism NAME: runs the program with its mechanism, which has an effect.
with_mechanism() {
    [ -f "$1.mechanism" ] || return 0
    local -x HEDDLE_MECHANISM HEDDLE_OUT=$folder/result.json
    local counter
    { read -r HEDDLE_MECHANISM && read -r counter; } <"$1.mechanism"
    run "$folder/$1" >"$folder/out" 2>"$folder/err" && grep -q '^PASS' "$folder/out" &&
        grep -q "\"${counter:-useful}\": *[1-9]" "$HEDDLE_OUT"
}

failed=0
# check NAME COMPILER: builds it, runs it, and checks its output and status.
check() {
    local name=$1 status last
    if ! build "$name" "$2" >"$folder/build" 2>&1; then
        echo "$name: not built"
        cat "$folder/build"
        return 1
    fi
    [ ! -f "$name.arch" ] || local -x HEDDLE_MACHINE=hopper-h200
    (
        [ ! -f "$name.locale" ] || use_locale "$name"
        run "$folder/$name" >"$folder/out" 2>"$folder/err"
    )
    status=$?
    last=$(tail -n 1 "$folder/out")
    printf '%-18s %s\n' "$name" "$last"
    if [ "$status" -eq 0 ] && [ "${last#PASS}" != "$last" ] &&
        { [ ! -f "$name.expected" ] || diff "$name.expected" "$folder/out"; } &&
        { [ ! -f "$name.locale" ] || grep -q ' IPC [0-9]*\.[0-9]' "$folder/report"; } &&
        with_mechanism "$name"; then
        return 0
    fi
    echo "$name: status $status; its stdout and stderr:"
    cat "$folder/out" "$folder/err"
    return 1
}
for name in "$@"; do
    # Managed memory has the addresses of the address sanitizer's own memory.
    [[ -n ${SANITIZER:-} && $name == managed ]] && continue
    check "$name" "$with" || failed=$((failed + 1))
    [[ $with == nvcc && -f ${name}_last.cu ]] || continue
    echo 'linked by nvcc from objects of heddle cc:'
    check "$name" heddle || failed=$((failed + 1))
done
echo "$# programs, $failed failed"
[ "$failed" -eq 0 ]
