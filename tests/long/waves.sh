#!/usr/bin/env bash
# Runs every implementation of every workload on the machine of yilmazer2020gw with warps of 4 to 32
# lanes, issued alone and in pairs, in each mode of scalar execution: Heddle checks each answer.
# Then each mode with every mechanism, and with each load compared with its location (shadow data).
#
#     tests/long/waves.sh [GRAPH [BUILD]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
graph=${1:-rmat:9,8}
build=${2:-$here/build}
program "$build/heddle"
shadow_program "$build/heddle-shadow"
. "$here/tests/long/small_runs.sh"

passed=0 failed=0
check() { # HEDDLE OPTION...
    local heddle=$build/$1 answer
    shift
    # Narrow warps of a block need more shared memory in bfs hong.
    if answer=$("$heddle" run "$@" --machine fermi-c2050-gw8 --set core.shared=48KiB \
        --quiet 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $*: ${answer:0:600}"
    fi
}

mapfile -t all < <(small_runs "$build/heddle" "--graph $graph --symmetrize")
shapes=('core.width=32 core.paired=false')
for width in 4 8 16; do
    shapes+=("core.width=$width core.paired=false" "core.width=$width core.paired=true")
done
for mode in off execute waves 'waves scalar.members=any' \
    'waves scalar.members=consecutive' 'waves scalar.entries=1' 'waves scalar.match=all' \
    'waves scalar.go_on=on' 'waves scalar.go_on=on scalar.members=consecutive'; do
    for shape in "${shapes[@]}"; do
        sets=
        for set in $shape scalar.mode=$mode; do sets+=" --set $set"; done
        for run in "${all[@]}"; do
            # shellcheck disable=SC2086 # they are words
            check heddle $run $sets
        done
        echo "$shape, scalar.mode=$mode: $passed passed so far, $failed failed"
    done
done
for mode in off execute waves; do
    for mechanism in $("$build/heddle" mechanism list |
        sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'); do
        for implementation in warp topology; do
            check heddle bfs --impl $implementation --graph "$graph" --mechanism "$mechanism" \
                --set l2.size=24KiB --set scalar.mode=$mode
        done
    done
    for run in "${all[@]}"; do
        # shellcheck disable=SC2086 # they are words
        check heddle-shadow $run --set l2.size=16KiB --set scalar.mode=$mode
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
