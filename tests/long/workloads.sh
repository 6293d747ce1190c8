#!/usr/bin/env bash
# Runs every implementation of every workload on fermi-macsim, on a graph of 2^14 vertices if it
# takes one; each run checks itself against the CPU and fails if its answer is wrong.
#
#     tests/long/workloads.sh [GRAPH [HEDDLE]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
graph=${1:-rmat:14,8}
heddle=${2:-$here/build/heddle}
program "$heddle"

# "bfs topology --graph ..." and so on.
implementations() {
    local workload options
    for workload in $("$heddle" workload list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'); do
        options="--graph $graph --symmetrize"
        "$heddle" workload "$workload" | grep -q '^graph: none' && options=
        "$heddle" workload "$workload" | sed -n '/^implementations/,/^parameters/p' |
            sed -n "s|^  \([a-z][a-z0-9-]*\) .*|$workload \1 $options|p"
    done
}

passed=0 failed=0
while read -r workload implementation options; do
    # Split options into words.
    # shellcheck disable=SC2086
    if answer=$("$heddle" run "$workload" --impl "$implementation" $options \
        --machine fermi-macsim --quiet 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $workload $implementation $options: $answer"
    fi
done < <(implementations)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
