#!/usr/bin/env bash
# The pages of studies and their figures, the sheets of figures, claims.csv, the counts of
# docs/results/README.md and the tables of mechanisms' pages are what `heddle study` makes of the
# committed data. --write makes them so.
#
#     tests/study/pages.sh ROOT HEDDLE [--write]
set -u
root=${1:?usage: pages.sh ROOT HEDDLE [--write]} heddle=${2:?} write=${3:-}
export HEDDLE_STUDIES=$root/studies HEDDLE_RESULTS=$root/reference/results
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# made FILE WORD...: the file is what `heddle study WORD...` prints.
made()
{
    local file=$1
    shift
    "$heddle" study "$@" >"$work/new" || failed=1
    same "$file" "heddle study $*"
}

# same FILE COMMAND: the file is $work/new, which the command prints.
same()
{
    local file=$1
    if [ "$write" = --write ]; then
        cmp -s "$work/new" "$root/$file" || cp "$work/new" "$root/$file"
    elif ! diff "$root/$file" "$work/new"; then
        echo "pages.sh: $file (<) is not what '$2' prints (>): see --write" >&2
        failed=1
    fi
}

# The sheets of figures: all of a study, three in a row.
sheets()
{
    local study name column
    echo '# Figures

For readers who compare figures with the papers: all of each study, from the committed data. Their
numbers are the papers'"'"', and each page says what was run.'
    for study in "$@"; do
        compgen -G "$root/$folder/$study-*.svg" >/dev/null || continue
        printf '\n## %s\n\n| [page](%s.md) | | |\n| --- | --- | --- |\n' "$study" "$study"
        column=0
        for name in $(cd "$root/$folder" && printf '%s\n' "$study"-*.svg | sort -V); do
            # Of chapter 3 and 5 of a thesis are other studies, whose names begin alike.
            name=${name#"$study-"} name=${name%.svg}
            [ "${name#*-}" = "$name" ] || continue
            printf '| ![%s](figures/%s-%s.svg) ' "$name" "$study" "$name"
            [ $((column = (column + 1) % 3)) -ne 0 ] || echo '|'
        done
        while [ $column -ne 0 ]; do
            printf '| '
            [ $((column = (column + 1) % 3)) -ne 0 ] || echo '|'
        done
    done
}

# placed FILE MARK WORD...: what stands in the file between <!-- MARK --> and <!-- end --> is.
placed()
{
    local file=$1 mark=$2
    shift 2
    "$heddle" study "$@" >"$work/part" || failed=1
    awk -v mark="<!-- $mark -->" '
        FILENAME == ARGV[1] { part = part $0 "\n"; next }
        !inside
        $0 == mark { inside = found = 1; printf "%s", part }
        $0 == "<!-- end -->" && inside { inside = 0; print }
        END { exit !found }' "$work/part" "$root/$file" >"$work/new" || {
        echo "pages.sh: $file has no <!-- $mark -->" >&2
        failed=1
        return
    }
    if [ "$write" = --write ]; then
        cmp -s "$work/new" "$root/$file" || cp "$work/new" "$root/$file"
    elif ! diff "$root/$file" "$work/new"; then
        echo "pages.sh: $file (<) is not made of 'heddle study $*' (>): see --write" >&2
        failed=1
    fi
}

studies='guo2018dsap khairy2015 lakshminarayana2014-prefetch lakshminarayana2014
lakshminarayana2014-k40c segura2022iru yilmazer2020gw mechanisms'
for study in $studies; do
    made docs/results/$study.md page $study
done
made docs/results/claims.csv claims
# Each study is right, also in what runs alone need.
for study in $("$heddle" study list | cut -d ' ' -f 1); do
    "$heddle" study plan "$study" >"$work/log" 2>&1 || { tail -n 1 "$work/log" && failed=1; }
done
placed docs/results/README.md claims claims --counts
for mechanism in next-line stride-pc; do
    placed docs/mechanisms/$mechanism.md fates table prefetch-fates --table $mechanism
done
for mechanism in stride stream ghb-acdc ghb-stride; do
    placed docs/mechanisms/$mechanism.md prefetchers table prefetchers --table $mechanism
done

placed docs/mechanisms/bypass-copyback.md bypass-l2 table bypass-l2 --table gains

# Figures, if they were drawn by this gnuplot: each one there is the one that is drawn.
folder=docs/results/figures drawn_by='gnuplot 5.4 patchlevel 4'
if [ "$(gnuplot --version 2>&1)" != "$drawn_by" ]; then
    echo "pages.sh: figures are not compared: expected $drawn_by" >&2
elif [ "$write" = --write ]; then
    rm -f "$root/$folder"/*.svg
    "$heddle" study figure all --out "$root/$folder" >"$work/log" || failed=1
else
    mkdir "$work/figures"
    "$heddle" study figure all --out "$work/figures" >"$work/log" || failed=1
    diff -rq "$root/$folder" "$work/figures" || {
        echo "pages.sh: figures in $folder are not those that are drawn: see --write" >&2
        failed=1
    }
fi
# shellcheck disable=SC2086 # each is a word
sheets $studies >"$work/new"
same docs/results/figures.md 'pages.sh --write'
exit $failed
