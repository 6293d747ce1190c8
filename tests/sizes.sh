#!/usr/bin/env bash
# Prints the five longest files and functions: tests/sizes.sh ROOT. For the reader: it checks no
# limit.
set -u
cd "${1:?usage: sizes.sh ROOT}" || exit 2
folders=(src include tests kernels bench)
mapfile -t files < <(find "${folders[@]}" -name '*.[ch]' -o -name '*.cu' | LC_ALL=C sort)

echo 'longest files (lines):'
wc -l "${files[@]}" | grep -v ' total$' | sort -rn | head -5

# A function's head starts in the first column; its body stands between braces in the first column.
echo 'longest functions (lines):'
awk '
    FNR == 1 { head = "" }
    /^[a-zA-Z_].*\(/ { head = $0; start = FNR }
    /^\{/ && head != "" { inside = 1 }
    /^\}/ && inside {
        name = head
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        printf "%7d %s:%d %s\n", FNR - start + 1, FILENAME, start, name
        inside = 0
        head = ""
    }' "${files[@]}" | sort -rn | head -5
