#!/usr/bin/env bash
# Text between marks in a page, for scripts of tests/docs, which source this file.

# Prints PAGE with the text between <!-- NAME --> and <!-- end --> replaced by the file FOLDER/NAME,
# for each such file; other texts between marks stay.
between_marks() # PAGE FOLDER
{
    awk -v folder="$2" '
        !inside { print }
        /^<!-- [a-z-]+ -->$/ && $2 != "end" {
            file = folder "/" $2
            while ((getline line < file) > 0) {
                print line
                inside = 1
            }
            close(file)
        }
        /^<!-- end -->$/ {
            if (inside) print
            inside = 0
        }' "$1"
}

# Compares PAGE with its texts in FOLDER, and names COMMAND, which renews them. With RENEW=--renew
# writes them into the page.
check_marks() # PAGE FOLDER COMMAND RENEW
{
    local text status=0
    for text in "$2"/*; do
        grep -qx "<!-- $(basename "$text") -->" "$1" && continue
        echo "$1: no mark <!-- $(basename "$text") -->" >&2
        status=1
    done
    text=$(between_marks "$1" "$2")
    [ "$4" != --renew ] || printf '%s\n' "$text" >"$1"
    diff "$1" - <<<"$text" && return $status
    echo "$1 (<) differs from what is printed (>): $3 --renew writes it" >&2
    return 1
}
