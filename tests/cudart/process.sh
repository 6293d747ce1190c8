#!/usr/bin/env bash
# Tests that the runtime leaves the process that it is in alone: process.sh PROGRAM FOLDER HOST
# PLUGIN, built from process.c, plugin_host.c and plugin.c; FOLDER holds the libraries.
set -u
program=${1:?usage: process.sh PROGRAM FOLDER HOST PLUGIN} host=${3:?} plugin=${4:?} failures=0
export LD_LIBRARY_PATH=${2:?}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export HEDDLE_SET='gpu.sms=2' HEDDLE_REPORT=none
unset HEDDLE_MACHINE HEDDLE_MECHANISM HEDDLE_OUT
# The address sanitizer has handlers of its own for these.
no_handlers=handle_segv=0:handle_sigbus=0:handle_sigfpe=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}$no_handlers

# expect SCENARIO STATUS STDOUT STDERR: STDERR is a pattern of the whole.
expect() {
    local out status err=/dev/null
    err=$(mktemp)
    out=$(timeout 60 "$program" "$1" 2>"$err")
    status=$?
    # shellcheck disable=SC2053 # a pattern
    if [[ $status != "$2" || $out != "$3" || $(<"$err") != $4 ]]; then
        printf '%s: status %s, stdout "%s", stderr "%s"\n' "$1" "$status" "$out" "$(<"$err")"
        failures=$((failures + 1))
    fi
    rm -f "$err"
}

expect return 3 5 ''
expect exit 4 5 ''
expect late 0 $'5\nat exit 5' ''
expect thread 5 5 ''
expect busy 6 5 ''
expect fork 7 $'child 5\n5' ''
expect fork-late 8 $'5\ncudaErrorInitializationError\nchild 0' '*a child of fork*'
expect unused 9 '' ''
HEDDLE_THREADS=3 expect return 3 5 ''
program=$host expect "$plugin" 0 $'5\n5' ''
HEDDLE_THREADS=3 program=$host expect "$plugin" 0 $'5\n5' ''
exit $((failures > 0))
