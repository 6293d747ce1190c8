#!/usr/bin/env bash
# Runs BFS on every graph of a folder and on a large generated one; each run checks itself against
# the CPU and fails if its answer is wrong.
#
#     tests/long/graphs.sh [DIRECTORY [HEDDLE]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
directory=${1:-$here/../shared/data}
heddle=${2:-$here/build/heddle}
[ -d "$directory" ] || wrong "'$directory': no such folder: expected one with graphs"
program "$heddle"

passed=0 failed=0
for graph in "$directory"/* rmat:20,8; do
    for impl in topology warp; do
        for machine in fermi-gtx480 fermi-gtx480-gpgpusim4 fermi-gtx480-khairy fermi-macsim; do
            if answer=$("$heddle" run bfs --impl "$impl" --graph "$graph" --machine "$machine" \
                --quiet 2>&1); then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                echo "FAILED: $impl, $graph, $machine: $answer"
            fi
        done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
