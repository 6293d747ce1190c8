#!/usr/bin/env bash
# Checks that layers.sh finds wrong includes: layers_test.sh PATH-OF-LAYERS.SH.
set -u
check=$(realpath "${1:?usage: layers_test.sh LAYERS.SH}")
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
failures=0

# expect STATUS TEXT FILE LINE: a tree whose FILE holds the one LINE gives this status and message.
# Its layers are base, middle, side (base only), apart and top.
expect() {
    rm -rf "$tree/src" "$tree/include"
    mkdir -p "$tree/src" "$tree/include/heddle" "$tree/$(dirname "$3")"
    printf '%s\n' '# lowest first' 'base   | errors | | error.h' 'middle | counters' \
        'side | graphs | base only | graph.h' 'apart | a runtime | apart | runtime.h' \
        'top  | the commands' >"$tree/src/layers.txt"
    printf '%s\n' "$4" >"$tree/$3"
    local said status
    said=$(bash "$check" "$tree" 2>&1)
    status=$?
    if [ $status -ne "$1" ] || [[ $said != *"$2"* ]]; then
        printf 'FAILED: %s with %s: status %d, said: %s\n' "$3" "$4" $status "$said"
        failures=$((failures + 1))
    fi
}

expect 0 '1 files, 1 includes between folders: all go to lower layers' \
    src/top/a.c '#include "middle/cache.h"'
expect 0 '1 files, 1 includes' src/top/a.c '#include "top/b.h"'
expect 0 '1 files, 0 includes' src/middle/a.c '#include <top/commands.h>'
expect 0 '1 files, 0 includes' src/middle/a.c '#include "beside.h"'
expect 0 '1 files, 1 includes' src/top/a.c '#include "heddle/graph.h"'
expect 0 '1 files, 1 includes' include/heddle/graph.h '#include "heddle/error.h"'
expect 0 '1 files, 1 includes' src/side/a.c '#include "side/b.h"'
expect 1 'src/base/a.h:1: base includes "middle/stats.h": middle is a higher layer' \
    src/base/a.h '#include "middle/stats.h"'
expect 1 'top is a higher layer' src/middle/a.c '  #  include "top/gpu.h"'
expect 1 'src/side/a.c:1: side includes "middle/a.h": expected base only' \
    src/side/a.c '#include "middle/a.h"'
expect 1 'src/top/a.c:1: top includes "apart/a.h": apart is a library of its own' \
    src/top/a.c '#include "apart/a.h"'
expect 1 'top includes "heddle/runtime.h": apart is a library' src/top/a.c \
    '#include "heddle/runtime.h"'
expect 1 'side is a higher layer' src/middle/a.c '#include "heddle/graph.h"'
expect 1 'src/attic/a.c:1: no layer of src/layers.txt: put it into the list, at its place' \
    src/attic/a.c '// nothing'
expect 1 'no layer of src/layers.txt' include/heddle/new.h '// nothing'
expect 1 'src/top/a.c:1: "attic/a.h" belongs to no layer' src/top/a.c '#include "attic/a.h"'
[ $failures -eq 0 ] && echo 'layers.sh finds what it should'
exit $((failures > 0))
