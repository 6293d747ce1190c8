#!/usr/bin/env bash
# Checks that a layer includes lower layers only, by the list src/layers.txt: tests/layers.sh ROOT.
# Prints each include that does not, and fails if there is one.
set -u
cd "${1:?usage: layers.sh ROOT}" || exit 2

mapfile -t files < <(find src include/heddle -name '*.[ch]' | LC_ALL=C sort)

# shellcheck disable=SC2016 # the dollars are awk's
awk '
    # The list comes first.
    FILENAME == "src/layers.txt" {
        count = split($0, column, / *\| */)
        if (/^#/ || !count) next
        rank[column[1]] = FNR
        exception[column[1]] = column[3]
        headers = split(column[4], header, " ")
        for (i = 1; i <= headers; i++) public[header[i]] = column[1]
        next
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
            complain("no layer of src/layers.txt: put it into the list, at its place")
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ && own in rank {
        split($0, quoted, "\"")
        if (quoted[2] !~ /\//) next # beside the file
        arrows++
        to = layer_of(quoted[2])
        if (!(to in rank))
            complain("\"" quoted[2] "\" belongs to no layer")
        else if (rank[to] > rank[own])
            complain(own " includes \"" quoted[2] "\": " to " is a higher layer")
        else if (exception[own] == "base only" && to != own && to != "base")
            complain(own " includes \"" quoted[2] "\": expected base only")
        else if (exception[to] == "apart" && own != to)
            complain(own " includes \"" quoted[2] "\": " to " is a library of its own")
    }
    END {
        printf "%d files, %d includes between folders: %s\n", files, arrows,
            bad ? "wrong" : "all go to lower layers"
        exit bad
    }' src/layers.txt "${files[@]}" </dev/null
