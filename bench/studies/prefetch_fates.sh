#!/usr/bin/env bash
# What becomes of the prefetches of next-line and stride-pc on three kernels. Writes
# reference/results/prefetch-fates.csv, and from it the tables of docs/mechanisms/next-line.md and
# stride-pc.md.
#
#     bench/studies/prefetch_fates.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE]
#         [--tables] [--plan]
#
# common.sh describes the options. Runs are named KERNEL.MECHANISM. Ten minutes of one CPU.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-prefetch-fates
study_options "$@"
csv=$root/reference/results/prefetch-fates.csv

# In gesummv, accesses wait at the tags for most of the time.
kernels='
gesummv gesummv
bfs bfs --impl topology --graph like:r4-2e20,scale=0.125
spmv spmv --graph like:r4-2e20,scale=0.125
'
counters='requested queue_full kernel_end unallocated redundant no_room fetched useful late useless
    unused'

if ! $tables_only; then
    study_begin
    while read -r kernel words; do
        [ -n "$kernel" ] || continue
        for mechanism in none next-line stride-pc; do
            study_wanted "$kernel.$mechanism" || continue
            [ $mechanism = none ] || study_known $mechanism || continue
            # shellcheck disable=SC2086 # they are words
            study_add "$kernel.$mechanism" - $words --machine fermi-gtx480-khairy \
                --mechanism "$mechanism"
        done
    done <<<"$kernels"
    study_run 2
    {
        echo "kernel,mechanism,cycles,l1_load_misses,${counters//[[:space:]]/,}" |
            tr -s ,
        for file in "$keep"/*.json; do
            jq -r --arg counters "$counters" '(.name | split(".") | join(",")) as $name
                | ([.mechanisms.list[]?][0].prefetches.l1) as $p
                | [$name, .total.cycles, .total.l1.load_misses,
                   ($counters | splits("\\s+") | $p[.] // "")] | join(",")' "$file"
        done
    } >"$csv.$$" && mv "$csv.$$" "$csv" || exit 2
fi

# table MECHANISM: a row for each kernel.
table()
{
    awk -F, -v mechanism="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $2 == "none" { cycles[$1] = $column["cycles"] }
        $2 == mechanism { row[++rows] = $0 }
        function share(part, all) { return all ? sprintf("%.1f %%", 100 * part / all) : "-" }
        END {
            print "| kernel | requested | queue full | present or pending | no room | fetched | " \
                "of these useful | late | cycles |"
            print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (r = 1; r <= rows; r++) {
                split(row[r], f, ",")
                fetched = f[column["fetched"]]
                printf "| %s | %d | %d | %d | %d | %d | %s | %s | %.3f |\n", f[1],
                    f[column["requested"]], f[column["queue_full"]], f[column["redundant"]],
                    f[column["no_room"]], fetched, share(f[column["useful"]], fetched),
                    share(f[column["late"]], fetched),
                    f[column["cycles"]] / cycles[f[1]]
            }
        }' "$csv"
}
for mechanism in next-line stride-pc; do
    { echo '<!-- fates -->' && table $mechanism; } |
        study_page "$root/docs/mechanisms/$mechanism.md" || exit
done
