#!/usr/bin/env bash
# Tests of the build with shadow data in the caches (docs/decisions/0009). It gives the same results
# as the normal build, reports no fault for pairs of workloads, mechanisms, machines and parameters,
# and reports each kind of planted fault.
#
#     tests/cli/shadow.sh HEDDLE_SHADOW HEDDLE FOLLOW
#
# FOLLOW: the shared object of tests/mechanisms/follow.c, which reads values.
set -u
shadow=${1:?usage: shadow.sh HEDDLE_SHADOW HEDDLE FOLLOW} heddle=${2:?} follow=${3:?}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset HEDDLE_SHADOW HEDDLE_SHADOW_FAULT
passed=0 failed=0
result() { # STATUS WHAT TEXT
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2: ${3:0:800}"
    fi
}

# ---- no fault, in pairs of options ----

workloads=('bfs --impl edge-frontier' 'cc --impl hook' 'colouring --impl data'
    'mst --impl lonestar')
machines=(fermi-gtx480 fermi-macsim kepler-k40c maxwell-gtx980)
settings=('' '--set l2.size=16KiB --set l2.ways=8' '--set l1d.victim_entries=8'
    '--set slice.reply=sectors'
    '--set memory.invalidate_l1=false' '--set l2.victim_entries=8' '--set l2.mode=unbounded'
    '--set slice.write_versions=8')
mapfile -t mechanisms < <("$shadow" mechanism list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p')
mechanisms+=(none obm+sector exclusive+sector stream+obm ghb-acdc+sector "$follow"
    "$follow+sector" "$follow+exclusive"
    "obm+$follow")
[ "${#mechanisms[@]}" -gt 8 ] || result 1 'mechanism list' "${mechanisms[*]}"
# Each mechanism has two of the workloads (tests/long/shadow.sh: all).
for m in "${!mechanisms[@]}"; do
    for w in $((m % 4)) $(((m + 1 + m / 4 % 2) % 4)); do
        run="${workloads[w]} --machine ${machines[(m + w) % ${#machines[@]}]}"
        run+=" --mechanism ${mechanisms[m]} ${settings[(m + 2 * w) % ${#settings[@]}]}"
        # Split options into words.
        # shellcheck disable=SC2086
        answer=$("$shadow" run $run --graph rmat:7,8 --symmetrize --quiet 2>&1)
        result $? "$run" "$answer"
    done
done
for setting in l2.mode=off l1d.mode=off "l1d.mode=off --set l1d.off_request=128B" \
    l1d.write=through l2.write=through l2.write_miss=fetch l2.write_miss=around \
    l2.write_miss=fetch-and-forward; do
    run="bfs --impl edge-frontier --graph rmat:8,8 --set $setting"
    # shellcheck disable=SC2086
    answer=$("$shadow" run $run --quiet 2>&1)
    result $? "$run" "$answer"
done

# ---- no fault: a prefetcher that reads values of what it prefetches ----

for m in "${!machines[@]}"; do
    for mechanism in dsap dsap+sector dsap+streaming-bypass dsap:fifo=2+obm; do
        run="bfs --impl data-warp --machine ${machines[m]} --mechanism $mechanism ${settings[m]}"
        # shellcheck disable=SC2086
        answer=$("$shadow" run $run --graph rmat:9,8 --quiet 2>&1)
        result $? "$run" "$answer"
    done
done

# ---- no fault: engines that read lines through the L2, or from the DRAM ----

applications=(bfs sssp pagerank) memories=(iru iru:l2=past iru+streaming-bypass)
for m in "${!machines[@]}"; do
    for application in 0 1 2; do
        for mechanism in 0 1; do # two of three, in turn
            run="${applications[application]} --impl edge-frontier --machine ${machines[m]}"
            run+=" --mechanism ${memories[(m + application + mechanism) % 3]} ${settings[m]}"
            # shellcheck disable=SC2086
            answer=$("$shadow" run $run --graph rmat:8,8 --quiet 2>&1)
            result $? "$run" "$answer"
        done
    done
done

# ---- no fault: prefetchers beside mechanisms that decide what the L1D keeps ----

others=(streaming-bypass sector obm)
searches=('bfs --impl topology --graph rmat:8,8' 'mst --impl h --graph rmat:8,8 --symmetrize')
for o in "${!others[@]}"; do
    for w in "${!searches[@]}"; do
        run="${searches[w]} --block 512 --machine fermi-macsim"
        run+=" --mechanism spref:detect=compiler,distance=dynamic+${others[o]}"
        # shellcheck disable=SC2086
        answer=$("$shadow" run $run --quiet --out "$folder/moves.json" 2>&1)
        result $? "$run" "$answer"
        grep -q '"moves": [1-9][0-9][0-9]' "$folder/moves.json"
        result $? "moves: $run" "$(grep '"moves"' "$folder/moves.json")"
    done
    for prefetcher in stride stream ghb-acdc ghb-stride; do
        run="mst --impl h --machine ${machines[o]} --mechanism $prefetcher+${others[o]}"
        # shellcheck disable=SC2086
        answer=$("$shadow" run $run --graph rmat:7,8 --symmetrize --quiet 2>&1)
        result $? "$run" "$answer"
    done
done

# ---- no fault: launches before the timed ones, and data that only an L1D has ----

run='bfs --impl data --graph rmat:8,6 --skip-kernels 3 --set memory.invalidate_l1=false'
# shellcheck disable=SC2086
answer=$("$shadow" run $run --quiet 2>&1)
result $? "$run" "$answer"
cat >"$folder/local.ptx" <<'PTX'
.version 6.0
.target sm_20
.address_size 64
.visible .entry local_round_trip(.param .u64 out)
{
    .local .align 4 .b8 own[8];
    .reg .u16 %h<2>;
    .reg .u32 %r<4>;
    .reg .u64 %d<3>;
    mov.u32 %r0, %tid.x;
    cvt.u16.u32 %h0, %r0;
    st.local.u16 [own], %h0;
    st.local.u32 [own + 4], %r0;
    ld.local.u16 %h1, [own];
    ld.local.u32 %r1, [own + 4];
    cvt.u32.u16 %r2, %h1;
    add.u32 %r2, %r2, %r1;
    ld.param.u64 %d0, [out];
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r2;
    ret;
}
PTX
for misses in around lazy fetch fetch-and-forward; do
    answer=$("$shadow" run "$folder/local.ptx" --entry local_round_trip --grid 2 --block 64 \
        --arg buf:256=fill:0 --machine fermi-gtx480 --set l1d.write_miss=$misses --quiet 2>&1)
    result $? "local memory, l1d.write_miss=$misses" "$answer"
done

# ---- no fault: what mechanisms see of fills, of hits, and of prefetched lines that were there ----

run="cc --impl hook --graph rmat:8,8 --symmetrize --mechanism $follow:again=1"
# shellcheck disable=SC2086
answer=$("$shadow" run $run --quiet --out "$folder/again.json" 2>&1)
result $? "$run" "$answer"
grep -q '"redundant": [1-9]' "$folder/again.json"
result $? 'prefetched lines were there' "no redundant prefetch"

# ---- the same result with any number of host threads, with a nonzero number of checks ----

run='cc --impl hook --graph rmat:8,8 --symmetrize --mechanism exclusive'
# shellcheck disable=SC2086
"$heddle" run $run --quiet --out "$folder/plain.json"
# shellcheck disable=SC2086
answer=$(HEDDLE_SHADOW=1 "$shadow" run $run --threads 2 --quiet --out "$folder/shadow.json" 2>&1)
[[ $answer =~ ^shadow:\ [1-9][0-9]{3,}\ checked.*\ 0\ wrong$ ]]
result $? 'what was checked' "$answer"
answer=$("$heddle" diff "$folder/plain.json" "$folder/shadow.json")
[[ $answer == *'the same result'* ]]
result $? 'the same result' "$answer"

# ---- faults ----

# fault FAULT WORDS RUN...: expects that the fault is found, with these words in the message.
fault() {
    local name=$1 words=$2 answer status
    shift 2
    answer=$(HEDDLE_SHADOW_FAULT=$name "$shadow" run "$@" --symmetrize --quiet 2>&1)
    status=$?
    [ "$status" -eq 2 ] && [[ $answer =~ $words ]]
    result $? "$name is found" "status $status: $answer"
}
fault stale-copy-back 'load of SM [0-9]+, instruction [0-9]+: byte 0x[0-9a-f]+ .*version' \
    bfs --impl topology --graph rmat:10,8
fault lost-write-back 'byte 0x[0-9a-f]+ has version 1 .*replaced' \
    bfs --impl topology --graph rmat:10,8 --set l2.size=4KiB
fault kept-line 'from the L1D: byte 0x[0-9a-f]+ has version [0-9]+ .* was in the L1D when' \
    bc --impl thread --graph rmat:9,8
fault wrong-sector 'byte 0x[0-9a-f]+ of version 1 is 0x[0-9a-f]+; it was 0x' \
    cc --impl hook --graph rmat:8,8
fault forged-version 'copy-back of SM [0-9]+: byte 0x[0-9a-f]+ has version 1 .*replaced' \
    bc --impl thread --graph rmat:9,8 --machine fermi-macsim --mechanism exclusive

fault wrong-values 'mechanisms see [0-9]+ at 0x[0-9a-f]+: expected [0-9]' \
    cc --impl hook --graph rmat:8,8 --mechanism "$follow"
fault unsent-values 'mechanisms were shown 0x[0-9a-f]+ at .* no store of this launch wrote' \
    cc --impl hook --graph rmat:8,8 --mechanism "$follow"
fault wrong-move 'moved from a spare register: lane [0-9]+ has another value than memory at 0x' \
    bfs --impl topology --graph rmat:9,8 --machine fermi-macsim --mechanism spref

# A copy-back older than a store is rejected, so there is no fault.
answer=$(HEDDLE_SHADOW_FAULT=old-copy-back "$shadow" run bc --impl thread --graph rmat:9,8 \
    --symmetrize --machine fermi-macsim --mechanism exclusive --quiet --out "$folder/old.json" 2>&1)
result $? 'old copy-backs are refused' "$answer"
grep -q '"stale": [1-9][0-9][0-9]' "$folder/old.json"
result $? 'old copy-backs are counted' "$(grep '"stale"' "$folder/old.json")"
answer=$(HEDDLE_SHADOW_FAULT=none "$shadow" run vecadd 2>&1)
[ $? -eq 2 ] && [[ $answer == *"'none' is no fault"* ]]
result $? 'a fault that is none' "$answer"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
