#!/usr/bin/env bash
# Runs the scripts of `heddle mechanism test`: scripts.sh HEDDLE SCRIPTS MODULES [NAME...]. Lines
# `# mechanism: ...` at a script's head say with which mechanisms it runs. MODULES holds mechanisms
# outside of Heddle (./mine.so). Each mechanism NAME must have a script.
set -u
heddle=$(realpath "${1:?usage: scripts.sh HEDDLE SCRIPTS MODULES [NAME...]}")
scripts=$(realpath "${2:?}")
cd "${3:?}" || exit 2
shift 3

runs=0 failed=0
tested=' '
for script in "$scripts"/*.txt; do
    mapfile -t mechanisms < <(sed -n '/^#/!q; s/^# mechanism: //p' "$script")
    if [ ${#mechanisms[@]} = 0 ]; then
        echo "$script:1: expected '# mechanism: NAME'"
        failed=$((failed + 1))
    fi
    for mechanism in "${mechanisms[@]}"; do
        runs=$((runs + 1))
        tested+="${mechanism%%[:+]*} "
        output=$("$heddle" mechanism test "$mechanism" "$script" 2>&1) && continue
        printf '%s with %s:\n%s\n' "${script##*/}" "$mechanism" "$output"
        failed=$((failed + 1))
    done
done
for name; do
    [[ $tested == *" $name "* ]] && continue
    echo "$name: expected a test, or a script in $scripts"
    failed=$((failed + 1))
done
echo "$runs runs, $failed failed"
[ $failed = 0 ]
