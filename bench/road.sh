#!/usr/bin/env bash
# The functions that docs/road.md names, with the host instructions of a call and of all that it
# calls, counted by callgrind.
#
#     bench/road.sh [HEDDLE]      prints the rows of the page with their counts, rounded
#     bench/road.sh --check       only checks that each function stands in the file of its row
#
# Default: build/heddle, on the run that the page names. A function that the compiler has built into
# its callers has a dash. Exit status 1 if a function is not in its file.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/arguments.sh"
# What|function|file of each row.
rows=$(sed -n 's/^| \([^|]*\) | `\([a-z0-9_]*\)` | `\([a-z0-9_/.]*\)` |.*/\1|\2|\3/p' \
    "$here/docs/road.md")
[ -n "$rows" ] || { echo "road.sh: docs/road.md has no rows" >&2; exit 2; }

bad=0 count=0
while IFS='|' read -r _ name file; do
    count=$((count + 1))
    grep -qE "^[a-zA-Z].*\b$name\(" "$here/src/$file" && continue
    echo "docs/road.md: $name: not in src/$file" >&2
    bad=1
done <<<"$rows"
if [ "${1:-}" = --check ]; then
    at_most 1 "$@"
    echo "$count functions"
    exit $bad
fi

no_options "$@"
at_most 1 "$@"
heddle=${1:-$here/build/heddle}
program "$heddle"
needs valgrind
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
if ! valgrind -q --tool=callgrind --callgrind-out-file="$work/profile" "$heddle" run bfs \
    --impl topology --graph rmat:11,8 --machine volta-v100 --threads 1 >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 2
fi
# The line after calls= is the cost of these calls, with what they call. cfn names the callee, by
# number after its first use; a recursive one has a suffix.
awk -F'|' '
    function named(text,   id, name) {
        id = text; sub(/\).*/, ")", id); name = text; sub(/^\([0-9]+\) ?/, "", name)
        if (name != "") names[id] = name
        return names[id]
    }
    FNR == NR { rows++; what[rows] = $1; name[rows] = $2; file[rows] = $3; next }
    /^fn=/ { named(substr($0, 4)); next }
    /^cfn=/ { callee = named(substr($0, 5)); next }
    /^calls=/ { split(substr($0, 7), part, " "); calls[callee] += part[1]; called = 1; next }
    called { split($0, part, " "); cost[callee] += part[2]; called = 0 }
    function rounded(x,   step) {
        for (step = 1; x / step >= 1000; step *= 10) ;
        return int(x / step + 0.5) * step
    }
    END {
        for (r = 1; r <= rows; r++) {
            each = calls[name[r]] ? rounded(cost[name[r]] / calls[name[r]]) : "-"
            if (each >= 1000) each = int(each / 1000) "," sprintf("%03d", each % 1000)
            printf "| %s | `%s` | `%s` | %s |\n", what[r], name[r], file[r], each
        }
    }' <(echo "$rows") "$work/profile" || exit 2
exit $bad
