#!/usr/bin/env bash
# Lists that pages have between marks <!-- NAME --> and <!-- end --> are what the sources say:
#
#     README.md                   layers       src/layers.txt
#     docs/write-a-mechanism.md   order        tests/mechanisms/order/{l1,l2}.txt
#     docs/mechanisms.md          mechanisms   src/mechanisms/list.h and `heddle mechanism`
#                                 decisions, copy-backs, prefetches: lists of counters in src/hooks
#
# The drawing of the layers in docs/architecture.md has each layer once, and its table of the parts
# of an SM each stage of tests/core/order.sh.
#
#     tests/docs/printed.sh HEDDLE ROOT [--renew]
#
# --renew writes the lists.
set -uo pipefail
export LC_ALL=C.UTF-8
heddle=$(realpath "${1:?usage: printed.sh HEDDLE ROOT [--renew]}") renew=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
cd "${2:?usage: printed.sh HEDDLE ROOT [--renew]}" || exit 2
. "$here/marks.sh"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# The text of a mark of a page, from stdin.
print()
{
    mkdir -p "$work/$1"
    cat >"$work/$1/$2"
}

check()
{
    check_marks "$1" "$work/$(basename "$1")" "tests/docs/printed.sh $heddle $PWD" "$renew" ||
        failed=1
}

awk '
    BEGIN { print "| folder | contents |\n| --- | --- |" }
    /^[^#]/ {
        split($0, column, / *\| */)
        exception = column[3] == "base only" ? "; includes only `base`" : ""
        if (column[3] == "apart") exception = "; no other layer includes it"
        print "| `src/" column[1] "` | " column[2] exception " |"
    }' src/layers.txt | print README.md layers || exit 1
check README.md

order=tests/mechanisms/order
awk -f "$here/wrap.awk" -f "$here/order.awk" $order/{l1,l2}.txt |
    print write-a-mechanism.md order || exit 1
check docs/write-a-mechanism.md

"$heddle" mechanism |
    awk -f "$here/wrap.awk" -f "$here/mechanism_index.awk" src/mechanisms/list.h - |
    print mechanisms.md mechanisms || exit 1
for counters in HOOK:decisions COPY_BACK:copy-backs PREFETCH:prefetches; do
    list=${counters%:*}_COUNTERS
    header=$(grep -lE "^#define $list\(C\)" src/hooks/*.h)
    awk -v list="$list" -f "$here/wrap.awk" -f "$here/counters.awk" "${header:-/dev/null}" |
        print mechanisms.md "${counters#*:}" || exit 1
done
check docs/mechanisms.md

# Each name of the drawing, and the lines that connect them.
drawn=$(awk '/^```/ { inside = !inside; drawings += inside } inside && drawings == 1' \
    docs/architecture.md | grep -oE '[a-z]+' | LC_ALL=C sort)
diff <(sed -n 's/^\([a-z]*\) *|.*/\1/p' src/layers.txt | LC_ALL=C sort) - <<<"$drawn" || {
    echo 'docs/architecture.md: the drawing (>): expected each layer of src/layers.txt (<)' >&2
    failed=1
}
# The folders in the table of an SM's parts are the stages of the test core-order, in its order.
# shellcheck disable=SC2016 # the backticks are the page's
diff <(sed -n "s/^stages='\(.*\)'/\1/p" tests/core/order.sh | tr ' ' '\n') \
    <(sed -n '/^## The SM$/,/^## Writing/s/^| `\([a-z0-9]*\)` |.*/\1/p' docs/architecture.md) || {
    echo 'docs/architecture.md: parts of an SM (>): expected those of tests/core/order.sh (<)' >&2
    failed=1
}
exit $failed
