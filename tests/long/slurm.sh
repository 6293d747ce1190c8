#!/usr/bin/env bash
# The Slurm engine of `heddle study run` with a real Slurm: munge, slurmctld and two slurmd on
# loopback, with 200 runs. A run is cancelled, two processes are killed, a task is requeued, a node
# drained, the controller restarted, and the job that merges killed: nothing is lost, what ended
# without a result is submitted again, and the data are those of a run on this host.
#
#     tests/long/slurm.sh [HEDDLE]
#
# Needs Debian's packages slurmctld, slurmd, slurm-client and munge, and root to install them if
# they are missing.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/bench/arguments.sh"
no_options "$@"
at_most 1 "$@"
program "${1:-$here/build/heddle}"
heddle=$(realpath "$(command -v "${1:-$here/build/heddle}")")
work=$(mktemp -d /tmp/heddle-slurm-XXXXXX) || exit 2
export SLURM_CONF=$work/slurm.conf PATH=$PATH:/usr/sbin
failures=0

fail()
{
    printf 'FAILED: %s\n' "$1"
    failures=$((failures + 1))
}

# has TEXT FILE: the file has this text.
has() { grep -qF -e "$1" "$2" || fail "no '$1' in: $(cat "$2")"; }

# ---- Slurm ----

install()
{
    local tool missing=0
    for tool in munged slurmctld slurmd sbatch; do
        command -v $tool >/dev/null || missing=1
    done
    [ $missing -eq 0 ] && return
    apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge \
        >"$work/apt.log" 2>&1 </dev/null || { tail -n 5 "$work/apt.log"; exit 2; }
}

# A port of this host that no process uses now.
port()
{
    local number
    while :; do
        number=$((20000 + RANDOM % 30000))
        (: </dev/tcp/127.0.0.1/$number) 2>/dev/null || break
    done
    echo $number
}

configure()
{
    local host
    host=$(hostname)
    mkdir -m 700 "$work/state" "$work/munge" || exit 2
    head -c 1024 /dev/urandom >"$work/munge/key"
    chmod 600 "$work/munge/key"
    cat >"$SLURM_CONF" <<END
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_min_interval=100000,sched_interval=1,batch_sched_delay=0,bf_interval=1
KillWait=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(port) CPUs=8
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(port) CPUs=8
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    munged --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
        --pid-file="$work/munge/pid" --log-file="$work/munge/log" \
        --seed-file="$work/munge/seed" --num-threads=2 2>/dev/null || exit 2
}

# until_true SECONDS COMMAND...: waits for it.
until_true()
{
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return
        sleep 0.2
    done
}

idle_nodes() { [ "$(sinfo --noheader --format=%D --states=idle)" = 2 ]; }

start_slurm()
{
    install
    configure
    slurmctld && slurmd -N n1 && slurmd -N n2 && until_true 30 idle_nodes && return
    tail -n 5 "$work"/*.log
    echo 'slurm.sh: Slurm does not start here'
    exit 2
}

stop_slurm()
{
    local file
    scancel --me 2>/dev/null
    for file in "$work"/slurmd-n?.pid "$work/slurmctld.pid" "$work/munge/pid"; do
        [ -e "$file" ] && kill "$(<"$file")" 2>/dev/null
    done
    rm -rf "$work"
}
trap stop_slurm EXIT

# ---- what is seen of runs ----

# The number behind a word of `heddle study status`.
count() { awk -v word="$1" '$1 == word { count = $2 } END { print count + 0 }' status; }

status() { "$heddle" study status mine.yaml >status 2>&1 || fail "status: $(cat status)"; }

# The number of Slurm's array job.
array() { sed -n 's/^jobs *\([0-9]*\) of Slurm: .*/\1/p' out; }

running() { [ "$(squeue --noheader --array --states=running --name="$1" | wc -l)" -ge "$2" ]; }
queue_empty() { [ -z "$(squeue --noheader --me)" ]; }

# The processes of a task's run: `heddle run` with this seed.
process_of() { pgrep -of "exe run --per-kernel .*$work/.*seed=$1 "; }

# ---- 200 runs ----

start_slurm
cd "$work" || exit 2
# The first four take seconds, and run while the faults are made.
cat >mine.yaml <<'END'
title: Two hundred runs
run: bfs
axes:
  seed:
    - {name: 'slow{n}', for: {n: [1..4]}, run: "--graph rmat:15,16,seed={n} --max-cycles=900000000"}
    - {name: 's{n}', for: {n: [1..196]}, run: "--graph rmat:6,4,seed={n} --max-cycles=900000000"}
records:
  - {name: runs, file: mine.csv, key: seed, sql: "SELECT cycles, warp_instructions FROM run"}
END
"$heddle" study run mine.yaml --engine slurm --partition nowhere >out 2>&1 && fail 'no partition'
has 'heddle: sbatch: Batch job submission failed: Invalid partition name specified' out
[ "$("$heddle" study run mine.yaml --engine slurm 2>&1 >out)" = '' ] || fail "run: $(cat out)"
has ' of Slurm: 200 runs; job' out
first=$(array)
name=$(squeue --noheader --name="$(basename "$work"/mine.db-slurm/heddle-mine-*)" --format=%j |
    head -n 1)
until_true 60 running "$name" 4 || fail 'four tasks do not run'
status
[ $(($(count Slurm) + $(count written))) -eq 200 ] || fail "not 200: $(cat status)"

# A second command submits nothing.
"$heddle" study run mine.yaml --engine slurm >again 2>&1 || fail "again: $(cat again)"
grep -q ' of Slurm: ' again && fail "submitted twice: $(cat again)"

# One run is cancelled, one killed, one of the tasks killed, one requeued; a node is drained.
scancel "${first}_0"
until_true 20 process_of 2 && kill -KILL "$(process_of 2)"
until_true 20 process_of 3 && kill -KILL "$(ps -o ppid= "$(process_of 3)")"
scontrol requeue "${first}_3"
scontrol update nodename=n2 state=drain reason=test
kill "$(<"$work/slurmctld.pid")"
sleep 1
slurmctld
until_true 60 squeue || fail 'the controller does not come back'
# Slurm would wait for two minutes before the second try of the requeued task.
tries_over()
{
    scontrol update jobid="${first}_3" starttime=now
    queue_empty
}
until_true 180 tries_over || fail "the queue is not empty: $(squeue)"
status
[ "$(count done)" -eq 197 ] || fail "not 197 done: $(cat status)"
[ "$(count lost)" -eq 2 ] || fail "not two lost: $(cat status)"
has '1, such as slow1: ended in Slurm without a result: CANCELLED' status
has 'such as slow3: ended in Slurm without a result: ' status
has '1, such as slow2: ended by signal 9 (Killed)' status
[ "$(wc -l <mine.csv)" -eq 198 ] || fail "mine.csv has $(wc -l <mine.csv) lines after the merge"

# What is lost or has failed is submitted again. The job that merges is killed.
scontrol update nodename=n2 state=resume
"$heddle" study run mine.yaml --engine slurm >out 2>&1 || fail "run again: $(cat out)"
has ' of Slurm: 3 runs; job' out
merge=$(sed -n 's/.*; job \([0-9]*\) then adds.*/\1/p' out)
# The job that merges waits with its lock, because the store is open here.
"$heddle" query mine.db 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT count(*) FROM n, (SELECT count(*) FROM runs)' >/dev/null 2>&1 &
reader=$!
until_true 120 grep -q "Slurm job $merge on" mine.db-lock || fail 'no lock of the job that merges'
scancel --signal=KILL --full "$merge"
kill -KILL $reader
until_true 120 queue_empty || fail "the queue is not empty: $(squeue)"
status
[ ! -e mine.db-lock ] || fail 'the lock of a killed job stays'
[ "$(count written)" -eq 3 ] || fail "not three written: $(cat status)"
"$heddle" study run mine.yaml --engine slurm >out 2>&1 || fail "the last run: $(cat out)"
status
[ "$(count done)" -eq 200 ] || fail "not all done: $(cat status)"
[ ! -e mine.db-slurm ] || fail "files are left: $(ls mine.db-slurm)"

# The same on this host.
mkdir local
cp mine.yaml local
(cd local && "$heddle" study run mine.yaml >/dev/null 2>&1) || fail 'the run on this host'
cmp local/mine.csv mine.csv || fail 'other data than on this host'

# Without Slurm.
SLURM_CONF=/nowhere "$heddle" study run mine.yaml --store other.db --engine slurm >out 2>&1 &&
    fail 'without Slurm'
PATH=/nowhere "$heddle" study run mine.yaml --store other.db --engine slurm >out 2>&1 &&
    fail 'without its commands'
has 'heddle: sbatch cannot be started: No such file or directory' out

echo "200 runs in Slurm, $failures failures"
[ $failures -eq 0 ]
