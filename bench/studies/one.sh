#!/usr/bin/env bash
# One run of a study: runs `heddle run WORD...` on one host thread, and keeps the counters that the
# tables need.
#
#     bench/studies/one.sh HEDDLE FOLDER PLACE NAME KERNEL WORD...
#
# PLACE is printed beside the name. FOLDER/NAME.json gets the counters of the run, and of each timed
# launch of KERNEL (-: of every kernel); bench/studies/keep.jq. If the run fails or its answer is
# wrong, FOLDER/NAME.failed gets the message instead. The exit status is 0 also then, so that the
# other runs continue.
set -u
here=$(cd "$(dirname "$0")" && pwd)
heddle=$1 folder=$2 place=$3 name=$4 kernel=$5
shift 5
out=$folder/$name.run
rm -f "$folder/$name.failed"
echo "$place $name" >&2
TIMEFORMAT='%U %S'
simulate=("$heddle" run "$@" --threads 1 --per-kernel --quiet --out "$out")
cpu=$({ time "${simulate[@]}" >/dev/null 2>"$out.err"; } 2>&1)
status=$?
if [ "$status" -eq 0 ] &&
    jq -c --arg name "$name" --arg kernel "$kernel" --arg version "${STUDY_VERSION:-}" \
        --argjson seconds "$(awk '{ print $1 + $2 }' <<<"$cpu")" \
        -f "$here/keep.jq" "$out" >"$out.kept" 2>>"$out.err"; then
    mv "$out.kept" "$folder/$name.json"
    rm -f "$out" "$out.err"
else
    rm -f "$out" "$out.kept"
    [ -s "$out.err" ] || echo "exit status $status" >"$out.err" # a signal, for example
    mv "$out.err" "$folder/$name.failed"
    echo "$name failed: $(head -n 1 "$folder/$name.failed")" >&2
fi
