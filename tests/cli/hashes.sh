#!/usr/bin/env bash
# Makes the runs that hashes.txt lists and compares the "counters_hash" of each result with the hash
# in the list. A change of speed alone changes no hash.
#
#     tests/cli/hashes.sh HEDDLE            compare
#     tests/cli/hashes.sh HEDDLE --renew    write the new hashes: for changes of what is modelled or
#                                           counted. The commit says which counters changed and why
#
# "counters_hash" (src/report/result_hash.h) is over the answer and the names and values of every
# counter of every launch. It leaves out what was run: workload, graph, machine, seed, parameters.
# So a new parameter whose default changes no outcome changes no line here. A counter that is new,
# gone, renamed or has another value changes it.
set -u
list=$(cd "$(dirname "$0")" && pwd)/hashes.txt
heddle=${1:?hashes.sh: say which heddle}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Another compiler makes other PTX of the kernels.
wanted=$(sed -n 's/^# clang //p' "$list")
have=$(clang --version | sed -n 's/.*version \([0-9]*\).*/\1/p;q')
if [ "$wanted" != "$have" ] && [ "${2:-}" != --renew ]; then
    echo "skipped: the hashes are of kernels compiled by clang $wanted, here is $have"
    exit 77
fi

failed=0 passed=0
while IFS= read -r line; do
    case $line in
    '# clang '*) echo "# clang $have" >>"$work/list"; continue ;;
    '#'* | '') echo "$line" >>"$work/list"; continue ;;
    esac
    hash=${line%% *} run=${line#* }
    # Split the run into words.
    # shellcheck disable=SC2086
    "$heddle" run $run --per-kernel --quiet --out "$work/run.json" </dev/null || exit 1
    now=$(sed -n 's/^    "counters_hash": "\(.*\)",$/\1/p' "$work/run.json")
    echo "$now $run" >>"$work/list"
    if [ "$now" = "$hash" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        [ "${2:-}" = --renew ] || echo "heddle run $run: the hash is $now, not $hash"
    fi
done <"$list"
if [ "${2:-}" = --renew ]; then
    cp "$work/list" "$list" || exit 2
    echo "$failed of $((passed + failed)) hashes are new"
    exit 0
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
