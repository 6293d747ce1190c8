#!/usr/bin/env bash
# Counts host instructions per simulated warp instruction of whole runs, with callgrind, and
# compares them with the limits of budget_runs.txt.
#
#     bench/budget_runs.sh [HEDDLE [NAME...]]
#
# Default: build/heddle, all runs. Prints a line per run; exit status 1 if one exceeds its limit.
# The counts do not depend on the load of the host, so this can be a test.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
heddle=${1:-$here/build/heddle}
[ $# -gt 0 ] && shift
program "$heddle"
for name; do
    grep -q "^$name " "$here/bench/budget_runs.txt" ||
        wrong "'$name': expected the name of a run of bench/budget_runs.txt"
done
needs valgrind
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

bad=0
printf '%-14s %10s %10s %12s\n' run spent limit instructions
while read -r name limit arguments; do
    case $name in '' | '#'*) continue ;; esac
    [ $# -gt 0 ] && [[ " $* " != *" $name "* ]] && continue
    # Split the arguments into words.
    # shellcheck disable=SC2086
    if ! valgrind -q --tool=callgrind --callgrind-out-file="$work/profile" "$heddle" run \
        $arguments --threads 1 --out "$work/run.json" >"$work/log" 2>&1 </dev/null; then
        cat "$work/log" >&2
        exit 2
    fi
    # The first number that is not 0: of the timed launches, or of functional ones.
    warps=$(awk -F'[:,]' '/"warp_instructions"/ && $2 + 0 { print $2 + 0; exit }' "$work/run.json")
    awk -v warps="$warps" -v name="$name" -v limit="$limit" '
        /^(summary|totals):/ {
            spent = $2 / warps
            over = spent > limit
            printf "%-14s %10.0f %10d %12d%s\n", name, spent, limit, warps, over ? "   OVER" : ""
            exit over
        }' "$work/profile" || bad=1
done <"$here/bench/budget_runs.txt"
exit $bad
