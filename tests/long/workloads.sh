#!/usr/bin/env bash
# Runs every implementation of every workload on fermi-macsim on a graph of 2^14 vertices; each run
# checks itself against the CPU and fails where its answer is wrong.
#
#     tests/long/workloads.sh [GRAPH [HEDDLE]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
graph=${1:-rmat:14,8}
heddle=${2:-$here/build/heddle}

# "bfs topology" and so on, of the workloads that take a graph.
implementations() {
    local workload
    for workload in $("$heddle" workload list | sed -n 's/^\([a-z][a-z-]*\) .*/\1/p'); do
        "$heddle" workload "$workload" | grep -q '^graph: none' && continue
        "$heddle" workload "$workload" | sed -n '/^implementations/,/^parameters/p' |
            sed -n "s/^  \([a-z][a-z0-9-]*\) .*/$workload \1/p"
    done
}

passed=0 failed=0
while read -r workload implementation; do
    if answer=$("$heddle" run "$workload" --impl "$implementation" --graph "$graph" --symmetrize \
        --machine fermi-macsim --quiet 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $workload $implementation on $graph: $answer"
    fi
done < <(implementations)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
