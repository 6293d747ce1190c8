#!/usr/bin/env bash
# Runs fuzz targets, one after the other, and prints a row of a table for each.
# usage: run.sh BUILD HEDDLE [--seconds N] [--runs N] [--log FILE] [TARGET...]
# BUILD is configured with -Dfuzz=true. What a target has learnt stays in BUILD/fuzz/TARGET, and the
# next run starts from there. A crash leaves its input in BUILD/fuzz/TARGET/crashes.
# --log appends a line of CSV for each target: date, commit (with a + if files are changed), target,
# executions, seconds, crashes.
set -u
build=$(realpath "$1") heddle=$(realpath "$2")
shift 2
seconds=60 runs=-1 log=''
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2 ;;
    --runs) runs=$2 ;;
    --log) log=$2 ;;
    *) break ;;
    esac
    shift 2
done
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || mapfile -t all < <(cat "$build/tests/fuzz/targets")
[ $# -gt 0 ] || set -- "${all[@]}"

# What was freed is kept for a short time only, which is faster.
options=allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=16:malloc_context_size=8
export ASAN_OPTIONS=$options${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export UBSAN_OPTIONS=print_stacktrace=1 LC_ALL=C

# The most bytes of an input: enough for what the reader can take apart. Larger ones are slower.
largest() {
    case $1 in
    ptx | ptx-link) echo 6000 ;;
    diff | annotate | kept) echo 40000 ;; # a small result has 20,000
    study) echo 4000 ;;
    uops) echo 131 ;;                     # 16 changes
    gzip | zstd | bzip2 | xz | fatbin | machine | script) echo 1024 ;;
    *) echo 512 ;;
    esac
}

# A number of libFuzzer's final report; 0 if there is none.
stat_of() { sed -n "s/^stat::$1: *//p" "$state/log" | tail -n 1 | grep . || echo 0; }

# Runs libFuzzer in a folder of its own, where a target may link names to its files in memory.
run() {
    local target=$1 words=()
    [ ! -s "$state/dictionary" ] || words=("-dict=$state/dictionary")
    local folders=("$state/corpus" "$state/seeds")
    [ ! -d "$here/corpus/$target" ] || folders+=("$here/corpus/$target")
    cd "$state/folder" || return
    "$build/tests/fuzz/fuzz-$target" -max_len="$(largest "$target")" -timeout=10 \
        -rss_limit_mb=2048 -malloc_limit_mb=2048 -max_total_time="$seconds" -runs="$runs" \
        -print_final_stats=1 -close_fd_mask=3 "${words[@]}" \
        -artifact_prefix="$state/crashes/" "${folders[@]}" </dev/null
}

fuzz() {
    local target=$1 status crashes executions before=$SECONDS
    state=$build/fuzz/$target
    [ -x "$build/tests/fuzz/fuzz-$target" ] ||
        { printf "run.sh: there is no target '%s'\n" "$target" >&2 && return 1; }
    mkdir -p "$state"/{folder,corpus,crashes}
    [ -f "$state/dictionary" ] || bash "$here/seeds.sh" "$target" "$heddle" "$state" || return 1
    touch "$state/started"
    (run "$target") >"$state/log" 2>&1
    status=$?
    crashes=$(find "$state/crashes" -type f -newer "$state/started" | wc -l)
    executions=$(stat_of number_of_executed_units)
    printf '%-14s %12s %10s %7s of %-7s %7s\n' "$target" "$executions" \
        "$(stat_of average_exec_per_sec)" \
        "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$state/log" | tail -n 1)" \
        "$(sed -n 's/.*(\([0-9]*\) inline 8-bit counters).*/\1/p' "$state/log" | head -n 1)" \
        "$crashes"
    [ -z "$log" ] || printf '%s,%s,%s,%s,%s,%s\n' "$(date -u +%Y-%m-%d)" \
        "$(git -C "$here" describe --always --exclude "*" --dirty=+)" "$target" "$executions" \
        "$((SECONDS - before))" "$crashes" >>"$log"
    [ $status -ne 0 ] || return 0
    printf '%s: exit status %d; the end of %s:\n' "$target" $status "$state/log" >&2
    grep -a -m 1 -A 12 -e '^==.*ERROR' -e 'runtime error' -e '^fuzz: ' "$state/log" >&2
    return 1
}

failed=0
printf '%-14s %12s %10s %18s %7s\n' target executions per_second 'edges reached' crashes
for target in "$@"; do
    fuzz "$target" || failed=1
done
exit $failed
