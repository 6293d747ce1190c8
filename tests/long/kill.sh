#!/usr/bin/env bash
# Kills `heddle run --out`, `heddle graph gen`, `heddle compare` and `heddle study run` at random
# moments (SIGKILL): what is under its final name is whole, the programs that heddle started end
# too, and after the next run nothing is left over.
#
#     tests/long/kill.sh [HEDDLE [MOMENTS [SEED]]]
#
# MOMENTS (100) are those of each command. Every second one is in the last fifth of its time, in
# which it writes.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 3 "$@"
program "${1:-$here/build/heddle}"
heddle=$(realpath "$(command -v "${1:-$here/build/heddle}")") moments=${2:-100}
whole MOMENTS "$moments"
whole SEED "${3:-1}"
RANDOM=${3:-1}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/whole" "$work/killed"
failures=0

fail() {
    printf 'FAILED: %s\n' "$1"
    failures=$((failures + 1))
}

# The commands write into the working directory.
run_run() { exec "$heddle" run bfs --graph rmat:9,8 --threads 1 --quiet --out run.json; }
run_graph() { exec "$heddle" graph gen rmat:13,8 graph.txt; }
run_compare() {
    exec "$heddle" compare bfs --graph rmat:8,8 --store kept.db --jobs 2 --csv table.csv \
        --mechanism none --mechanism obm --mechanism mat
}

run_study() {
    [ -e mine.yaml ] || {
        "$heddle" study new mine.yaml >/dev/null
        sed -i -e 's/rmat:14,8/rmat:8,8/' -e 's/grid:128x128/grid:16x16/' \
            -e 's/uniform:16384,8/uniform:256,8/' mine.yaml
    }
    exec "$heddle" study run mine.yaml --jobs 2
}

# Whether each file under a final name is absent or whole.
whole_run() { [ ! -e run.json ] || "$heddle" diff ../whole/run.json run.json >/dev/null; }
whole_graph() { [ ! -e graph.txt ] || cmp -s ../whole/graph.txt graph.txt; }
whole_compare() {
    # What the store has is right. A process that was killed early leaves it without tables.
    if [ -s kept.db ] && results kept.db >rows; then
        ! grep -vxFf <(results ../whole/kept.db) rows || return
    fi
    rm -f rows
    [ ! -e table.csv ] || cmp -s ../whole/table.csv table.csv
}

whole_study() {
    if [ -s mine.db ] && results mine.db >rows; then
        ! grep -vxFf <(results ../whole/mine.db) rows || return
    fi
    rm -f rows
    [ ! -e mine.csv ] || cmp -s ../whole/mine.csv mine.csv
}

# results STORE: prints what was asked for, and the hashes of the results.
results() {
    "$heddle" query "$1" 'SELECT words, hash FROM requests JOIN runs USING (run)' --format csv \
        2>/dev/null
}

# start COMMAND: starts it; its process is $!.
start() { "run_$1" >output 2>&1 & }

listing() { find . -mindepth 1 ! -name output | LC_ALL=C sort; }

# Prints the processes of heddle in the working directory.
processes() {
    local exe
    for exe in $(find /proc/[0-9]*/exe -maxdepth 0 -lname "$heddle" 2>/dev/null); do
        [ "$(readlink "${exe%exe}cwd")" = "$work/killed" ] && echo "${exe//[!0-9]/}"
    done
}

# Waits until none is left; false: some do not end.
none_left() {
    local tries=0
    while [ -n "$(processes)" ]; do
        [ $((tries += 1)) -lt 100 ] || return
        sleep 0.05
    done
}

# kill_once COMMAND MICROSECONDS: kills it after this time, and runs it to its end.
kill_once() {
    local pause
    printf -v pause '%d.%06d' $(($2 / 1000000)) $(($2 % 1000000))
    start "$1"
    sleep "$pause"
    { kill -KILL $! && wait $!; } 2>/dev/null
    none_left || fail "$1, after $pause s: a process is left"
    "whole_$1" || fail "$1, after $pause s: a file is broken: $(listing | tr '\n' ' ')"
    start "$1"
    wait $! || fail "$1, after $pause s: the next run: $(<output)"
    "whole_$1" || fail "$1, after $pause s: a file is broken after the next run"
    [ "$(listing)" = "$expected" ] || fail "$1, after $pause s: left over: $(listing | tr '\n' ' ')"
}

for command in run graph compare study; do
    cd "$work/whole" || exit 2
    begun=${EPOCHREALTIME/[.,]/}
    start "$command"
    wait $! || { cat output; exit 1; }
    time=$((${EPOCHREALTIME/[.,]/} - begun))
    expected=$(listing)
    cd "$work/killed" || exit 2
    for ((i = 0; i < moments; i++)); do
        # Every third time there is an old result.
        ((i % 3)) && rm -rf "$work/killed/"*
        moment=$(((RANDOM << 15 | RANDOM) % time))
        ((i % 2)) && moment=$((time - moment / 5))
        kill_once "$command" "$moment"
    done
    rm -rf "$work/whole/"* "$work/killed/"*
done
# Runs that would take minutes end with their comparison.
cd "$work/killed" || exit 2
"$heddle" compare bfs --graph rmat:19,16 --jobs 2 --mechanism none --mechanism obm >output 2>&1 &
until [ "$(processes | wc -l)" -ge 3 ] || ! kill -0 $!; do sleep 0.05; done
{ kill -KILL $! && wait $!; } 2>/dev/null
if ! none_left; then
    fail "runs of a killed comparison go on: $(processes | tr '\n' ' ')"
    for process in $(processes); do kill -KILL "$process"; done
fi
echo "$moments moments of each command, $failures failures"
[ "$failures" -eq 0 ]
