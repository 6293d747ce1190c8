#!/usr/bin/env bash
# segura2022iru, sections 2 and 6: the irregular-access reorder unit with breadth-first search,
# shortest paths and PageRank, on graphs like its six. Writes segura2022iru.csv and
# segura2022iru-storage.csv in reference/results, the tables of docs/results/segura2022iru.md, and
# through claims.sh docs/results/claims.csv.
#
#     bench/studies/segura2022iru.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE]
#         [--tables] [--rows] [--plan]
#
# common.sh describes the options. Runs are named ALGORITHM.INPUT.VARIANT. Two hours of one
# CPU. After an interruption, the same command continues.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-segura2022iru
study_options "$@"
csv=$root/reference/results/segura2022iru.csv
storage=$root/reference/results/segura2022iru-storage.csv
page=$root/docs/results/segura2022iru.md

# Name; the kernel that has load_iru with the engine; options. The iterations of PageRank are alike:
# each has all edges.
algorithms='
bfs bfs_contract
sssp sssp_compaction
pagerank pagerank_contract --param iterations=1
'
# The paper's Table 3. `large`: 20 to 25 million edges.
inputs='
cond small
delaunay small
ca small
human large
kron large
msdoor large
'
# Name; which inputs (all, small); the options. phases-*: with the instrument for Figure 3. What
# has a prefix is relative to PREFIX-none.
variants='
none all
iru all --mechanism iru
turn all --mechanism iru:since=turn
private all --mechanism iru:table=private
turn-private all --mechanism iru:since=turn,table=private
turn64 all --mechanism iru:since=turn,timeout=64
phases-none small --mechanism warp-phases
phases-iru small --mechanism iru+warp-phases
timeout256 small --mechanism iru:timeout=256
timeout1000 small --mechanism iru:timeout=1000
timeout2048 small --mechanism iru:timeout=2048
turn256 small --mechanism iru:since=turn,timeout=256
turn1000 small --mechanism iru:since=turn,timeout=1000
turn2048 small --mechanism iru:since=turn,timeout=2048
alternate small --mechanism iru:ties=alternate
window8 small --mechanism iru:window=8
block32 small --mechanism iru:block=32
past small --mechanism iru:l2=past
line-none small --set atomics.coalesce=line
line-iru small --set atomics.coalesce=line --mechanism iru
words1-none small --set atomics.words=1
words1-iru small --set atomics.words=1 --mechanism iru
words1-turn small --set atomics.words=1 --mechanism iru:since=turn
'

# Calls $1 ALGORITHM INPUT VARIANT KERNEL OPTION... for each run that the study has, small inputs
# first.
each_run()
{
    local algorithm kernel parameters input size variant which options
    while read -r input size; do
        [ -n "$input" ] || continue
        while read -r variant which options; do
            [[ -n $variant && ($which = all || $size = small) ]] || continue
            while read -r algorithm kernel parameters; do
                [ -n "$algorithm" ] || continue
                # shellcheck disable=SC2086 # they are words
                "$1" "$algorithm" "$input" "$variant" "$kernel" $parameters $options
            done <<<"$algorithms"
        done <<<"$variants"
    done <<<"$inputs"
}

# Succeeds if heddle knows the mechanisms among the options of a run.
mechanisms_known()
{
    local name
    while [ $# -gt 0 ]; do
        if [ "$1" = --mechanism ]; then
            for name in ${2//+/ }; do
                study_known "${name%%:*}" || return
            done
            shift
        fi
        shift
    done
}

queue_run()
{
    local algorithm=$1 input=$2 variant=$3 kernel=$4 run=$1.$2.$3
    shift 4
    mechanisms_known "$@" && study_wanted "$run" "$csv" "$algorithm,$input,$variant" || return
    study_add "$run" "$kernel" "$algorithm" --impl edge-frontier --graph "like:$input" \
        --machine maxwell-gtx980 "$@"
}

# Columns of the whole run, then the same of the kernel with load_iru (k_...).
columns='cycles warp_instructions thread_instructions issued slots memory_instructions
    memory_requests loads stores atomics l1_accesses l1_load_accesses l1_load_misses l2_accesses
    l2_misses load_requests unit_requests flits flits_unit dram_reads dram_writes dram_bytes'
# Of the engine, and of the instrument.
unit='read delivered merged asked enabled disabled replies_by_entry replies_by_timeout
    replies_by_end partly_disabled all_disabled blocks beside lines secondary_lines foreign hops
    request_hops request_elements stalls_table stalls_ring stalls_classifier'
phases='warps cycles_to_target cycles_after_target'

row() # ALGORITHM INPUT VARIANT ...
{
    if [ ! -e "$keep/$1.$2.$3.json" ]; then
        study_keep "$1,$2,$3"
        return
    fi
    echo "$1,$2,$3" >>"$csv.renewed.$$"
    jq -r --arg run "$1,$2,$3" --arg unit "$unit" --arg phases "$phases" '
        def counters: [.cycles, .warp_instructions, .thread_instructions, .issue.issued,
            .issue.slots, .sm.memory_instructions, .sm.memory_requests, .sm.global_loads,
            .sm.global_stores, .sm.global_atomics, .l1.accesses, .l1.load_accesses,
            .l1.load_misses, .l2.accesses, .l2.misses, .requests.load, .requests.unit,
            (.flits | add), .requests.unit + .requests.unit_replies, .dram.reads, .dram.writes,
            .dram.bytes];
        def sum: reduce .[] as $each ({}; reduce ($each | paths(numbers)) as $path
            (.; setpath($path; (getpath($path) // 0) + ($each | getpath($path)))));
        def of($name): [.mechanisms.list[]? | select(.name == $name) | .l1, .l2, .gpu
            | select(type == "object")];
        def words: splits("[ \n]+");
        of("iru") as $iru | of("warp-phases") as $phased
        | [$run, .graph.vertices, .graph.edges, (.launches | length),
           ([.launches[].grid] | add), (.total | counters[]),
           (.launches | sum | counters[]),
           ($unit | words as $name
            | if $iru == [] then "" else $iru | map(.[$name] // 0) | add end),
           ($phases | words as $name
            | if $phased == [] then "" else $phased | map(.[$name] // 0) | add end),
           .version, (.seconds * 10 | round / 10)]
        | map(. // "") | join(",")' "$keep/$1.$2.$3.json"
}

# The structures of the engine in one slice, from any run with it.
storage_rows()
{
    [ "$3" = iru ] && [ -e "$keep/$1.$2.$3.json" ] || return
    jq -r '.mechanisms.list[] | select(.name == "iru") | .structures[]
        | [.name, .entries, .bits, .places] | join(",")' "$keep/$1.$2.$3.json"
}

collect()
{
    echo renewed >"$csv.renewed.$$"
    {
        printf 'algorithm,input,variant,vertices,edges,launches,grid'
        # shellcheck disable=SC2086 # they are words
        printf ',%s' $columns && printf ',k_%s' $columns && printf ',%s' $unit $phases
        echo ,version,seconds
        each_run row
    } >"$csv.$$"
    study_fill "$csv" "$csv.$$"
    [ -e "$csv" ] || head -n 1 "$csv.$$" >"$csv"
    # What is relative to an older none of the same run goes.
    study_without_stale '
        function name() { return $1 "," $2 "," $3 }
        function base_name()
        {
            relative = match($3, /^(line|phases|words1)-/) ? substr($3, 1, RLENGTH) "none" : "none"
            return $1 "," $2 "," relative
        }
        function part() { return "" }' 8 29 \
        "$csv.renewed.$$" "$csv" "$csv.$$" "$csv.$$" >"$csv.fresh.$$" &&
        mv "$csv.fresh.$$" "$csv" || exit 2
    rm "$csv.renewed.$$" "$csv.$$"
    {
        echo structure,entries,bits,places
        each_run storage_rows | awk -F, '!seen[$1]++'
    } >"$storage.$$"
    if [ "$(wc -l <"$storage.$$")" -gt 1 ] || [ ! -e "$storage" ]; then
        mv "$storage.$$" "$storage"
    else
        rm "$storage.$$"
    fi
}

study_costs()
{
    [ ! -e "$csv" ] || awk -F, 'NR > 1 { print 1, $1 "." $2 "." $3, $NF }' "$csv"
}

if ! $tables_only; then
    study_begin
    each_run queue_run
    study_run 1,2 # a run takes about as long as others of its algorithm and input
    collect
fi
tables='phases accesses flits requests merged speedups groups dram atomics'
$rows_only && tables+=' timeout turn balance variants storage inputs'
study_tables "$page" "$tables" -f "$here/segura2022iru.awk" "$storage" "$csv"
$rows_only || "$here/claims.sh" segura2022iru
