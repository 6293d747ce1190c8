#!/usr/bin/env bash
# The microbenchmarks: every ratio outside of 0.9 to 1.1 has its reason, quantities that follow from
# the machine file by hand are measured exactly, and wrong input is refused.
#
#     tests/bench/microbench.sh MICROBENCH_TABLE ROOT
set -u
table=${1:?usage: microbench.sh MICROBENCH_TABLE ROOT}
root=${2:?usage: microbench.sh MICROBENCH_TABLE ROOT}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
header=machine,quantity,published,unit,source,place,reason

# expect STATUS TEXT ARGUMENT...: ends with this status and prints this alone.
expect() {
    local status=$1 text=$2 got
    shift 2
    "$table" "$@" >"$work/out" 2>&1
    got=$?
    [ $got = "$status" ] && [ "$(cat "$work/out")" = "$text" ] && return
    echo "microbench.sh: not '$text' (status $got):" >&2
    cat "$work/out" >&2
    failed=1
}

# rows LINE...: a file of these rows.
rows() {
    printf '%s\n' "$header" "$@" >"$work/rows.csv"
}

expect 0 '' --check "$root/reference/published/microbenchmarks.csv"

# By hand: a cycle to read registers and the latency; a pass of a cycle for each word of a bank.
rows 'kepler-k40c,latency.fp_mul,1,cycles,a,b,c'
"$table" --machine volta-v100 --set latency.fp_mul=20 --set shared.latency=30 --all \
    "$work/rows.csv" latency.fp_mul latency.shared \
    conflicts.shared.2 conflicts.shared.32 >"$work/out"
for row in 'latency.fp_mul | cycles | 21' 'latency.shared | cycles | 31' \
    'conflicts.shared.2 | cycles | 32' 'conflicts.shared.32 | cycles | 62'; do
    grep -qF -- "| $row |" "$work/out" && continue
    echo "microbench.sh: '$row' is missing:" >&2
    cat "$work/out" >&2
    failed=1
done

# Commas in quotes, a doubled quote, a range.
rows 'volta-v100,latency.fp_add,3.8..4,cycles,a,"one, ""two""",' \
    'volta-v100,latency.shared,19,cycles,a,b,'
"$table" "$work/rows.csv" >"$work/out"
for row in '| latency.fp_add | cycles | 3.984 | 3.8..4 | 1.00 | a, one, "two" | |' \
    '| latency.shared | cycles | 19 | 19 | 1.00 | a, b | |'; do
    grep -qxF -- "$row" "$work/out" && continue
    echo "microbench.sh: '$row' is missing:" >&2
    cat "$work/out" >&2
    failed=1
done

# Notes: a reason, and a place that is too long for a cell. A note that two rows have is one. The
# last one is wrapped behind 98 columns, because its next word does not fit in 100.
long=$(printf 'eleven-word %.0s' 1 2 3 4 5 6 7)end
rows "volta-v100,latency.fp_add,5,cycles,a,$long,because" \
    'volta-v100,latency.fp_mul,5,cycles,a,b,because' \
    "volta-v100,latency.shared,19,cycles,a,$long so wrap,"
"$table" "$work/rows.csv" | sed -n 's/.*0.80 | //p; s/.*1.00 | //p; /^Notes/,$p' >"$work/out"
diff - "$work/out" >&2 <<EOF || failed=1
a | 1, 2 |
a, b | 2 |
a | 3 |
Notes:

1. a: $long
2. because
3. a: $long so
   wrap
EOF

# Only the rows outside of 0.9 to 1.1, without sources, and how many are within.
rows 'volta-v100,latency.fp_add,5,cycles,a,b,because' 'volta-v100,latency.fp_mul,4,cycles,a,b,' \
    'volta-v100,latency.shared,38,cycles,a,b,'
expect 0 '
## volta-v100

| quantity | unit | ours | published | ratio | note |
| --- | --- | --- | --- | --- | --- |
| latency.fp_add | cycles | 3.984 | 5 | 0.80 | 1 |
| latency.shared | cycles | 19 | 38 | 0.50 | 2 |

1 of 3 ratios are within 0.9 to 1.1.

Notes:

1. because
2. No reason is known.' --outside "$work/rows.csv"
expect 2 "usage: microbench_table [--check | --all | --outside] [--machine NAME]... \
[--set KEY=VALUE]... CSV [QUANTITY ...]" --check --outside "$work/rows.csv"

# Units of the whole GPU and of time: 80 SMs, 1.53 GHz.
rows 'volta-v100,throughput.popc,1,ops/cycle/SM,a,b,c' \
    'volta-v100,throughput.popc,80,ops/cycle,a,b,c' 'volta-v100,throughput.popc,122.4,Gops/s,a,b,c'
"$table" "$work/rows.csv" | cut -s -d"|" -f6 | grep "[1-9]" | sort -u >"$work/out"
[ "$(wc -l <"$work/out")" = 1 ] || {
    echo "microbench.sh: units do not agree:" >&2
    cat "$work/out" >&2
    failed=1
}

# A missing reason, and one that is not needed.
rows 'volta-v100,latency.fp_add,5,cycles,a,b,' 'volta-v100,latency.fp_mul,4,cycles,a,b,because'
expect 1 'volta-v100 latency.fp_add: ratio 0.80 without a reason
volta-v100 latency.fp_mul: ratio 1.00 needs no reason' --check "$work/rows.csv"

rows
expect 2 "microbench_table: $work/rows.csv: expected at least one row" "$work/rows.csv"
rows 'volta-v10,latency.fp_add,5,cycles,a,b,'
expect 2 "microbench_table: $work/rows.csv:2: no machine 'volta-v10'; did you mean 'volta-v100'?" \
    "$work/rows.csv"
rows 'volta-v100,latency.fp_ad,5,cycles,a,b,'
nearest="no quantity 'latency.fp_ad'; did you mean 'latency.fp_add'?"
expect 2 "microbench_table: $work/rows.csv:2: $nearest" --check "$work/rows.csv"
rows 'volta-v100,latency.fp_add,5,GB/s,a,b,'
expect 2 "microbench_table: $work/rows.csv:2: latency.fp_add in 'GB/s': expected 'cycles'" \
    --check "$work/rows.csv"
rows 'volta-v100,latency.fp_add,5..,cycles,a,b,'
expect 2 "microbench_table: $work/rows.csv:2: '5..': expected a number, or low..high" \
    "$work/rows.csv"
rows 'volta-v100,latency.fp_add,5,cycles,a,b'
expect 2 "microbench_table: $work/rows.csv:2: expected 7 fields" "$work/rows.csv"
rows 'volta-v100,latency.fp_add,5,cycles,a,"b,'
expect 2 "microbench_table: $work/rows.csv:2: expected 7 fields" "$work/rows.csv"
rows 'volta-v100,latency.fp_add,inf,cycles,a,b,'
expect 2 "microbench_table: $work/rows.csv:2: 'inf': expected a number, or low..high" \
    "$work/rows.csv"
rows 'volta-v100,latency.fp_add,4,cycles,a,b,'
absent="not in $work/rows.csv: expected --all, or one of its"
expect 2 "microbench_table: --machine volta-v10: $absent machines; did you mean 'volta-v100'?" \
    --machine volta-v10 "$work/rows.csv"
expect 2 "microbench_table: $nearest" "$work/rows.csv" latency.fp_ad
expect 2 "microbench_table: 'latency.fp_mul': $absent quantities" "$work/rows.csv" latency.fp_mul
sed -i 's/place/where/' "$work/rows.csv"
expect 2 "microbench_table: $work/rows.csv:1: column 'where': expected 'place'" "$work/rows.csv"
exit $failed
