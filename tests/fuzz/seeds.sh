#!/usr/bin/env bash
# Makes the seeds and the dictionary of a fuzz target from the inputs of the tests.
# usage: seeds.sh TARGET HEDDLE FOLDER: writes FOLDER/seeds/ and FOLDER/dictionary.
set -eu
export LC_ALL=C
target=$1 heddle=$2 out=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
seeds=$out/seeds
rm -rf "$seeds"
mkdir -p "$seeds"

# All string literals of these sources, of at least $1 bytes.
literals() {
    local least=$1
    shift
    awk -v folder="${folder:-$seeds}" -v least="$least" -f "$root/tests/fuzz/literals.awk" "$@"
}

# Small graphs in the format of an ending, without and with weights.
graph_files() {
    local spec name
    for spec in rmat:3,2 grid:3x2 uniform:5,2,seed=2; do
        name=$seeds/${spec//[:,=]/-}
        "$heddle" graph convert "$spec" "$name.$1" >"$out/log" 2>&1 || true
        "$heddle" graph convert "$spec" "$name-weights.$1" --weights 1..9 >"$out/log" 2>&1 || true
    done
}

# Little-endian numbers, of 8 bytes each, or of the size in NUMBER:SIZE.
numbers() {
    local number value size at
    for number in "$@"; do
        value=${number%:*} size=8
        [ "$value" = "$number" ] || size=${number#*:}
        for ((at = 0; at < size; at++)); do
            printf "\\x$(printf %02x $((value >> 8 * at & 255)))"
        done
    done
}

# The texts of PTX in $out/texts as inputs of fuzz_ptx.c: the last byte is the options. A text
# without a kernel or a function is a body; its options have bit 7.
ptx_seeds() {
    awk -v folder="$seeds" '
        function finish(name, options) {
            name = file
            sub(/.*\//, "", name)
            options = 1 + ++count % 127
            if (text !~ /(^|\n)\.version/) {
                if (text ~ /\.(entry|func|global|const|visible|extern|weak)[ \t]/)
                    text = ".version 7.5\n.target sm_75\n.address_size 64\n\n" text
                else if (text ~ /;/) options += 128
                else return
            }
            printf "%s%c", text, options > (folder "/" name)
            close(folder "/" name)
        }
        FNR == 1 { if (file) finish(); file = FILENAME; text = "" }
        { text = text $0 "\n" }
        END { finish() }' "$out"/texts/*
    rm -r "$out/texts"
}

case $target in
ligra | gml | pajek) literals 3 "$root"/tests/graph/test_exchange.c ;;
graphml)
    # One with all that the reader knows, and parts of it.
    head='<graphml><key id="k" for="edge" attr.name="weight"><default>1</default></key>'
    for mode in directed undirected; do
        printf '%s\n<graph edgedefault="%s">\n%s\n%s</graph></graphml>\n' "$head" $mode \
            '<node id="a"/><node id="b"><data key="n">x</data></node>' \
            '<edge source="a" target="b" directed="true"><data key="k">2.5</data></edge>' \
            >"$seeds/$mode"
    done
    printf '<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "b">]><graphml>&a;</graphml>' \
        >"$seeds/entity"
    printf '<graphml><!-- c --><graph edgedefault="directed"><node id="a&amp;"/><edge source=%s' \
        '"a&amp;" target="a&amp;"/></graph></graphml>' >"$seeds/plain" ;;
ecl)
    numbers 3:4 3:4 0:4 2:4 2:4 3:4 1:4 2:4 0:4 >"$seeds/plain"
    numbers 3:4 3:4 0:4 2:4 2:4 3:4 1:4 2:4 0:4 7:4 8:4 9:4 >"$seeds/weights"
    numbers 1:4 0:4 0:4 0:4 >"$seeds/none" ;;
mtx | edge-list | csv | dimacs | colouring | metis | rodinia)
    literals 3 "$root"/tests/graph/test_{mtx,edge_list,list_reading,formats,text_formats}.c \
        "$root"/tests/graph/test_{mutate,real,write}.c ;;
gap) graph_files sg ;;
gap-weighted) graph_files wsg ;;
galois)
    numbers 1 4 3 4 1 3 4 1:4 0:4 2:4 1:4 5:4 5:4 6:4 6:4 >"$seeds/weights"
    numbers 2 8 3 4 1 3 4 1 0 2 1 5 5 6 6 >"$seeds/wide"
    numbers 1 0 2 3 2 3 1:4 1:4 0:4 0:4 >"$seeds/padded"
    numbers 2 0 2 1 1 1 1 >"$seeds/plain" ;;
graph-cache) graph_files hdg ;;
ptx)
    mkdir "$out/texts"
    folder=$out/texts literals 8 "$root"/tests/{ptx,gpu,core}/test_*.c
    cp "$root"/tests/gpu/*.ptx "$out/texts"
    # Six instructions each of the files that have one of every form.
    grep -hE '^	[a-z@][^{}]*;' "$root"/tests/ptx/{opcodes,forms}.ptx | grep -vE '^	(ret|\.)' |
        split -l 6 -a 3 - "$out/texts/form-"
    ptx_seeds ;;
ptx-link)
    mkdir "$out/texts"
    folder=$out/texts literals 8 "$root"/tests/ptx/test_{link,calls,names,variables,damage}.c
    ptx_seeds
    # Each once more with itself: the byte 1 separates texts.
    for file in "$seeds"/*; do
        { head -c -1 "$file" && printf '\1' && cat "$file"; } >"$file-twice"
    done ;;
uops)
    # No change, and each place changed in one way, in some of the texts.
    for text in 0 17 31 64 72 73 74 75 76 77; do
        numbers $((text % 2)):1 $text:2 >"$seeds/$text"
        for place in 0 1 2 3 4 5 6 7 8 9 10 11; do
            numbers 2:1 $text:2 $place:1 1:1 2:1 $place:1 0:1 1:1 1:2 >"$seeds/$text-$place"
        done
    done ;;
machine)
    literals 4 "$root"/tests/config/test_*.c "$root"/tests/cli/test_machine.c
    for file in "$root"/machines/*.yaml; do
        grep -v '^base:' "$file" | sed 's/ *#.*//; /^$/d' >"$seeds/$(basename "$file")"
    done ;;
set)
    literals 4 "$root"/tests/config/test_*.c
    "$heddle" machine show fermi-gtx480 | awk '/^[a-z0-9]+\./ { print $1 "=" $2 }' |
        split -l 8 -a 3 - "$seeds/show-" ;;
mechanism)
    literals 3 "$root"/tests/{hooks,mechanisms,cli}/test_*.c
    "$heddle" mechanism list | awk '/^  *[a-z]/ { print $1 > "'"$seeds"'/list-" $1 }' ;;
settings)
    literals 3 "$root"/tests/cli/test_{cuda,run,conflicts}.c "$root"/tests/device/test_*.c
    { printf 'machine: volta-v100\nset:\n  l1d.size: 48KiB\nseed: 3\n' &&
        printf 'max_cycles: 9\nmechanism: nap\nquiet: true\n'; } >"$seeds/all" ;;
gzip | bzip2 | xz)
    pack=("$target" -c)
    [ "$target" != gzip ] || pack+=(-n)
    [ "$target" != xz ] || pack+=(--lzma2=dict=64KiB)
    for file in "$root"/tests/gpu/{copy,chase}.ptx "$root"/machines/hopper-h200.yaml; do
        "${pack[@]}" "$file" >"$seeds/$(basename "$file")"
    done
    cat "$seeds"/* >"$seeds/several"
    printf 'plain text\n' >"$seeds/plain" ;;
zstd)
    graph_files mtx.zst
    graph_files gr.zst
    cat "$seeds"/* >"$seeds/several" ;;
fatbin)
    # A header, then entries (base/fatbin_layout.h) of the text "abcdefg": plain, as an LZ4 block of
    # literals, as a zstd frame with a raw block; and machine code.
    header() { numbers 0xba55ed50:4 1:2 16:2 "$1"; }
    entry() { # KIND COMPRESSED ARCHITECTURE FLAGS UNCOMPRESSED, a payload of 24 bytes
        numbers "$1:2" 0x101:2 64:4 24 "$2:4" 0:4 5:2 7:2 "$3:4" 0:4 0:4 "$4" 0 "$5"
    }
    plain() { entry 1 0 75 0x11 0 && printf 'abcdefg\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; }
    lz4() { entry 1 9 86 0x2011 8 && printf '\200abcdefg\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; }
    zstd() {
        entry 1 17 90 0x8011 8 && printf '\50\265\57\375\40\10\101\0\0abcdefg\0\0\0\0\0\0\0\0'
    }
    code() { entry 2 0 75 0x11 0 && printf '\177ELF\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; }
    for image in plain lz4 zstd code; do
        { header 88 && $image; } >"$seeds/$image"
    done
    { header 352 && plain && lz4 && zstd && code; } >"$seeds/all" ;;
diff | annotate | kept)
    literals 8 "$root"/tests/cli/test_{annotate,diff,compare,compare_kept,schema,partial}.c
    # A result of a kernel of k.cu, and one of all launches, whose size is odd (fuzz_results.c).
    printf '%s\n' '.version 6.0' '.target sm_35' '.address_size 64' '.file 1 "k.cu"' \
        '.visible .entry k(.param .u64 p)' '{' '.reg .b32 %r<2>;' '.reg .b64 %rd<2>;' \
        '.loc 1 1 0' 'ld.param.u64 %rd1, [p];' '.loc 1 2 0' 'ld.global.u32 %r1, [%rd1];' \
        '.loc 1 4 0' 'st.global.u32 [%rd1], %r1;' 'ret;' '}' >"$out/k.ptx"
    for more in '' --per-kernel; do
        (cd "$out" && "$heddle" run k.ptx --entry k --grid 1 --block 32 --arg buf:4KiB:words \
            --set gpu.sms=1 --quiet --out result.json $more)
        tr -d ' \n' <"$out/result.json" >"$seeds/result$more"
        size=$(wc -c <"$seeds/result$more")
        [ $((size % 2)) = $((${#more} > 0)) ] || printf ' ' >>"$seeds/result$more"
    done
    sed 's/"cycles":[0-9]*/"cycles":7/' "$seeds/result" >"$out/other"
    { cat "$seeds/result" && printf '\1' && cat "$out/other"; } >"$seeds/two"
    rm "$out/result.json" "$out/other" "$out/k.ptx" ;;
store)
    # SQL of the tests, behind a zero byte, and changes of the file: the header, the schema, rows.
    mkdir "$out/texts"
    folder=$out/texts literals 12 "$root"/tests/store/test_{query,print,functions}.c
    for file in "$out"/texts/*; do
        { numbers 0:1 && cat "$file"; } >"$seeds/${file##*/}"
    done
    rm -r "$out/texts"
    for place in 18 24 40 60 68 100 108 200 900 4096 4100 8192 8200 12288 16400 20500; do
        numbers 1:1 $place:2 2:1 $((place + 1)):2 255:1 >"$seeds/change-$place"
    done
    printf '\0SELECT counter(counters, "l1d.load_hits") AS a, counter(inputs, "x", 1), %s' \
        'geomean(cycles), hmean(cycles), median(cycles), percentile(cycles, 90) FROM runs' \
        >"$seeds/functions" ;;
study)
    literals 8 "$root"/tests/study/test_*.c
    cp "$root/src/cli/study/example.yaml" "$root"/studies/prefetch{-fates,ers}.yaml "$seeds"
    { grep -v '^ *#' "$seeds/example.yaml" && printf '\1%s\n' 'graph,variant,cycles,misses' \
        'rmat,none,100,7' 'grid,none,90,8' 'rmat,stride,95,6'; } >"$seeds/data" ;;
batch)
    printf '\0{"study": "s", "tasks": [{"hash": "12", "name": "a.b", "words": ["bfs"], %s' \
        '"computed_from": {"files": {}}}]}' >"$seeds/tasks"
    printf '\1{"status": 0, "signal": 9, "seconds": 1.5, "why": ""}' >"$seeds/outcome" ;;
script)
    literals 3 "$root"/tests/harness/test_*.c
    # Each script for the mechanism that it is for: the first byte is its number.
    for file in "$root"/tests/mechanisms/scripts/*.txt; do
        name=$(sed -n '1s/^# mechanism: \([a-z-]*\).*/\1/p' "$file")
        number=$("$heddle" mechanism list | grep -n "^$name " | cut -d: -f1)
        { numbers "${number:-0}:1" && sed 's/ *#.*//; /^$/d' "$file"; } >"$seeds/${file##*/}"
    done ;;
arguments) literals 3 "$root"/tests/cli/test_{kernel,run,conflicts}.c ;;
options)
    # Each option with values of every kind.
    for name in $("$heddle" cuda --help | sed -n 's/^ .*--\([a-z-]*\).*/\1/p' | sort -u); do
        number=0
        for value in 1 0x10 4KiB 1..2 name,name=5 a=1,b=2 l1d.size=48KiB '' none; do
            printf '%s\n%s' "$name" "$value" >"$seeds/$name-$((number += 1))"
        done
    done ;;
generator) literals 3 "$root"/tests/graph/test_*.c ;;
changes)
    literals 3 "$root"/tests/graph/test_{options,generators,measure}.c
    printf 'weights 1..9,seed=4\nsymmetrize\nlargest-component' >"$seeds/three"
    printf 'drop-loops\ndrop-duplicates\nrelabel random,seed=4' >"$seeds/drop" ;;
advise)
    literals 3 "$root"/tests/cli/test_advise.c
    for file in "$root"/reference/advise/*.csv; do
        head -n 12 "$file" >"$seeds/$(basename "$file")"
    done ;;
*) echo "seeds.sh: no seeds for $target" >&2; exit 2 ;;
esac

# The dictionary: the words of the seeds.
cat "$seeds"/* | tr -c 'A-Za-z0-9_.%$-' '\n' | grep -E '^[A-Za-z0-9_.%$-]{2,24}$' |
    sort | uniq -c | sort -k1,1nr -k2 | head -n 2000 | awk '{ print "\"" $2 "\"" }' \
    >"$out/dictionary"
