#!/usr/bin/env bash
# Measures every stand-in at full size (or at a scale), and prints a table: the published value, a
# slash, the stand-in's value. docs/graphs.md has excerpts of it.
#
#     tests/long/stand_ins.sh [HEDDLE [SCALE]]
set -u -o pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
heddle=${1:-$here/build/heddle}
scale=${2:-1}
program "$heddle"
list=$("$heddle" graph like) && [ -n "$list" ] || wrong "'$heddle graph like' has listed nothing"

echo '| stand-in | vertices | edges | mean degree | greatest degree | BFS depth |' \
    'diameter at least | largest component |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
status=0
while read -r name _ vertices edges depth _; do
    [[ $vertices =~ ^[0-9]+$ ]] || continue # skip the heading and the notes below the table
    "$heddle" graph info "like:$name,scale=$scale" | awk -v name="$name" -v vertices="$vertices" \
        -v edges="$edges" -v depth="$depth" '
        $1 == "vertices" { n = $2 }
        $1 == "edges" { m = $2 }
        $1 == "out-degree" { sub(",", "", $5); mean = $5; greatest = $7 }
        $1 == "components" { part = $0; sub(/.*\(/, "", part); sub(/\).*/, "", part) }
        $1 == "breadth-first" { found = $NF; from = $4 == "0:" ? "" : " (from " $4 + 0 ")" }
        $1 == "diameter" { diameter = $4 }
        END {
            if (diameter == "") exit 1
            printf "| `%s` | %d / %d | %d / %d | %.2f / %s | %s | %s / %s%s | %s | %s |\n", name,
                vertices, n, edges, m, edges / vertices, mean, greatest, depth, found, from,
                diameter, part
        }' || status=1
done <<<"$list"
exit "$status"
