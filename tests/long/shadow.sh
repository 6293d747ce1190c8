#!/usr/bin/env bash
# Runs every implementation of every workload with every mechanism, and some together, in the build
# with shadow data in the caches (heddle-shadow; docs/decisions/0009), which compares each load with
# the contents of its location. Small graphs, on two machines: one L2 is write-back, the other
# write-evict.
#
#     tests/long/shadow.sh [GRAPH [HEDDLE_SHADOW [MECHANISM...]]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
graph=${1:-rmat:9,8}
heddle=${2:-$here/build/heddle-shadow}
shift $(($# < 2 ? $# : 2))
shadow_program "$heddle"
unset HEDDLE_SHADOW_FAULT
. "$here/tests/long/small_runs.sh"

mechanisms() { # those of the command line, else all
    [ $# -eq 0 ] || { printf '%s\n' "$@"; return; }
    echo none
    "$heddle" mechanism list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'
    printf '%s\n' obm+sector adaptive-bypass+sector mat+sector streaming-bypass+sector \
        exclusive+sector 'obm>exclusive' flexclusion+sector r-ex+sector bypass-copyback+sector \
        r-ex+spp next-line+sector obm+next-line adaptive-bypass+slru drrip:levels=l1+sector \
        stride-pc+next-line stream+obm ghb-acdc+sector
}

passed=0 failed=0
mapfile -t all < <(small_runs "$heddle" "--graph $graph --symmetrize")
for mechanism in $(mechanisms "$@"); do
    for machine in fermi-gtx480 fermi-macsim; do
        for run in "${all[@]}"; do
            # Split options into words.
            # shellcheck disable=SC2086
            if answer=$("$heddle" run $run --mechanism "$mechanism" --machine "$machine" \
                --set l2.size=16KiB --quiet 2>&1); then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                echo "FAILED: $run --mechanism $mechanism --machine $machine: ${answer:0:600}"
            fi
        done
        echo "$mechanism, $machine: $passed passed so far, $failed failed"
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
