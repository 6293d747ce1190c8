#!/usr/bin/env bash
# Mechanisms have no memory but their declared structures: their objects have neither initialised
# nor zeroed data. state.sh LIBRARY
set -u
library=${1:?usage: state.sh LIBRARY}
bad=$(size -A "$library" | awk '
    $1 ~ /\.o$/ { object = $1 }
    ($1 == ".data" || $1 == ".bss" || $1 ~ /^\.(data|bss)\.[^r]/) && $2 > 0 {
        print object ": " $2 " bytes in " $1
    }')
[ -z "$bad" ] && exit 0
echo "state outside declared structures:"
echo "$bad"
exit 1
