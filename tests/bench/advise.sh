#!/usr/bin/env bash
# docs/advise.md is up to date with reference/advise: the text between its two marks is the output
# of bench/advise_fit. Of each machine, the scores of the kinds left out (--kinds) add up to the
# score in the page.
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
diff "$work/written" "$work/now" || {
    echo "docs/advise.md (<) is not what is learned now (>):" \
        "tests/bench/advise.sh $fit $root --renew"
    exit 1
}

"$fit" --kinds "$root"/reference/advise/*.csv >"$work/kinds" || exit 1
awk -F'|' '
    FNR == NR && $3 ~ / of / { name = $2; gsub(/[ `]/, "", name); split($3, all, /[ ,]+/)
                               page[name] = all[2] " of " all[4]; machines++ }
    FNR < NR && /^### / { name = substr($0, 5) }
    FNR < NR && $7 ~ / of / { split($7, all, /[ ,]+/)
                              hits[name] += all[2]; graphs[name] += all[4] }
    END {
        for (name in page)
            if (hits[name] " of " graphs[name] != page[name]) {
                printf "advise.sh: %s: %s of %s over the kinds: expected %s\n", name, hits[name],
                    graphs[name], page[name]
                bad = 1
            }
        if (!machines) { print "advise.sh: no machine in the page"; bad = 1 }
        exit bad
    }' "$work/written" "$work/kinds"
