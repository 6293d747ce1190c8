#!/usr/bin/env bash
# Every built-in mechanism has a page, docs/mechanisms/NAME.md, that the index docs/mechanisms.md
# lists; the tables of parameters and of storage in it are what `heddle mechanism describe` says.
#
#     tests/docs/mechanism_pages.sh HEDDLE ROOT [--renew]
#
# --renew writes the tables anew, between the marks <!-- parameters --> or <!-- storage --> and
# <!-- end -->.
set -u
heddle=${1:?usage: mechanism_pages.sh HEDDLE ROOT [--renew]} root=${2:?} renew=${3:-}
tables=$(dirname "$0")/mechanism_pages.awk
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail()
{
    echo "mechanism_pages.sh: $*" >&2
    failed=1
}

"$heddle" mechanism >"$work/list" || exit 1
names=$(awk '{ print $1 }' "$work/list")
[ -n "$names" ] || fail 'heddle mechanism lists none'

for name in $names; do
    page=$root/docs/mechanisms/$name.md
    [ -f "$page" ] || { fail "docs/mechanisms/$name.md is missing"; continue; }
    grep -q "(mechanisms/$name\.md)" "$root/docs/mechanisms.md" ||
        fail "docs/mechanisms.md does not list mechanisms/$name.md"
    head -1 "$page" | grep -q "^# \`$name\`" ||
        fail "docs/mechanisms/$name.md: first line: expected # \`$name\`"
    for section in 'What it does' 'What the paper says, and what we chose' 'Parameters' \
                   'Storage cost' 'Results'; do
        grep -qx "## $section" "$page" || fail "docs/mechanisms/$name.md: no section '$section'"
    done
    "$heddle" mechanism describe "$name" >"$work/describe" || fail "describe $name: status $?"
    for table in parameters storage; do
        awk -v table=$table -f "$tables" "$work/describe" >"$work/$table"
        grep -qx "<!-- $table -->" "$page" || fail "docs/mechanisms/$name.md: no <!-- $table -->"
    done
    awk -v work="$work" '
        /^<!-- (parameters|storage) -->$/ {
            print
            file = work "/" $2
            while ((getline line < file) > 0) print line
            inside = 1
        }
        /^<!-- end -->$/ { inside = 0 }
        !inside' "$page" >"$work/page"
    [ "$renew" = --renew ] && cat "$work/page" >"$page"
    diff "$page" "$work/page" ||
        fail "docs/mechanisms/$name.md (<) differs from describe (>): $0 $heddle $root --renew"
done

for page in "$root"/docs/mechanisms/*.md; do
    name=$(basename "$page" .md)
    grep -qx "$name" <<<"$names" || fail "docs/mechanisms/$name.md: heddle has no such mechanism"
done
exit $failed
