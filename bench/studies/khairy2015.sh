#!/usr/bin/env bash
# The cache half of khairy2015 on the available kernels: no caches, unbounded caches, the
# polynomial index, streaming bypass, associativity, throttling, locality. Writes
# reference/results/khairy2015.csv and khairy2015-locality.csv there, the tables of
# docs/results/khairy2015.md, and through claims.sh docs/results/claims.csv.
#
#     bench/studies/khairy2015.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE] [--tables]
#         [--plan]
#
# About 45 minutes on one CPU. common.sh describes the options. After an interruption, the same
# command resumes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-khairy2015
while [ $# -gt 0 ]; do
    study_option "$@"
    [ "$used" -gt 0 ] || study_fail "there is no option $1"
    shift "$used"
done
csv=$root/reference/results/khairy2015.csv
locality=$root/reference/results/khairy2015-locality.csv
page=$root/docs/results/khairy2015.md

# bfs is Rodinia's, as in the paper.
# Name; class in the paper's Table 2 (`-`: not among its applications); the run. Sizes are the
# workloads' defaults, or larger if the defaults give an SM only one block.
works="
vecadd streaming vecadd
scalarprod streaming scalarprod
conv2d conflict conv2d
bfs thrashing bfs --impl hipc --block 512 --graph like:graph65536
spmv thrashing spmv --impl scalar --graph uniform:8192,82
kmeans thrashing kmeans --param points=16384 --param iterations=1
syrk both syrk --param rows=128
syrk-few both syrk
gesummv both gesummv --param rows=4096
gesummv-few both gesummv
sssp - sssp --impl topology --graph like:graph65536
mst - mst --impl h --graph like:graph65536 --detail-kernels 1..12
"

# Name; changed options. `at1-*`: with a hit latency of one cycle, as in the paper's Figure 12.
# `*-direct`: data that bypass the L1 take no MSHR entry.
# `locality`: who used a line before; for Figure 3 also with one of the caches unbounded.
variants="
base
off l1d.mode=off l2.mode=off
off-32 l1d.mode=off l2.mode=off l2.sector=32B
off-wide l1d.mode=off l2.mode=off l2.sector=32B l2.mshr_entries=1024 l2.miss_queue=64
past --mechanism streaming-bypass:threshold=0
l1-off l1d.mode=off
unbounded l1d.mode=unbounded l2.mode=unbounded
l1-unbounded l1d.mode=unbounded
pric l1d.index=polynomial
streaming --mechanism streaming-bypass
streaming-l1 --mechanism streaming-bypass:levels=l1
streaming-direct l1d.bypass_mshr=off --mechanism streaming-bypass
pric+streaming-direct l1d.index=polynomial l1d.bypass_mshr=off --mechanism streaming-bypass
pric+streaming l1d.index=polynomial --mechanism streaming-bypass
at1-base l1d.latency=1
at1-pric l1d.latency=1 l1d.index=polynomial
at1-16way l1d.latency=1 l1d.ways=16
at1-32way l1d.latency=1 l1d.ways=32
at1-64way l1d.latency=1 l1d.ways=64
at1-full l1d.latency=1 l1d.ways=all
mshr128 l1d.mshr_entries=128 l1d.miss_queue=32
pric-mshr128 l1d.mshr_entries=128 l1d.miss_queue=32 l1d.index=polynomial
blocks1 --mechanism cta-limit:blocks=1
blocks2 --mechanism cta-limit:blocks=2
blocks4 --mechanism cta-limit:blocks=4
locality --mechanism locality
locality-l1 l1d.mode=unbounded --mechanism locality
locality-l2 l2.mode=unbounded --mechanism locality
"
# Static throttling: 1 to 24 warps of each scheduler, those of the paper's Table 3 first.
for warps in 1 2 5 7 4 8 3 6 {9..24}; do
    variants+="warps$warps --mechanism warp-limit:warps=$warps
pric-warps$warps l1d.index=polynomial --mechanism warp-limit:warps=$warps
"
done

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
        study_known "${1%%:*}" || return
        options+=(--mechanism "$1")
        shift
    done
}

queue_all()
{
    local work class words variant changes options file
    while read -r variant changes; do
        [ -n "$variant" ] || continue
        while read -r work class words; do
            [ -n "$work" ] || continue
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

# Writes the CSV files from the kept runs: one line per run, and of those with `locality` one per
# level and class. For other runs, the files keep their committed lines.
collect()
{
    local work class words variant changes file
    echo renewed >"$csv.renewed.$$"
    {
        echo "work,class,variant,cycles,warp_instructions,l1_loads,l1_hits,l1_pending_hits,"\
"l1_misses,line_stalls,mshr_stalls,merge_stalls,queue_stalls,l2_accesses,l2_misses,"\
"flits,dram_bytes,dram_busy,version,seconds"
        while read -r work class words; do
            [ -n "$work" ] || continue
            while read -r variant changes; do
                [[ -z $variant || $variant == locality* ]] && continue
                if [ ! -e "$keep/$work.$variant.json" ]; then
                    study_rows "$csv" "$work,$class,$variant"
                    continue
                fi
                echo "$work,$class,$variant" >>"$csv.renewed.$$"
                jq -r --arg work "$work" --arg class "$class" --arg variant "$variant" '
                    .version as $v | .seconds as $s | .total
                    | [$work, $class, $variant, .cycles, .warp_instructions,
                        .l1.load_accesses, .l1.load_hits, .l1.load_pending_hits, .l1.load_misses,
                        .l1.line, .l1.mshr, .l1.merge, .l1.queue, .l2.accesses, .l2.misses,
                        (.flits | add), .dram.bytes, (.dram.busy / .dram.cycles * 10000 | round),
                        $v, ($s * 10 | round / 10)] | join(",")' "$keep/$work.$variant.json"
            done <<<"$variants"
        done <<<"$works"
    } >"$csv.$$"
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
        while read -r work class words; do
            [ -n "$work" ] || continue
            for variant in locality locality-l1 locality-l2; do
                file=$keep/$work.$variant.json
                if [ ! -e "$file" ]; then
                    study_rows "$locality" "$work,$class,$variant"
                    continue
                fi
                jq -r --arg run "$work,$class,$variant" '.version as $v
                    | .mechanisms.list[] | select(.name == "locality")
                    | to_entries[] | select(.key == "l1" or .key == "l2") | .key as $level
                    | .value | to_entries[]
                    | [$run, $level, .key, .value, $v] | join(",")' "$file"
            done
        done <<<"$works"
    } >"$locality.$$" && mv "$locality.$$" "$locality"
}

# Prints what runs took, one a line: rank, name of the run, seconds.
study_costs()
{
    [ ! -e "$csv" ] || awk -F, '$20 > 0 { print 1, $1 "." $3, $20 }' "$csv"
}

# tables NAME: prints one of the page's tables from the CSV.
tables()
{
    local files=("$csv")
    [ ! -e "$locality" ] || files+=("$locality")
    awk -F, -v table="$1" -f "$here/khairy2015.awk" "${files[@]}"
}

if ! $tables_only; then
    study_begin
    queue_all
    study_run 1 # a run takes about as long as others of its kernel
    mkdir -p "$(dirname "$csv")" && collect || exit 2
fi
for name in sensitivity contention associativity throttling warps reduction locality; do
    tables "$name" | study_page "$page" "$name"
done
"$here/claims.sh"
