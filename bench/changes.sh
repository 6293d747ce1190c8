#!/usr/bin/env bash
# What a change of the model does to the runs of tests/goldens/runs.txt: which counters moved and by
# how much between two builds of Heddle, and which parameter moved them. Writes the tables of
# docs/results/baseline.md to standard output.
#
#     bench/changes.sh [--csv FILE] OLD_HEDDLE NEW_HEDDLE [KEY=VALUE[,KEY=VALUE]...]...
#
# The first table has a row for each run that has changed. Each KEY=VALUE is a parameter with its
# former value; the second table says what the new heddle's cycles are if it is set. --csv writes
# every counter that both builds have and that moved: run,counter,before,after. The tables name a
# run by its arguments without the names of options. Runs of machines that the old heddle does not
# have are left out. Needs jq.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/bench/arguments.sh"
csv=
if [ "${1:-}" = --csv ]; then
    [ $# -gt 1 ] || wrong 'expected a file behind --csv'
    csv=$2
    shift 2
fi
no_options "$@"
[ $# -ge 2 ] || wrong 'expected two programs: --help says which'
old=$1 new=$2
shift 2
program "$old"
program "$new"
needs jq
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# counters HEDDLE RUN: every number of the result that is not a parameter, as NAME<tab>VALUE.
counters()
{
    # Split the run into words.
    # shellcheck disable=SC2086
    "$1" run $2 --quiet --out "$work/run.json" </dev/null 2>"$work/errors" &&
        jq -r '.result | {cycles, issue, sm, l1d, l1i, l1c, l1r, l2, icnt, dram}
            | paths(type == "number") as $p
            | [($p | map(tostring) | join(".")), getpath($p)] | @tsv' "$work/run.json"
}

fail()
{
    echo "changes.sh: $1 run $2:" >&2
    cat "$work/errors" >&2
    exit 1
}

runs=0
: >"$work/all"
: >"$work/settings"
while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    run=${line#* }
    machine=$(sed -n 's/.*--machine \([^ ]*\).*/\1/p' <<<"$run")
    if [ -n "$machine" ] && ! "$old" machine show "$machine" >/dev/null 2>&1; then continue; fi
    runs=$((runs + 1))
    counters "$old" "$run" >"$work/before" || fail "$old" "$run"
    counters "$new" "$run" >"$work/after" || fail "$new" "$run"
    awk -F '\t' -v OFS='\t' -v run="$run" 'NR == FNR { before[$1] = $2; next }
        $1 in before { print run, $1, before[$1], $2 }' "$work/before" "$work/after" >>"$work/all"
    for setting; do
        counters "$new" "$run --set ${setting//,/ --set }" >"$work/former" ||
            fail "$new" "$run with $setting"
        awk -F '\t' -v OFS='\t' -v setting="$setting" -v run="$run" '
            NR == FNR { after[$1] = $2; next }
            $1 == "cycles" { cycles = $2 OFS after[$1] }
            $2 != after[$1] { moved++ }
            END { if (moved) print setting, run, cycles, moved }' "$work/after" "$work/former" \
            >>"$work/settings"
    done
done <"$root/tests/goldens/runs.txt"

if [ -n "$csv" ]; then
    awk -F '\t' 'BEGIN { print "run,counter,before,after" }
        $3 != $4 { printf "\"%s\",%s,%s,%s\n", $1, $2, $3, $4 }' "$work/all" >"$csv.part" &&
        mv "$csv.part" "$csv" || exit 2
fi

awk -F '\t' -v runs="$runs" '
    function cell(run, name) { # the change in percent; a count that was below 100, as it is
        b = before[run, name]; a = after[run, name]
        if (a == b) return "="
        if (b < 100) return b " to " a
        return sprintf("%+.1f %%", 100 * (a / b - 1))
    }
    !($1 in moved) { moved[$1] = 0; order[++count] = $1 }
    { before[$1, $2] = $3; after[$1, $2] = $4; if ($3 != $4) moved[$1]++ }
    END {
        n = split("sm.fetches l1i.misses l1c.misses l1d.misses l2.accesses l2.misses " \
                  "dram.reads", name, " ")
        printf "| run | cycles | |"
        for (i = 1; i <= n; i++) printf " %s |", name[i]
        printf " counters |\n| --- | --- | --- |"
        for (i = 1; i <= n; i++) printf " --- |"
        print " --- |"
        for (r = 1; r <= count; r++) {
            run = order[r]
            if (!moved[run]) { same++; continue }
            short = run
            gsub(/--[a-z]+ /, "", short)
            printf "| %s | %s to %s | %s |", short, before[run, "cycles"], after[run, "cycles"],
                cell(run, "cycles")
            for (i = 1; i <= n; i++) printf " %s |", cell(run, name[i])
            printf " %d |\n", moved[run]
        }
        printf "\n%d of %d runs changed.\n", runs - same, runs
    }' "$work/all"
[ $# -gt 0 ] || exit 0

printf '\n| parameter, former value | runs | cycles, from | to | most |\n'
printf '| --- | --- | --- | --- | --- |\n'
for setting; do
    awk -F '\t' -v setting="$setting" '
        function size(x) { return x < 0 ? -x : x }
        $1 == setting {
            change = 100 * ($4 / $3 - 1)
            if (!n++ || change < low) low = change
            if (n == 1 || change > high) high = change
            if (n == 1 || size(change) > size(most)) { most = change; run = $2 }
        }
        END {
            if (!n) printf "| `%s` | 0 | | | |\n", setting
            else {
                gsub(/--[a-z]+ /, "", run)
                printf "| `%s` | %d | %+.1f %% | %+.1f %% | %s |\n", setting, n, low, high, run
            }
        }' "$work/settings"
done
