#!/usr/bin/env bash
# khairy2015 on its 22 kernels: no caches, unbounded caches, the polynomial index, streaming bypass,
# DWT-CS, CCWS, MRPB, associativity, static throttling, locality. Writes khairy2015.csv,
# khairy2015-locality.csv and khairy2015-sampling.csv in reference/results, the tables of
# docs/results/khairy2015.md, and through claims.sh docs/results/claims.csv.
#
#     bench/studies/khairy2015.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE] [--tables]
#         [--rows] [--plan]
#
# About 45 minutes on one CPU. common.sh describes the options. After an interruption, the same
# command resumes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-khairy2015
study_options "$@"
csv=$root/reference/results/khairy2015.csv
locality=$root/reference/results/khairy2015-locality.csv
sampling=$root/reference/results/khairy2015-sampling.csv
page=$root/docs/results/khairy2015.md

# bfs is Rodinia's, as in the paper.
# Name; class in the paper's Table 2 (`-`: not among its applications); the run. Sizes are the
# workloads' defaults, or larger if the defaults give an SM only one block (`-few`: as they are).
# SYRK, GESUMMV and SCLUSTER have the suites' sizes, and are cut where the paper ends them;
# `-small`: smaller, and whole.
to=--max-thread-instructions
works="
vecadd streaming vecadd
scalarprod streaming scalarprod
blackscholes streaming blackscholes
walsh streaming walsh
needle streaming needle --param length=2048
hotspot streaming hotspot
convolution streaming convolution
conv2d conflict conv2d
mm2 conflict mm2
stencil3d conflict stencil3d
srad conflict srad
streamcluster conflict streamcluster --param points=65536 --param dimensions=256 $to 300000000
streamcluster-small conflict streamcluster --param points=65536 --param candidates=2
streamcluster-few conflict streamcluster
bfs thrashing bfs --impl hipc --block 512 --graph like:graph65536
spmv thrashing spmv --impl scalar --graph uniform:8192,82
kmeans thrashing kmeans --param points=16384 --param iterations=1
invindex thrashing invindex
syrk both syrk --param rows=1024 $to 100000000
syrk-small both syrk --param rows=128
syrk-few both syrk
gesummv both gesummv --param rows=4096 --param columns=4096 $to 100000000
gesummv-small both gesummv --param rows=4096
gesummv-few both gesummv
btree friendly btree
backprop friendly backprop
neuralnet friendly neuralnet
pi friendly pi
sssp - sssp --impl topology --graph like:graph65536
mst - mst --impl h --graph like:graph65536 --detail-kernels 1..12
"

# Classes that run it (all: each); name; changed options. `at1-*`: with a hit latency of one cycle,
# as in the paper's Figure 12. `*-direct`: data that bypass the L1 take no MSHR entry. dwt-pric is
# the paper's proposal; -1-5: sampled for five periods after one.
# `locality`: who used a line before; for Figure 3 also with one of the caches unbounded.
contention=conflict,thrashing,both
paper=$contention,streaming,friendly
variants="
all base
all dwt-pric l1d.index=polynomial --mechanism dwt-cs>streaming-bypass
all ccws --mechanism ccws
all mrpb --mechanism mrpb
all pric l1d.index=polynomial
all dwt-cs --mechanism dwt-cs
all mrpb-all --mechanism mrpb:capacity=all
all pric+dwt-cs l1d.index=polynomial --mechanism dwt-cs
all l1-unbounded l1d.mode=unbounded
all unbounded l1d.mode=unbounded l2.mode=unbounded
all off l1d.mode=off l2.mode=off
all streaming --mechanism streaming-bypass
all locality --mechanism locality
all locality-l1 l1d.mode=unbounded --mechanism locality
all locality-l2 l2.mode=unbounded --mechanism locality
all l1-off l1d.mode=off
all pric+streaming l1d.index=polynomial --mechanism streaming-bypass
$contention blocks1 --mechanism cta-limit:blocks=1
$contention blocks2 --mechanism cta-limit:blocks=2
$contention blocks4 --mechanism cta-limit:blocks=4
conflict,both at1-base l1d.latency=1
conflict,both at1-pric l1d.latency=1 l1d.index=polynomial
conflict,both at1-dwt-pric l1d.latency=1 l1d.index=polynomial --mechanism dwt-cs>streaming-bypass
conflict,both at1-16way l1d.latency=1 l1d.ways=16
conflict,both at1-32way l1d.latency=1 l1d.ways=32
conflict,both at1-64way l1d.latency=1 l1d.ways=64
conflict,both at1-full l1d.latency=1 l1d.ways=all
$paper dwt-pric-warp l1d.index=polynomial --mechanism dwt-cs:per=warp>streaming-bypass
$contention dwt-pric-across l1d.index=polynomial --mechanism dwt-cs:across=1>streaming-bypass
$contention dwt-pric-1-5 l1d.index=polynomial \
--mechanism dwt-cs:detect=1,sample=5>streaming-bypass
streaming past --mechanism streaming-bypass:threshold=0
streaming off-32 l1d.mode=off l2.mode=off l2.sector=32B
streaming off-wide l1d.mode=off l2.mode=off l2.sector=32B l2.mshr_entries=1024 l2.miss_queue=64
streaming,$contention streaming-direct l1d.bypass_mshr=off --mechanism streaming-bypass
"
# Static throttling: 1 to 24 warps of each scheduler, those of the paper's Table 3 first. With PRIC
# for the applications that need both.
for warps in 1 2 5 7 4 8 3 6 {9..24}; do
    variants+="$contention,- warps$warps --mechanism warp-limit:warps=$warps
both pric-warps$warps l1d.index=polynomial --mechanism warp-limit:warps=$warps
"
done

# runs CLASS CLASSES: whether a work of this class runs a variant with these classes.
runs()
{
    [ "$2" = all ] || [[ ,$2, == *,$1,* ]]
}

# Sets `options` to the options of heddle run for a variant. Fails if heddle lacks its mechanism.
options_of()
{
    local word
    options=()
    while [ $# -gt 0 ]; do
        word=$1
        shift
        if [ "$word" != --mechanism ]; then
            options+=(--set "$word")
            continue
        fi
        study_known "${1%%[:>+]*}" || return
        options+=(--mechanism "$1")
        shift
    done
}

queue_all()
{
    local work class words classes variant changes options file
    while read -r classes variant changes; do
        [ -n "$variant" ] || continue
        while read -r work class words; do
            { [ -n "$work" ] && runs "$class" "$classes"; } || continue
            file=$csv
            [[ $variant != locality* ]] || file=$locality
            study_wanted "$work.$variant" "$file" "$work,$class,$variant" || continue
            # shellcheck disable=SC2086 # they are words
            options_of $changes || continue
            # shellcheck disable=SC2086
            study_add "$work.$variant" - $words --machine fermi-gtx480-khairy "${options[@]}"
        done <<<"$works"
    done <<<"$variants"
}

# Calls `$1 WORK CLASS VARIANT` for each run that the study has.
each_run()
{
    local work class words classes variant changes
    while read -r work class words; do
        [ -n "$work" ] || continue
        while read -r classes variant changes; do
            { [ -n "$variant" ] && runs "$class" "$classes"; } || continue
            "$1" "$work" "$class" "$variant"
        done <<<"$variants"
    done <<<"$works"
}

# The line of one run. thread_instructions and warps, the numbers that DWT-CS chose by launch, are
# missing in lines of earlier versions.
run_row()
{
    [[ $3 != locality* ]] || return
    if [ ! -e "$keep/$1.$3.json" ]; then
        study_keep "$1,$2,$3"
        return
    fi
    echo "$1,$2,$3" >>"$csv.renewed.$$"
    jq -r --arg run "$1,$2,$3" '
        .version as $v | .seconds as $s
        | ([.mechanisms.list[]?.table[]? | select(.chosen == 1) | .number] | join(" ")) as $warps
        | .total
        | [$run, .cycles, .warp_instructions,
            .l1.load_accesses, .l1.load_hits, .l1.load_pending_hits, .l1.load_misses,
            .l1.line, .l1.mshr, .l1.merge, .l1.queue, .l2.accesses, .l2.misses,
            (.flits | add), .dram.bytes, (.dram.busy / .dram.cycles * 10000 | round),
            $v, ($s * 10 | round / 10), .thread_instructions, $warps] | join(",")' \
        "$keep/$1.$3.json"
}

# The lines of one run with the instrument `locality`: one per level and class.
locality_rows()
{
    [[ $3 == locality* ]] || return
    if [ ! -e "$keep/$1.$3.json" ]; then
        study_keep "$1,$2,$3"
        return
    fi
    jq -r --arg run "$1,$2,$3" '.version as $v
        | .mechanisms.list[] | select(.name == "locality")
        | to_entries[] | select(.key == "l1" or .key == "l2") | .key as $level
        | .value | to_entries[]
        | [$run, $level, .key, .value, $v] | join(",")' "$keep/$1.$3.json"
}

# The lines of one run with DWT-CS: one for each number of warps that it tried.
sampling_rows()
{
    [[ $3 == *dwt* ]] || return
    if [ ! -e "$keep/$1.$3.json" ]; then
        study_keep "$1,$2,$3"
        return
    fi
    jq -r --arg run "$1,$2,$3" '.version as $v
        | .mechanisms.list[] | select(.name == "dwt-cs") | .table[]
        | [$run, .kernel, .launch, .cycle, .round, .number, .sms, .instructions, .chosen, $v]
        | join(",")' "$keep/$1.$3.json"
}

# Writes the CSV files from the kept runs. For other runs, the files keep their committed lines.
collect()
{
    echo renewed >"$csv.renewed.$$"
    {
        echo "work,class,variant,cycles,warp_instructions,l1_loads,l1_hits,l1_pending_hits,"\
"l1_misses,line_stalls,mshr_stalls,merge_stalls,queue_stalls,l2_accesses,l2_misses,"\
"flits,dram_bytes,dram_busy,version,seconds,thread_instructions,warps"
        each_run run_row
    } >"$csv.$$"
    study_fill "$csv" "$csv.$$"
    [ -e "$csv" ] || head -n 1 "$csv.$$" >"$csv"
    study_without_stale '
        function name() { return $1 "," $2 "," $3 }
        function base_name() { return $1 "," $2 "," ($3 ~ /^at1-/ ? "at1-base" : "base") }
        function part() { return "" }' 4 18 \
        "$csv.renewed.$$" "$csv" "$csv.$$" "$csv.$$" >"$csv.fresh.$$" &&
        mv "$csv.fresh.$$" "$csv" || exit 2
    rm "$csv.renewed.$$" "$csv.$$"
    {
        echo "work,class,variant,level,kind,accesses,version"
        each_run locality_rows
    } >"$locality.$$" && study_fill "$locality" "$locality.$$" && mv "$locality.$$" "$locality"
    {
        echo "work,class,variant,kernel,launch,cycle,round,number,sms,instructions,chosen,version"
        each_run sampling_rows
    } >"$sampling.$$" && study_fill "$sampling" "$sampling.$$" && mv "$sampling.$$" "$sampling"
}

# Prints what runs took, one a line: rank, name of the run, seconds.
study_costs()
{
    [ ! -e "$csv" ] || awk -F, '$20 > 0 { print 1, $1 "." $3, $20 }' "$csv"
}

if ! $tables_only; then
    study_begin
    queue_all
    study_run 1 # a run takes about as long as others of its kernel
    mkdir -p "$(dirname "$csv")" && collect || exit 2
fi
files=("$csv")
[ ! -e "$locality" ] || files+=("$locality")
[ ! -e "$sampling" ] || files+=("$sampling")
tables='sensitivity locality contention proposal compared reduction warps'
$rows_only && tables+=' streaming over associativity throttling'
study_tables "$page" "$tables" -f "$here/khairy2015.awk" "${files[@]}"
$rows_only || "$here/claims.sh" khairy2015
