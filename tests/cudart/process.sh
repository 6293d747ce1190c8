#!/usr/bin/env bash
# Tests that the runtime does not disturb the host process: process.sh PROGRAM FOLDER HOST
# PLUGIN, built from sample_program.c, plugin_host.c and plugin.c; FOLDER holds the libraries.
set -u
program=${1:?usage: process.sh PROGRAM FOLDER HOST PLUGIN} host=${3:?} plugin=${4:?} failures=0
export LD_LIBRARY_PATH=${2:?}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export HEDDLE_SET='gpu.sms=2' HEDDLE_REPORT=none
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HEDDLE_MACHINE HEDDLE_MECHANISM HEDDLE_OUT
# The address sanitizer has handlers of its own for these.
no_handlers=handle_segv=0:handle_sigbus=0:handle_sigfpe=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}$no_handlers

# expect SCENARIO STATUS STDOUT STDERR: STDERR is a pattern of the whole.
expect() {
    local out status err=/dev/null
    err=$(mktemp)
    # The leak sanitizer wants to stop all threads at exit, also those that a fork has left behind:
    # then it complains, or waits for ever.
    [[ $1 != *fork* ]] || local -x ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
    out=$(timeout 60 "$program" "$1" 2>"$err")
    status=$?
    # shellcheck disable=SC2053 # a pattern
    if [[ $status != "$2" || $out != "$3" || $(<"$err") != $4 ]]; then
        printf '%s: status %s, stdout "%s", stderr "%s"\n' "$1" "$status" "$out" "$(<"$err")"
        failures=$((failures + 1))
    fi
    rm -f "$err"
}

# signalled WHAT SCENARIO SIGNALS STATUSES STDOUT STDERR: waits until the program has printed and
# then run for $busy hundredths of a second, so that it is in its next launch; then sends all
# signals at once. STATUSES and STDERR are patterns.
busy=30
signalled() {
    local out=$work/out err=$work/err status signal from
    : >"$out"
    # nohup ignores HUP, and the runtime leaves what is ignored.
    env --default-signal=HUP,TERM "$program" "$2" >"$out" 2>"$err" &
    until [[ -s $out ]]; do
        kill -0 $! || break
        sleep 0.01
    done
    from=$(ran $!)
    until (($(ran $!) >= from + busy)); do
        kill -0 $! || break
        sleep 0.01
    done
    kill -STOP $!
    for signal in $3; do kill -s "$signal" $!; done
    kill -CONT $!
    { wait $!; } 2>/dev/null
    status=$?
    # shellcheck disable=SC2053 # patterns
    if [[ $status != $4 || $(<"$out") != "$5" || $(<"$err") != $6 ]]; then
        printf '%s: status %s, stdout "%s", stderr "%s"\n' "$1" "$status" "$(<"$out")" "$(<"$err")"
        failures=$((failures + 1))
    fi
}

# ran PROCESS: prints the processor time of a process, in hundredths of a second.
ran() {
    local fields
    read -ra fields <"/proc/$1/stat" && echo $((fields[13] + fields[14]))
}

# left WHAT LAUNCHES [END]: checks the result of a process that has ended after that many launches,
# by a signal, or as END says (a pattern).
left() {
    if ! grep -q "${3:-"\"reason\": \"signal\""}" "$work/out.json" ||
        ! grep -q "\"launches\": $2" "$work/out.json"; then
        echo "$1: no result of $2 launches"
        failures=$((failures + 1))
    fi
    rm -f "$work/out.json"
}

expect return 3 $'5\nsignal 1 is handled\nsignal 2 is handled\nsignal 15 is handled' ''
expect exit 4 5 ''
expect late 0 $'5\nat exit 5' ''
expect thread 5 5 ''
expect busy 6 5 ''
expect fork 7 $'child 5\n5' ''
expect fork-late 8 $'5\ncudaErrorInitializationError\nchild 0' '*a forked child*'
expect unused 9 '' ''
HEDDLE_REPORT='' HEDDLE_RUN=1.0 expect unused-fork 9 '' \
    'heddle: no report: cudart_process did not use its GPU'
HEDDLE_REPORT='' expect quick 10 5 '*on machine volta-v100; 1 launch*'

# The address sanitizer wants to be the first library that is loaded, and takes the addresses that
# host memory of a kernel needs.
if [ -n "${HEDDLE_SANITIZED:-}" ]; then
    echo 'sanitized: left out a preloaded library, and kernels that wait for host memory'
else
    # A library with one of the names that Heddle does not run.
    cp "$2/libcuda-unused.so" "$work/libcublas.so.13"
    HEDDLE_OUT=$work/out.json LD_PRELOAD=$work/libcublas.so.13 expect exit 4 5 \
        'heddle: results of cudart_process may be missing; it has loaded libcublas.so.13, whose '\
'kernels are machine code: calls of them fail'
    left 'a library without kernels' 1 '"libcublas.so.13"'

    # A kernel that waits for the host, which waits for the kernel; then another thread or a
    # handler sets the word.
    never='heddle: await never ends: its warps repeat the same steps, and nothing can change the '
    never+='memory that they read; one polls memory 0 bytes into "cudaMallocHost #1*A launch runs '
    never+='to its end before the host or another kernel goes on*SM 0, block (0,0,0), *'
    expect await 12 cudaErrorLaunchTimeout "$never"
    may='heddle: await may hang: for * cycles its warps repeat the same steps, and only another '
    may+='thread or a signal handler of the program could change the memory that they wait for (0 '
    may+='of 1 blocks have ended in *). It polls memory 0 bytes into "cudaMallocHost #1*. Ctrl-C '
    may+=$'ends it, --max-cycles N sets a limit. Some of its warps:\n  SM 0, block (0,0,0), *'
    expect await-thread 12 cudaSuccess "$may"
    expect await-handler 12 cudaSuccess "$may"
    HEDDLE_THREADS=3 expect await 12 cudaErrorLaunchTimeout '*await never ends*'
fi

# While a kernel is simulated.
partial=$'*; 1 launch; ended by @\nPARTIAL    stopped in spin at cycle *, 0 of 1 blocks done'
partial+=$'*some of its warps:\n  SM 0, block (0,0,0), warp 0, lanes 00000001: ready at line*'
export HEDDLE_REPORT=
HEDDLE_OUT=$work/out.json \
    signalled 'a signal' spin TERM $((128 + 15)) 5 "${partial/@/SIGTERM}"
left 'a signal' 1
signalled 'another' spin HUP $((128 + 1)) 5 "${partial/@/SIGHUP}"
signalled 'two, as by timeout' spin 'TERM HUP' '1[24][93]' 5 "${partial/@/SIG*}"
signalled 'a handler of the program' handled TERM $((100 + 15)) 5 ''
# The leak sanitizer would scan memory that the launch still uses.
HEDDLE_OUT=$work/out.json ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 \
    signalled 'a handler that exits' exit-handled TERM $((50 + 15)) 5 "${partial/; ended by @/}"
left 'a handler that exits' 1
export HEDDLE_REPORT=none
signalled 'no report' spin TERM $((128 + 15)) 5 ''

# At other moments.
export HEDDLE_OUT=$work/out.json
signalled 'in a copy' copy TERM $((128 + 15)) 5 ''
left 'in a copy' 1
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 \
    signalled 'a handler that exits in a copy' exit-copy TERM $((50 + 15)) 5 ''
left 'a handler that exits in a copy' 1 '"partial": null'
signalled 'in a query' query TERM $((128 + 15)) 5 ''
left 'in a query' 1
busy=0
for delay in 0 0.005 0.01 0.015 0.02 0.03 0.05; do
    : >"$work/out"
    "$program" spin-start >"$work/out" &
    until [[ -s $work/out ]]; do sleep 0.001; done
    sleep $delay
    kill -TERM $!
    { wait $!; } 2>/dev/null
    status=$?
    [[ $status == $((128 + 15)) ]] || { echo "start: status $status"; failures=$((failures + 1)); }
    left "$delay s after the start" 0
done
signalled 'in the program' wait TERM $((128 + 15)) 5 ''
left 'in the program' 1
signalled 'before the first launch' wait-unused TERM $((128 + 15)) started ''
left 'before the first launch' 0
unset HEDDLE_OUT
expect fork-spin 11 '' ''
HEDDLE_RUN=1.0 HEDDLE_OUT=$work/two.json \
    expect fork 7 $'child 5\n5' '*has written *two.json: writing to *two.2.json*'
[[ -s $work/two.json && -s $work/two.2.json ]] ||
    { echo 'parent and child have not left a file each'; failures=$((failures + 1)); }
HEDDLE_THREADS=3 expect exit 4 5 ''
program=$host expect "$plugin" 0 $'5\n5' ''
HEDDLE_THREADS=3 program=$host expect "$plugin" 0 $'5\n5' ''
exit $((failures > 0))
