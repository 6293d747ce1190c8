#!/usr/bin/env bash
# One run of a study: runs `heddle run WORD...` on one host thread, and keeps the counters that the
# tables need.
#
#     bench/studies/one.sh HEDDLE FOLDER NAME KERNEL WORD...
#
# FOLDER/NAME.json gets the counters of the run, and of each timed launch of KERNEL (-: of every
# kernel); bench/studies/keep.jq. If the run fails or its answer is wrong, FOLDER/NAME.failed gets
# the message instead. The exit status is 0 also then, so that the other runs continue.
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
