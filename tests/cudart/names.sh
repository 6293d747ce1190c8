#!/usr/bin/env bash
# names.sh LIBRARY: checks that libcudart.so.13 exports all symbols of NVIDIA's library, which
# names13.txt lists, with the same version; and, if that library is installed, that the list is
# complete.
set -u
library=${1:?names.sh: say which libcudart.so.13}
list=$(cd "$(dirname "$0")" && pwd)/names13.txt

# The symbols that a library exports under its version.
names() {
    nm -D --defined-only "$1" | sed -n 's/^[0-9a-f]* [TW] \(.*\)@@libcudart\.so\.13$/\1/p' |
        LC_ALL=C sort
}

failed=0
missing=$(LC_ALL=C comm -13 <(names "$library") <(LC_ALL=C sort "$list"))
[ -z "$missing" ] || { echo "not in $library:" && echo "$missing" && failed=1; }
theirs=/usr/local/cuda/lib64/libcudart.so.13
if [ -e "$theirs" ]; then
    different=$(LC_ALL=C diff <(names "$theirs") <(LC_ALL=C sort "$list"))
    if [ -n "$different" ]; then
        echo "names13.txt is not that of $theirs:" && echo "$different"
        failed=1
    fi
else
    echo "no $theirs to compare the list with"
fi
exit $failed
