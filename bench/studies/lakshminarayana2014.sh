#!/usr/bin/env bash
# Chapter 4 of lakshminarayana2014: the ten kernels of Table 9 on three inputs with every mechanism.
# Writes reference/results/lakshminarayana2014-S*.csv, and from the files of 20 the tables of
# docs/results/lakshminarayana2014.md.
#
#     bench/studies/lakshminarayana2014.sh [--scale S] [--all-launches] [--keep DIR] [--jobs N]
#         [--only REGEX] [--new] [--heddle FILE] [--tables] [--rows] [--plan]
#
# 2^S vertices (20: the full size; fewer for a quick look, which gets no tables). Runs are named
# CONFIGURATION.KERNEL.INPUT.VARIANT: `--only '^std\.H-BFS\.'` is one kernel. common.sh describes
# the options. After an interruption, the same command resumes. A variant takes 8 to 11 minutes of
# one CPU on one input, and all of them 19 hours.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep= scale=20 all=false
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
# H-BFS: the registers of Table 4, with which 1,536 threads fit an SM; our compiler needs 23.
# BFS-WC: 1,024 threads, as CLR and BFS-DD have; with the 37 of our compiler there are 512.
# The names with -OWN are not among the ten: our own forms of five programs that others published,
# on one input.
works="
H-BFS bfs_hipc bfs --impl hipc --block 512 --registers bfs_hipc=15
H-SSSP sssp_hipc sssp --impl hipc --block 512 --detail-kernels 1..22
H-MST mst_hipc mst --impl hipc --block 512 --symmetrize --detail-kernels 1..1
LS-BFS bfs_lonestar bfs --impl lonestar --block 1024 --detail-kernels 2..4
LS-SSSP sssp_lonestar sssp --impl lonestar --block 1024 --detail-kernels 4..6
LS-MST mst_lightest mst --impl lonestar --block 512 --symmetrize --detail-kernels 1..1
CLR colouring_topology colouring --impl topology --block 512 --symmetrize --detail-kernels 1..2
MIS mis_choose mis --block 512 --symmetrize --detail-kernels 1..3
BFS-DD bfs_uiuc bfs --impl uiuc --block 512
BFS-WC bfs_hipc_warp bfs --impl hipc-warp --block 512 --registers bfs_hipc_warp=32
H-BFS-OWN bfs_expand bfs --impl topology --block 512
H-SSSP-OWN sssp_relax sssp --impl topology --block 512 --detail-kernels 1..22
H-MST-OWN mst_find_min_edge_weight mst --impl h --block 512 --symmetrize --detail-kernels 1..1
BFS-DD-OWN bfs_data bfs --impl data --block 512
BFS-WC-OWN bfs_warp bfs --impl warp --block 512
"
$all && works=$(sed 's, --detail-kernels [0-9.]*,,' <<<"$works")

# Name; its inputs; changed options. Runs begin in this order, the most valuable first.
# std: Table 8. fast: 144 GB/s. large: both caches doubled.
# gpgpusim: fewer MSHR entries and shorter queues, those of GPGPU-Sim's GTX 480 (dram.queue: ours).
# threads: more threads of the kernels whose registers limit them and are not in the paper.
configurations="
std r4-2e20,Graph1M,rmat20
fast r4-2e20 $dram_144
large r4-2e20 l1d.size=32KiB memory.l1_large=96KiB l2.size=256KiB
gpgpusim r4-2e20 l1d.mshr_entries=32 l1d.mshr_merges=8 l1d.miss_queue=8 l2.mshr_entries=256 \
l2.mshr_merges=4 l2.miss_queue=4 slice.reply_queue=64 dram.queue=128
threads r4-2e20 core.registers=65536
"

# Name; its baseline; its configurations (std.INPUT: on that input only; own: with our own forms,
# too); changed options. In Table 11 all mechanisms but R-Exclusion have a victim cache of 1 KB, and
# so has the baseline of that section. The baseline counts the used sectors (Figure 39), which
# changes no result. Runs begin in this order.
variants="
none none std,own,fast,large,gpgpusim,threads --mechanism sector-use
victim victim std,own,fast,large,gpgpusim,threads l1d.victim_entries=8
obm none std,own,fast,gpgpusim,threads --mechanism obm
r-ex victim std,own,fast,large,gpgpusim,threads --mechanism r-ex
flexclusion victim std,fast,large,gpgpusim l1d.victim_entries=8 --mechanism flexclusion
exclusive victim std,fast,large,gpgpusim,threads l1d.victim_entries=8 --mechanism exclusive
b+c none std,own,fast,gpgpusim,threads --mechanism bypass-copyback
mat none std,own,fast,gpgpusim --mechanism mat
adaptive none std,own,fast,gpgpusim --mechanism adaptive-bypass
sector none std,own,fast,gpgpusim,threads --mechanism sector
obm+sector none std,gpgpusim --mechanism obm+sector
obm-l2 none std,gpgpusim --mechanism obm:levels=l2
spp-l1 none std,fast,gpgpusim --mechanism spp:levels=l1
nap-l1 none std,fast,gpgpusim --mechanism nap:levels=l1
bimodal-l1 none std,fast,gpgpusim --mechanism bimodal:levels=l1
mat-l2 none std,gpgpusim --mechanism mat:levels=l2
adaptive-l2 none std,gpgpusim --mechanism adaptive-bypass:levels=l2
spp none std,gpgpusim --mechanism spp:levels=l1,l2
nap none std,gpgpusim --mechanism nap:levels=l1,l2
bimodal none std,gpgpusim --mechanism bimodal:levels=l1,l2
adaptive+slru none std,gpgpusim --mechanism adaptive-bypass+slru
drrip none std,gpgpusim --mechanism drrip
obm-replaced none std.r4-2e20 --mechanism obm:replaced=bypass
obm-threshold16 none std.r4-2e20 --mechanism obm:threshold=16
obm-used none std.r4-2e20 --mechanism obm:victim_by=used
mat-8bit none std.r4-2e20 --mechanism mat:counter_bits=8
mat-halve none std.r4-2e20 --mechanism mat:counter_bits=8,overflow=halve
mat-pays none std.r4-2e20 --mechanism mat:victim=pays
slru none std.r4-2e20 --mechanism slru
adaptive+slru-ageing none std.r4-2e20 --mechanism adaptive-bypass+slru:ageing=yes
r-ex-8bit victim std.r4-2e20 --mechanism r-ex:counter_bits=8
b+c-8bit none std.r4-2e20 --mechanism bypass-copyback:counter_bits=8,count_bypassed=yes
r-ex-sticky victim std.r4-2e20 --mechanism r-ex:flags=sticky
b+c-sticky none std.r4-2e20 --mechanism bypass-copyback:flags=sticky
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
    local call=$1 configuration inputs settings input variant base where changes
    local kernel code words
    while read -r configuration inputs settings; do
        [ -n "$configuration" ] || continue
        for input in ${inputs//,/ }; do
            while read -r variant base where changes; do
                [[ ,$where, =~ ,$configuration(\.$input)?, ]] || continue
                while read -r kernel code words; do
                    [ -n "$kernel" ] || continue
                    [[ $kernel != *-OWN ||
                        $configuration.$input = std.r4-2e20 && ,$where, == *,own,* ]] || continue
                    [[ $configuration != threads || $kernel =~ ^(CLR|BFS-..)$ ]] || continue
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
    study_wanted "$name" "$results/lakshminarayana2014-$scale-runs.csv" "${name//./,}" || return 0
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
"flits_to_sms,mshr_stalls,l2_insertions,l1_bypassed,l2_load_misses,l2_bypassed" \
        >"$name.csv.$$"
    echo "configuration,kernel,input,variant,vertices,edges,launches,storage_bits,version,"\
"l1_used_1,l1_used_2,l1_used_3,l1_used_4,seconds" >"$name-runs.csv.$$"
    while read -r configuration kernel input variant base file; do
        if [ -z "$file" ]; then
            study_keep "$configuration,$kernel,$input,$variant" >>"$name.csv.$$"
            study_keep "$configuration,$kernel,$input,$variant" >>"$name-runs.csv.$$"
            continue
        fi
        echo "$configuration,$kernel,$input,$variant" >>"$name.renewed.$$"
        jq -r --arg run "$configuration,$kernel,$input,$variant" --arg base "$base" '
            (.mechanisms.sectors == null) as $lines # else a miss need not insert a line
            | .launches | to_entries[] | .key as $launch | .value
            | [$run, $base, $launch, .warp_instructions, .cycles, .l1.load_accesses,
               .l1.load_misses, .l2.accesses, .l2.misses, .l2.fills,
               .flits.up_control + .flits.down_control, .flits.up_data + .flits.down_data,
               .dram.bytes_read, .dram.bytes_written, .flits.down_control + .flits.down_data,
               .l1.mshr, .l2.insertions]
            + if $lines then [.l1.load_misses - .l1.insertions, .l2.load_misses, .l2.load_misses
                - (.l2 | .insertions - .store_insertions - .atomic_insertions
                         - .copy_back_insertions)]
              else [null, null, null] end | join(",")' \
            "$file" >>"$name.csv.$$"
        jq -r --arg run "$configuration,$kernel,$input,$variant" '
            (.mechanisms // {}) as $m
            | [$run, .graph.vertices, .graph.edges, (.launches | length),
               ([$m.list[]?.storage_bits, $m.copy_backs?.storage_bits?, $m.sectors?.storage_bits?]
                | map(. // 0) | add // 0), .version,
               ([$m.list[]? | select(.name == "sector-use")][0].l1
                | .used_1, .used_2, .used_3, .used_4), (.seconds * 10 | round / 10)] | join(",")' \
            "$file" >>"$name-runs.csv.$$"
    done < <(each_run list_run)
    study_fill "$name.csv" "$name.csv.$$"
    study_fill "$name-runs.csv" "$name-runs.csv.$$"
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

# Prints what the committed runs took, one a line: rank, name of the run, seconds. Rank 2: those at
# full size, divided by what the vertices are fewer.
study_costs()
{
    local size rank=1
    for size in "$scale" 20; do
        [ ! -e "$results/lakshminarayana2014-$size-runs.csv" ] ||
            awk -F, -v rank=$rank -v divisor="$((1 << (size - scale)))" '
                $14 > 0 { print rank, $1 "." $2 "." $3 "." $4, $14 / divisor }' \
                "$results/lakshminarayana2014-$size-runs.csv"
        rank=2
    done
}

if ! $tables_only; then
    study_begin
    each_run queue_run
    study_run 2,3 # a run takes about as long as others of its kernel and input
    collect
    [ "$scale" = 20 ] || exit 0 # the page is of full size
fi
# show CONFIGURATION TABLES
show()
{
    study_tables "$page" "$2" -v configuration="$1" -f "$here/lakshminarayana2014.awk" \
        "$results/lakshminarayana2014-20.csv" "$results/lakshminarayana2014-20-runs.csv"
}

if $rows_only; then
    show std 'summary baseline ipc range work bypass-l1 bypass-l2 sectors rules own'
    for name in fast large gpgpusim threads; do show $name $name; done
else
    show std 'summary work rules'
    "$here/claims.sh" lakshminarayana2014
fi
