#!/usr/bin/env bash
# `heddle study run` from an example to its figure: each run once, the reasons for a repeated one,
# baselines that change, killed runs, two at once, and wrong studies.
#
#     tests/study/run.sh HEDDLE MECHANISM
#
# MECHANISM: a shared object that is a mechanism.
set -u
heddle=$(realpath "${1:?usage: run.sh HEDDLE MECHANISM}") || exit 2
mechanism=$(realpath "${2:?}") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

fail()
{
    echo "run.sh: $*" >&2
    failed=1
}

# has TEXT FILE: the file has this text.
has()
{
    grep -qF -e "$1" "$2" && return
    fail "no '$1' in $2:"
    cat "$2" >&2
}

# refused TEXT WORD...: ends with status 2 and one line that ends with this text.
refused()
{
    local wanted=$1 answer status
    shift
    "$heddle" study "$@" 2>err >/dev/null
    status=$?
    answer=$(grep -v '^heddle: note: ' err)
    [ "$status" -eq 2 ] && [ "$answer" = "heddle: $wanted" ] ||
        fail "study $*: status $status, '$answer', not '$wanted'"
}

# ---- an example, smaller ----

"$heddle" study new mine.yaml >out || fail new
refused 'mine.yaml: is there already' new mine.yaml
refused 'my study.yaml:18:5: file: expected a name without a folder, of letters, digits, - and _, '\
'that ends with .csv' new 'my study.yaml'
[ ! -e 'my study.yaml' ] || fail 'a study that cannot be read'
refused 'study plan: --rows has no effect on it (see heddle study --help)' plan mine.yaml --rows
sed -i -e 's/rmat:14,8/rmat:8,8/' -e 's/grid:128x128/grid:16x16/' \
    -e 's/uniform:16384,8/uniform:256,8/' \
    -e "s,--mechanism stride},--mechanism $work/mine.so}," mine.yaml
cp "$mechanism" mine.so
"$heddle" study table mine.yaml >out || fail 'table before a run'
has 'Not run yet.' out
printf 'page: |\n  # Mine\n\n  {{figure 1}}\n' >>mine.yaml
"$heddle" study page mine.yaml >out || fail 'page before a run'
has 'Speed-up over no mechanism: not run yet.' out
"$heddle" study run mine.yaml --jobs 2 >out 2>err || fail "run: $(cat err)"
has '  done    9' out
has '9 of 9 done' err
[ "$(wc -l <mine.csv)" -eq 10 ] || fail "mine.csv has $(wc -l <mine.csv) lines"
"$heddle" study table mine.yaml >table || fail table
has '| next-line |' table
"$heddle" study page mine.yaml >out || fail page
has '![Speed-up over no mechanism](figures/mine-1.svg)' out
cp mine.csv first.csv
"$heddle" study run mine.yaml >out 2>err || fail 'run again'
[ ! -s err ] || fail "a run was repeated: $(cat err)"
cmp first.csv mine.csv || fail 'the data have changed'
"$heddle" study figure mine.yaml 1 --out f.pdf >out 2>&1 || fail "figure: $(cat out)"
[ "$(head -c 5 f.pdf)" = %PDF- ] || fail 'f.pdf is no PDF'

# ---- what has changed runs again ----

printf 'x' >>mine.so # behind the end of the object
"$heddle" study status mine.yaml >out || fail status
has '  stale   3' out
has "mine.so has changed" out
"$heddle" study run mine.yaml >out 2>err || fail 'run with another mechanism'
has '3 of 9 done' <(sed 's/^[0-9]* of 9 done.*/3 of 9 done/' err)
[ "$(grep -c ' of 9 done' err)" -eq 3 ] || fail "not three runs: $(cat err)"
cmp first.csv mine.csv || fail 'the same mechanism has other results'

mv mine.so gone.so
"$heddle" study status mine.yaml >out || fail 'status without the object'
has 'mine.so cannot be read' out
mv gone.so mine.so

# ---- killed, and beside another ----

rm -rf mine.db* mine.csv
for pause in 0.02 0.05 0.1 0.15 0.2 0.3; do
    "$heddle" study run mine.yaml --jobs 1 >/dev/null 2>&1 &
    sleep "$pause"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    "$heddle" query mine.db 'SELECT count(*) FROM runs' >/dev/null 2>out ||
        grep -qe 'no such store' -e 'is empty' out || fail "the store after kill -9: $(cat out)"
done
"$heddle" study run mine.yaml --jobs 1 >out1 2>err1 &
"$heddle" study run mine.yaml --jobs 1 >out2 2>err2 || fail "the second of two: $(cat err2)"
wait $! || fail "the first of two: $(cat err1)"
cmp first.csv mine.csv || fail 'other data after kill -9 and by two at once'
[ "$("$heddle" query mine.db 'SELECT count(*) AS n FROM runs' --format csv | tail -n 1)" = 9 ] ||
    fail 'a run is there twice'
[ ! -e mine.db-spool ] || fail "files are left: $(ls mine.db-spool)"

# What a process left that was killed behind its last run.
mkdir mine.db-spool
touch mine.db-spool/0123456789abcdef.json mine.db-spool/0123456789abcdef.err
"$heddle" study run mine.yaml >out 2>err || fail "run again: $(cat err)"
[ ! -e mine.db-spool ] || fail "files are left: $(ls mine.db-spool)"

# ---- degrees of graphs ----

sed "s,^records:,&\n  - {name: degrees\, file: degrees.csv\, key: graph\, degrees: yes}," \
    mine.yaml >degrees.yaml
"$heddle" study status degrees.yaml --store mine.db >out 2>err || fail "status: $(cat err)"
has 'degrees   of 3 graphs, 0 counted' out
"$heddle" study run degrees.yaml --store mine.db >out 2>err || fail "degrees: $(cat err)"
has '; degrees of 3 graphs' out
[ ! -s err ] || fail "a run was repeated for degrees: $(cat err)"
[ "$(grep -c ^grid, degrees.csv)" -eq 3 ] && [ "$(grep -c '^grid,[34],\(56\|196\),grid:16x16,' \
    degrees.csv)" -eq 2 ] || fail "the degrees of a grid of 16 by 16: $(cat degrees.csv)"
"$heddle" study status degrees.yaml --store mine.db >out || fail 'status with degrees'
has 'degrees   of 3 graphs, 3 counted' out

# ---- a run that fails ----

sed 's/--mechanism next-line/--mechanism nxt-line/' mine.yaml >bad.yaml
"$heddle" study run bad.yaml --store mine.db >out 2>err && fail 'a run that fails, with status 0'
has '  failed  3' out
has "nxt-line" out
has 'some runs have failed' err

"$heddle" study table mine.yaml 2>err >out || fail 'table of a part'
has 'heddle: note: ./mine.csv has no rows of 3 of its 9 runs' err

# ---- wrong studies ----

sed 's/^title:/titel:/' mine.yaml >wrong.yaml
refused "wrong.yaml:2:1: there is no key 'titel' in a study; did you mean 'title'?" plan wrong.yaml
sed 's/baseline: none/baseline: nothing/' mine.yaml >wrong.yaml
refused "wrong.yaml:11:5: the axis variant has no point 'nothing', the baseline of 'none'" \
    plan wrong.yaml
sed 's/l1d.load_misses/l1d.load_missses/' mine.yaml >wrong.yaml
refused "wrong.yaml:21:10: counter: there is no counter 'l1d.load_missses'; did you mean \
'l1d.load_misses'?" run wrong.yaml --store mine.db
sed 's/b.cycles/b.cycle/' mine.yaml >wrong.yaml
refused 'wrong.yaml:26:40: no such column: b.cycle' table wrong.yaml
refused 'wrong.yaml:26:40: no such column: b.cycle' plan wrong.yaml
refused 'wrong.yaml:26:40: no such column: b.cycle' run wrong.yaml --store none.db
[ ! -e none.db ] || fail 'a study that is wrong has been run'
sed 's/key: graph, variant/key: graph/' mine.yaml >wrong.yaml
refused "wrong.yaml:20:10: record runs: its key does not tell the runs grid.none and \
grid.next-line apart" plan wrong.yaml
sed 's/key: graph, variant/key: graph, kind/' mine.yaml >wrong.yaml
refused "wrong.yaml:20:10: record runs: no axis and no point has a column 'kind'" plan wrong.yaml
refused "wrong.yaml:20:10: record runs: no axis and no point has a column 'kind'" table wrong.yaml
sed 's/{{figure 1}}/{{table speed}}/' mine.yaml >wrong.yaml
refused "wrong.yaml:48:3: there is no table 'speed': expected one of speedups" plan wrong.yaml
sed 's/kind: bars/kind: bar/' mine.yaml >wrong.yaml
refused "wrong.yaml:39:5: figure 1: kind 'bar': expected one of bars, stacked, ranges, lines, \
points; did you mean 'bars'?" figure wrong.yaml 1
refused 'wrong.yaml: there is no figure '\''2'\'': expected one of 1' figure wrong.yaml 2
refused "there is no study 'guo2018dsp': expected one that heddle study list shows, or the path of \
a file; did you mean 'guo2018dsap'?" plan guo2018dsp
refused 'nothing.yaml: cannot be read: No such file or directory' plan nothing.yaml
refused "--scale '2': expected a number above 0 and at most 1" plan mine.yaml --scale 2
refused '--scale has no effect on mine.yaml: expected a study with {scale} in words of its runs' \
    plan mine.yaml --scale 0.5
refused "study 'plot': expected an action, such as plan; did you mean 'plan'? (see heddle study \
--help)" plot
exit $failed
