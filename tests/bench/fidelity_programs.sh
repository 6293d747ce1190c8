#!/usr/bin/env bash
# The programs of bench/fidelity: their answers are right, their launches are those of the data, and
# wrong input is refused.
#
#     tests/bench/fidelity_programs.sh FIDELITY_TABLE ROOT
set -u
table=${1:?usage: fidelity_programs.sh FIDELITY_TABLE ROOT}
root=${2:?usage: fidelity_programs.sh FIDELITY_TABLE ROOT}
data=$root/reference/gpgpusim/programs_gtx480.csv
kernels=$root/bench/fidelity/kernels
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# refused TEXT ARGUMENT...: ends with status 2 and prints this message alone.
refused() {
    local text=$1 got
    shift
    "$table" "$@" >"$work/out" 2>&1
    got=$?
    [ $got = 2 ] && [ "$(cat "$work/out")" = "$text" ] && return
    echo "fidelity_programs.sh: not refused with '$text' (status $got):" >&2
    cat "$work/out" >&2
    failed=1
}

# Every program runs to a right answer, with as many launches as the data has.
"$table" --launches "$data" "$kernels" >"$work/out" 2>&1 || {
    cat "$work/out" >&2
    failed=1
}
launches=$(($(wc -l <"$data") - 1))
rows=$(grep -cE '^\| [a-z-]+ [0-9]+ [a-z_]+ \|' "$work/out")
if [ "$rows" != "$launches" ]; then
    echo "fidelity_programs.sh: $rows rows: expected $launches" >&2
    failed=1
fi

# So they do on the V100 of that tool, where its launch latency is taken off.
"$table" --csv --machine volta-v100-gpgpusim4 "$root/reference/gpgpusim/programs_qv100.csv" \
    "$kernels" small >"$work/out" 2>&1 || {
    cat "$work/out" >&2
    failed=1
}
if ! grep -qE '^small,small,1,[0-9]+,465,' "$work/out"; then # 5465 in the data
    echo 'fidelity_programs.sh: small on the V100: expected 465 of their cycles' >&2
    failed=1
fi

refused "fidelity_table: no program 'smal'; did you mean 'small'?" "$data" "$kernels" smal
head -1 "$data" >"$work/none.csv"
refused "fidelity_table: $work/none.csv: expected at least one launch" "$work/none.csv" "$kernels"
refused 'fidelity_table: --set: launch.overhead = 3: expected a unit, ns, us or ms, as in 1.5us' \
    --set launch.overhead=3 "$data" "$kernels"
{
    head -1 "$data"
    grep '^small,' "$data" | head -3
} >"$work/three.csv"
refused 'fidelity_table: small: 40 launches: expected 3, as the CSV has' \
    "$work/three.csv" "$kernels"
sed 's/^small,/smaller,/' "$work/three.csv" >"$work/other.csv"
refused "fidelity_table: $work/other.csv:2: no program 'smaller'; did you mean 'small'?" \
    "$work/other.csv" "$kernels"
refused "fidelity_table: $work/three.csv: no program 'histogram'" "$work/three.csv" "$kernels" \
    histogram

# A kernel that computes something else is found.
mkdir "$work/kernels"
sed 's/add\.s32/sub.s32/' "$kernels/small.ptx" >"$work/kernels/small.ptx"
grep '^run,\|^small,' "$data" >"$work/small.csv"
"$table" "$work/small.csv" "$work/kernels" >"$work/out" 2>&1
if [ $? != 2 ] || ! grep -q '^fidelity_table: small: element ' "$work/out"; then
    echo 'fidelity_programs.sh: a wrong answer is not found:' >&2
    cat "$work/out" >&2
    failed=1
fi
exit $failed
