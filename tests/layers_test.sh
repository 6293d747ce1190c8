#!/usr/bin/env bash
# Checks that layers.sh finds wrong includes: layers_test.sh PATH-OF-LAYERS.SH.
set -u
check=$(realpath "${1:?usage: layers_test.sh LAYERS.SH}")
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
failures=0

# expect STATUS TEXT FILE LINE: a tree whose FILE holds the one LINE gives this status and message.
expect() {
    rm -rf "$tree/src" "$tree/include"
    mkdir -p "$tree/$(dirname "$3")" "$tree/src" "$tree/include"
    printf '%s\n' "$4" >"$tree/$3"
    local said status
    said=$(bash "$check" "$tree")
    status=$?
    if [ $status -ne "$1" ] || [[ $said != *"$2"* ]]; then
        printf 'FAILED: %s with %s: status %d, said: %s\n' "$3" "$4" $status "$said"
        failures=$((failures + 1))
    fi
}

expect 0 'all go down' src/core/a.c '#include "memory/cache.h"'
expect 0 'all go down' src/core/a.c '#include "core/core.h"'
expect 0 'all go down' src/core/a.c '#include <cli/commands.h>'
expect 0 'all go down' src/workloads/a.c '#include "heddle/graph.h"'
expect 1 'src/base/a.h:1: base includes "stats/stats.h": stats stands above it' \
    src/base/a.h '#include "stats/stats.h"'
expect 1 'gpu stands above it' src/memory/a.c '  #  include "gpu/gpu.h"'
expect 1 'it may use base only' src/graph/a.c '#include "config/config.h"'
expect 1 'graph stands above it' src/core/a.c '#include "heddle/graph.h"'
expect 1 'no layer of tests/layers.sh' src/attic/a.c '// nothing'
expect 1 'belongs to no layer' src/core/a.c '#include "attic/a.h"'
[ $failures -eq 0 ] && echo 'layers.sh finds what it should'
exit $((failures > 0))
