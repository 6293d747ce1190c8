#!/usr/bin/env bash
# guo2018dsap, section V: data-structure aware prefetching beside two other prefetchers, on graphs
# like its six. Writes reference/results/guo2018dsap.csv, the tables of docs/results/guo2018dsap.md,
# and through claims.sh docs/results/claims.csv.
#
#     bench/studies/guo2018dsap.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE] [--tables]
#         [--rows] [--plan] [--data DIR]
#
# common.sh describes the options. --data names a folder with the graphs of the table `files`; those
# that are not there keep their committed lines. Runs are named INPUT.VARIANT. 2 hours of one CPU.
# After an interruption, the same command continues.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-guo2018dsap data=
while [ $# -gt 0 ]; do
    if [ "$1" = --data ]; then
        data=${2:?--data needs a folder}
        shift 2
        continue
    fi
    study_option "$@"
    [ "$used" -gt 0 ] || study_fail "there is no option $1"
    shift "$used"
done
csv=$root/reference/results/guo2018dsap.csv
page=$root/docs/results/guo2018dsap.md

# The paper's Table 2. Each also with its vertices in random order (`-random`), in blocks of 1,024
# threads (`-1024`), and searched by Algorithm 1 as it stands in the paper (`-listed`).
likes='
CA roadNet-CA
USA USA-road
TX roadNet-TX
OR oregon-2
CIT cit-HepPh
PA roadNet-PA
'
files='
oregon2_010331 oregon2_010331.txt
ca-AstroPh ca-AstroPh.txt
ca-CondMat ca-CondMat.txt
delaunay_n16 delaunay_n16.mtx
facebook facebook_combined.txt
luxembourg luxembourg_osm.mtx
p2p-Gnutella31 p2p-Gnutella31.txt
soc-Epinions1 soc-Epinions1.txt.gz
web-indochina web-indochina-2004.txt
'
# Name; `all`: of all inputs, `six`: of the paper's six; the options.
variants='
none all
next-line all --mechanism next-line
ghb-stride all --mechanism ghb-stride
dsap all --mechanism dsap
stop all --mechanism dsap:adaptive=stop
off all --mechanism dsap:adaptive=off
none-16KB six --set l1d.size=16KiB --set l1d.ways=4
dsap-16KB six --set l1d.size=16KiB --set l1d.ways=4 --mechanism dsap
none-lrr six --set core.policy=lrr
dsap-lrr six --set core.policy=lrr --mechanism dsap
threshold.6 six --mechanism dsap:threshold=0.6
threshold.7 six --mechanism dsap:threshold=0.7
threshold.9 six --mechanism dsap:threshold=0.9
states5 six --mechanism dsap:states=5
up six --mechanism dsap:unresolved=up
stop-kernel six --mechanism dsap:adaptive=stop,resume=kernel
period1000 six --mechanism dsap:period=1000
period100000 six --mechanism dsap:period=100000
queue16 six --mechanism dsap:queue=16
queue256 six --mechanism dsap:queue=256
fifo4 six --mechanism dsap:fifo=4
fifo64 six --mechanism dsap:fifo=64
next-line-miss six --mechanism next-line:trigger=misses
'

# Calls $1 with each input, its set (six, random, 1024, listed, file), the implementation, the
# threads of a block, and the words that name its graph.
each_input()
{
    local name graph set
    for set in six random 1024 listed; do
        while read -r name graph; do
            [ -n "$name" ] || continue
            case $set in
            six) "$1" "$name" $set graphbig 512 "like:$graph" ;;
            random) "$1" "$name-random" $set graphbig 512 "like:$graph" --relabel random ;;
            1024) "$1" "$name-1024" $set graphbig 1024 "like:$graph" ;;
            listed) "$1" "$name-listed" $set data-warp 256 "like:$graph" ;;
            esac
        done <<<"$likes"
    done
    while read -r name graph; do
        [ -z "$name" ] || "$1" "$name" file graphbig 512 "$data/$graph" --symmetrize
    done <<<"$files"
}

queue_input() # INPUT SET IMPLEMENTATION THREADS GRAPH WORD...
{
    local input=$1 set=$2 implementation=$3 threads=$4 graph=$5 variant which words
    shift 5
    [[ $set != file || -e $graph ]] || return
    while read -r variant which words; do
        [[ -n $variant && ($which = all || $set = six) ]] || continue
        study_wanted "$input.$variant" "$csv" "$input,$set,$variant" || continue
        # shellcheck disable=SC2086 # they are words; those of a variant go before, to replace them
        study_add "$input.$variant" - bfs --impl "$implementation" --block "$threads" \
            --graph "$graph" "$@" --machine fermi-gtx480-gpgpusim4 \
            --set l1d.size=48KiB --set l1d.ways=6 $words
    done <<<"$variants"
}

fates='requested queue_full redundant no_room fetched useful late useless unused demand_misses
    pollution dram_bytes'
steps='none work vertex edge visited'

collect_input() # INPUT SET ...
{
    local input=$1 set=$2 variant which words
    while read -r variant which words; do
        [[ -n $variant && ($which = all || $set = six) ]] || continue
        if [ ! -e "$keep/$input.$variant.json" ]; then
            study_keep "$input,$set,$variant"
            continue
        fi
        jq -r --arg run "$input,$set,$variant" --arg fates "$fates" --arg steps "$steps" '
            .version as $version | .seconds as $seconds | .arrays as $arrays | .total as $total
            | ([.mechanisms.list[]?][0]) as $mechanism
            | ([$arrays | to_entries[] | select(.key | startswith("worklist")) | .value.l1]
               | {accesses: (map(.accesses) | add), pending_hits: (map(.pending_hits) | add),
                  misses: (map(.misses) | add)}) as $lists
            | [$run, .graph.vertices, .graph.edges, (.launches | length), $total.cycles,
               $total.warp_instructions, ($total.l1, $lists, ($arrays["offsets", "edges", "level"]
               | .l1) | .accesses, .pending_hits, .misses), $total.dram.bytes, ($total.flits | add),
               ($fates | splits("[ \n]+") | $mechanism.prefetches.l1[.] // ""),
               ($steps | splits(" ") | $mechanism.l1[. + "_periods"] // ""),
               $version, ($seconds * 10 | round / 10)]
            | join(",")' "$keep/$input.$variant.json"
    done <<<"$variants"
}

study_costs()
{
    [ ! -e "$csv" ] || awk -F, 'NR > 1 { print 1, $1 "." $3, $NF }' "$csv"
}

if ! $tables_only; then
    study_begin
    each_input queue_input
    study_run 1 # a run takes about as long as others of its input
    {
        printf 'input,set,variant,vertices,edges,launches,cycles,warp_instructions'
        for array in l1 work vertex edge visited; do
            printf ',%s_accesses,%s_pending,%s_misses' $array $array $array
        done
        echo ",dram_bytes_moved,flits,$(tr -s ' \n' , <<<"$fates")$(
            for step in $steps; do printf '%s_periods,' "$step"; done)version,seconds"
        each_input collect_input
    } >"$csv.$$" && study_fill "$csv" "$csv.$$" && mv "$csv.$$" "$csv" || exit 2
fi
tables='inputs speedups misses structures traffic adaptation sensitivity'
$rows_only && tables+=' open states'
study_tables "$page" "$tables" -f "$here/guo2018dsap.awk" "$csv"
$rows_only || "$here/claims.sh" guo2018dsap
