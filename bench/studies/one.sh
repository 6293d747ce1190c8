#!/usr/bin/env bash
# One run of a study: runs `heddle run WORDS` on one host thread and keeps what tables are made of.
#
#     bench/studies/one.sh HEDDLE FOLDER NAME KERNEL WORD...
#
# FOLDER/NAME.json then holds the run's sums and, of each launch of KERNEL (-: all) simulated in
# time, its own (bench/studies/keep.jq). A run that fails, also by a wrong answer, leaves
# FOLDER/NAME.failed with its message instead; the status is 0 all the same, for the others go on.
set -u
here=$(cd "$(dirname "$0")" && pwd)
heddle=$1 folder=$2 name=$3 kernel=$4
shift 4
out=$folder/$name.run
rm -f "$folder/$name.failed"
echo "$name" >&2
if "$heddle" run "$@" --threads 1 --per-kernel --quiet --out "$out" 2>"$out.err" &&
    jq -c --arg name "$name" --arg kernel "$kernel" --arg version "${STUDY_VERSION:-}" \
        -f "$here/keep.jq" "$out" >"$out.kept" 2>>"$out.err"; then
    mv "$out.kept" "$folder/$name.json"
    rm -f "$out" "$out.err"
else
    rm -f "$out" "$out.kept"
    mv "$out.err" "$folder/$name.failed"
    echo "$name failed: $(head -n 1 "$folder/$name.failed")" >&2
fi
