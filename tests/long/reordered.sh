#!/usr/bin/env bash
# Runs the three programs that use `iru` on real graphs and on those like segura2022iru's, with both
# ways to memory, alone and with other mechanisms: Heddle checks each answer. Then the same bits on
# 1 to 64 host threads, and with each load compared with its location.
#
#     tests/long/reordered.sh [DIRECTORY [BUILD]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
directory=${1:-$here/../shared/data}
build=${2:-$here/build}
program "$build/heddle"
shadow_program "$build/heddle-shadow"
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
failed=0

runs=('bfs' 'sssp' 'pagerank --param iterations=1')

# one HEDDLE RUN OPTION...: a run with `iru`. Leaves its result in $out/result.json.
one() {
    local heddle=$1 run=$2
    shift 2
    # shellcheck disable=SC2086 # they are words
    "$build/$heddle" run $run --impl edge-frontier --machine maxwell-gtx980 "$@" --quiet \
        --out "$out/result.json" >"$out/log" 2>&1 && return
    echo "failed: $heddle $run $*"
    cat "$out/log"
    failed=$((failed + 1))
    return 1
}

with=(iru iru:l2=past iru+warp-limit iru+streaming-bypass iru:l2=past+warp-limit+streaming-bypass)
graphs=(like:{cond,delaunay,ca,human,kron,msdoor})
if [ -d "$directory" ]; then
    graphs=("$directory"/* "${graphs[@]}")
else
    echo "without $directory, which is not there"
fi
for graph in "${graphs[@]}"; do
    for mechanism in "${with[@]}"; do
        for run in "${runs[@]}"; do
            one heddle "$run" --graph "$graph" --mechanism "$mechanism"
        done
    done
    echo "$graph: $failed failed so far"
done

hosts=('--threads 1' '--threads 2' '--threads 3' '--threads 7' '--threads 16' '--threads 64'
    '--threads 64 --shuffle 9' '--no-skip')
for mechanism in "${with[@]}" iru:since=arrival,balance=late,window=8,table=private; do
    for run in "${runs[@]}"; do
        hashes=
        for host in "${hosts[@]}"; do
            # shellcheck disable=SC2086 # they are words
            one heddle "$run" --graph like:cond --mechanism "$mechanism" $host || continue
            hashes+=$(jq -r .result.hash "$out/result.json")$'\n'
        done
        [ "$(sort -u <<<"$hashes" | grep -c .)" = 1 ] && continue
        echo "failed: $mechanism $run: hashes differ"
        failed=$((failed + 1))
    done
done
for mechanism in "${with[@]}"; do
    for run in "${runs[@]}"; do
        one heddle-shadow "$run" --graph rmat:9,8 --mechanism "$mechanism"
    done
done
echo "$failed failed"
[ "$failed" = 0 ]
