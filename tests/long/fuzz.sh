#!/usr/bin/env bash
# Fuzzes for hours, and adds to docs/results/fuzzing.csv: the target with the fewest executions
# there runs for SECONDS, then the next. May be interrupted at any time; what the targets have
# learnt stays in build-fuzz, and the next run goes on from there. One process runs at a time.
#
#     tests/long/fuzz.sh [HOURS [SECONDS]]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
hours=${1:-8} seconds=${2:-600}
whole HOURS "$hours"
whole SECONDS "$seconds"
cd "$here" || exit 1
log=docs/results/fuzzing.csv
end=$((SECONDS + hours * 3600)) failed=' '
./heddle-setup fuzz --seconds 1 mtx || exit 1 # builds all targets

# "EXECUTIONS TARGET" of each target, the fewest first.
executions() {
    awk -F, 'NR == FNR { sum[$3] += $4; next } { printf "%.0f %s\n", sum[$1], $1 }' \
        "$log" build-fuzz/tests/fuzz/targets | sort -n
}

while [ $SECONDS -lt $end ]; do
    target=
    for name in $(executions | cut -d ' ' -f 2); do
        [[ $failed == *" $name "* ]] || { target=$name && break; }
    done
    [ -n "$target" ] || break
    tests/fuzz/run.sh build-fuzz build/heddle --seconds "$seconds" --log "$log" "$target" ||
        failed+="$target "
done
executions | awk '{ sum += $1 } END { printf "%.0f executions in all\n", sum }'
[ "$failed" = ' ' ] || { echo "crashes:$failed"; exit 1; }
