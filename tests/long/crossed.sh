#!/usr/bin/env bash
# Runs the tests that take machines, graphs, widths, applications or ways to run in turn, with all
# of them together. Each sees the variable HEDDLE_TEST_ALL.
#
#     tests/long/crossed.sh [BUILD]
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 1 "$@"
build=${1:-$here/build}
program "$build/heddle"

HEDDLE_TEST_ALL=1 meson test -C "$build" --no-rebuild cli-allowing cli-mechanism cli-reordered \
    cli-schedulers mechanism-iru-streams workloads-matrix
