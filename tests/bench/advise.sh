#!/usr/bin/env bash
# docs/advise.md is up to date with reference/advise: the text between its two marks is the output
# of bench/advise_fit.
#
#     tests/bench/advise.sh ADVISE_FIT ROOT [--renew]
set -u
fit=${1:?usage: advise.sh ADVISE_FIT ROOT [--renew]} root=${2:?} renew=${3:-}
page=$root/docs/advise.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

"$fit" "$root"/reference/advise/*.csv >"$work/now" || exit 1
if [ "$renew" = --renew ]; then
    awk -v now="$work/now" '
        /^<!-- advise_fit ends -->$/ { inside = 0 }
        !inside
        /^<!-- advise_fit begins -->$/ {
            inside = 1
            while ((getline line < now) > 0) print line
        }' "$page" >"$work/page" && mv "$work/page" "$page"
    exit
fi
awk '/^<!-- advise_fit ends -->$/ { inside = 0 }
     inside
     /^<!-- advise_fit begins -->$/ { inside = 1 }' "$page" >"$work/written"
diff "$work/written" "$work/now" && exit
echo "docs/advise.md (<) is not what is learned now (>): tests/bench/advise.sh $fit $root --renew"
exit 1
