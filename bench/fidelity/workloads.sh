#!/usr/bin/env bash
# Workloads of `heddle workload` beside GPGPU-Sim: cycles of each, and of its launches over 5,000
# cycles. Nothing was modelled after these runs: they say how other programs will compare.
#
#     bench/fidelity/workloads.sh HEDDLE MACHINE CSV
#
# MACHINE: fermi-gtx480-gpgpusim4 or volta-v100-gpgpusim4; CSV: reference/gpgpusim/workloads_*.csv.
# workloads.txt names the runs. The kernels are those of clang 14: another version makes other PTX.
# Needs jq.
set -u
. "$(dirname "$0")/../arguments.sh"
no_options "$@"
at_most 3 "$@"
[ $# -eq 3 ] || wrong 'expected HEDDLE MACHINE CSV: --help says what they are'
heddle=$1 machine=$2 csv=$3
program "$heddle"
needs jq
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ -r "$csv" ] || wrong "$csv cannot be read"
# That tool counts the launch latency in a launch's cycles.
latency=$("$heddle" machine show "$machine" | awk '$1 == "launch.latency" { print $2 }')

echo '| run | cycles, ours / theirs | ratio | worst launch | warp instructions | L2 accesses |'
echo '| --- | --- | --- | --- | --- | --- |'
while read -r name arguments; do
    grep -q "^$name," "$csv" || continue
    # Split the arguments into words.
    # shellcheck disable=SC2086
    "$heddle" run $arguments --machine "$machine" --per-kernel --quiet --out "$work/run.json" \
        </dev/null || exit 1
    jq -r '.result.kernels[] | [.cycles, .warp_instructions, .l2.accesses] | @csv' \
        "$work/run.json" >"$work/ours" || exit 1
    awk -F, -v name="$name" -v latency="${latency:-0}" '
        function off(ratio) { return ratio < 1 ? 1 / ratio : ratio }
        NR == FNR { ours[++launches] = $1; warps += $2; l2 += $3; next }
        $1 == name {
            cycles = $4 - latency
            ratio = ours[$3] / cycles
            if (cycles > 5000 && (!worst || off(ratio) > off(worst))) worst = ratio
            mine += ours[$3]
            theirs += cycles
            their_warps = $7
            their_l2 = $12
        }
        END {
            printf "| %s | %d / %d | %.3f | %s | %d / %d | %d / %d |\n", name, mine, theirs,
                mine / theirs, worst ? sprintf("%.3f", worst) : "", warps, their_warps, l2, their_l2
        }' "$work/ours" "$csv" | tee -a "$work/rows"
done <"$(dirname "$0")/workloads.txt"
awk -F'|' '
    { error = $4 < 1 ? 1 - $4 : $4 - 1; sum += error; if (error > most) most = error
      error = $5 + 0 == 0 ? 0 : $5 < 1 ? 1 - $5 : $5 - 1; if (error > launch) launch = error }
    END { printf "\n%d runs, cycles %.1f %% off on the mean, %.1f %% at most;\n" \
                 "launches over 5000 cycles %.1f %% at most\n", NR, 100 * sum / NR, 100 * most,
                 100 * launch }' "$work/rows"
