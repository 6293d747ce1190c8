#!/usr/bin/env bash
# Makes the runs of runs.txt and compares every counter of every launch with the goldens: the files
# counters/NAME.txt, and names.txt, which has the names of all counters. A change of speed alone
# changes none.
#
#     tests/goldens/goldens.sh HEDDLE GOLDENS [OPTION...]          compare; OPTION: of each run
#     tests/goldens/goldens.sh HEDDLE GOLDENS --renew [NAME...]    write the goldens of these runs
#                                                                  (default: all) anew
#
# GOLDENS: the program tests/goldens/goldens of a build. A difference is printed with the launch,
# the counter and both values. --renew prints them too: the commit says which counters moved, and
# why. A new counter adds lines, and changes none. The goldens leave out what was run: workload,
# graph, machine, seed, parameters.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../bench/arguments.sh"
[ $# -ge 2 ] || wrong 'expected HEDDLE GOLDENS: --help says what they are'
heddle=$1 goldens=$2
shift 2
program "$heddle"
program "$goldens"
renew=
if [ "${1:-}" = --renew ]; then
    renew=1
    shift
    for name; do
        grep -q "^$name " "$here/runs.txt" ||
            wrong "'$name': expected the name of a run of runs.txt"
    done
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Another compiler makes other PTX of the kernels.
wanted=$(sed -n 's/^# clang //p' "$here/runs.txt")
have=$(clang --version | sed -n 's/.*version \([0-9]*\).*/\1/p;q')
if [ "$wanted" != "$have" ] && [ -z "$renew" ]; then
    echo "skipped: the goldens are of kernels compiled by clang $wanted, here is $have"
    exit 77
fi

failed=0 passed=0
while read -r name run; do
    [ "$name" != '#' ] || continue
    [ -z "$renew" ] || [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    options=("$@")
    [ -z "$renew" ] || options=()
    # Split the run into words.
    # shellcheck disable=SC2086
    "$heddle" run $run "${options[@]}" --per-kernel --quiet --out "$work/run.json" </dev/null ||
        exit 1
    "$goldens" names "$work/run.json" >>"$work/names" || exit 2
    golden=$here/counters/$name.txt
    [ -z "$renew" ] || [ -e "$golden" ] || echo "# $run" >"$golden"
    "$goldens" compare "$work/run.json" "$golden" >"$work/differences"
    case $? in
    0) passed=$((passed + 1)) ;;
    1)
        failed=$((failed + 1))
        echo "heddle run $run: $golden"
        cat "$work/differences"
        # Split the run into words.
        # shellcheck disable=SC2086
        [ -z "$renew" ] || { "$goldens" write "$work/run.json" $run >"$work/golden" &&
            mv "$work/golden" "$golden"; } || exit 2
        ;;
    *) exit 2 ;;
    esac
done <"$here/runs.txt"

# The names of all counters, also of those that are 0 in every run.
if [ -z "$renew" ] || [ $# -eq 0 ]; then
    LC_ALL=C sort -u "$work/names" >"$work/all"
    if ! LC_ALL=C diff "$here/names.txt" "$work/all" >"$work/differences"; then
        sed -n 's/^< /no run has the counter /p; s/^> /new counter /p' "$work/differences"
        [ -n "$renew" ] || failed=$((failed + 1))
    fi
    [ -z "$renew" ] || cp "$work/all" "$here/names.txt" || exit 2
fi
if [ -n "$renew" ]; then
    echo "$failed of $((passed + failed)) goldens are new"
    exit 0
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
