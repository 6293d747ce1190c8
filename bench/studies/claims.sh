#!/usr/bin/env bash
# The papers' claims beside our results: makes docs/results/claims.csv from claims.tsv, reasons.tsv
# and the committed data of the studies, and the figures `met` and `claims` of
# docs/results/README.md.
#
#     bench/studies/claims.sh [--check] [PAPER]
#
# --check changes nothing. It fails if the files are not made of the data. With a PAPER
# (khairy2015), the rows of other papers stay as they are.
#
# claims.tsv has a row for each number of a paper whose mechanism exists here: the published value;
# the value without effect (`neutral`); what measures it (`measure`; -: nothing). The awk scripts of
# the studies know the measures. reasons.tsv says why a claim is not comparable or not met. A claim
# that is not met and has no reason is printed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
papers='lakshminarayana2014 khairy2015 guo2018dsap segura2022iru yilmazer2020gw'
check=false
if [ "${1:-}" = --check ]; then
    check=true
    shift
fi
if [ $# -gt 0 ]; then
    [[ " $papers " == *" $1 "* ]] || study_fail "there is no study of $1"
    papers=$1
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
data=$root/reference/results

# measured SCRIPT CSV...: prints what is measured of a paper: id, value, value of all launches,
# inputs.
measured()
{
    local script=$1
    shift
    awk -F, -v table=claims -v claims="$here/claims.tsv" -v configuration="${configuration:-}" \
        -f "$here/$script.awk" "$@"
}

measured_lakshminarayana2014()
{
    local configuration name=$data/lakshminarayana2014-20
    for configuration in std fast large; do
        measured lakshminarayana2014 "$name.csv" "$name-runs.csv"
    done
    name=$data/lakshminarayana2014-prefetch-20
    measured lakshminarayana2014_prefetch "$name.csv" "$name-runs.csv"
}

measured_khairy2015()
{
    measured khairy2015 "$data/khairy2015.csv" "$data/khairy2015-sampling.csv"
}

measured_segura2022iru()
{
    measured segura2022iru "$data/segura2022iru-storage.csv" "$data/segura2022iru.csv"
}

measured_guo2018dsap()
{
    measured guo2018dsap "$data/guo2018dsap.csv"
}

measured_yilmazer2020gw()
{
    measured yilmazer2020gw "$data/yilmazer2020gw.csv"
}

# The storage of some of a mechanism's structures, in the unit of the claim, with a number of warp
# slots. Blanks in the names of structures are _ in the measure.
measured_storage_rows()
{
    local id unit mechanism names warps
    awk -F'\t' '$11 ~ /^storage_rows / { print $1, $8, substr($11, 14) }' "$here/claims.tsv" |
        while read -r id unit mechanism names warps; do
            awk -F' *[|] *' -v id="$id" -v unit="$unit" -v names="$names" -v warps="$warps" '
                BEGIN { count = split(names, name, ",") }
                {
                    gsub(" ", "_", $2)
                    for (i = 1; i <= count; i++)
                        if (NF == 6 && $2 == name[i]) bits += ($4 ~ /^warp/ ? warps : $4) * $5
                }
                END {
                    if (unit == "bytes") bits /= 8
                    printf "%s\t%.10g\t%.10g\t\n", id, bits, bits
                }' "$root/docs/mechanisms/$mechanism.md"
        done
}

# The storage that a mechanism's page states, in bytes: its bits for each line times a number of
# lines (`line`), or those besides the lines (`fixed`).
measured_storage()
{
    local id measure mechanism level kind lines
    awk -F'\t' -v OFS='\t' '$11 ~ /^storage / { print $1, $11 }' "$here/claims.tsv" |
        while read -r id measure mechanism level kind lines; do
            awk -v id="$id" -v level="$level" -v kind="$kind" -v lines="$lines" '
                $0 ~ "^- Each " level ".*default parameters:" {
                    line = match($0, /[0-9]+ bits? for each line/) ? substr($0, RSTART) + 0 : 0
                    fixed = match($0, /[0-9]+ bits?( and|\.)/) ? substr($0, RSTART) + 0 : 0
                    bytes = (kind == "line" ? line * lines : fixed) / 8
                    printf "%s\t%.10g\t%.10g\t\n", id, bytes, bytes
                }' "$root/docs/mechanisms/$mechanism.md"
        done
}

{
    for paper in $papers; do measured_$paper; done
    measured_storage
    measured_storage_rows
} >"$work/measured"

# table NAME: claims.awk
table()
{
    awk -F'\t' -v table="$1" -v papers=" $papers " -v old="$root/docs/results/claims.csv" \
        -f "$here/claims.awk" "$here/reasons.tsv" "$work/measured" "$here/claims.tsv"
}

mkdir "$work/results"
cp "$root/docs/results/README.md" "$work/results/" || exit 2
table csv >"$work/results/claims.csv"
table unexplained >&2

# How many claims of each page, and of all, are comparable, have the right sign, are within 30 %.
awk '
    NR == FNR {
        page[++pages] = $1
        ids[pages] = $2
        next
    }
    {
        for (p = 1; p <= pages; p++) {
            if ($0 !~ ids[p]) continue
            claims[p]++
            comparable[p] += /,yes,(yes|no),(yes|no),/
            sign[p] += /,yes,yes,(yes|no),/
            within[p] += /,yes,yes,yes,/
        }
    }
    END {
        for (p = 1; p <= pages; p++) {
            total[1] += comparable[p]
            total[2] += sign[p]
            total[3] += within[p]
        }
        print "<!-- met -->"
        printf "\n**Of %d comparable numbers that the papers state, %d have the right sign here",
            total[1], total[2]
        printf " and %d are within\n30 %%** ([claims](#claims)).\n\n", total[3]
        print "<!-- claims -->"
        print "| page | claims | comparable | right sign | within 30 % |"
        print "| --- | ---: | ---: | ---: | ---: |"
        for (p = 1; p <= pages; p++)
            printf "| [%s](%s.md) | %d | %d | %d | %d |\n", page[p], page[p], claims[p],
                comparable[p], sign[p], within[p]
    }' - "$work/results/claims.csv" <<'END' | study_page "$work/results/README.md" || exit
khairy2015 ^kha-
lakshminarayana2014 ^lak-(13[5-9]|1[4-9]|2)
lakshminarayana2014-prefetch ^lak-(0|1[0-2]|13[0-4])
guo2018dsap ^dsap-
segura2022iru ^iru-
yilmazer2020gw ^gw-
END

bad=0
for file in "$work/results/"*; do
    file=${file##*/}
    if ! $check; then
        cmp -s "$work/results/$file" "$root/docs/results/$file" ||
            cp "$work/results/$file" "$root/docs/results/$file" || bad=2
    elif ! diff "$root/docs/results/$file" "$work/results/$file"; then
        echo "claims.sh: docs/results/$file (<) is not made of the data (>)" >&2
        bad=1
    fi
done
exit $bad
