#!/usr/bin/env bash
# The standard benchmark on its smallest runs: its table, its JSON, its history and comparison, and
# its messages for wrong input. No figure that depends on the host's speed is tested.
#
#     tests/bench/standard.sh STANDARD HEDDLE
set -u
standard=${1:?usage: standard.sh STANDARD HEDDLE}
heddle=${2:?usage: standard.sh STANDARD HEDDLE}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "standard.sh: $1" >&2
    sed 's/^/    /' "$work/out" >&2
    failed=1
}
# expect STATUS OPTION...: runs the benchmark, keeps what it prints in $work/out.
expect() {
    local status=$1 got
    shift
    "$standard" "$heddle" --quick --no-count --repeat 1 --host here --history "$work/history" "$@" \
        >"$work/out" 2>&1
    got=$?
    [ $got = "$status" ] || fail "exit status $got, not $status, with: $*"
}
says() { grep -qF -- "$1" "$work/out" || fail "not said: $1"; }
says_not() { ! grep -qF -- "$1" "$work/out" || fail "said: $1"; }
# entry HOST QUICK INSTRUCTIONS CYCLES COMMIT: a line of a history.
entry() {
    printf '{"date":"2026-01-01T00:00:00Z","load":2.5,"commit":"%s","host":"%s",' "$5" "$1"
    printf '"quick":%s,"runs":' "$2"
    printf '[{"name":"warp rmat:12,8","warp_instructions":%s,"cycles":%s}]}\n' "$3" "$4"
}

expect 0 --compare --json "$work/json"
says 'nothing to compare with'
says 'topology rmat:12,8'
[ -e "$work/history" ] && fail 'a history was written without --record'
instructions=$(grep -A1 '"warp rmat:12,8"' "$work/json" |
    sed -n 's/.*instructions": \([0-9]*\).*/\1/p')
cycles=$(grep -A2 '"warp rmat:12,8"' "$work/json" | sed -n 's/.*"cycles": \([0-9]*\).*/\1/p')
[ "${instructions:-0}" -gt 0 ] && [ "${cycles:-0}" -gt 0 ] || fail 'the JSON has no counts'

# The last entry of this machine and kind counts, not an entry of another machine or of the long
# form.
{
    entry here true 1 1 older
    entry here true $((2 * instructions)) $((4 * cycles)) wanted
    entry there true 1 1 elsewhere
    entry here false 1 1 long
} >"$work/history"
expect 0 --compare --record --threads 1
says 'now / wanted of 2026-01-01T00:00:00Z (ratios; load average now '
says ', then 2.5)'
grep -qE '^warp rmat:12,8 +- +- +0\.500 +0\.250$' "$work/out" || fail 'wrong ratios'
grep -qE '^topology rmat:12,8 +new$' "$work/out" || fail 'a run without an earlier one is not new'
[ "$(wc -l <"$work/history")" = 5 ] || fail 'the history has not one line more'
expect 0 --compare --threads 1
grep -qE '^warp rmat:12,8 .* 1\.000 +1\.000$' "$work/out" || fail 'what was recorded differs'

echo '{"date":' >>"$work/history"
expect 2 --compare --threads 1
says "$work/history:6: not an entry of the benchmark"

expect 2 --threads 0
says 'standard: --threads 0: up to 4 numbers of threads, as in 1,2,4'
expect 2 --threads 1,
expect 2 --threads 1,2,3,4,5
expect 2 --repeat 26
says 'standard: --repeat 26: a number from 1 to 25'
expect 2 --repeat 2x
expect 2 --json "$work/none/json" --threads 1
says "$work/none/json"
says_not 'medians of'
expect 2 --record --history "$work/none/history" --threads 1
says "$work/none/history: cannot be written"
says_not 'medians of'

# Missing requirements of a benchmark.
"$standard" --no-count "$work/none" >"$work/out" 2>&1 && fail 'a program that is not there was run'
says "standard: $work/none: No such file or directory (build it, or name another)"
printf '#!/bin/sh\nexit 3\n' >"$work/broken"
chmod +x "$work/broken"
"$standard" --quick --no-count "$work/broken" >"$work/out" 2>&1 && fail 'a failing run was measured'
says "standard: exit status 3 from: $work/broken run bfs --impl topology --graph rmat:12,8"
exit $failed
