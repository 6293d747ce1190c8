#!/usr/bin/env bash
# Each value of a machine file has its source beside it: a comment that begins with letters of the
# list "Sources" in docs/machines.md, as in `sms: 15  # G, W: 15 clusters of one core`. A file needs
# no source for the values of its base. Each letter of the list is the source of some value.
#
#     tests/docs/machine_sources.sh ROOT
set -u
cd "${1:?usage: machine_sources.sh ROOT}" || exit 2
awk '
    function fail(text) {
        printf "machine_sources.sh: %s\n", text >"/dev/stderr"
        bad = 1
    }
    FILENAME == "docs/machines.md" {
        if (/^## /) listed = $0 == "## Sources"
        if (listed && match($0, /^- [A-Z][a-z0-9]?:/)) {
            letters++
            used[substr($0, 3, RLENGTH - 3)] = 0
        }
        next
    }
    /^[^ #]/ { section = $1; sub(/:$/, "", section); next }
    /^ +[a-z]/ {
        key = $1; sub(/:$/, "", key)
        place = FILENAME ":" FNR ": " section "." key
        values++
        if (!match($0, / # [A-Z][a-z0-9]?(, [A-Z][a-z0-9]?)*(: .*)?$/)) {
            fail(place ": expected a comment that begins with the letter of a source")
            next
        }
        text = substr($0, RSTART + 3); sub(/:.*/, "", text)
        count = split(text, list, ", ")
        for (i = 1; i <= count; i++)
            if (list[i] in used) used[list[i]]++
            else fail(place ": source " list[i] " is not in the list of docs/machines.md")
    }
    END {
        if (letters < 20) fail("docs/machines.md: " letters + 0 " sources: expected at least 20")
        for (letter in used)
            if (!used[letter])
                fail("docs/machines.md: source " letter ": no value of machines/*.yaml has it")
        if (!bad) print values " values, " letters " sources"
        exit bad
    }' docs/machines.md machines/*.yaml
