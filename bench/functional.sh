#!/usr/bin/env bash
# Rates of functional launches: warp instructions per second, on one host thread and on several.
#
#     bench/functional.sh [HEDDLE [ROUNDS [THREADS [REGEX]]]] >table.md
#
# Default: build/heddle, 5 rounds, one thread per CPU, all runs. Each round makes every run on one
# thread, then on THREADS; the table has the medians, and the ratio of each round's two rates as a
# median too, because the speed of a shared host drifts. It is the time of the functional
# launches. The last column has the share of the program's other time on one thread: copies, the
# check of the answer and, where `warm` warms the caches for it, a last, timed launch. Let nothing
# else run on the host. Needs jq.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 4 "$@"
heddle=${1:-$here/build/heddle} rounds=${2:-5} threads=${3:-$(nproc)} only=${4:-.}
program "$heddle"
whole ROUNDS "$rounds"
whole THREADS "$threads"
needs jq awk
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Name | arguments. A backslash joins lines.
runs="arithmetic|$here/bench/arithmetic.ptx --entry arithmetic --grid 640 --block 256 \
--arg buf:1MiB:out --arg u32:1000 --functional
matrix product|mm2 --param rows=64 --param columns=1024 --functional
rank-k update|syrk --param rows=256 --param columns=1024 --functional
bfs topology|bfs --impl topology --graph rmat:18,8 --functional
bfs warp|bfs --impl warp --graph rmat:18,8 --functional
bfs data|bfs --impl data --graph rmat:18,8 --functional
sssp data|sssp --impl data --graph rmat:16,8 --weights 1..100 --functional
bfs topology, warm|bfs --impl topology --graph rmat:18,8 --skip-kernels 11
bfs data, warm|bfs --impl data --graph rmat:18,8 --skip-kernels 5"
if ! runs=$(grep -E "^[^|]*($only)[^|]*\|" <<<"$runs"); then
    wrong "no run matches '$only'"
fi

# Prints the instructions, the rate, and the share of the other time of a run.
measure() # THREADS WORD...
{
    "$heddle" run "${@:2}" --machine volta-v100 --threads "$1" --quiet --out "$work/run.json" \
        >"$work/log" 2>&1 </dev/null || { cat "$work/log" >&2; exit 1; }
    jq -r '.result.functional.warp_instructions as $n | .host
        | "\($n) \($n / .functional_seconds) \(1 - .functional_seconds / .seconds)"' \
        "$work/run.json"
}

for ((round = 0; round < rounds; round++)); do
    while IFS='|' read -r name arguments; do
        # Split the arguments into words.
        # shellcheck disable=SC2086
        one=$(measure 1 $arguments) && many=$(measure "$threads" $arguments) || exit 1
        echo "$name|${one// /|}|${many// /|}" | tee -a "$work/rows" >&2
    done <<<"$runs"
done

awk -F'|' -v threads="$threads" '
    function median(of, n,   i, k, t) {
        for (i = 2; i <= n; i++)
            for (k = i; k > 1 && of[k - 1] > of[k]; k--) {
                t = of[k]; of[k] = of[k - 1]; of[k - 1] = t
            }
        return n % 2 ? of[(n + 1) / 2] : (of[n / 2] + of[n / 2 + 1]) / 2
    }
    !($1 in count) { names[++kinds] = $1; warps[$1] = $2 }
    { n = ++count[$1]; one[$1, n] = $3; others[$1, n] = $4; many[$1, n] = $6 }
    END {
        print "| run | warp instructions | M/s, 1 thread | " threads " threads | times | other |"
        print "| --- | ---: | ---: | ---: | ---: | ---: |"
        for (k = 1; k <= kinds; k++) {
            name = names[k]; n = count[name]
            for (i = 1; i <= n; i++) {
                a[i] = one[name, i]; b[i] = many[name, i]; c[i] = b[i] / a[i]
                d[i] = others[name, i]
            }
            printf "| %s | %d | %.1f | %.1f | %.2f | %.0f %% |\n", name, warps[name],
                median(a, n) / 1e6, median(b, n) / 1e6, median(c, n), 100 * median(d, n)
        }
    }' "$work/rows"
