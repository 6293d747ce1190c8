#!/usr/bin/env bash
# yilmazer2020gw, section 8: the Graph-Waving architecture, step by step, with its 20 programs.
# Writes yilmazer2020gw.csv in reference/results, the tables of docs/results/yilmazer2020gw.md, and
# through claims.sh docs/results/claims.csv.
#
#     bench/studies/yilmazer2020gw.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE]
#         [--tables] [--rows] [--plan]
#
# common.sh describes the options. Runs are named PROGRAM:VARIANT. Two
# hours of one CPU. After an interruption, the same command continues.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-yilmazer2020gw
study_options "$@"
csv=$root/reference/results/yilmazer2020gw.csv
page=$root/docs/results/yilmazer2020gw.md

# Name; class in the paper's Table 1; the workload; options. Graph programs have two
# implementations, for a vertex by thread and by warp. The iterations of PageRank are alike. `more`:
# not among the 20.
programs='
AES regular aes
BPR regular backprop
CP regular coulomb
DHWD regular haar
FFT regular fft
LIB regular libor
PF regular pathfinder
HOTS irregular hotspot
LPS irregular laplace3d
MUM irregular mummer
NDL irregular needle
NN irregular neuralnet
NUQ irregular queens
NUQ.14 more queens --param size=14
BC.1k graph bc thread scalar --graph like:1k-128k
BC.2k graph bc thread scalar --graph like:2k-1M
BFS.4k graph bfs hipc scalar --graph like:graph4096
BFS.64k graph bfs hipc scalar --graph like:graph65536
CLR.eco graph colouring maxmin scalar --graph like:ecology1
CLR.cir graph colouring maxmin scalar --graph like:G3_circuit
PRK.coA graph pagerank push scalar --graph like:coAuthors --param iterations=5
'

# Narrow warps with the rates of B32 for each SM, and a buffer of decoded instructions for each
# warp: schedulers and units for as many lanes, and banks, collectors and allocation units of
# registers likewise. A special function unit has 4 lanes.
half='core.width=16 core.schedulers=4 core.register_unit=64 units.sp=4 operand.banks=32
    operand.sp=12 operand.ports_sp=4 initiation.int_div=4 initiation.fp_div=2 initiation.fp_rcp=4
    initiation.sfu=4 initiation.dp_add=4 initiation.dp_max=8 initiation.dp_mul=4
    initiation.dp_mad=4 initiation.dp_div=65 initiation.dp_rcp=65 initiation.dp_sqrt=65'
narrow='core.width=8 core.schedulers=8 core.register_unit=32 units.sp=8 operand.banks=64
    operand.sp=24 operand.ports_sp=8 initiation.int_div=2 initiation.fp_div=1 initiation.fp_rcp=2
    initiation.sfu=2 initiation.dp_add=2 initiation.dp_max=4 initiation.dp_mul=2
    initiation.dp_mad=2 initiation.dp_div=33 initiation.dp_rcp=33 initiation.dp_sqrt=33'
store='frontend.buffer=shared-store frontend.store_lookups=8 frontend.branch=target'
# Name; implementation of graph programs (-: those programs alone have the variant); the machine;
# parameters.
variants="
b32 thread fermi-c2050
b32-warp -warp fermi-c2050
half warp fermi-c2050 $half
narrow warp fermi-c2050 $narrow
store warp fermi-c2050 $narrow $store
pairs warp fermi-c2050-gw8 scalar.mode=off
execute warp fermi-c2050-gw8 scalar.mode=execute
waves warp fermi-c2050-gw8
gw8-thread -thread fermi-c2050-gw8
any warp fermi-c2050-gw8 scalar.members=any
waves-first warp fermi-c2050-gw8 scalar.order=pair>wave>lone
entries64 warp fermi-c2050-gw8 scalar.entries=64
lookups8 warp fermi-c2050-gw8 frontend.store_lookups=8
store192 warp fermi-c2050-gw8 frontend.store_entries=192
lsu2 warp fermi-c2050-gw8 memory.lsu_rate=2 operand.ports_mem=2 operand.mem=5
impatient warp fermi-c2050-gw8 scalar.patience=100
patient warp fermi-c2050-gw8 scalar.patience=1000000
"
variants=$(awk 'NF == 0 || /^[a-z0-9-]+ -?(thread|warp) / { printf "\n" }
    { $1 = $1; printf "%s ", $0 }' <<<"$variants")

# Calls $1 PROGRAM CLASS VARIANT WORD... for each run that the study has. The words are those of
# `heddle run`.
each_run()
{
    local variant code machine sets program class workload options thread warp words set
    while read -r variant code machine sets; do
        [ -n "$variant" ] || continue
        while read -r program class workload options; do
            [ -n "$program" ] || continue
            [[ $code != -* || $class = graph ]] || continue
            words=("$workload")
            if [ "$class" = graph ]; then
                read -r thread warp options <<<"$options"
                case $code in
                *thread) words+=(--impl "$thread") ;;
                *) words+=(--impl "$warp") ;;
                esac
            fi
            words+=(--machine "$machine")
            for set in $sets; do words+=(--set "$set"); done
            # shellcheck disable=SC2086 # they are words
            "$1" "$program" "$class" "$variant" "${words[@]}" $options
        done <<<"$programs"
    done <<<"$variants"
}

queue_run()
{
    local run=$1:$3 program=$1 class=$2 variant=$3
    shift 3
    study_wanted "$run" "$csv" "$program,$class,$variant" || return
    study_add "$run" - "$@"
}

# groups_...: groups of this many lanes and more (full: of all); waves_...: of this many members.
columns='cycles warp_instructions thread_instructions issued slots memory_instructions
    memory_requests sm_cycles active_cycles fetches decoded scalar_instructions l1_accesses
    l1_misses l2_accesses l2_misses dram_bytes pairs lone waves wave_members scalars lanes_saved
    shared_lookups wave_table_full waves_by_patience
    warps_0 warps_1 warps_2 warps_5 warps_9 warps_more
    issuable_0 issuable_1 issuable_2 issuable_5 issuable_9 issuable_more
    groups_0 groups_1 groups_5 groups_9 groups_17 groups_25 groups_full waves_1 waves_2
    waves_5 waves_9 waves_17'

row() # PROGRAM CLASS VARIANT ...
{
    if [ ! -e "$keep/$1:$3.json" ]; then
        study_keep "$1,$2,$3"
        return
    fi
    echo "$1,$2,$3" >>"$csv.renewed.$$"
    jq -r --arg run "$1,$2,$3" '
        def bins($list; $first): [range($first | length) as $i | $first[$i] as $from
            | ($first[$i + 1] // 99) as $to | [$list[$from:$to][]?] | add // 0];
        .total as $t | ($t.groups // {}) as $g
        | [$run, .graph.vertices // "", .graph.edges // "", (.launches | length), $t.cycles,
           $t.warp_instructions, $t.thread_instructions, $t.issue.issued, $t.issue.slots,
           $t.sm.memory_instructions, $t.sm.memory_requests, $t.sm.cycles, $t.sm.active_cycles,
           $t.sm.fetches, $t.sm.instructions_decoded, $t.sm.scalar_instructions, $t.l1.accesses,
           $t.l1.misses, $t.l2.accesses, $t.l2.misses, $t.dram.bytes, $g.pairs, $g.lone, $g.waves,
           $g.wave_members, $g.scalars, $g.lanes_saved, $g.shared_lookups, $g.wave_table_full,
           $g.waves_by_patience, $g.issuable_warps_0, $g.issuable_warps_1, $g.issuable_warps_2_4,
           $g.issuable_warps_5_8, $g.issuable_warps_9_16, $g.issuable_warps_more,
           $g.issuable_scalars_0, $g.issuable_scalars_1, $g.issuable_scalars_2_4,
           $g.issuable_scalars_5_8, $g.issuable_scalars_9_16, $g.issuable_scalars_more,
           bins($g.lanes // $t.lanes; [0, 1, 5, 9, 17, 25])[], ($g.lanes // $t.lanes)[-1],
           bins($g.waves_by_members // []; [1, 2, 5, 9, 17])[],
           .version, (.seconds * 10 | round / 10)]
        | map(. // "") | join(",")' "$keep/$1:$3.json"
}

collect()
{
    echo renewed >"$csv.renewed.$$"
    {
        printf 'program,class,variant,vertices,edges,launches'
        # shellcheck disable=SC2086 # they are words
        printf ',%s' $columns
        echo ,version,seconds
        each_run row
    } >"$csv.$$"
    study_fill "$csv" "$csv.$$"
    [ -e "$csv" ] || head -n 1 "$csv.$$" >"$csv"
    study_without_stale '
        function name() { return $1 "," $2 "," $3 }
        function base_name() { return $1 "," $2 ",b32" }
        function part() { return "" }' 7 23 \
        "$csv.renewed.$$" "$csv" "$csv.$$" "$csv.$$" >"$csv.fresh.$$" &&
        mv "$csv.fresh.$$" "$csv" || exit 2
    rm "$csv.renewed.$$" "$csv.$$"
}

study_costs()
{
    [ ! -e "$csv" ] || awk -F, 'NR > 1 { print 1, $1 ":" $3, $NF }' "$csv"
}

if ! $tables_only; then
    study_begin
    each_run queue_run
    study_run 1
    collect
fi
tables='performance steps choices waves memory'
$rows_only && tables+=' programs graphs utilisation issuable fetches width'
study_tables "$page" "$tables" -f "$here/yilmazer2020gw.awk" "$csv"
$rows_only || "$here/claims.sh" yilmazer2020gw
