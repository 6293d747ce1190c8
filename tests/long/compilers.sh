#!/usr/bin/env bash
# Builds Heddle with gcc and with clang and compares the results of the same runs.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
at_most 0 "$@"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

for compiler in gcc clang; do
    CC=$compiler meson setup -Dtests=disabled "$work/$compiler" "$here" >"$work/log" 2>&1 &&
        ninja -C "$work/$compiler" heddle >>"$work/log" 2>&1 ||
            { tail -20 "$work/log" >&2; exit 2; }
done

passed=0 failed=0
for file in "$here"/machines/*.yaml; do
    machine=$(basename "$file" .yaml)
    for impl in topology warp reference-topo reference-warp; do
        for compiler in gcc clang; do
            "$work/$compiler/heddle" run bfs --impl "$impl" --graph rmat:12,8 --machine "$machine" \
                --per-kernel --quiet --out "$work/$compiler.json" >/dev/null || exit 1
            # Everything except the host part.
            sed '/^  "host": {/,$d' "$work/$compiler.json" >"$work/$compiler.result"
        done
        if cmp -s "$work/gcc.result" "$work/clang.result"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "differs: $impl on $machine"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
