#!/usr/bin/env bash
# The limits of docs/security.md are those of the source: a row that names a file and a constant
# begins its value with the constant's value ("1 MiB", "65,280", "2^24", "less than 64 bytes").
#
#     tests/docs/limits.sh ROOT
set -u
cd "${1:?usage: limits.sh ROOT}" || exit 2
failed=0 count=0

fail()
{
    echo "limits.sh: $*" >&2
    failed=1
}

# The first number in a cell, in bytes if a unit follows.
number()
{
    local text=${1//,/}
    if [[ $text =~ 2\^([0-9]+) ]]; then
        echo $((1 << BASH_REMATCH[1]))
    elif [[ $text =~ ([0-9]+)\ ?([KMG]?)(iB)? ]]; then
        local unit=${BASH_REMATCH[3]:+${BASH_REMATCH[2]}}
        case $unit in K) unit=10 ;; M) unit=20 ;; G) unit=30 ;; *) unit=0 ;; esac
        echo $((BASH_REMATCH[1] << unit))
    fi
}

# The expression that an enum or a #define of the file gives a constant.
defined()
{
    sed -nE "s/^#define $2 (.*)/\1/p; s/.*\b$2 = ([^,;}]*).*/\1/p" "src/$1" | head -n 1 |
        sed -E 's/\((size_t|uint64_t)\)//g; s|//.*||'
}

while IFS='|' read -r _ limit value constant _; do
    [[ $constant =~ \`([a-z0-9_/]+\.[ch])\`\ \`([A-Z0-9_]+)\` ]] || continue
    file=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]}
    count=$((count + 1))
    expression=$(defined "$file" "$name")
    if [ -z "$expression" ]; then
        fail "docs/security.md:$limit: src/$file does not define $name"
    elif [ "$(number "$value")" != $((expression)) ]; then
        fail "docs/security.md:$limit:$value: $name in src/$file is $((expression))"
    fi
done < <(sed -n '/^## Limits/,$p' docs/security.md)
[ "$count" -ge 30 ] || fail "docs/security.md: $count limits with a constant: expected at least 30"
[ "$failed" = 1 ] || echo "$count limits"
exit $failed
