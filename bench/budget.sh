#!/usr/bin/env bash
# Counts host instructions per simulated warp instruction, by stage, with callgrind, and compares
# them with the budget.
#
#     bench/budget.sh [HEDDLE [IMPL GRAPH [PTX]]]
#
# Defaults: build/heddle, reference-warp on a generated graph the size of the reference rmat12.
# Prints one line per stage of bench/budget.txt; exit status 1 if a stage exceeds its budget.
# Instruction counts do not depend on the load of the host, so this can be a test.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 4 "$@"
heddle=${1:-$here/build/heddle}
program "$heddle"
needs valgrind
impl=${2:-reference-warp}
graph=${3:-rmat:12,8,seed=1}
ptx=${4:-}
registers=; [ "$impl" = reference-topo ] && registers=topo_expand=24,topo_update=10
budget=$here/bench/budget.txt
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

if ! valgrind -q --tool=callgrind --callgrind-out-file="$work/profile" \
    "$heddle" run bfs --impl "$impl" \
    --graph "$graph" ${ptx:+--ptx "$ptx"} --machine fermi-gtx480-gpgpusim4 --threads 1 \
    ${registers:+--registers "$registers"} --out "$work/run.json" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 2
fi
warps=$(awk -F'[:,]' '/"warp_instructions"/ { print $2 + 0; exit }' "$work/run.json")

# Self cost by source file: lines of a function body are "LINE COST"; the line after calls= is the
# cost of the callee, not self cost. fl/fi/fe name files, by number after their first use.
awk -v warps="$warps" -v budget="$budget" '
    function file(text,   id, name) {
        id = text; sub(/\).*/, ")", id); name = text; sub(/^\([0-9]+\) ?/, "", name)
        if (name != "") names[id] = name
        return names[id]
    }
    /^(fl|fi|fe)=/ { current = file(substr($0, 4)); next }
    /^cf[il]=/ { file(substr($0, 5)); next }
    /^calls=/ { skip = 1; next }
    /^[+*0-9-]/ { if (skip) skip = 0; else cost[current] += $2; next }
    END {
        while ((getline line < budget) > 0) {
            if (line ~ /^#/ || line == "") continue
            split(line, part, /[ \t]+/)
            stage[++stages] = part[1]; limit[stages] = part[2]; match_[stages] = part[3]
        }
        for (f in cost) {
            total += cost[f]; placed = 0
            for (s = 1; s <= stages && !placed; s++)
                if (stage[s] != "all" && f ~ match_[s]) { sum[s] += cost[f]; placed = 1 }
        }
        printf "%-12s %10s %10s   host instructions per warp instruction (%d of them)\n",
            "stage", "spent", "budget", warps
        for (s = 1; s <= stages; s++) {
            spent = (stage[s] == "all" ? total : sum[s]) / warps
            over = spent > limit[s]; bad += over
            printf "%-12s %10.0f %10d%s\n", stage[s], spent, limit[s], over ? "   OVER" : ""
        }
        exit bad > 0
    }' "$work/profile"
