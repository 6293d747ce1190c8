#!/usr/bin/env bash
# Lists the calls between the folders of src/core that go against the order of the pipeline:
# tests/core/order.sh ROOT. Fails if one of them is not in `allowed`, or if a line of `allowed` is
# not reached. A call is listed once for each calling file and called function; functions of headers
# count as well.
set -u
cd "${1:?usage: order.sh ROOT}/src/core" || exit 2

# First stage first. What lies in src/core itself is shared by all stages, and below them.
stages='sm blocks frontend issue inject operands execute lsu l1 network'
# The calls that are allowed, and why.
allowed='
issue/classify.c frontend_give_up   # a throttled warp releases its entry of the shared store
trace_warp.c simt_split_count       # a trace looks at all of a warp
'

mapfile -t files < <(find . -name '*.[ch]' ! -name 'shadow_sm.*' | LC_ALL=C sort)

# shellcheck disable=SC2016 # the dollars are awk's
awk -v stages="$stages" -v allowed="$allowed" '
    BEGIN {
        count = split(stages, names, " ")
        for (i = 1; i <= count; i++) rank[names[i]] = i
        lines = split(allowed, line_of, "\n")
        for (i = 1; i <= lines; i++)
            if (split(line_of[i], word, /[ \t]+/) > 1) unused["./" word[1], word[2]] = 1
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
            if ((FILENAME, name) in unused) {
                delete unused[FILENAME, name]
                against++
                continue
            }
            bad++
            printf "%s calls %s of %s, against the order\n", FILENAME, name, home[name]
        }
    }
    END {
        if (wrong) exit 2
        for (i in unused) {
            split(i, word, SUBSEP)
            printf "%s does not call %s: the line of tests/core/order.sh is not used\n",
                   word[1], word[2]
            bad++
        }
        printf "%d calls between stages, %d against the order, of which %d are allowed\n", calls,
               against + bad, against
        exit bad > 0
    }' reading=1 "${files[@]}" reading=2 "${files[@]}" </dev/null
