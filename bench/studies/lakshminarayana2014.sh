#!/usr/bin/env bash
# Chapter 4 of lakshminarayana2014: the ten kernels of Table 9 on three inputs with every mechanism.
# Writes reference/results/lakshminarayana2014-S*.csv, and from the files of 17 and 20 the tables of
# docs/results/lakshminarayana2014.md.
#
#     bench/studies/lakshminarayana2014.sh [--scale S] [--all-launches] [--keep DIR] [--jobs N]
#         [--only REGEX] [--heddle FILE] [--tables] [--plan]
#
# 2^S vertices (17; at 20 the inputs have their full size). Runs are named
# CONFIGURATION.KERNEL.INPUT.VARIANT: `--only '^std\.H-BFS\.'` is one kernel. common.sh describes
# the options. After an interruption, the same command resumes. At 17 a variant takes 3 minutes of
# one CPU on the three inputs; with all launches timed, 8.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep= scale=17 all=false
while [ $# -gt 0 ]; do
    study_option "$@"
    case $used.$1 in
    0.--scale) scale=${2:?--scale needs a number} used=2 ;;
    0.--all-launches) all=true used=1 ;;
    esac
    [ "$used" -gt 0 ] || study_fail "there is no option $1"
    shift "$used"
done
[[ $scale =~ ^(1[0-9]|20)$ ]] || study_fail "--scale: 10 to 20"
$all && scope=-all || scope=
keep=${keep:-study-lakshminarayana2014-$scale$scope}
results=$root/reference/results
page=$root/docs/results/lakshminarayana2014.md

# The kernel in the paper; its device code, the only launches measured; the run. Launches outside
# --detail-kernels run functionally, so that the answer is checked (--all-launches: all are timed).
# LS-SSSP: an L1 of 16 KB, as in the paper, though 48 KB would fit here.
# The names with -OWN are not among the ten: our own forms of four programs that others published,
# on one input.
works="
H-BFS bfs_hipc bfs --impl hipc --block 512
H-SSSP sssp_hipc sssp --impl hipc --block 512 --detail-kernels 1..22
H-MST mst_find_min_edge_weight mst --impl h --block 512 --symmetrize --detail-kernels 1..1
LS-BFS bfs_lonestar bfs --impl lonestar --block 1024 --detail-kernels 1..3
LS-SSSP sssp_lonestar sssp --impl lonestar --block 1024 --detail-kernels 1..2 \
    --set memory.l1_sizing=fixed
LS-MST mst_lightest mst --impl lonestar --block 512 --symmetrize --detail-kernels 1..1
CLR colouring_topology colouring --impl topology --block 512 --symmetrize --detail-kernels 1..2
MIS mis_choose mis --block 512 --symmetrize --detail-kernels 1..3
BFS-DD bfs_uiuc bfs --impl uiuc --block 512
BFS-WC bfs_hong bfs --impl hong --block 512
H-BFS-OWN bfs_expand bfs --impl topology --block 512
H-SSSP-OWN sssp_relax sssp --impl topology --block 512 --detail-kernels 1..22
BFS-DD-OWN bfs_data bfs --impl data --block 512
BFS-WC-OWN bfs_warp bfs --impl warp --block 512
"
$all && works=$(sed 's, --detail-kernels [0-9.]*,,' <<<"$works")

# Name; its inputs; its inputs at full size (-: none); changed options. Runs begin in this order,
# the most valuable first.
# std: Table 8. fast: 144 GB/s with unchanged DRAM times in ns. large: both caches doubled.
# mshr: four times the MSHR entries of an L1, whose number the paper does not give.
configurations="
std r4-2e20,Graph1M,rmat20 r4-2e20,Graph1M,rmat20
fast r4-2e20,Graph1M,rmat20 r4-2e20 dram.frequency=1125MHz dram.tCL=29 dram.tRCD=40 dram.tRP=17 \
    dram.tRAS=69 dram.tRC=86
large r4-2e20,Graph1M,rmat20 r4-2e20 l1d.size=32KiB memory.l1_large=96KiB l2.size=256KiB
mshr r4-2e20 - l1d.mshr_entries=128 l1d.miss_queue=32
"

# Name; its baseline; its configurations; changed options. In Table 11 all mechanisms but
# R-Exclusion have a victim cache of 1 KB, and so has the baseline of that section. The baseline
# counts the used sectors (Figure 39), which changes no result. Runs begin in this order.
variants="
none none std,fast,large,mshr --mechanism sector-use
victim victim std,fast,large l1d.victim_entries=8
obm none std,fast,mshr --mechanism obm
r-ex victim std,fast,large --mechanism r-ex
flexclusion victim std,fast,large l1d.victim_entries=8 --mechanism flexclusion
exclusive victim std,fast,large l1d.victim_entries=8 --mechanism exclusive
b+c none std,fast --mechanism bypass-copyback
mat none std,fast --mechanism mat
adaptive none std,fast --mechanism adaptive-bypass
sector none std,fast,mshr --mechanism sector
obm+sector none std --mechanism obm+sector
obm-l2 none std --mechanism obm:levels=l2
spp-l1 none std,fast,mshr --mechanism spp:levels=l1
nap-l1 none std,fast,mshr --mechanism nap:levels=l1
bimodal-l1 none std,fast --mechanism bimodal:levels=l1
mat-l2 none std --mechanism mat:levels=l2
adaptive-l2 none std --mechanism adaptive-bypass:levels=l2
spp none std,mshr --mechanism spp:levels=l1,l2
nap none std,mshr --mechanism nap:levels=l1,l2
bimodal none std --mechanism bimodal:levels=l1,l2
adaptive+slru none std --mechanism adaptive-bypass+slru
drrip none std --mechanism drrip
obm-replaced none std --mechanism obm:replaced=bypass
mat-saturate none std --mechanism mat:overflow=saturate
r-ex-8bit victim std --mechanism r-ex:counter_bits=8
b+c-8bit none std --mechanism bypass-copyback:counter_bits=8,count_bypassed=yes
"

# Sets `options` to the options of heddle run for a variant. Fails if heddle lacks a mechanism.
options_of()
{
    local word one
    options=()
    while [ $# -gt 0 ]; do
        word=$1
        shift
        if [ "$word" != --mechanism ]; then
            options+=(--set "$word")
            continue
        fi
        for one in ${1//[+>]/ }; do study_known "${one%%:*}" || return; done
        options+=(--mechanism "$1")
        shift
    done
}

share() # of the full size
{
    awk -v s="$scale" 'BEGIN { printf "%.10g", 2 ^ (s - 20) }'
}

# Calls $1 for each run of the tables, with: configuration, its settings, kernel, device code,
# input, variant, baseline, the variant's changed options, the words of the run.
each_run()
{
    local call=$1 configuration inputs full settings input variant base where changes
    local kernel code words
    while read -r configuration inputs full settings; do
        [ -n "$configuration" ] || continue
        [ "$scale" -lt 20 ] || inputs=${full#-}
        for input in ${inputs//,/ }; do
            while read -r variant base where changes; do
                [[ ,$where, == *,$configuration,* ]] || continue
                while read -r kernel code words; do
                    [ -n "$kernel" ] || continue
                    [[ $kernel != *-OWN || $configuration.$input = std.r4-2e20 ]] || continue
                    "$call" "$configuration" "$settings" "$kernel" "$code" "$input" "$variant" \
                        "$base" "$changes" "$words"
                done <<<"$works"
            done <<<"$variants"
        done
    done <<<"$configurations"
}

queue_run()
{
    local configuration=$1 settings=$2 kernel=$3 code=$4 input=$5 variant=$6 changes=$8 words=$9
    local options name=$configuration.$kernel.$input.$variant
    study_wanted "$name" || return 0
    # shellcheck disable=SC2086 # they are words
    options_of $settings $changes || return 0
    # shellcheck disable=SC2086
    study_add "$name" "$code" $words \
        --graph "like:$input,scale=$(share)" --machine fermi-macsim "${options[@]}"
}

list_run() # prints the run's kept data file, if any
{
    local file=$keep/$1.$3.$5.$6.json
    [ -e "$file" ] || file=
    echo "$1 $3 $5 $6 $7 $file"
}

# Writes the CSV files from the kept runs: one line per launch, and one per run. For other runs, the
# files keep their committed lines. `seconds` are of the CPU that measured.
collect()
{
    local configuration kernel input variant base file name=$results/lakshminarayana2014-$scale
    local each
    mkdir -p "$results" || exit 2
    echo renewed >"$name.renewed.$$"
    echo "configuration,kernel,input,variant,baseline,launch,warp_instructions,cycles,l1_loads,"\
"l1_misses,l2_accesses,l2_misses,l2_fills,flits_address,flits_data,dram_read,dram_written,"\
"flits_to_sms,mshr_stalls,l2_insertions,l2_copy_back_insertions" \
        >"$name.csv.$$"
    echo "configuration,kernel,input,variant,vertices,edges,launches,l1_inserted,l1_bypassed,"\
"l2_inserted,l2_bypassed,l1_fills,l2_fills,storage_bits,version,l1_used_1,l1_used_2,l1_used_3,"\
"l1_used_4,seconds" >"$name-runs.csv.$$"
    while read -r configuration kernel input variant base file; do
        if [ -z "$file" ]; then
            study_rows "$name.csv" "$configuration,$kernel,$input,$variant" >>"$name.csv.$$"
            study_rows "$name-runs.csv" "$configuration,$kernel,$input,$variant" \
                >>"$name-runs.csv.$$"
            continue
        fi
        echo "$configuration,$kernel,$input,$variant" >>"$name.renewed.$$"
        jq -r --arg run "$configuration,$kernel,$input,$variant" --arg base "$base" '.launches
            | to_entries[] | .key as $launch | .value
            | [$run, $base, $launch, .warp_instructions, .cycles, .l1.load_accesses,
               .l1.load_misses, .l2.accesses, .l2.misses, .l2.fills,
               .flits.up_control + .flits.down_control, .flits.up_data + .flits.down_data,
               .dram.bytes_read, .dram.bytes_written, .flits.down_control + .flits.down_data,
               .l1.mshr, .l2.insertions, .l2.copy_back_insertions] | join(",")' \
            "$file" >>"$name.csv.$$"
        jq -r --arg run "$configuration,$kernel,$input,$variant" '
            (.mechanisms // {}) as $m
            | [$run, .graph.vertices, .graph.edges, (.launches | length),
               $m.l1.inserted // .total.l1.fills, $m.l1.bypassed // 0,
               $m.l2.inserted // .total.l2.fills, $m.l2.bypassed // 0,
               .total.l1.fills, .total.l2.fills,
               ([$m.list[]?.storage_bits, $m.copy_backs?.storage_bits?, $m.sectors?.storage_bits?]
                | map(. // 0) | add // 0), .version,
               ([$m.list[]? | select(.name == "sector-use")][0].l1
                | .used_1, .used_2, .used_3, .used_4), (.seconds * 10 | round / 10)] | join(",")' \
            "$file" >>"$name-runs.csv.$$"
    done < <(each_run list_run)
    [ -e "$name.csv" ] || head -n 1 "$name.csv.$$" >"$name.csv"
    for each in "$name-runs.csv" "$name.csv"; do # the old launches last
        study_without_stale '
            function name() { return $1 "," $2 "," $3 "," $4 }
            function base_name() { return $1 "," $2 "," $3 "," $5 }
            function part() { return $6 }' 7 19 \
            "$name.renewed.$$" "$name.csv" "$name.csv.$$" "$each.$$" >"$each.fresh.$$" &&
            mv "$each.fresh.$$" "$each" || exit 2
    done
    rm "$name.renewed.$$" "$name.csv.$$" "$name-runs.csv.$$"
}

# Prints what runs took, one a line: rank, name of the run, seconds. Rank 2: with fewer vertices,
# multiplied by what the vertices are fewer.
study_costs()
{
    local size rank=1
    for size in "$scale" 17; do
        [ ! -e "$results/lakshminarayana2014-$size-runs.csv" ] ||
            awk -F, -v rank=$rank -v factor="$((1 << (scale > size ? scale - size : 0)))" '
                $20 > 0 { print rank, $1 "." $2 "." $3 "." $4, $20 * factor }' \
                "$results/lakshminarayana2014-$size-runs.csv"
        rank=2
    done
}

if ! $tables_only; then
    study_begin
    each_run queue_run
    study_run 2,3 # a run takes about as long as others of its kernel and input
    collect
fi
# awk_table TABLE CONFIGURATION SCALE: prints a table.
awk_table()
{
    local data=$results/lakshminarayana2014-$3
    [ ! -e "$data.csv" ] || awk -F, -v table="$1" -v configuration="$2" \
        -f "$here/lakshminarayana2014.awk" "$data.csv" "$data-runs.csv"
}

# tables NAME TABLE CONFIGURATION SCALE: renews one table of the page.
tables()
{
    local text
    text=$(awk_table "$2" "$3" "$4")
    [ "$(wc -l <<<"$text")" -gt 2 ] || text="Not run yet." # two lines are the heading
    study_page "$page" "$1" <<<"$text"
}

# The means of all mechanisms: at full size where all ten kernels were run, else at 2^17.
summary()
{
    local size
    echo "| | R4_2e20 | three inputs | all launches | paper | vertices |"
    echo "| --- | ---: | ---: | ---: | ---: | --- |"
    for size in 20 17; do
        awk_table summary std $size | sed "s/\$/,2^$size/"
    done | sort -s -t, -n -k1,1 | awk -F, '
        function mean(value) { return value == "" ? "" : sprintf("%.2f", value) }
        !seen[$1]++ {
            printf "| %s | %s | %s | %s | %s | %s |\n", $2, mean($3), mean($4), mean($5), $6, $7
        }'
}
summary | study_page "$page" summary
for name in baseline ipc inputs range work; do tables "$name" "$name" std 17; done
tables mshr ipc mshr 17
for name in fast large; do
    tables $name ipc $name 17
    tables full-$name ipc $name 20
done
tables full ipc std 20
for name in inputs range baseline work sectors; do tables "full-$name" "$name" std 20; done
"$here/claims.sh"
