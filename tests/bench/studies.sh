#!/usr/bin/env bash
# The pages of the studies and docs/results/claims.csv are made of the committed data, and a changed
# value is noticed. A study keeps its runs, continues after a failure, and repeats no run. It says
# what is left, and does not start beside another call in its folder.
#
#     tests/bench/studies.sh ROOT HEDDLE
set -u
root=${1:?usage: studies.sh ROOT HEDDLE} heddle=${2:?}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail()
{
    echo "studies.sh: $*" >&2
    failed=1
}

mkdir -p "$work/bench" "$work/docs" "$work/reference"
cp -r "$root/bench/studies" "$work/bench/"
cp -r "$root/docs/results" "$root/docs/mechanisms" "$work/docs/"
cp -r "$root/reference/results" "$work/reference/"
for study in khairy2015 lakshminarayana2014 lakshminarayana2014_prefetch guo2018dsap \
    segura2022iru yilmazer2020gw; do
    "$work/bench/studies/$study.sh" --tables || fail "$study.sh --tables: status $?"
    page=docs/results/${study/_/-}.md
    diff "$root/$page" "$work/$page" ||
        fail "$page (<) is not made of the data (>): $study.sh --tables"
done
for each in claims.csv README.md; do
    diff "$root/docs/results/$each" "$work/docs/results/$each" ||
        fail "docs/results/$each (<) is not made of the data (>)"
done
# The pages of mechanisms with tables that studies make.
while read -r study pages; do
    "$work/bench/studies/$study.sh" --tables || fail "$study.sh --tables: status $?"
    for mechanism in $pages; do
        diff "$root/docs/mechanisms/$mechanism.md" "$work/docs/mechanisms/$mechanism.md" ||
            fail "docs/mechanisms/$mechanism.md is not made of the data: $study.sh --tables"
    done
done <<'END'
prefetch_fates next-line stride-pc
prefetchers stride stream ghb-acdc ghb-stride
END
"$root/bench/studies/claims.sh" --check || fail "claims.sh --check: status $?"
got=$("$root/bench/studies/claims.sh" nobody2000 2>&1)
[ "$got" = 'claims.sh: there is no study of nobody2000' ] || fail "a paper without study: $got"
# All rows, and no change of a page. A table without a place.
page=$work/docs/results/khairy2015.md
grep -v '^<!-- warps -->$' "$root/docs/results/khairy2015.md" >"$page"
got=$("$work/bench/studies/khairy2015.sh" --rows | grep -c '^| vecadd |')
[ "$got" = 11 ] || fail "--rows: vecadd is in $got rows"
"$work/bench/studies/khairy2015.sh" --tables 2>"$work/log" && fail 'a table without a place'
grep -v '^<!-- warps -->$' "$root/docs/results/khairy2015.md" | cmp - "$page" ||
    fail 'a table without a place: the page was changed'
printf '%s\n' 'no place for the table <!-- warps -->' "khairy2015.sh: $page: not changed" |
    diff - "$work/log" || fail 'a table without a place: another message'
cp "$root/docs/results/khairy2015.md" "$page"

# Data of one kernel on a second input: the tables leave them out, until all kernels have some.
for more in 0 1; do
    for each in lakshminarayana2014-20.csv lakshminarayana2014-20-runs.csv; do
        awk -F, -v OFS=, -v more=$more '
            FNR == 1 || $3 == "r4-2e20" { print }
            $1 == "std" && $2 == "BFS-DD" && $3 == "r4-2e20" && more { $3 = "rmat20"; print }' \
            "$root/reference/results/$each" >"$work/reference/results/$each"
    done
    "$work/bench/studies/lakshminarayana2014.sh" --rows >"$work/rows$more" ||
        fail "one input: status $?"
done
diff "$work/rows0" "$work/rows1" || fail 'one kernel on a second input got into the tables'
cp "$root/docs/results/"* "$work/docs/results/"
cp "$root/reference/results/"lakshminarayana2014-20*.csv "$work/reference/results/"

# A changed value of the data: exclusion's IPC, of which claim lak-145 is, becomes half of it.
awk -F, -v OFS=, '$4 == "exclusive" { $8 *= 2 } { print }' \
    "$root/reference/results/lakshminarayana2014-20.csv" \
    >"$work/reference/results/lakshminarayana2014-20.csv"
"$work/bench/studies/claims.sh" --check lakshminarayana2014 >"$work/diff" 2>&1 &&
    fail 'a changed value: not noticed'
grep -q '^> lak-145,.*,6,-[0-9.]*,-[0-9.]*,.* at full size"\{0,1\},yes,no,no,' "$work/diff" ||
    fail "a changed value: $(grep lak-145 "$work/diff")"
grep -q 'lak-145 has no reason (reasons.tsv)' "$work/diff" || fail 'a missing reason: not printed'
cp "$root/reference/results/lakshminarayana2014-20.csv" "$work/reference/results/"

# Likewise the IPC of SPREF1 on STCON, of which claim lak-075 is.
data=reference/results/lakshminarayana2014-prefetch-20.csv
awk -F, -v OFS=, '$1 == "STCON" && $3 == "spref1" { $8 *= 2 } { print }' "$root/$data" \
    >"$work/$data"
"$work/bench/studies/claims.sh" --check lakshminarayana2014 >"$work/diff" 2>&1 &&
    fail 'chapter 3: not noticed'
grep -q '^> lak-075,.*,1.04,0.[0-9]*,' "$work/diff" ||
    fail "chapter 3: $(grep lak-075 "$work/diff")"

# Means over all kernels leave out an input on which one kernel alone has data.
for more in 0 1; do
    awk -F, -v OFS=, -v more=$more '
        FNR == 1 || $2 == "r4-2e20" { print }
        $1 == "H-BFS" && $2 == "r4-2e20" && more { $2 = "rmat20"; $8 /= 2; print }' \
        "$root/$data" >"$work/$data"
    "$work/bench/studies/claims.sh" lakshminarayana2014 2>"$work/log" ||
        fail "one input: $(cat "$work/log")"
    grep '^lak-[01].*,ALL7,ratio,' "$work/docs/results/claims.csv" >"$work/means$more"
    grep '^lak-069,' "$work/docs/results/claims.csv" >>"$work/one$more"
done
grep -q ',r4-2e20 at full size,' "$work/means0" || fail 'no means over all kernels'
cmp "$work/means0" "$work/means1" || fail 'a second input of one kernel got into means over all'
cmp -s "$work/one0" "$work/one1" && fail 'a second input did not get into the mean of its kernel'
cp "$root/docs/results/"* "$work/docs/results/"
cp "$root/$data" "$work/$data"

if ! command -v jq >/dev/null; then
    echo "jq is not installed: no study was run"
    exit $failed
fi

# study LOG ONLY HEDDLE: one kernel on a small graph.
study()
{
    "$work/bench/studies/lakshminarayana2014.sh" --scale 14 --keep "$work/keep" --jobs 2 \
        --only "^std\.BFS-DD\.r4-2e20\.($2)\$" --heddle "$3" 2>"$work/$1" || fail "$1: status $?"
}

# prefetch_study KERNEL VARIANT: chapter 3 on a small graph. Both are regular expressions.
prefetch_study()
{
    "$work/bench/studies/lakshminarayana2014_prefetch.sh" --scale 10 --keep "$work/keep3" --jobs 2 \
        --only "^$1\.r4-2e20\.($2)\$" --heddle "$heddle" 2>"$work/log" ||
        fail "lakshminarayana2014_prefetch.sh: status $?, $(cat "$work/log")"
}

# Chapter 3: warps wait for the loads that its study takes for heads and tails, or it fails. The
# mechanism takes as many loads as the study says.
prefetch_study '[^.]*' 'none|c-spref'
csv=$work/reference/results/lakshminarayana2014-prefetch-10
got=$(awk -F, '$3 == "none" { heads[$1] += $15; tails[$1] += $16 }
    END { for (each in heads) printf "%s:%d:%d\n", each, (heads[each] > 0), (tails[each] > 0) }' \
    "$csv.csv" | sort | paste -sd ' ')
[ "$got" = 'H-BFS:1:1 H-MST:1:1 H-SSSP:1:0 LS-BFS:1:0 LS-MST:1:1 LS-SSSP:1:0 STCON:1:1' ] ||
    fail "waits: $got"
got=$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $3 == "c-spref" {
        loops = $column["tails"] ? $column["tails"] : $column["heads"] / $column["turn_registers"]
        printf "%s:%g:%g\n", $1, $column["heads"] / loops, $column["tails"] / loops
    }' "$csv-runs.csv" | sort | paste -sd ' ')
[ "$got" = 'H-BFS:1:1 H-MST:2:1 H-SSSP:2:0 LS-BFS:1:0 LS-MST:2:1 LS-SSSP:2:0 STCON:1:1' ] ||
    fail "targets: $got"
# A baseline that has a baseline itself: what is relative to it goes if it changes.
prefetch_study STCON 'unified|unified-spref1'
awk -F, -v OFS=, '$3 == "unified" { $8++ } { print }' "$csv.csv" >"$work/old"
cp "$work/old" "$csv.csv"
rm "$work/keep3/STCON.r4-2e20.unified-spref1.json"
prefetch_study STCON unified
got=$(awk -F, '$1 == "STCON" { print $3 }' "$csv.csv" | sort -u | paste -sd ' ')
[ "$got" = 'c-spref none unified' ] || fail "a stale run: $got"

# The committed runs do not say what they took.
runs=reference/results/lakshminarayana2014-20-runs.csv
awk -F, -v OFS=, 'NR > 1 { $14 = "" } { print }' "$root/$runs" >"$work/$runs"

# A heddle with which OBM alone fails.
cat >"$work/broken" <<END
#!/usr/bin/env bash
case "\$*" in *"run "*obm*) echo 'heddle: broken' >&2; exit 2 ;; esac
exec "$heddle" "\$@"
END
chmod +x "$work/broken"
plan=$("$work/bench/studies/lakshminarayana2014.sh" --scale 14 --keep "$work/keep" --plan \
    --only '^std\.BFS-DD\.r4-2e20\.(none|mat)$' --heddle "$heddle" 2>/dev/null)
[ "$plan" = $'1/2:0.00h std.BFS-DD.r4-2e20.none\n2/2:0.00h std.BFS-DD.r4-2e20.mat' ] ||
    fail "--plan: $plan"
study first 'none|obm|mat' "$work/broken"
[ "$(cat "$work/keep/std.BFS-DD.r4-2e20.obm.failed")" = 'heddle: broken' ] || fail 'no message kept'
printf '#!/bin/sh\nexit 3\n' >"$work/silent"
chmod +x "$work/silent"
"$work/bench/studies/one.sh" "$work/silent" "$work/keep" 1/1 silent - bfs 2>/dev/null
[ "$(cat "$work/keep/silent.failed")" = 'exit status 3' ] || fail 'no message for a silent failure'
grep -q '^3 runs to do$' "$work/first" || fail "not three runs: $(cat "$work/first")"
study second 'none|obm|mat' "$heddle"
grep -q '^1 runs to do$' "$work/second" || fail "not the one that failed: $(cat "$work/second")"
csv=$work/reference/results/lakshminarayana2014-14-runs.csv
got=$(awk -F, 'NR > 1 { printf "%s:%s:%s ", $4, $5, $6 }' "$csv")
[ "$got" = 'none:16384:65536 obm:16384:65536 mat:16384:65536 ' ] || fail "kept: $got"
# The baseline's used sectors add up to its lines, one for each load that misses, and nothing
# bypasses. With the mechanisms something does.
awk -F, '$4 == "none" && NR != FNR { n++; bad += $10 + $11 + $12 + $13 != lines || $14 == "" }
    $4 == "none" && NR == FNR { lines += $10 }
    END { exit !n || bad }' "${csv/-runs/}" "$csv" ||
    fail "no used sectors, or no time: $(cat "$csv")"
awk -F, 'NR > 1 { bad += $20 == "" || $10 < $21 || $22 < $23; past[$4 == "none"] += $21 + $23 }
    END { exit bad || !past[0] || past[1] }' "${csv/-runs/}" ||
    fail "insertions and bypasses: $(cat "${csv/-runs/}")"

# Runs that are not in the folder keep their lines.
cp "$csv" "$work/runs" && cp "${csv/-runs/}" "$work/launches"
"$work/bench/studies/lakshminarayana2014.sh" --scale 14 --keep "$work/none" --only nothing \
    --heddle "$heddle" 2>"$work/log" || fail "no runs: $(cat "$work/log")"
{ cmp "$csv" "$work/runs" && cmp "${csv/-runs/}" "$work/launches"; } || fail 'lines are lost'

# Another folder repeats the runs, but not with --new.
for option in --plan '--plan --new'; do
    # shellcheck disable=SC2086 # they are words
    "$work/bench/studies/lakshminarayana2014.sh" --scale 14 --keep "$work/other" $option \
        --only '^std\.BFS-DD\.r4-2e20\.(none|mat|drrip)$' --heddle "$heddle" 2>/dev/null
done | sed 's/.*r4-2e20\.//' | paste -sd ' ' >"$work/left"
[ "$(cat "$work/left")" = 'none mat drrip drrip' ] || fail "--new: $(cat "$work/left")"

# A baseline with other counters than before: what is not renewed does not compare any more.
awk -F, -v OFS=, '$4 == "none" && $6 == 0 { $8++ } { print }' "${csv/-runs/}" >"$work/old" &&
    cp "$work/old" "${csv/-runs/}"
rm "$work/keep/std.BFS-DD.r4-2e20.mat.json"
study renewed 'none|obm' "$heddle"
for each in "$csv" "${csv/-runs/}"; do
    got=$(awk -F, 'NR > 1 { print $4 }' "$each" | sort -u | paste -sd ' ')
    [ "$got" = 'none obm' ] || fail "${each##*/}: a stale run: $got"
done

# What is left: the kept runs say what the next takes. No second call in the same folder.
grep -q '^about [0-9.]* hours of one CPU, and 3 runs whose time is not known$' "$work/first" ||
    fail "no time: $(cat "$work/first")"
grep -q '^about [0-9.]* hours of one CPU$' "$work/second" || fail "no time: $(cat "$work/second")"
(
    exec 9>"$work/keep/lock"
    flock 9
    "$work/bench/studies/lakshminarayana2014.sh" --scale 14 --keep "$work/keep" \
        --only '^std\.BFS-DD\.r4-2e20\.none$' --heddle "$heddle" 9>&- 2>"$work/third"
) && fail 'a second call in the same folder: not refused'
grep -qx "lakshminarayana2014.sh: $work/keep: another call is at work there" "$work/third" ||
    fail "a second call: $(cat "$work/third")"
exit $failed
