#!/usr/bin/env bash
# Compares each reference run with the counts of GPGPU-Sim and fails if a bar of docs/validation.md
# is missed. Skipped (status 77) without the folder of reference data.
#
#     tests/long/fidelity.sh [HEDDLE [REFERENCE_TABLE]]
#
# HEDDLE_REFERENCE names the folder; without it, ../shared/reference/gpgpusim beside the checkout.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 2 "$@"
heddle=${1:-$here/build/heddle}
table=${2:-$here/build/bench/reference_table}
program "$heddle"
program "$table"
directory=${HEDDLE_REFERENCE:-$here/../shared/reference/gpgpusim}
if [ ! -e "$directory/per_kernel.csv" ]; then
    echo "fidelity: skipped, $directory has no per_kernel.csv (HEDDLE_REFERENCE names the folder)"
    exit 77
fi
status=0
for machine in fermi-gtx480-gpgpusim4 volta-v100-gpgpusim4; do
    "$table" --check --machine "$machine" "$heddle" "$directory" || status=1
done
exit $status
