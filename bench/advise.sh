#!/usr/bin/env bash
# Measures three breadth-first searches on generated graphs of many kinds, as training data for
# `heddle advise`.
#
#     bench/advise.sh [MACHINE [CSV [HEDDLE]]]
#     bench/advise.sh cuda CSV [HEDDLE]
#
# Defaults: fermi-gtx480, reference/advise/MACHINE.csv, build/heddle. With `cuda`, measures on this
# host's GPU; times are then milliseconds, the minimum of three runs. The CSV has a line per graph:
# kind, vertices, edges, lower bound of the diameter, and the core cycles of each implementation
# from the source that `heddle graph info` uses. Simulates one run at a time on one host thread,
# which takes at least 20 minutes. Lines already in CSV are not measured again; delete the file to
# start over.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 3 "$@"
machine=${1:-fermi-gtx480}
csv=${2:-$here/reference/advise/$machine.csv}
heddle=${3:-$here/build/heddle}
if [ "$machine" = cuda ]; then
    [ -n "${2:-}" ] || wrong "expected the CSV to write behind 'cuda'"
    where=(--backend cuda) runs=3 unit=Milliseconds
else
    where=(--machine "$machine" --threads 1) runs=1 unit='Core cycles'
fi
program "$heddle"

# Kinds are kinds of networks, not generators: the fit leaves out a whole kind at a time, so that
# the training set contains no graph related to the scored ones.
# 10,000 to 66,000 vertices: one thread per vertex fills a machine of 15 or 16 SMs. Some long graphs
# are larger, because the advantage of the lists of `data` grows with the number of vertices.
graphs="
power-law rmat:15,8 rmat:16,4 rmat:15,16 rmat:14,32 rmat:15,8,undirected=1
power-law rmat:14,16,undirected=1 like:kron,scale=.1 like:rmat20,scale=.05
random uniform:32768,3 uniform:65536,6 uniform:32768,16 uniform:16384,48 er:32768,131072
random er:32768,524288 er:16384,786432 kout:32768,2..4 kout:32768,12..20
random like:Graph1M,scale=.05 like:r4-2e20,scale=.05 like:er-fact1.5-scale22,scale=.01
streets grid:128x128 grid:64x512 grid:200x200,delete=.1 road:16000 road:32000 road:60000
streets road:24000,degree=2.8 like:great-britain,scale=.004 like:roadNet-CA,scale=.02
streets like:USA-road-FLA,scale=.02 road:120000 like:great-britain,scale=.01
box mesh:24x24x24 mesh:32x32x32 mesh:12x12x200 mesh:24x24x24,stencil=26
box mesh:32x32x32,stencil=26 mesh:10x10x160,stencil=26 like:ecology1,scale=.02
box like:msdoor,scale=.05 like:G3_circuit,scale=.01 like:ecology1,scale=.08
near rgg:32768,degree=8 rgg:16384,degree=8 rgg:32768,degree=16 rgg:16384,degree=16
near rgg:32768,degree=40 rgg:16384,degree=80 delaunay:16384 delaunay:65536
near like:rgg_n_2_22_s0,scale=.01 like:ca,scale=.03 delaunay:160000 rgg:80000,degree=8
growth ba:32768,2 ba:65536,2 ba:32768,8 ba:16384,24 like:oregon-2
small-world ws:32768,4,p=.01 ws:32768,4,p=.1 ws:32768,16,p=.001 ws:32768,16,p=.01
small-world ws:16384,32,p=.01 ws:32768,32,p=.3 ws:16384,64,p=.1
groups groups:32768,131072 groups:32768,400000 groups:16384,400000,far=.1
groups groups:32768,2000000,far=.1 like:in-2004,scale=.02 like:coPapersDBLP,scale=.04
groups like:cond like:coAuthors,scale=.1
"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Prints the time of a search, the minimum of several runs. Fails if the answer is wrong.
elapsed()
{
    for ((run = 0; run < runs; run++)); do
        "$heddle" run bfs --impl "$1" --graph "$2" --source "$3" "${where[@]}" || return
    done >"$work/report"
    awk '$1 == "time" { gsub(",", "", $2); if (!least || $2 + 0 < least + 0) least = $2 }
        END { print least; exit !least }' "$work/report"
}

measure()
{
    local kind=$1 graph=$2 size source topology warp data
    "$heddle" graph info "$graph" >"$work/info"
    size=$(awk '$1 == "vertices" { v = $2 } $1 == "edges" { e = $2 }
        $1 == "diameter" { d = $4 } END { printf "%d;%d;%d", v, e, d }' "$work/info")
    source=$(awk '$1 == "breadth-first" { sub(":", "", $4); print $4 }' "$work/info")
    topology=$(elapsed topology "$graph" "$source")
    warp=$(elapsed warp "$graph" "$source")
    data=$(elapsed data "$graph" "$source")
    if [ ! -e "$csv" ]; then
        mkdir -p "$(dirname "$csv")"
        {
            echo "# $unit of three breadth-first searches on $machine, by bench/advise.sh"
            echo "kind;graph;vertices;edges;diameter;topology;warp;data"
        } >"$csv"
    fi
    echo "$kind;$graph;$size;$topology;$warp;$data" | tee -a "$csv"
}

while read -r kind list; do
    for graph in $list; do
        if cut -d';' -f2 "$csv" 2>/dev/null | grep -qxF "$graph"; then continue; fi
        measure "$kind" "$graph"
    done
done <<<"$graphs"
