#!/usr/bin/env bash
# Names have changed with result schema 2, values have not: compares a heddle from before (commit
# 6810538) with today's, counter by counter under the names of renamed.tsv: the runs of
# tests/cli/hashes.txt, a run with each mechanism and instrument, heddle compare's CSV, and the
# committed data of the studies. Needs jq.
#
#     tests/long/renamed.sh OLD_HEDDLE NEW_HEDDLE
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
old=${1:?usage: renamed.sh OLD_HEDDLE NEW_HEDDLE} new=${2:?usage: renamed.sh OLD_HEDDLE NEW_HEDDLE}
if ! command -v jq >/dev/null; then
    echo 'renamed.sh: jq is not installed: expected Debian package jq' >&2
    exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

count()
{
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "differs: $2"
    fi
}

# modelled FILE OLD: what a result says of the model, under the new names. OLD: not empty if the
# file has the old ones.
modelled()
{
    jq -S --rawfile tsv "$here/renamed.tsv" --arg old "$2" -f "$here/renamed.jq" "$1"
}

# same OLD_ARGUMENTS NEW_ARGUMENTS
same()
{
    # Split the run into words.
    # shellcheck disable=SC2086
    "$old" run $1 --per-kernel --quiet --out "$work/old.json" </dev/null &&
        "$new" run $2 --per-kernel --quiet --out "$work/new.json" </dev/null &&
        modelled "$work/old.json" 1 >"$work/old" && modelled "$work/new.json" '' >"$work/new" &&
        [ -s "$work/old" ] && diff "$work/old" "$work/new" >"$work/diff"
    count $? "$2" && head -n 20 "$work/diff"
}

# Prints the lines of a CSV under today's columns.
columns()
{
    awk -F '\t' 'NR == FNR { if ($1 == "csv") name[$2] = $3; next }
        FNR == 1 {
            n = split($0, c, ",")
            for (i = 1; i <= n; i++)
                printf "%s%s", c[i] in name ? name[c[i]] : c[i], i < n ? "," : "\n"
            next
        }
        { print }' "$here/renamed.tsv" "$1"
}

while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    same "${line#* }" "${line#* }"
done <"$root/tests/cli/hashes.txt"

for mechanism in $("$new" mechanism | awk '/^[a-z]/ { print $1 }'); do
    run="bfs --impl topology --graph rmat:10,8 --mechanism $mechanism"
    same "$run" "$run"
done
run='pagerank --graph rmat:9,8 --mechanism'
same "$run mat:full=halves+sector" "$run mat:overflow=halve+sector"
same "$run warp-limit:holds=loads+next-line:on=misses" \
    "$run warp-limit:throttle=loads+next-line:trigger=misses"
same "$run bypass-copyback:levels=l2,part=16,sample=8" \
    "$run bypass-copyback:bypass=l2,reuse_divisor=16,sample_interval=8"

compare()
{
    "$1" compare bfs --graph rmat:10,8 --mechanism none --mechanism obm --mechanism sector \
        --mechanism next-line --keep "$work/keep.$2" --csv "$work/csv.$2" >/dev/null
    count $? "heddle compare of $1"
}
compare "$old" old
compare "$new" new
columns "$work/csv.old" | diff - "$work/csv.new"
count $? "heddle compare --csv"

for csv in "$root"/reference/results/*.csv; do
    git -C "$root" show "6810538:reference/results/${csv##*/}" >"$work/csv.old" &&
        columns "$work/csv.old" | diff -q - "$csv"
    count $? "${csv##*/}"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
