#!/usr/bin/env bash
# bench/hardware over libraries that pretend to be a GPU's driver (tests/device/fake, to which
# LD_LIBRARY_PATH leads): its output, resuming after an interruption, and its errors.
#
#     tests/bench/hardware.sh HARDWARE HEDDLE
set -u
hardware=${1:?usage: hardware.sh HARDWARE HEDDLE} heddle=${2:?}
case $hardware in /*) ;; *) hardware=$PWD/$hardware ;; esac
case $heddle in /*) ;; *) heddle=$PWD/$heddle ;; esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# expect STATUS TEXT OPTION...: a run of the matrix on the first graph ends with STATUS and prints
# TEXT.
expect() {
    local status=$1 text=$2 got
    shift 2
    "$hardware" --scale .0005 --only "$@" "$heddle" >out 2>&1
    got=$?
    [ "$got" = "$status" ] && grep -qF -- "$text" out && return
    echo "hardware.sh: status $got instead of $status, or no '$text':" >&2
    cat out >&2
    failed=1
}
# holds COUNT TEXT [FILE]: the file has COUNT lines with TEXT.
holds() {
    local got
    got=$(grep -cF -- "$2" "${3:-reference/hardware/fake-gpu.json}")
    [ "$got" = "$1" ] && return
    echo "hardware.sh: $got instead of $1 lines with '$2'" >&2
    failed=1
}

FAKE_FAIL=cuInit=100 expect 2 'finds no GPU' 'bfs warp in-2004' --seconds 0.1
[ ! -e reference ] || { echo 'hardware.sh: wrote without a GPU' >&2; failed=1; }

expect 2 "--only 'bfs nosuch': no cell has that in its name; the last is '" 'bfs nosuch'

# The meter fails: the cells are written with the reason, and are tried again.
FAKE_FAIL=nvmlInit_v2=9 expect 1 '1 could not be measured' 'bfs warp in-2004' --seconds 0.1 \
    --date today
holds 1 'error 9 of NVML (the driver is not loaded)'
expect 0 'Fake GPU: reference/hardware/fake-gpu.json' 'in-2004' --seconds 0.1
holds 0 'error 9'
holds 10 '"workload":'
holds 4 '"bfs"'
holds 10 '"verified": true'
holds 10 '"watts": 200.0'
holds 10 '"spec": "like:in-2004,scale=.0005"'
holds 1 '"date": "today"'
cp reference/hardware/fake-gpu.json before.json
expect 0 'sssp data in-2004                        is there' 'in-2004' --seconds 0.1
cmp -s before.json reference/hardware/fake-gpu.json ||
    { echo 'hardware.sh: measured again' >&2; failed=1; }

# An original instead of the stand-in, and options for every run.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n' >in-2004.mtx
"$hardware" --only 'bfs warp in-2004' --seconds 0.1 --data "$work" --out data.json "$heddle" \
    -- --counts --functional >out 2>&1 || { cat out >&2; failed=1; }
holds 1 "\"spec\": \"$work/in-2004.mtx\"" data.json
holds 1 '"vertices": 3' data.json
holds 1 '"source": "simulator"' data.json
holds 1 '"--functional"' data.json

expect 2 'was measured with other options' 'in-2004' --seconds 0.2
FAKE_CAPABILITY=80 expect 2 'was measured on another GPU' 'in-2004' --seconds 0.1
echo '{}' >other.json
expect 2 'other.json: is no file of these measurements' 'in-2004' --out other.json
echo '{' >other.json
expect 2 'other.json:2' 'in-2004' --out other.json
cmp -s other.json <(echo '{') || { echo 'hardware.sh: replaced a file' >&2; failed=1; }
exit $failed
