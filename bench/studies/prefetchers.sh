#!/usr/bin/env bash
# The prefetchers that lakshminarayana2014 (Table 6) and guo2018dsap (section V) compare with, on
# small graphs. Writes reference/results/prefetchers.csv, and from it the tables of the pages of
# stride, stream, ghb-acdc and ghb-stride.
#
#     bench/studies/prefetchers.sh [--keep DIR] [--jobs N] [--only REGEX] [--heddle FILE] [--tables]
#         [--plan]
#
# common.sh describes the options. Runs are named KERNEL.MECHANISM. Two minutes of one CPU.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-prefetchers
study_options "$@"
csv=$root/reference/results/prefetchers.csv

# On a graph like R4_2e20 of 2^16 vertices.
kernels='
h-bfs bfs --impl hipc
h-sssp sssp --impl hipc
bfs-data-warp bfs --impl data-warp
'
classic='stride stream ghb-acdc ghb-stride'
counters='requested fetched useful late demand_misses pollution dram_bytes accuracy coverage'

if ! $tables_only; then
    study_begin
    while read -r kernel words; do
        [ -n "$kernel" ] || continue
        for mechanism in none $classic; do
            study_wanted "$kernel.$mechanism" || continue
            # shellcheck disable=SC2086 # they are words
            study_add "$kernel.$mechanism" - $words --graph like:r4-2e20,scale=0.0625 \
                --machine fermi-macsim --mechanism "$mechanism"
        done
    done <<<"$kernels"
    study_run 1
    {
        echo "kernel,mechanism,cycles,l1_load_misses,dram_bytes_read,${counters// /,}"
        for mechanism in none $classic; do
            while read -r kernel words; do
                [ -e "$keep/$kernel.$mechanism.json" ] || continue
                jq -r --arg counters "$counters" '(.name | split(".") | join(",")) as $name
                    | ([.mechanisms.list[]?][0].prefetches.l1) as $p
                    | [$name, .total.cycles, .total.l1.load_misses, .total.dram.bytes_read,
                       ($counters | splits(" ") | $p[.] // "")] | join(",")' \
                    "$keep/$kernel.$mechanism.json"
            done <<<"$kernels"
        done
    } >"$csv.$$" && mv "$csv.$$" "$csv" || exit 2
fi

# table MECHANISM: a row for each kernel.
table()
{
    awk -F, -v mechanism="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $2 == "none" { cycles[$1] = $column["cycles"]; misses[$1] = $column["l1_load_misses"] }
        $2 == mechanism { row[++rows] = $0 }
        function percent(fraction) { return sprintf("%.1f %%", 100 * fraction) }
        END {
            print "| kernel | fetched lines | accuracy | coverage | misses by pollution | " \
                "DRAM bytes | L1D load misses | cycles |"
            print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (r = 1; r <= rows; r++) {
                split(row[r], f, ",")
                printf "| %s | %d | %s | %s | %s | %s | %.3f | %.3f |\n", f[1],
                    f[column["fetched"]], percent(f[column["accuracy"]]),
                    percent(f[column["coverage"]]),
                    percent(f[column["pollution"]] / f[column["demand_misses"]]),
                    percent(f[column["dram_bytes"]] / f[column["dram_bytes_read"]]),
                    f[column["l1_load_misses"]] / misses[f[1]], f[column["cycles"]] / cycles[f[1]]
            }
        }' "$csv"
}
for mechanism in $classic; do
    { echo '<!-- prefetchers -->' && table "$mechanism"; } |
        study_page "$root/docs/mechanisms/$mechanism.md" || exit
done
