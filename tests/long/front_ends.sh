#!/usr/bin/env bash
# Runs all CUDA programs of the tests as other compilers translate them:
#
#     tests/long/front_ends.sh BUILD COMPILER...
#
# BUILD is the folder of a build; a COMPILER is a clang (14 or newer) or an nvcc (its name contains
# nvcc).
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/../bench/arguments.sh"
no_options "$@"
[ $# -ge 2 ] || wrong 'expected BUILD COMPILER...: --help says what they are'
[ -d "$1" ] || wrong "'$1': no such folder: expected that of a build"
build=$(realpath "$1")
shift
program "$build/heddle"
for compiler; do program "$compiler"; done
programs=$(cd "$here/cuda/programs" && ls ./*.cu | sed 's|^\./||; s|\.cu$||' |
    grep -v -e '_more$' -e '_last$')
failures=0
for compiler in "$@"; do
    with=heddle name=HEDDLE_CLANG
    [[ $(basename "$compiler") != *nvcc* ]] || with=nvcc name=NVCC
    # shellcheck disable=SC2086 # names without blanks
    result=$(env "$name=$compiler" bash "$here/cuda/run.sh" "$with" \
        "$build/heddle" "$build/cudart" $programs)
    case ${result##*$'\n'} in
        *' 0 failed') ;;
        *) failures=$((failures + 1)); grep -v ' PASS' <<<"$result" ;;
    esac
    echo "$compiler: ${result##*$'\n'}"
done
[ "$failures" -eq 0 ]
