#!/usr/bin/env bash
# `heddle study run --engine slurm` with commands that stand in for Slurm's: what is submitted, what
# becomes of tasks by squeue, sacct and their files, and what is refused. tests/long/slurm.sh uses a
# real Slurm.
#
#     tests/study/slurm.sh HEDDLE
set -u
heddle=$(realpath "${1:?usage: slurm.sh HEDDLE}") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

fail()
{
    echo "slurm.sh: $*" >&2
    failed=1
}

# has TEXT FILE: the file has this text.
has() { grep -qF -e "$1" "$2" || fail "no '$1' in $2: $(cat "$2")"; }
has_not() { ! grep -qF -e "$1" "$2" || fail "'$1' in $2: $(cat "$2")"; }

# refused TEXT WORD...: ends with status 2 and this message.
refused()
{
    local wanted=$1 status
    shift
    "$heddle" study "$@" >out 2>err
    status=$?
    [ $status -eq 2 ] && [ "$(cat err)" = "heddle: $wanted" ] ||
        fail "study $*: status $status, '$(cat err)', not '$wanted'"
}

# ---- commands that stand in for Slurm's ----

# Each prints a file, and sbatch writes down its words. queue: squeue's lines; accounts: sacct's.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
printf '%s\n' "$@" >>"$FAKE/submitted"
if [ -e "$FAKE/refuse" ]; then
    printf 'sbatch: error: one\nsbatch: error: no such account\n' >&2
    exit 1
fi
number=$(($(cat "$FAKE/number" 2>/dev/null || echo 10) + 1))
echo $number >"$FAKE/number"
echo "$number;cluster"
END
cat >bin/squeue <<'END'
#!/bin/sh
if [ -e "$FAKE/down" ]; then
    echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2
    exit 1
fi
# It may hide jobs by this variable.
[ -n "${SQUEUE_PARTITION+x}" ] || [ ! -e "$FAKE/queue" ] || cat "$FAKE/queue"
END
cat >bin/sacct <<'END'
#!/bin/sh
[ -e "$FAKE/accounts" ] || { echo 'Slurm accounting storage is disabled' >&2; exit 1; }
cat "$FAKE/accounts"
END
chmod +x bin/*
export FAKE=$work PATH=$work/bin:$PATH SQUEUE_PARTITION=other
unset SLURM_JOB_ID

"$heddle" study new mine.yaml >/dev/null || fail new
sed -i -e 's/rmat:14,8/rmat:8,8/' -e 's/grid:128x128/grid:16x16/' \
    -e 's/uniform:16384,8/uniform:256,8/' mine.yaml

# ---- submitting ----

"$heddle" study run mine.yaml --engine slurm --partition cpu --account me --time 1:00:00 \
    --tasks-per-job 5 >out 2>err || fail "run: $(cat err)"
has '  Slurm   9' out
has 'jobs      11 12 of Slurm: 9 runs; job 13 then adds their results' out
for word in --requeue --partition=cpu --account=me --time=1:00:00 --array=0-4 --array=0-3 \
    --dependency=afterany:11:12,singleton --job-name=heddle-merge- \
    "--output=$work/mine.db-slurm"; do
    has "$word" submitted
done
mapfile -t names < <(sed -n 's/^--job-name=\(heddle-mine-.*\)/\1/p' submitted)
[ ${#names[@]} -eq 2 ] || fail "not two arrays: $(cat submitted)"
has "study merge mine.yaml --store mine.db" mine.db-slurm/merge.sh
mv submitted first

# state NUMBER NAME TASK STATE REASON: squeue's line.
state() { echo "$1|$3|$4|$5|$2"; }
for task in 0 1 2 3 4; do state 11 "${names[0]}" $task PENDING Resources; done >queue
for task in 0 1 2 3; do state 12 "${names[1]}" $task RUNNING None; done >>queue
state 13 "$(sed -n 's/^--job-name=\(heddle-merge.*\)/\1/p' first)" N/A PENDING Dependency >>queue
"$heddle" study status mine.yaml >out || fail status
has '5, such as rmat.none: pending: Resources' out
has '4, such as ' out
has ': running' out
has 'jobs      11 12 13 of Slurm; scancel ends them' out
"$heddle" study run mine.yaml --engine slurm >out 2>err || fail "run again: $(cat err)"
[ ! -e submitted ] || fail "runs were submitted twice: $(cat submitted)"

# What Slurm has, `run` on this host leaves to it.
"$heddle" study run mine.yaml >out 2>err || fail "run beside Slurm: $(cat err)"
has 'heddle: note: 9 runs are left to Slurm, which has them (jobs 11 12 13)' err

# ---- what becomes of tasks ----

folder=$work/mine.db-slurm
# One task of each kind ends well, fails, is cancelled, and is forgotten by Slurm.
"$heddle" study task "$folder/${names[0]}/tasks.json" 0 || fail task
[ -e "$folder"/*/outcome.json ] || fail 'no outcome'
run_of() # TASK: the folder of this run of the first array
{
    echo "$folder/$(grep '"hash"' "$folder/${names[0]}/tasks.json" |
        sed -n "$(($1 + 1))s/.*: \"\(.*\)\",/\1/p")"
}
echo '{"status": 1, "signal": 0, "seconds": 0.5, "why": ""}' >"$(run_of 1)/outcome.json"
printf 'heddle: note: n\nheddle: it is bad\n' >"$(run_of 1)/messages.txt"
echo '{"status": 0, "signal": 9, "seconds": 0.5, "why": ""}' >"$(run_of 2)/outcome.json"
grep -v '^11|' queue >rest
mv rest queue
state 11 "${names[0]}" 3 CANCELLED None >>queue
echo "11_4|${names[0]}|TIMEOUT" >accounts
echo 'cut off' >"$folder/${names[0]}/4.out"
"$heddle" study status mine.yaml >out || fail status
has '  written 1' out
has ': it is bad' out
has 'ended by signal 9 (Killed), as when the host runs out of memory' out
has ': ended in Slurm without a result: CANCELLED' out
has ': ended in Slurm without a result: TIMEOUT' out
rm accounts
"$heddle" study status mine.yaml >out || fail status
has ': ended in Slurm without a result: cut off' out

# A file that the run is computed from has changed since it was submitted.
cp "$folder/${names[0]}/tasks.json" changed.json
mkdir -p other/batch
sed 's/"sources": "[0-9a-f]*"/"sources": "0"/' changed.json >other/batch/tasks.json
"$heddle" study task "$work/other/batch/tasks.json" 0 || fail 'task of other sources'
has 'since the run was submitted' other/*/outcome.json

# Behind a job of Slurm: what is written is added, the rest stays.
SLURM_JOB_ID=13 SLURMD_NODENAME=n1 "$heddle" study merge mine.yaml --store mine.db >out 2>err ||
    fail "merge: $(cat err)"
has '  done    1' out
[ "$(wc -l <mine.csv)" -eq 2 ] || fail "mine.csv: $(cat mine.csv)"
[ ! -e "$(run_of 0)" ] && [ -e "$(run_of 1)" ] || fail 'folders of runs'
[ ! -e mine.db-lock ] || fail 'the lock stays'

# The same command submits again what failed and was lost.
"$heddle" study run mine.yaml --engine slurm >out 2>err || fail "run again: $(cat err)"
has '--array=0-3' submitted
has '--dependency=afterany:12:13:14,singleton' submitted
has 'jobs      14 of Slurm: 4 runs; job 15' out

# A result that is none is submitted again.
hash=$(basename "$(ls -d "$folder"/????????????????/ | head -n 1)")
echo '{"status": 0, "signal": 0, "seconds": 0.5, "why": ""}' >"$folder/$hash/outcome.json"
echo '{' >"$folder/$hash/result.json"
rm queue submitted
"$heddle" study run mine.yaml --engine slurm >out 2>err || fail "run again: $(cat err)"
has '--array=0-' submitted
has_not '  written' out
[ ! -e "$folder/$hash/result.json" ] || fail 'a result that is none stays'

# All end; nothing is left.
rm -f queue
mkdir "$folder/0123456789abcdef" "$folder/heddle-mine-killed" # of a killed process
for tasks in "$folder"/heddle-mine-*/tasks.json; do
    for ((task = 0; task < 9; task++)); do
        "$heddle" study task "$tasks" $task 2>/dev/null
    done
done
"$heddle" study run mine.yaml --engine slurm >out 2>err || fail "the last run: $(cat err)"
has '  done    9' out
[ "$(wc -l <mine.csv)" -eq 10 ] || fail "mine.csv: $(cat mine.csv)"
[ ! -e mine.db-slurm ] || fail "files are left: $(ls mine.db-slurm)"

# ---- locks ----

echo 'Slurm job 7 on n1' >mine.db-lock
state 7 "$(sed -n 's/^--job-name=\(heddle-merge.*\)/\1/p' first)" N/A RUNNING None >queue
(sleep 0.5; rm mine.db-lock) &
"$heddle" study status mine.yaml >out 2>err || fail "status waits: $(cat err)"
wait $! || fail 'the lock of a running job was removed'
echo 'Slurm job 7 on n1' >mine.db-lock
rm queue
"$heddle" study status mine.yaml >out 2>err || fail "status: $(cat err)"
[ ! -e mine.db-lock ] || fail 'the lock of a killed job stays'

# ---- what is refused ----

rm -rf mine.db* mine.csv submitted
touch refuse
refused 'sbatch: no such account' run mine.yaml --engine slurm
[ -z "$(ls -d mine.db-slurm/*[0-9a-f]* 2>/dev/null)" ] || fail "left: $(ls mine.db-slurm)"
rm -rf refuse mine.db-slurm
"$heddle" study run mine.yaml --engine slurm >/dev/null 2>&1 || fail 'run'
touch down
refused 'squeue: Unable to contact slurm controller' run mine.yaml \
    --engine slurm
"$heddle" study status mine.yaml >out 2>err || fail 'status without the controller'
has 'heddle: note: what was submitted to Slurm counts as new: squeue: Unable' err
rm down
refused '--partition is an option of Slurm: expected --engine slurm' run mine.yaml --partition cpu
refused 'study merge is what a job of Slurm runs: expected SLURM_JOB_ID and --store; heddle study '\
'run adds results, too' merge mine.yaml
refused "study task: 'x': expected the number of a task" task nothing.json x
refused 'nothing.json: cannot be read: No such file or directory' task nothing.json 1
refused "study task: expected a file of tasks, and a number (see heddle study --help)" task x
mkdir 'a%b'
cd 'a%b' || exit 2
cp ../mine.yaml .
refused "$work/a%b/mine.db-slurm: expected a path without '%' and '\\', which Slurm replaces" \
    run mine.yaml --engine slurm
exit $failed
