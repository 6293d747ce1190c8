#!/usr/bin/env bash
# Runs every implementation of every workload with every mechanism, and some together, in the build
# with shadow data in the caches (heddle-shadow; docs/decisions/0009), which compares each load with
# the contents of its location. Small graphs, on two machines: one L2 is write-back, the other
# write-evict.
#
#     tests/long/shadow.sh [GRAPH [HEDDLE_SHADOW [MECHANISM...]]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
graph=${1:-rmat:9,8}
heddle=${2:-$here/build/heddle-shadow}
shift $(($# < 2 ? $# : 2))
unset HEDDLE_SHADOW_FAULT

# Options of small runs of workloads that take no graph.
parameters() {
    case $1 in
    stream | vecadd) echo --param elements=16384 ;;
    scalarprod) echo --param pairs=16 --param elements=512 ;;
    blackscholes) echo --param options=4096 ;;
    walsh) echo --param elements=8192 ;;
    needle) echo --param length=64 ;;
    hotspot | convolution) echo --param rows=64 --param columns=128 ;;
    conv2d) echo --param rows=64 --param columns=128 ;;
    mm2) echo --param rows=32 --param columns=128 ;;
    stencil3d) echo --param rows=16 --param columns=128 --param planes=5 ;;
    srad) echo --param rows=64 --param columns=128 ;;
    streamcluster) echo --param points=512 --param dimensions=16 ;;
    syrk | gesummv) echo --param rows=32 --param columns=128 ;;
    kmeans) echo --param points=512 ;;
    invindex) echo --param records=512 ;;
    btree) echo --param keys=4096 --param queries=64 --param order=32 ;;
    backprop) echo --param inputs=1024 ;;
    neuralnet) echo --param digits=1 ;;
    pi) echo --param points=4000 --param threads=1000 ;;
    aes) echo --param states=512 ;;
    coulomb) echo --param rows=32 --param columns=64 --param atoms=20 --param group=8 ;;
    pathfinder) echo --param columns=2000 --param rows=30 ;;
    haar) echo --param elements=8192 ;;
    fft) echo --param transforms=8 ;;
    libor) echo --param paths=64 ;;
    laplace3d) echo --param rows=16 --param columns=64 --param planes=6 ;;
    mummer) echo --param reference=4096 --param reads=500 ;;
    queens) echo --param size=7 --param threads=960 ;;
    esac
}

# "bfs --impl topology --graph ..." and so on.
runs() {
    local workload options implementation
    for workload in $("$heddle" workload list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'); do
        options="--graph $graph --symmetrize"
        "$heddle" workload "$workload" | grep -q '^graph: none' && options=$(parameters "$workload")
        for implementation in $("$heddle" workload "$workload" |
            sed -n '/^implementations/,/^parameters/p' |
            sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
            echo "$workload --impl $implementation $options"
        done
    done
}

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
mapfile -t all < <(runs)
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
