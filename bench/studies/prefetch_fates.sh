#!/usr/bin/env bash
# What becomes of the prefetches of next-line and stride-pc on three kernels. Writes
# reference/results/prefetch-fates.csv, and from it the tables of docs/mechanisms/next-line.md and
# stride-pc.md.
#
#     bench/studies/prefetch_fates.sh [--build NAME] [--keep DIR] [--jobs N] [--only REGEX]
#         [--heddle FILE] [--tables] [--plan]
#
# NAME (now) goes into the rows: the rows `before` are of d8646d10, where a cache looked up
# prefetches only while no access waited. common.sh describes the other options. Runs are named
# NAME.KERNEL.MECHANISM. Ten minutes of one CPU.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
keep=study-prefetch-fates build=now
while [ $# -gt 0 ]; do
    study_option "$@"
    [ "$used.$1" != 0.--build ] || build=${2:?--build needs a name} used=2
    [ "$used" -gt 0 ] || study_fail "there is no option $1"
    shift "$used"
done
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
            study_wanted "$build.$kernel.$mechanism" || continue
            [ $mechanism = none ] || study_known $mechanism || continue
            # shellcheck disable=SC2086 # they are words
            study_add "$build.$kernel.$mechanism" - $words --machine fermi-gtx480-khairy \
                --mechanism "$mechanism"
        done
    done <<<"$kernels"
    study_run 2
    {
        echo "build,kernel,mechanism,cycles,l1_load_misses,${counters//[[:space:]]/,}" |
            tr -s ,
        [ ! -e "$csv" ] || grep -v -e "^$build," -e '^build,' "$csv"
        for file in "$keep/$build".*.json; do
            jq -r --arg counters "$counters" '(.name | split(".") | join(",")) as $name
                | ([.mechanisms.list[]?][0].prefetches.l1) as $p
                | [$name, .total.cycles, .total.l1.load_misses,
                   ($counters | splits("\\s+") | $p[.] // "")] | join(",")' "$file"
        done
    } >"$csv.$$" && mv "$csv.$$" "$csv" || exit 2
fi

# table MECHANISM: a row for each kernel and build.
table()
{
    awk -F, -v mechanism="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { cycles[$1, $2, $3] = $column["cycles"] }
        $3 == mechanism { row[++rows] = $0 }
        function share(part, all) { return all ? sprintf("%.1f %%", 100 * part / all) : "-" }
        END {
            print "| kernel | build | requested | queue full | there or on its way | no room | " \
                "fetched | of these useful | late | cycles |"
            print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (r = 1; r <= rows; r++) {
                split(row[r], f, ",")
                fetched = f[column["fetched"]]
                printf "| %s | %s | %d | %d | %d | %d | %d | %s | %s | %.3f |\n", f[2], f[1],
                    f[column["requested"]], f[column["queue_full"]], f[column["redundant"]],
                    f[column["no_room"]], fetched, share(f[column["useful"]], fetched),
                    share(f[column["late"]], fetched),
                    f[column["cycles"]] / cycles[f[1], f[2], "none"]
            }
        }' "$csv"
}
for mechanism in next-line stride-pc; do
    { echo '<!-- fates -->' && table $mechanism; } |
        study_page "$root/docs/mechanisms/$mechanism.md" || exit
done
