#!/usr/bin/env bash
# Lists the calls between the folders of src/core that go against the order of the pipeline, and
# fails if there are more than 15: tests/core/order.sh ROOT. A call is counted once for each calling
# file and called function; functions of headers count as well.
set -u
cd "${1:?usage: order.sh ROOT}/src/core" || exit 2

# First stage first. What lies in src/core itself is shared by all stages, and below them.
stages='sm blocks frontend issue inject operands execute lsu l1 network'
most=15

mapfile -t files < <(find . -name '*.[ch]' ! -name 'shadow_sm.*' | LC_ALL=C sort)

# shellcheck disable=SC2016 # the dollars are awk's
awk -v stages="$stages" -v most="$most" '
    BEGIN {
        count = split(stages, names, " ")
        for (i = 1; i <= count; i++) rank[names[i]] = i
    }
    function stage_of(path, parts) {
        split(path, parts, "/")
        return path ~ /^\.\/[^\/]*$/ ? count + 1 : rank[parts[2]]
    }
    {
        line = $0
        sub(/\/\/.*/, "", line)
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    }
    # The first reading finds the functions: a name and a parenthesis at the start of a line that is
    # no declaration.
    reading == 1 {
        if (!stage_of(FILENAME)) {
            print FILENAME ": its folder is no stage of tests/core/order.sh"
            wrong = 1
            exit
        }
        if (line ~ /^[A-Za-z_]/ && line !~ /;[ \t]*$/ &&
            line !~ /^(typedef|struct|enum|union|extern|__)/ &&
            match(line, /[a-z_][a-z_0-9]*\(/)) {
            name = substr(line, RSTART, RLENGTH - 1)
            if (line ~ /^static/ && FILENAME ~ /\.c$/) own[FILENAME, name] = 1
            else if (!(name in home)) home[name] = FILENAME
        }
        next
    }
    # The second reading finds the calls.
    line !~ /^[A-Za-z_#]/ {
        while (match(line, /[a-z_][a-z_0-9]*\(/)) {
            name = substr(line, RSTART, RLENGTH - 1)
            line = substr(line, RSTART + RLENGTH)
            if (!(name in home) || (FILENAME, name) in own || (FILENAME, name) in seen) continue
            seen[FILENAME, name] = 1
            from = stage_of(FILENAME); to = stage_of(home[name])
            if (from == to) continue
            calls++
            if (to > from) continue
            against++
            printf "%s calls %s of %s\n", FILENAME, name, home[name]
        }
    }
    END {
        if (wrong) exit 2
        printf "%d calls between stages, %d against the order (at most %d)\n", calls, against, most
        exit against > most
    }' reading=1 "${files[@]}" reading=2 "${files[@]}" </dev/null
