#!/usr/bin/env bash
# Runs random PTX programs by all runners until the log counts COUNT of them. Goes on where the log
# ends, so that it may be interrupted. Ends with status 1 after a difference, which it prints with
# the reduced program.
#
#     tests/long/random.sh [COUNT [LOG [RANDOM_PROGRAMS]]]
#
# COUNT: default 1000000. LOG: default reference/results/random_programs.tsv.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 3 "$@"
count=${1:-1000000} log=${2:-$here/reference/results/random_programs.tsv}
test=${3:-$here/build/tests/random/random_programs} chunk=640
whole COUNT "$count"
program "$test"

[ -s "$log" ] || printf 'first\tlast\tdifferences\tseconds\tdate\n' >"$log"
while :; do
    read -r last all < <(awk -F'\t' 'NR > 1 { if ($2 > last) last = $2; all += $2 - $1 + 1 }
        END { print last + 0, all + 0 }' "$log")
    [ "$all" -lt "$count" ] || break
    some=$((count - all < chunk ? count - all : chunk)) start=$SECONDS differences=0
    text=$(nice -n 10 "$test" --seed $((last + 1)) --count "$some") || differences=1
    if [ "$differences" -gt 0 ]; then # the log goes on behind the seed that differs
        printf '%s\n' "$text"
        seed=$(sed -n '1s/^seed \([0-9]*\):.*/\1/p' <<<"$text")
        some=$((${seed:?the programs did not run} - last))
    fi
    printf '%d\t%d\t%d\t%d\t%s\n' $((last + 1)) $((last + some)) "$differences" \
        $((SECONDS - start)) "$(date -u +%F)" >>"$log"
    [ "$differences" -eq 0 ] || exit 1
done
awk -F'\t' 'NR > 1 { all += $2 - $1 + 1; differences += $3 } END {
    print all " programs, " differences " differences" }' "$log"
