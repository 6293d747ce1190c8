#!/usr/bin/env bash
# The scripts of bench/ and tests/long/ with wrong arguments: each ends with status 2 and one line
# that says what is wrong, before it does anything; --help shows the usage.
#
#     arguments.sh SOURCE HEDDLE
set -u
source=$1 heddle=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

refuses() # MESSAGE SCRIPT ARGUMENT...
{
    local message=$1 script=$2 answer status
    shift 2
    answer=$(timeout 20 "$source/$script" "$@" 2>&1 </dev/null)
    status=$?
    [ "$status" -eq 2 ] && [ "$answer" = "${script##*/}: $message" ] && return
    echo "$script $*: expected status 2 and '$message', found $status: $answer"
    failed=1
}

count=0
for path in "$source"/bench/*.sh "$source"/tests/long/*.sh; do
    [ -x "$path" ] || continue # sourced by others
    count=$((count + 1)) script=${path#"$source/"}
    help=$(timeout 20 "$path" --help </dev/null) && [[ ${help%%$'\n'*} =~ ^[A-Z] ]] || {
        echo "$script --help: $help"
        failed=1
    }
    case $script in
    tests/long/compilers.sh)
        refuses "'x' is one argument too many: --help says which" "$script" x
        ;;
    tests/long/mutants.sh)
        refuses "PROGRAMS '--nothing': expected a whole number of at least 1" "$script" --nothing
        ;;
    *) refuses "unknown option '--nothing': --help says what is expected" "$script" --nothing ;;
    esac
done
[ "$count" -gt 15 ] || { echo "only $count scripts"; failed=1; }

missing="'/nowhere': no such program: expected one that was built"
refuses "$missing" bench/road.sh /nowhere
refuses "'/': no such program: expected one that was built" bench/budget.sh /
refuses "$missing" bench/budget_runs.sh /nowhere
refuses "$missing" bench/functional.sh /nowhere
refuses "$missing" bench/advise.sh fermi-gtx480 "$work/csv" /nowhere
refuses "$missing" bench/speed.sh "$heddle" "$work" /nowhere
refuses "$missing" tests/long/fidelity.sh /nowhere
refuses "$missing" tests/long/graphs.sh "$work" /nowhere
refuses "$missing" tests/long/kill.sh /nowhere
refuses "$missing" tests/long/random.sh 5 "$work/log" /nowhere
refuses "$missing" tests/long/shadow.sh rmat:4,2 /nowhere
refuses "$missing" tests/long/slurm.sh /nowhere
refuses "$missing" tests/long/stand_ins.sh /nowhere
refuses "$missing" tests/long/threads.sh /nowhere
refuses "$missing" tests/long/workloads.sh rmat:4,2 /nowhere
refuses "'$work/heddle': no such program: expected one that was built" tests/long/waves.sh \
    rmat:4,2 "$work"
refuses "'$work/heddle': no such program: expected one that was built" tests/long/crossed.sh "$work"
refuses "'$work/heddle': no such program: expected one that was built" tests/long/reordered.sh \
    "$work" "$work"
[ ! -e "$work/log" ] || { echo 'random.sh has begun a log'; failed=1; }

# A heddle without shadow data checks nothing. This one has none: it knows no variable.
printf '#!/bin/sh\n' >"$work/heddle"
chmod +x "$work/heddle"
cp "$work/heddle" "$work/heddle-shadow"
none='carries no shadow data: expected a build with -Dshadow=true'
refuses "$work/heddle $none" tests/long/shadow.sh rmat:4,2 "$work/heddle"
refuses "$work/heddle-shadow $none" tests/long/waves.sh rmat:4,2 "$work"
refuses "$work/heddle-shadow $none" tests/long/reordered.sh "$work" "$work"
refuses "'$work/heddle graph like' has listed nothing" tests/long/stand_ins.sh "$work/heddle"

whole='expected a whole number of at least 1'
refuses "ROUNDS 'abc': $whole" bench/functional.sh "$heddle" abc
refuses "THREADS '0': $whole" bench/functional.sh "$heddle" 1 0
refuses "ROUNDS '0': $whole" bench/speed.sh "$heddle" "$work" "$heddle" 0
refuses "HOURS '1.5': $whole" tests/long/fuzz.sh 1.5
refuses "MOMENTS '1x': $whole" tests/long/kill.sh "$heddle" 1x
refuses "SEED 'x': $whole" tests/long/kill.sh "$heddle" 1 x
refuses "PROGRAMS 'abc': $whole" tests/long/mutants.sh abc
refuses "COUNT 'abc': $whole" tests/long/random.sh abc

refuses "'nosuch': expected the name of a run of bench/budget_runs.txt" bench/budget_runs.sh \
    "$heddle" syrk nosuch
refuses 'expected HEDDLE REFERENCE OTHER: --help says what they are' bench/speed.sh "$heddle"
refuses 'expected a value behind --before' bench/speed.sh --before
refuses "expected the CSV to write behind 'cuda'" bench/advise.sh cuda
refuses 'expected BUILD COMPILER...: --help says what they are' tests/long/front_ends.sh "$work"
refuses "'/nowhere': no such folder: expected that of a build" tests/long/front_ends.sh \
    /nowhere clang
refuses "'/nowhere': no such folder: expected one with graphs" tests/long/graphs.sh /nowhere
refuses "'b' is one argument too many: --help says which" bench/road.sh "$heddle" b
exit $failed
