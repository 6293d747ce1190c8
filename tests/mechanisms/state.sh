#!/usr/bin/env bash
# Mechanisms have no memory but their declared structures: their objects have neither initialised
# nor zeroed data, of the process or of a thread. state.sh LIBRARY BAD: nor does this look away from
# the sections of BAD, which has one variable of each kind.
set -u
library=${1:?usage: state.sh LIBRARY BAD} bad=${2:?}

# What can be written to, but for constants that the loader places.
state_of()
{
    size -A "$1" | awk '
        $1 ~ /\.o$/ { object = $1 }
        $1 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {
            print object ": " $2 " bytes in " $1
        }'
}

for kind in data bss tdata tbss data.rel; do
    state_of "$bad" | grep -q "bytes in \.$kind" || { echo "not seen: .$kind"; exit 1; }
done
found=$(state_of "$library")
[ -z "$found" ] && exit 0
echo "state outside declared structures:"
echo "$found"
exit 1
