#!/usr/bin/env bash
# FILE has the order of events: order.sh HEDDLE MODULE FILE.
#
# Each row of FILE is a transcript of `heddle mechanism test`, written by hand:
#
#     == TITLE                    == TITLE (way=2): with these parameters of the mechanism
#                                 ==* TITLE: docs/write-a-mechanism.md lists the row (order.awk)
#     cache l1 size=256B ways=2   commands that come before
#     --
#     load 0                      a command of the row, and
#       every on_access: ...      all that it prints
#
# The commands of both parts are the script. What those of the second part print is compared.
# Comments, from # on, and blank lines are left out.
set -u
heddle=${1:?usage: order.sh HEDDLE MODULE FILE} module=${2:?} file=${3:?}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# N.script, N.expected, N.parameters and N.title for each row.
awk -v work="$work" '
    { sub(/ *#.*/, "") }
    /^ *$/ { next }
    /^==\*? / {
        row++
        compared = 0
        title = $0
        sub(/^==\*? /, "", title)
        parameters = ""
        if (match(title, /\([a-z_]+=[^)]*\)$/))
            parameters = ":" substr(title, RSTART + 1, RLENGTH - 2)
        print title >(work "/" row ".title")
        print parameters >(work "/" row ".parameters")
        next
    }
    /^--$/ { compared = 1; print "#" >(work "/" row ".script"); next }
    /^[^ ]/ { print >(work "/" row ".script") }
    compared { print >(work "/" row ".expected") }
    END { print row + 0 >(work "/rows") }' "$file"

rows=$(<"$work/rows") failed=0
[ "$rows" -gt 0 ] || { echo "order.sh: $file: no rows"; exit 2; }
for ((row = 1; row <= rows; row++)); do
    at=$work/$row
    grep -q '^kernel end' "$at.script" || echo 'kernel end' >>"$at.script"
    "$heddle" mechanism test "$module$(<"$at.parameters")" "$at.script" >"$at.out" 2>"$at.err" || {
        printf '%s: == %s\n' "$file" "$(<"$at.title")"
        cat "$at.err"
        failed=1
        continue
    }
    # From the first command of the row up to the kernel end that was added.
    first=$(grep -n '^#' "$at.script" | cut -d: -f1)
    awk -v first="$first" -v last="$(wc -l <"$at.script")" -v ends="$(grep -c '^kernel end' \
        "$at.expected")" '
        /^[0-9]+: / { number = $1 + 0; sub(/^[0-9]+: /, "") }
        /^counters/ || (number == last && !ends) { exit }
        number > first' "$at.out" >"$at.printed"
    diff "$at.expected" "$at.printed" >"$at.diff" && continue
    printf '%s: == %s: expected (<), printed (>)\n' "$file" "$(<"$at.title")"
    cat "$at.diff"
    failed=1
done
echo "$rows rows"
exit $failed
