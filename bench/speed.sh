#!/usr/bin/env bash
# Simulation rates beside another simulator's: user CPU time of both, run in turn on this host.
#
#     bench/speed.sh [--machine MACHINE] [--before HEDDLE] [--long] HEDDLE REFERENCE OTHER
#                    [ROUNDS [REGEX]] >table.md
#
# REFERENCE: the folder with the reference graphs and their PTX. OTHER: a command that takes the
# arguments of `heddle run`, runs the same kernels on the other simulator's MACHINE, and returns
# when they have ended. ROUNDS: how often each run is made (default 3). REGEX: only runs whose names
# match. MACHINE: default fermi-gtx480-gpgpusim4. --before: an older Heddle, beside this one.
# --long: other runs, which take a second or more on Heddle.
#
# Each round makes every run with Heddle on one thread (20 times if it is short), then once with
# OTHER. The start-up is taken off each: the same command with the smallest input. The table has
# the medians of what is left, and warp instructions as Heddle counts them. Let nothing else run on
# the host. The last line is for README.md. Needs jq.
set -u
. "$(dirname "$0")/arguments.sh"
machine=fermi-gtx480-gpgpusim4 before='' times=20
while [[ ${1:-} == -* ]]; do
    case $1 in
    --long) times=1 && shift && continue ;;
    --machine | --before) [ $# -gt 1 ] || wrong "expected a value behind $1" ;;
    *) wrong "unknown option '$1': --help says what is expected" ;;
    esac
    if [ "$1" = --machine ]; then machine=$2; else before=$2; fi
    shift 2
done
at_most 5 "$@"
[ $# -ge 3 ] || wrong 'expected HEDDLE REFERENCE OTHER: --help says what they are'
heddle=$1 reference=$2 other=$3 rounds=${4:-3} only=${5:-.}
program "$heddle"
program "$other"
[ -z "$before" ] || program "$before"
whole ROUNDS "$rounds"
needs jq awk
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U

warp="--impl reference-warp --ptx $reference/warp.nvcc13-sm75.ptx"
topo="--impl reference-topo --ptx $reference/topo.nvcc13-sm75.ptx"
# Name | arguments | more, of the run | more, of its smallest input
runs="topo rmat12|bfs $topo|--graph $reference/rmat12.mtx.gz|--graph rmat:1,1
topo rmat14|bfs $topo|--graph $reference/rmat14.mtx.gz|--graph rmat:1,1
warp rmat12|bfs $warp|--graph $reference/rmat12.mtx.gz|--graph rmat:1,1
warp rmat14|bfs $warp|--graph $reference/rmat14.mtx.gz|--graph rmat:1,1
vecadd|vecadd|--param elements=60000|--param elements=1
scalarprod|scalarprod|--param pairs=64 --param elements=1024|--param pairs=1
syrk|syrk|--param rows=64 --param columns=64|--param rows=1 --param columns=1
conv2d|conv2d|--param rows=128 --param columns=128|--param rows=3 --param columns=3
spmv scalar|spmv --impl scalar|--graph rmat:10,8|--graph rmat:1,1
bfs data-warp|bfs --impl data-warp|--graph rmat:10,8|--graph rmat:1,1
sssp warp|sssp --impl warp --weights 1..100,seed=0|--graph rmat:9,8|--graph rmat:1,1
cc|cc|--graph rmat:10,8|--graph rmat:1,1
pagerank push-warp|pagerank --impl push-warp --param iterations=3|--graph rmat:9,8|--graph rmat:1,1"
if [ "$times" -eq 1 ]; then
    runs="scalarprod long|scalarprod|--param pairs=512 --param elements=16384|--param pairs=1
conv2d long|conv2d|--param rows=1280 --param columns=1280|--param rows=3 --param columns=3
spmv scalar long|spmv --impl scalar|--graph rmat:16,8|--graph rmat:1,1
bfs data-warp long|bfs --impl data-warp|--graph rmat:17,8|--graph rmat:1,1
pagerank long|pagerank --impl push-warp --param iterations=3|--graph rmat:15,8|--graph rmat:1,1"
fi
if ! runs=$(grep -E "^[^|]*($only)[^|]*\|" <<<"$runs"); then
    wrong "no run matches '$only'"
fi

# The registers of the kernels, which all are given.
registers_of() # ARGUMENTS
{
    case $1 in
    *reference-warp*) echo warp_expand=18 ;;
    *reference-topo*) echo topo_expand=24,topo_update=10 ;;
    *)
        # Split the arguments into words.
        # shellcheck disable=SC2086
        "$heddle" run $1 --machine "$machine" --functional --quiet --out "$work/registers.json" ||
            exit 1
        jq -r '[.result.kernels[] | "\(.name)=\(.registers)"] | unique | join(",")' \
            "$work/registers.json" ;;
    esac
}

run_times() # TIMES WORD...
{
    local i times=$1
    shift
    for ((i = 0; i < times; i++)); do "$@" </dev/null >"$work/log" 2>&1 || return 1; done
}

# Prints the user CPU time of this many runs of a command, which must succeed.
user_time() # TIMES WORD...
{
    { time run_times "$@" || touch "$work/failed"; } 2>&1
    [ ! -e "$work/failed" ] && return
    cat "$work/log" >&2
    echo "speed.sh: failed: ${*:2}" >&2
    exit 1
}

# Prints the user CPU time of a run less its start-up: of Heddle, and of the other.
of_heddle() # HEDDLE ARGUMENTS SMALL REGISTERS
{
    local large small
    # shellcheck disable=SC2086
    {
        small=$(user_time "$times" "$1" run $3 --machine "$machine" --threads 1 --registers "$4" \
            --quiet) || exit 1
        large=$(user_time "$times" "$1" run $2 --machine "$machine" --threads 1 --registers "$4" \
            --quiet --out "$work/run.json") || exit 1
    }
    awk -v a="$large" -v b="$small" -v n="$times" 'BEGIN { print (a - b) / n }'
}
of_other() # ARGUMENTS SMALL REGISTERS
{
    local large small
    # shellcheck disable=SC2086
    {
        small=$(user_time 1 "$other" run $2 --machine "$machine" --registers "$3") || exit 1
        large=$(user_time 1 "$other" run $1 --machine "$machine" --registers "$3") || exit 1
    }
    awk -v a="$large" -v b="$small" 'BEGIN { print a - b }'
}

number=0
while IFS='|' read -r name arguments more less; do
    number=$((number + 1)) small="$arguments $less"
    arguments="$arguments $more"
    registers=$(registers_of "$arguments") || exit 1
    for ((round = 0; round < rounds; round++)); do
        old=-
        [ -z "$before" ] || old=$(of_heddle "$before" "$arguments" "$small" "$registers") || exit 1
        theirs=$(of_other "$arguments" "$small" "$registers") || exit 1
        ours=$(of_heddle "$heddle" "$arguments" "$small" "$registers") || exit 1
        warps=$(jq -r '[.result.kernels[].warp_instructions] | add' "$work/run.json")
        echo "$number|$name|$warps|$ours|$theirs|$old" | tee -a "$work/rows" >&2
    done
done <<<"$runs"

awk -F'|' -v before="$before" '
    function median(of, n,   i, k, t) {
        for (i = 2; i <= n; i++)
            for (k = i; k > 1 && of[k - 1] > of[k]; k--) {
                t = of[k]; of[k] = of[k - 1]; of[k - 1] = t
            }
        t = n % 2 ? of[(n + 1) / 2] : (of[n / 2] + of[n / 2 + 1]) / 2
        return t < 0.001 ? 0.001 : t # less than the clock can tell
    }
    function row(   a, b, c, ratio, rate) {
        a = median(mine, n); b = median(other, n); c = median(old, n)
        ratio = b / a; rate = warps / a
        printf "| %s | %.3f | %.2f | %.2f M | %d | %d |%s\n", name, a, b, rate / 1e6,
            100 * int(warps / b / 100 + 0.5), ratio + 0.5,
            before == "" ? "" : sprintf(" %.3f | %d |", c, b / c + 0.5)
        if (!most || ratio > most) most = ratio
        if (!least || ratio < least) least = ratio
        if (!fast || rate > fast) fast = rate
        if (!slow || rate < slow) slow = rate
    }
    BEGIN {
        print "| run | user s, Heddle | GPGPU-Sim | warp instructions per s, Heddle |" \
              " GPGPU-Sim | ratio |" (before == "" ? "" : " user s, before | ratio, before |")
        print "| --- | --- | --- | --- | --- | --- |" (before == "" ? "" : " --- | --- |")
    }
    $1 != at { if (at) row(); at = $1; n = 0 }
    { name = $2; warps = $3; mine[++n] = $4; other[n] = $5; old[n] = $6 }
    END {
        row()
        printf "\n%d to %d times its speed: %.1f to %.1f million warp instructions per second\n",
            least + 0.5, most + 0.5, slow / 1e6, fast / 1e6
    }' "$work/rows"
