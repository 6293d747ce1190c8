#!/usr/bin/env bash
# Messages of bench/reference_table for wrong input; a check that compares nothing does not pass.
#
#     tests/bench/reference.sh REFERENCE_TABLE
set -u
table=${1:?usage: reference.sh REFERENCE_TABLE}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

header=run,kernel,cycles,warp_instructions_total,l1d_accesses_total,l1d_misses_total
header+=,l1d_pending_hits_total,l2_accesses_total,l2_misses_total,packets_mem_to_core_total
header+=,packets_core_to_mem_total,dram_reads_64B_total,dram_writes_64B_total
row=topo-small-warmL2,k,1,2,3,4,5,6,7,8,9,10,11

# refused TEXT [--machine NAME] RUN...: with the file as it is, the check of these runs ends with
# this message.
refused() {
    local text=$1 got machine=()
    shift
    [ "${1:-}" != --machine ] || { machine=("$1" "$2"); shift 2; }
    "$table" --check "${machine[@]}" true "$work" "$@" >"$work/out" 2>&1
    got=$?
    [ $got = 2 ] && grep -qF -- "$text" "$work/out" && return
    echo "reference.sh: not refused with '$text' (status $got):" >&2
    cat "$work/out" >&2
    failed=1
}

refused 'per_kernel.csv: cannot be read'
printf '%s\n' "$header" >"$work/per_kernel.csv"
refused 'per_kernel.csv: expected at least one run'
printf '%s\n%s\n' "$header" "$row" >"$work/per_kernel.csv"
refused "there is no run 'topo-smal-warmL2'" topo-smal-warmL2
refused 'wrote no result' topo-small-warmL2
printf '%s\n%s\n' "$header" "${row%,*}" >"$work/per_kernel.csv"
refused 'per_kernel.csv:2: 12 fields: expected 13, as in line 1'
printf '%s\n%s\n' "$header" "${row/,1,/,none,}" >"$work/per_kernel.csv"
refused 'per_kernel.csv:2: cycles = none: expected a number of at least 1'
printf '%s\n' "$header" "$row" "${row%11}10" >"$work/per_kernel.csv"
refused 'per_kernel.csv:3: dram_writes = 10: expected a number of at least 11'
printf '%s\n%s\n' "${header%,*}" "$row" >"$work/per_kernel.csv"
refused 'the column dram_writes is missing'

# The machine names the file of counts.
refused "no reference counts for the machine 'volta': expected fermi-gtx480-gpgpusim4 or" \
    --machine volta
refused 'per_kernel_qv100.csv: cannot be read' --machine volta-v100-gpgpusim4
exit $failed
