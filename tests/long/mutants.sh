#!/usr/bin/env bash
# Makes each fault of tests/random/mutants.txt in a copy of the sources, and runs the random
# programs until they find it. Ends with status 1 if a fault is not found within PROGRAMS programs.
#
#     tests/long/mutants.sh [PROGRAMS [WORD]]
#     tests/long/mutants.sh --check
#
# PROGRAMS: default 20000. WORD: only faults whose record contains it. --check: only checks that
# each fault can be made.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
at_most 2 "$@"
programs=${1:-20000} word=${2:-}
[ "$programs" = --check ] || whole PROGRAMS "$programs"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
test=tests/random/random_programs

# change FILE OLD NEW: replaces the text, which is in the file once.
change() {
    OLD=$2 NEW=$3 awk '{
        at = index($0, ENVIRON["OLD"])
        if (at) {
            found++
            $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
        }
        print
    } END { exit found != 1 }' "$1" >"$work/changed" && return
    echo "$1: expected once: $2"
    return 1
}

each() { # FUNCTION: calls it with the file, what is wrong, the old and the new text of each fault
    local line file what old
    while IFS= read -r line; do
        case $line in
        'src/'*': '*) file=${line%%: *} what=${line#*: } ;;
        -*) old=${line#-} ;;
        +*) [[ $file$what == *"$word"* ]] && "$1" "$file" "$what" "$old" "${line#+}" ;;
        esac
    done <"$here/tests/random/mutants.txt"
}

found=0 missed=0
check() {
    if change "$here/$1" "$3" "$4"; then found=$((found + 1)); else missed=$((missed + 1)); fi
}
if [ "$programs" = --check ]; then
    each check
    echo "$found faults can be made, $missed not"
    [ "$missed" -eq 0 ] && [ "$found" -gt 0 ]
    exit
fi

git -C "$here" ls-files -z | (cd "$here" && tar --null -T - -cf -) | tar -C "$work" -xf - || exit 2
cd "$work" || exit 2
meson setup build -Doptimization=1 >"$work/log" && ninja -C build "$test" >>"$work/log" || {
    tail -5 "$work/log" >&2
    exit 2
}
"build/$test" --count 200 >/dev/null || { echo 'differs without a fault'; exit 1; }

try() { # FILE WHAT OLD NEW
    local start text seconds seed
    cp "$1" "$work/original"
    if ! change "$1" "$3" "$4"; then
        missed=$((missed + 1))
        return
    fi
    cp "$work/changed" "$1"
    if ! ninja -C build "$test" >"$work/log" 2>&1; then
        tail -5 "$work/log"
        missed=$((missed + 1))
    else
        start=$SECONDS
        if text=$("build/$test" --count "$programs" --no-reduce); then
            echo "MISSED: $1: $2"
            missed=$((missed + 1))
        else
            seconds=$((SECONDS - start)) seed=${text#seed }
            echo "after ${seed%%:*} programs, $seconds s: $1: $2"
            found=$((found + 1))
        fi
    fi
    cp "$work/original" "$1"
}

each try
echo "$found found, $missed not"
[ "$missed" -eq 0 ] && [ "$found" -gt 0 ]
