#!/usr/bin/env bash
# Every built-in mechanism has a page, docs/mechanisms/NAME.md. Its tables of parameters and of
# storage are what `heddle mechanism describe` says. (printed.sh checks the index of the pages.)
#
#     tests/docs/mechanism_pages.sh HEDDLE ROOT [--renew]
#
# --renew writes the tables anew, between the marks <!-- parameters --> or <!-- storage --> and
# <!-- end -->.
set -u
heddle=${1:?usage: mechanism_pages.sh HEDDLE ROOT [--renew]} root=${2:?} renew=${3:-}
here=$(dirname "$0")
. "$here/marks.sh"
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
    head -1 "$page" | grep -q "^# \`$name\`" ||
        fail "docs/mechanisms/$name.md: first line: expected # \`$name\`"
    for section in 'What it does' 'What the paper says, and what we chose' 'Parameters' \
                   'Storage cost' 'Results'; do
        grep -qx "## $section" "$page" || fail "docs/mechanisms/$name.md: no section '$section'"
    done
    "$heddle" mechanism describe "$name" >"$work/describe" || fail "describe $name: status $?"
    mkdir "$work/$name"
    for table in parameters storage; do
        awk -v table=$table -f "$here/mechanism_pages.awk" "$work/describe" >"$work/$name/$table"
    done
    check_marks "$page" "$work/$name" "$0 $heddle $root" "$renew" || failed=1
done

for page in "$root"/docs/mechanisms/*.md; do
    name=$(basename "$page" .md)
    grep -qx "$name" <<<"$names" || fail "docs/mechanisms/$name.md: heddle has no such mechanism"
done
exit $failed
