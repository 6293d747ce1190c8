#!/usr/bin/env bash
# Runs every implementation of every workload on every machine, timed and functionally, some runs
# that are cut, and every mechanism, also behind launches that warm the caches, with 1, 2, 3, 4 and
# 8 host threads, and with threads that take their work at random, and compares the results byte for
# byte.
#
#     tests/long/threads.sh [HEDDLE [GRAPH...]]
#
# GRAPH: default rmat:10,8 (few launches, much work in each) and grid:20x60 (many launches, little).
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
heddle=${1:-$here/build/heddle} graphs=("${@:2}")
program "$heddle"
[ ${#graphs[@]} -gt 0 ] || graphs=(rmat:10,8 grid:20x60)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Everything except the host part.
result() {
    "$heddle" run "$@" --per-kernel --quiet --out "$work/run.json" >/dev/null || exit 1
    sed '/^  "host": {/,$d' "$work/run.json"
}

passed=0 failed=0
compare() {
    local name="$*" options
    result "$@" --threads 1 >"$work/one"
    for options in '--threads 2' '--threads 3' '--threads 4' '--threads 8' \
        '--threads 2 --shuffle 1' '--threads 4 --shuffle 2'; do
        # Split options into words.
        # shellcheck disable=SC2086
        result "$@" $options >"$work/other"
        if cmp -s "$work/one" "$work/other"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "differs: $name $options"
        fi
    done
}

for file in "$here"/machines/*.yaml; do
    machine=$(basename "$file" .yaml)
    # Workloads start a line; the lines under them are their implementations.
    "$heddle" workload list | awk '/^[a-z]/ { w = $1; next } { print w, $1 }' >"$work/list"
    while read -r workload impl; do
        # Four times a small run, so that several SMs have work.
        size=$("$heddle" workload "$workload" | sed -n 's/^small run: //p' |
            awk '{ split($2, word, "="); $2 = word[1] "=" 4 * word[2]; print }')
        if [ -n "$size" ]; then
            # Split the size into words.
            # shellcheck disable=SC2086
            compare "$workload" --impl "$impl" $size --machine "$machine"
            # shellcheck disable=SC2086
            compare "$workload" --impl "$impl" $size --machine "$machine" --functional
        else
            for graph in "${graphs[@]}"; do
                compare "$workload" --impl "$impl" --graph "$graph" --symmetrize \
                    --machine "$machine"
                compare "$workload" --impl "$impl" --graph "$graph" --symmetrize \
                    --machine "$machine" --functional
            done
        fi
    done <"$work/list"
    for cut in 20000 30000 60000; do # with stalls under way
        compare stream --machine "$machine" --max-thread-instructions "$cut"
        compare scalarprod --machine "$machine" --max-thread-instructions "$cut"
        compare bfs --impl data --graph "${graphs[0]}" --machine "$machine" \
            --max-thread-instructions "$cut"
    done
    echo "$machine: $passed passed so far, $failed failed"
done
for mechanism in $("$heddle" mechanism list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p') \
    adaptive-bypass+slru drrip:levels=l1+stride-pc+next-line:levels=l2; do
    compare bfs --impl warp --graph "${graphs[0]}" --set l2.size=24KiB --mechanism "$mechanism"
    compare bfs --impl warp --graph "${graphs[0]}" --set l2.size=24KiB --mechanism "$mechanism" \
        --skip-kernels 3
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
