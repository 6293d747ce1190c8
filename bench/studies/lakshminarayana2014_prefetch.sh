#!/usr/bin/env bash
# Chapter 3 of lakshminarayana2014: the seven kernels of Table 4 on three inputs with each
# prefetcher. Writes reference/results/lakshminarayana2014-prefetch-S*.csv, and from the files of 20
# the tables of docs/results/lakshminarayana2014-prefetch.md.
#
#     bench/studies/lakshminarayana2014_prefetch.sh [--scale S] [--keep DIR] [--jobs N]
#         [--only REGEX] [--new] [--heddle FILE] [--tables] [--rows] [--plan]
#
# 2^S vertices (20: the full size; fewer for a quick look, which gets no tables). Runs are named
# KERNEL.INPUT.VARIANT. common.sh describes the options. After an interruption, the same command
# resumes; --new leaves out the runs of which data are committed. All runs take 4 hours of one
# CPU.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep= scale=20
while [ $# -gt 0 ]; do
    study_option "$@"
    case $used.$1 in
    0.--scale) scale=${2:?--scale needs a number} used=2 ;;
    esac
    [ "$used" -gt 0 ] || study_fail "there is no option $1"
    shift "$used"
done
[[ $scale =~ ^(1[0-9]|20)$ ]] || study_fail "--scale: 10 to 20"
keep=${keep:-study-lakshminarayana2014-prefetch-$scale}
csv=$root/reference/results/lakshminarayana2014-prefetch-$scale
full=${csv%-*}-20
page=$root/docs/results/lakshminarayana2014-prefetch.md

# The kernel in the paper; its device code, the only launches measured; its heads and its tails, by
# source line and allocation (where there are pairs, no heads without a tail); the registers that a
# turn of prefetches takes; the run. --registers and, by --block, the threads of an SM are those of
# Table 4. Launches outside --detail-kernels run functionally, so that the answer is checked.
works="
H-BFS bfs_expand bfs.cu:20/edges bfs.cu:21/visited 2 \
bfs --impl topology --block 512 --registers bfs_expand=15
H-SSSP sssp_relax sssp.cu:26/edges,sssp.cu:26/weight - 2 \
sssp --impl topology --block 512 --registers sssp_relax=17 --detail-kernels 1..22
H-MST mst_find_min_edge_weight mst.cu:39/edges mst.cu:40/component 3 \
mst --impl h --block 512 --symmetrize --registers mst_find_min_edge_weight=21 --detail-kernels 1..1
LS-BFS bfs_lonestar_tagged relax_lonestar.cu:26/edges - 1 \
bfs --impl lonestar-tagged --block 1024 --registers bfs_lonestar_tagged=19 --detail-kernels 2..4
LS-SSSP sssp_lonestar_tagged relax_lonestar.cu:26/edges,relax_lonestar.cu:26/weight - 2 \
sssp --impl lonestar-tagged --block 1024 --registers sssp_lonestar_tagged=22 --detail-kernels 4..6
LS-MST mst_lightest mst_lonestar.cu:26/edges mst_lonestar.cu:26/parent 3 \
mst --impl lonestar --block 1024 --symmetrize --registers mst_lightest=13 --detail-kernels 1..1
STCON stcon_expand stcon.cu:26/edges stcon.cu:27/side 2 \
stcon --block 512 --symmetrize --registers stcon_expand=23
"

# An input and a set of variants. Runs begin in this order.
inputs="r4-2e20 all
Graph1M all
rmat20 all
r4-2e20 one"

# Name; its baseline; its set; changed options, with TURN for the registers
# that a turn takes.
# -shared: streams and strides of all warps together. fast: 144 GB/s.
unified="memory.l1_sizing=unified-registers memory.unified=192KiB l1d.ways=8"
variants="
none none all
stream none all --mechanism stream
stride none all --mechanism stride
ghb none all --mechanism ghb-acdc
spref1 none all --mechanism spref
c-spref1 none all --mechanism spref:detect=compiler
spref none all --mechanism spref:distance=dynamic
c-spref none all --mechanism spref:detect=compiler,distance=dynamic
spref1-c none all --mechanism spref:tails=cache
base-64KB none all memory.l1_sizing=fixed l1d.size=64KiB l1d.ways=8
unified none all $unified
unified-spref1 unified all $unified --mechanism spref:registers=TURN
stream-shared none one --mechanism stream:warps=off
stride-shared none one --mechanism stride:warps=off
ghb-shared none one --mechanism ghb-acdc:warps=off
fast fast one $dram_144
fast-stream fast one $dram_144 --mechanism stream
fast-spref1 fast one $dram_144 --mechanism spref
"

# Calls $1 for each run with: kernel, device code, heads, tails, registers of a turn, input,
# variant, baseline, the variant's changed options, the words of the run.
each_run()
{
    local call=$1 input set variant base where changes kernel code heads tails turn words
    while read -r input set; do
        while read -r variant base where changes; do
            [ "$where" = "$set" ] || continue
            while read -r kernel code heads tails turn words; do
                [ -z "$kernel" ] || "$call" "$kernel" "$code" "$heads" "$tails" "$turn" "$input" \
                    "$variant" "$base" "$changes" "$words"
            done <<<"$works"
        done <<<"$variants"
    done <<<"$inputs"
}

queue_run()
{
    local name=$1.$6.$7 word options=() option=--set
    study_wanted "$name" "$csv-runs.csv" "$1,$6,$7" || return 0
    for word in ${9//TURN/$5}; do
        if [ "$word" = --mechanism ]; then
            option=$word
        else
            options+=($option "$word")
            option=--set
        fi
    done
    # shellcheck disable=SC2086 # they are words
    study_add "$name" "$2" ${10} --graph "like:$6,scale=$share" --machine fermi-macsim \
        "${options[@]}"
}

# The data of a run; for runs that are not kept, the committed lines.
collect_run()
{
    local name=$1.$6.$7 run=$1,$6,$7
    if [ ! -e "$keep/$name.json" ]; then
        study_keep "$run" >>"$csv.csv.$$"
        study_keep "$run" >>"$csv-runs.csv.$$"
        return
    fi
    echo "$run" >>"$csv.renewed.$$"
    jq -r --arg run "$run" --arg variant "$7" --arg base "$8" --arg heads "$3" --arg tails "$4" '
        def lines($loads):
            [$loads | splits(",") | select(. != "-") | "kernels/" + sub("/"; " ")];
        def wait_of($loads): .waits as $waits | [lines($loads)[] | $waits[.] // 0] | add;
        (lines($heads) + lines($tails) - [.launches[].waits | keys[]]) as $missing
        | if $variant == "none" and $missing != [] then error("no warp waits for \($missing)")
          else . end
        | .launches | to_entries[] | .key as $launch | .value
        | [$run, $base, $launch, .warp_instructions, .injected // 0, .cycles, .active,
           .l1.load_accesses, .l1.load_misses, .dram.bytes, .dram.busy, .dram.cycles,
           wait_of($heads), wait_of($tails), .issue.memory, .issue.slots]
        | join(",")' "$keep/$name.json" >>"$csv.csv.$$" || study_fail "$name"
    jq -r --arg run "$run" --arg base "$8" --arg turn "$5" --arg fates "$fates" \
        --arg lanes "$lanes" '
        ([.mechanisms.list[]?][0]) as $mechanism
        | [$run, $base, .graph.vertices, .graph.edges, (.launches | length),
           .launches[0].threads_per_sm, .launches[0].registers, .launches[0].l1d_bytes, $turn,
           ($fates | splits("[ \n]+") | $mechanism.prefetches.l1[.]? // ""),
           ($lanes | splits("[ \n]+") | $mechanism.l1[.]? // ""),
           .version, (.seconds * 10 | round / 10)] | join(",")' \
        "$keep/$name.json" >>"$csv-runs.csv.$$" || study_fail "$name"
}
# Of prefetchers into caches, in lines. Of spref, in lanes.
fates='requested fetched useful late useless demand_misses pollution dram_bytes'
lanes='heads tails moves missed wrong head_lanes tail_lanes target_lanes moved_lanes loaded_lanes
    unused_lanes dropped_lanes distance_1 distance_2 distance_3'

# Prints what the committed runs took, one a line: rank, name of the run, seconds.
study_costs()
{
    [ ! -e "$full-runs.csv" ] || awk -F, -v divisor="$((1 << (20 - scale)))" '
        NR > 1 { print 1, $1 "." $2 "." $3, $NF / divisor }' "$full-runs.csv"
}

share=$(awk -v s="$scale" 'BEGIN { printf "%.10g", 2 ^ (s - 20) }')
if ! $tables_only; then
    study_begin
    each_run queue_run
    study_run 1,2 # a run takes about as long as others of its kernel and input
    echo renewed >"$csv.renewed.$$"
    echo "kernel,input,variant,baseline,launch,warp_instructions,injected,cycles,active,l1_loads,"\
"l1_misses,dram_bytes,dram_busy,dram_cycles,head_waits,tail_waits,stall_memory,slots" \
        >"$csv.csv.$$"
    echo "kernel,input,variant,baseline,vertices,edges,launches,threads_per_sm,registers,"\
"l1d_bytes,turn_registers,$(tr -s ' \n' , <<<"$fates $lanes")version,seconds" >"$csv-runs.csv.$$"
    each_run collect_run
    study_fill "$csv.csv" "$csv.csv.$$"
    study_fill "$csv-runs.csv" "$csv-runs.csv.$$"
    [ -e "$csv.csv" ] || head -n 1 "$csv.csv.$$" >"$csv.csv"
    for each in "$csv-runs.csv" "$csv.csv"; do # the old launches last
        study_without_stale '
            function name() { return $1 "," $2 "," $3 }
            function base_name() { return $1 "," $2 "," $4 }
            function part() { return $5 }' 6 18 \
            "$csv.renewed.$$" "$csv.csv" "$csv.csv.$$" "$each.$$" >"$each.fresh.$$" &&
            mv "$each.fresh.$$" "$each" || exit 2
    done
    rm "$csv.renewed.$$" "$csv.csv.$$" "$csv-runs.csv.$$"
    [ "$scale" = 20 ] || exit 0 # the page is of full size
fi
tables=ipc
$rows_only &&
    tables+=' registers sizes inputs range launches waits loads distances lanes fates shared fast'
study_tables "$page" "$tables" -f "$here/lakshminarayana2014_prefetch.awk" "$full.csv" \
    "$full-runs.csv"
$rows_only || "$here/claims.sh" lakshminarayana2014
