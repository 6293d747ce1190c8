#!/usr/bin/env bash
# install.sh MESON BUILD SOURCE PREFIX CC...: installs Heddle, moves it to another folder, and uses
# it there. If the host allows it, the source tree and the build folder are hidden meanwhile.
set -eu -o pipefail

fail() {
    printf 'install: %s\n' "$1" >&2
    exit 1
}

# expect WHAT PATTERN FILE: the file has a line that matches.
expect() {
    grep -qe "$2" "$3" || {
        cat "$3" >&2
        fail "$1: no line matches '$2'"
    }
}

# say COMMAND...: runs the command with its output in the file out.
say() {
    local status=0
    "$@" >out 2>&1 || status=$?
    [ "$status" -eq 0 ] || {
        cat out >&2
        fail "$*: status $status"
    }
}

use_machines_and_workloads() {
    local machine
    say heddle machine list
    for machine in $machines; do expect 'machine list' "^$machine " out; done
    say heddle run bfs --graph rmat:6,8 --machine volta-v100 --quiet --out run.json
    expect run '"verified": true' run.json
    say heddle annotate run.json
    expect annotate "$installed/share/heddle/kernels/bfs.cu" out
    say heddle advise --graph rmat:8,8
    test -s "$installed/share/heddle/kernels/bfs.ptx" || fail 'no PTX of the kernels'
}

use_mechanism() {
    say "${cc[@]}" -shared -fPIC -I "$installed/include" -o mine.so next_line.c
    say heddle mechanism describe ./mine.so
    expect describe 'degree' out
    say heddle run bfs --graph rmat:6,8 --mechanism ./mine.so:degree=2 --quiet --out mine.json
    expect 'run with it' '"triggers"' mine.json
}

use_cuda() {
    cat >scale.cu <<'CU'
#include <cstdio>
__global__ void scale(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 3 * i;
}
int main() {
    const int n = 100;
    int host[n], *x, wrong = 0;
    cudaMalloc(&x, sizeof host);
    scale<<<4, 32>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) wrong += host[i] != 3 * i;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
CU
    say heddle cc scale.cu -o scale
    say heddle cuda --out cuda.json ./scale
    expect cuda '^0 wrong$' out
    expect cuda '"machine": "volta-v100"' cuda.json
    say ./scale
    expect 'without heddle cuda' '^0 wrong$' out
}

# read_completion WORD...: completes the last word, into the file out.
read_completion() {
    bash --norc -c 'source "$1" && shift && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) || exit
                    _heddle
                    printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$installed/share/bash-completion/completions/heddle" heddle "$@" >out 2>&1 ||
        fail "completion of $*: status $?"
}

use_manual() {
    local command page
    say heddle help
    for command in '' $(sed -n 's/^  \([a-z][a-z]*\)  .*/-\1/p' out); do
        page=$installed/share/man/man1/heddle$command.1
        [ -s "$page" ] || fail "there is no $page"
        expect "heddle$command.1" "^\.TH heddle$command 1 " "$page"
        command -v groff >/dev/null || continue
        say groff -man -ww -z -Tutf8 "$page"
        [ ! -s out ] || fail "$page: $(cat out)"
    done
    expect 'heddle-run.1' '^\.B \\-\\-machine ' "$installed/share/man/man1/heddle-run.1"
    read_completion comp
    expect 'completion of a command' '^compare$' out
    read_completion run --fun
    expect 'completion of an option' '^--functional$' out
    read_completion run --machine volta
    expect 'completion of a machine' '^volta-v100$' out
}

# Runs in a separate mount namespace.
hide() {
    local folder
    for folder in "$source" "$build"; do
        [ ! -d "$folder" ] || mount -t tmpfs none "$folder"
    done
    [ ! -e "$source/meson.build" ] || fail 'the source tree is still there'
}

use() {
    cd "$work"
    PATH=$installed/bin:$PATH
    [ "$(command -v heddle)" = "$installed/bin/heddle" ] || fail 'another heddle comes first'
    use_machines_and_workloads
    use_manual
    use_mechanism
    use_cuda
    ! grep -l "$source/" ./*.json || fail 'a result names a file of the source tree'
}

main() {
    if [ "$1" = --use ]; then
        [ "$2" = seen ] || hide
        use
        return
    fi
    local meson=$1 prefix=$4 name
    export build=$2 source=$3
    machines=$(basename -s .yaml "$source"/machines/*.yaml)
    export machines
    shift 4
    for name in "${!HEDDLE_@}" LD_LIBRARY_PATH; do unset "$name"; done
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    export installed=$scratch/elsewhere work=$scratch/work
    DESTDIR=$scratch/root "$meson" install -C "$build" --no-rebuild >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        fail 'meson install failed'
    }
    mv "$scratch/root$prefix" "$installed"
    mkdir "$work"
    cp "$source/src/mechanisms/next_line.c" "$work"
    cp "$0" "$scratch/install.sh"
    if unshare --user --map-root-user --mount mount -t tmpfs none "$work" 2>/dev/null; then
        unshare --user --map-root-user --mount bash "$scratch/install.sh" --use hidden "$@"
    else
        echo 'left out: the source tree cannot be hidden on this host'
        bash "$scratch/install.sh" --use seen "$@"
    fi
}

cc=("${@:3}") # of --use
main "$@"
