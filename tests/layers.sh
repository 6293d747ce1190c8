#!/usr/bin/env bash
# Checks that includes go down the layers only: tests/layers.sh ROOT. Prints each arrow that does
# not, and fails if there is one.
set -u
cd "${1:?usage: layers.sh ROOT}" || exit 2

# Lowest first; a folder may include itself and the ones before it. graph is special: base only.
# cudart is special too: no folder after it includes it.
layers='base stats config hooks ptx exec memory core gpu mechanisms harness device report cudart'
layers+=' graph workloads cli'

mapfile -t files < <(find src include/heddle -name '*.[ch]' | LC_ALL=C sort)

# shellcheck disable=SC2016 # the dollars are awk's
awk -v layers="$layers" '
    BEGIN {
        count = split(layers, names, " ")
        for (i = 1; i <= count; i++) rank[names[i]] = i
        public["error.h"] = "base"; public["graph.h"] = "graph"; public["device.h"] = "device"
        public["mechanism.h"] = public["events.h"] = public["instructions.h"] = "hooks"
        public["schedulers.h"] = "hooks"
        public["units.h"] = "hooks"
        public["dsap.h"] = public["iru.h"] = public["scalar.h"] = "cudart"
    }
    # The layer of a path below src/ or include/.
    function layer_of(path, parts) {
        split(path, parts, "/")
        return parts[1] == "heddle" ? public[parts[2]] : parts[1]
    }
    function complain(why) {
        printf "%s:%d: %s\n", FILENAME, FNR, why
        bad = 1
    }
    FNR == 1 {
        files++
        path = FILENAME
        sub(/^(src|include)\//, "", path)
        own = layer_of(path)
        if (!(own in rank))
            complain("no layer of tests/layers.sh: put it into the list, at its place")
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ && own in rank {
        split($0, quoted, "\"")
        if (quoted[2] !~ /\//) next # beside the file
        arrows++
        to = layer_of(quoted[2])
        if (!(to in rank))
            complain("\"" quoted[2] "\" belongs to no layer")
        else if (rank[to] > rank[own])
            complain(own " includes \"" quoted[2] "\": " to " stands above it")
        else if (own == "graph" && to != "graph" && to != "base")
            complain("graph includes \"" quoted[2] "\": it may use base only")
        else if (to == "cudart" && own != "cudart")
            complain(own " includes \"" quoted[2] "\": cudart is a library of its own")
    }
    END {
        printf "%d files, %d includes between folders: %s\n", files, arrows,
            bad ? "wrong" : "all go down"
        exit bad
    }' "${files[@]}" </dev/null
