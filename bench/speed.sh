#!/usr/bin/env bash
# Simulation rates beside another simulator's: user CPU time of both, run in turn on this host.
#
#     bench/speed.sh HEDDLE REFERENCE OTHER [ROUNDS [REGEX]] >table.md
#
# REFERENCE: the folder with the reference graphs and their PTX. OTHER: a command that takes the
# arguments of `heddle run`, runs the same kernels on the other simulator, and returns when they
# have ended. ROUNDS: how often each run is made (default 3). REGEX: only runs whose names match.
#
# Each round makes every run with Heddle on one thread (20 times, because it is short), then once
# with OTHER. Of both, the start-up is taken off: the same command with the smallest input. The
# table has the medians of what is left, and warp instructions as Heddle counts them. Let nothing
# else run on the host. The last line is for README.md. Needs jq.
set -u
usage='usage: bench/speed.sh HEDDLE REFERENCE OTHER [ROUNDS [REGEX]]'
heddle=${1:?$usage} reference=${2:?$usage} other=${3:?$usage} rounds=${4:-3} only=${5:-.}
for tool in jq awk; do
    command -v "$tool" >/dev/null && continue
    echo "speed.sh: $tool is not installed: expected Debian package $tool" >&2
    exit 2
done
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
if ! runs=$(grep -E "^[^|]*($only)[^|]*\|" <<<"$runs"); then
    echo "speed.sh: no run matches '$only'" >&2
    exit 2
fi

# The options of a simulated machine, and the registers of its kernels, which both are given.
machine="--machine fermi-gtx480-gpgpusim4"
registers_of() # ARGUMENTS
{
    case $1 in
    *reference-warp*) echo warp_expand=18 ;;
    *reference-topo*) echo topo_expand=24,topo_update=10 ;;
    *)
        # Split the arguments into words.
        # shellcheck disable=SC2086
        "$heddle" run $1 $machine --functional --quiet --out "$work/registers.json" || exit 1
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

number=0
while IFS='|' read -r name arguments more less; do
    number=$((number + 1)) small="$arguments $less"
    arguments="$arguments $more"
    registers=$(registers_of "$arguments") || exit 1
    for ((round = 0; round < rounds; round++)); do
        # shellcheck disable=SC2086
        {
            user_time 20 "$heddle" run $small $machine --threads 1 --registers "$registers" --quiet
            user_time 1 "$other" run $small --registers "$registers"
            user_time 20 "$heddle" run $arguments $machine --threads 1 --registers "$registers" \
                --quiet --out "$work/run.json"
            user_time 1 "$other" run $arguments --registers "$registers"
        } >"$work/times" || exit 1
        [ "$(wc -l <"$work/times")" -eq 4 ] || exit 1
        warps=$(jq -r '[.result.kernels[].warp_instructions] | add' "$work/run.json")
        paste -sd' ' "$work/times" | sed "s/^/$number|$name|$warps|/" | tee -a "$work/rows" >&2
    done
done <<<"$runs"

awk -F'[| ]' -v rounds="$rounds" '
    function median(of, n,   i, k, t) {
        for (i = 2; i <= n; i++)
            for (k = i; k > 1 && of[k - 1] > of[k]; k--) {
                t = of[k]; of[k] = of[k - 1]; of[k - 1] = t
            }
        return n % 2 ? of[(n + 1) / 2] : (of[n / 2] + of[n / 2 + 1]) / 2
    }
    function row(   a, b, ours, theirs, ratio) {
        a = median(mine, n); if (a < 0.001) a = 0.001 # less than the clock can tell
        b = median(other, n); if (b < 0.001) b = 0.001
        ours = warps / a; theirs = warps / b; ratio = ours / theirs
        printf "| %s | %.3f | %.2f | %.2f M | %d | %d |\n", name, a, b, ours / 1e6,
            100 * int(theirs / 100 + 0.5), ratio + 0.5
        if (!most || ratio > most) most = ratio
        if (!least || ratio < least) least = ratio
        if (!fast || ours > fast) fast = ours
        if (!slow || ours < slow) slow = ours
    }
    BEGIN {
        print "| run | user s, Heddle | GPGPU-Sim | warp instructions per s, Heddle |" \
              " GPGPU-Sim | ratio |"
        print "| --- | --- | --- | --- | --- | --- |"
    }
    {
        if ($1 != at) { if (at) row(); at = $1; n = 0 }
        split($0, field, "|"); name = field[2]; warps = field[3]; split(field[4], t, " ")
        mine[++n] = (t[3] - t[1]) / 20; other[n] = t[4] - t[2]
    }
    END {
        row()
        printf "\n%d to %d times its speed: %.1f to %.1f million warp instructions per second\n",
            least + 0.5, most + 0.5, slow / 1e6, fast / 1e6
    }' "$work/rows"
