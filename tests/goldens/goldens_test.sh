#!/usr/bin/env bash
# The program `goldens` on small results: what it writes, and what it says of a difference.
#
#     goldens_test.sh GOLDENS
set -u
goldens=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

result() # COUNTERS-OF-LAUNCH-1 COUNTERS-OF-LAUNCH-2 [PCS-OF-LAUNCH-2 [OF-THE-RUN]]
{
    local pcs='[{"function": "k", "ptx_line": 3, "issued": 4, "waited": {"a b": {"l1": 0}}},
                {"function": "k", "ptx_line": 4, "issued": 0, "waited": {"a b": {"l1": 7}}}]'
    echo "{\"result\": {\"machine\": \"m\", \"hash\": \"x\", \"cycles\": 9 ${4:+, $4},
        \"answer\": {\"depth\": 3},
        \"kernels\": [{\"name\": \"k\", \"cycles\": 4, \"ipc\": 0.5, \"pcs\": $pcs, $1},
                      {\"name\": \"k\", \"cycles\": 5, \"ipc\": 0.5, \"pcs\": ${3:-$pcs}, $2}]}}"
}

is() # WHAT FOUND EXPECTED
{
    [ "$2" = "$3" ] && return
    printf '%s: expected:\n%s\nfound:\n%s\n' "$1" "$3" "$2"
    failed=1
}

compare() # WHAT EXPECTED-STATUS EXPECTED-TEXT
{
    local text status
    text=$("$goldens" compare "$work/new.json" "$work/golden.txt" 2>&1)
    status=$?
    is "$1" "$text" "$3"
    is "$1, status" "$status" "$2"
}

result '"l1": {"hits": 2, "none": 0}, "lanes": [0, 6]' \
    '"l1": {"hits": 2, "none": 0}, "lanes": [1, 6]' >"$work/old.json"
"$goldens" write "$work/old.json" bfs --machine m >"$work/golden.txt" || failed=1
is 'golden file' "$(sed 's/[0-9a-f]\{8\}/HASH/g' "$work/golden.txt")" '# bfs --machine m
cycles 4 5
kernel k k
l1.hits 2 2
lanes[0] 0 1
lanes[1] 6 6
pcs.k.issued 8 0
pcs.k.issued@launch HASH HASH
pcs.k.waited.a_b.l1 0 14
pcs.k.waited.a_b.l1@launch HASH HASH
run.answer.depth 3'
is names "$("$goldens" names "$work/old.json")" 'cycles
kernel
l1.hits
l1.none
lanes[]
lanes[]
pcs.*.issued
pcs.*.waited.*.l1
run.answer.depth'

cp "$work/old.json" "$work/new.json"
compare 'the same' 0 ''

# A new counter that is 0 changes nothing; one that is not adds a line.
result '"l1": {"hits": 2, "none": 0, "new": 0}, "lanes": [0, 6]' \
    '"l1": {"hits": 2, "none": 0, "new": 0}, "lanes": [1, 6]' >"$work/new.json"
compare 'a new counter of 0' 0 ''
result '"l1": {"hits": 2, "none": 0, "new": 0}, "lanes": [0, 6]' \
    '"l1": {"hits": 2, "none": 0, "new": 8}, "lanes": [1, 6]' >"$work/new.json"
compare 'a new counter' 1 '  launch 2 (k): l1.new is 8, expected 0'
"$goldens" write "$work/new.json" bfs --machine m >"$work/more.txt"
is 'lines of a new counter' "$(diff "$work/golden.txt" "$work/more.txt")" '4a5
> l1.new 0 8'

# Values that moved, in a launch, of an instruction, of the run; and one that is gone.
result '"l1": {"hits": 2}, "lanes": [0, 6]' '"l1": {"hits": 3}' '[{"issued": 4}, {"issued": 1}]' \
    '"verified": true' >"$work/new.json"
compare 'other values' 1 '  launch 2 (k): l1.hits is 3, expected 2
  launch 2 (k): lanes[0] is 0, expected 1
  launch 2 (k): lanes[1] is 0, expected 6
  pcs.k.issued: instruction 1 is 1, expected 0
  pcs.k.issued@launch: differs first in launch 2 of its kernel
  pcs.k.waited.a_b.l1: instruction 1 is 7, expected 14
  pcs.k.waited.a_b.l1@launch: differs first in launch 2 of its kernel
  run.verified is 1, expected 0'

# One launch fewer.
cp "$work/old.json" "$work/new.json"
sed 's/^kernel k k$/kernel k k bfs/' "$work/more.txt" | grep -v new >"$work/golden.txt"
compare 'a launch fewer' 1 '  launch 3 (bfs): kernel is 0, expected bfs'

# Files that are no result or golden.
refused() # WHAT MESSAGE ARGUMENT...
{
    local what=$1 message=$2 text
    shift 2
    text=$("$goldens" "$@" 2>&1) && failed=1
    is "$what" "$text" "$message"
}
refused 'no file' "goldens: $work/nothing: cannot be read: expected the golden file of the run" \
    compare "$work/old.json" "$work/nothing"
echo 'cycles 4*x' >"$work/bad.txt"
refused 'a bad line' "goldens: $work/bad.txt:1: '4*x': expected VALUE*N" \
    compare "$work/old.json" "$work/bad.txt"
echo '{"result": {}}' >"$work/empty.json"
refused 'no launches' "goldens: $work/empty.json: no launches: expected a result of --per-kernel" \
    names "$work/empty.json"
refused usage 'usage: goldens write RESULT RUN... | names RESULT | compare RESULT GOLDEN' compare
exit $failed
