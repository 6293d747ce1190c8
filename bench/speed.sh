#!/usr/bin/env bash
# Warp instructions per second of the standard runs on one host thread: median of several.
#
#     bench/speed.sh [HEDDLE [RUNS]]
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
heddle=${1:-$here/build/heddle}
runs=${2:-3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

printf '%-10s %-14s %14s %12s %14s\n' impl graph 'warp inst' 'median s' 'warp inst/s'
for graph in rmat:12,8,seed=1 rmat:14,8,seed=1 rmat:16,8,seed=1; do
    for impl in topology warp; do
        for ((i = 0; i < runs; i++)); do
            "$heddle" run bfs --impl "$impl" --graph "$graph" --threads 1 --out "$work/run.json" --quiet >/dev/null || exit 1
            awk -F'[:,]' '/"warp_instructions"/ && !w { w = $2 + 0 } /"seconds"/ { s = $2 + 0 } END { print s, w }' \
                "$work/run.json"
        done | sort -n | awk -v impl="$impl" -v graph="$graph" '
            { s[NR] = $1; w = $2 }
            END { m = s[int((NR + 1) / 2)]; printf "%-10s %-14s %14d %12.3f %14.0f\n", impl, graph, w, m, w / m }'
    done
done
