#!/usr/bin/env bash
# Launches of the reference kernels on the machines of GPGPU-Sim 3, beside that simulator's cycles.
#
#     bench/fidelity/machines_3x.sh HEDDLE DIRECTORY [CSV]
#
# DIRECTORY contains the PTX files and rmat12.mtx.gz (../shared/reference/gpgpusim). CSV has the
# columns machine, run, launch, kernel, cycles (default: reference/gpgpusim/machines_3x.csv). Exits
# with status 1 if a run is more than 15 % off.
set -u
. "$(dirname "$0")/../arguments.sh"
no_options "$@"
at_most 3 "$@"
[ $# -ge 2 ] || wrong 'expected HEDDLE DIRECTORY [CSV]: --help says what they are'
heddle=$1 directory=$2
csv=${3:-$(dirname "$0")/../../reference/gpgpusim/machines_3x.csv}
program "$heddle"
[ -r "$csv" ] || wrong "$csv cannot be read"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

failed=0
while IFS=, read -r machine run; do
    kind=${run%%-*} workload=bfs graph=(--graph "$directory/rmat12.mtx.gz")
    case $kind in
    warp) registers=warp_expand=18 ;;
    topo) registers=topo_expand=24,topo_update=10 ;;
    stream) registers=stream_copy=8 workload=stream graph=() ;;
    *) wrong "$csv: run '$run': expected warp, topo or stream" ;;
    esac
    rm -f "$work/store.db"
    "$heddle" run "$workload" --impl "reference-$kind" --ptx "$directory/$kind.nvcc13-sm75.ptx" \
        "${graph[@]}" --registers "$registers" --machine "$machine" --quiet \
        --store "$work/store.db" </dev/null || exit 1
    "$heddle" query "$work/store.db" --format csv \
        'SELECT launch, cycles FROM launches ORDER BY launch' >"$work/ours" || exit 1
    printf '\n%s, %s\n\n| launch | kernel | GPGPU-Sim | Heddle | ratio |\n' "$machine" "$run"
    echo '| ---: | --- | ---: | ---: | ---: |'
    awk -F, -v machine="$machine" -v run="$run" '
        NR == FNR { if (FNR > 1) ours[$1] = $2; next }
        $1 == machine && $2 == run {
            printf "| %d | %s | %d | %d | %.3f |\n", $3, $4, $5, ours[$3], ours[$3] / $5
            mine += ours[$3]
            theirs += $5
        }
        END {
            printf "| all | | %d | %d | %.3f |\n", theirs, mine, mine / theirs
            exit mine / theirs > 1.15 || mine / theirs < 0.85
        }' "$work/ours" "$csv" || failed=1
done < <(sed 1d "$csv" | cut -d, -f1,2 | uniq)
exit $failed
