#!/usr/bin/env bash
# The pages of the studies hold the output of their scripts for the committed data. A study keeps
# its runs, continues after a failure, and repeats no run.
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
cp -r "$root/docs/results" "$work/docs/"
cp -r "$root/reference/results" "$work/reference/"
for study in khairy2015 lakshminarayana2014; do
    "$work/bench/studies/$study.sh" --tables || fail "$study.sh --tables: status $?"
    diff "$root/docs/results/$study.md" "$work/docs/results/$study.md" ||
        fail "docs/results/$study.md (<) is not made of the data (>): $study.sh --tables"
done

if ! command -v jq >/dev/null; then
    echo "jq is not installed: no study was run"
    exit $failed
fi

# study LOG ONLY HEDDLE: one kernel on a small graph.
study()
{
    "$work/bench/studies/lakshminarayana2014.sh" --scale 10 --keep "$work/keep" --jobs 2 \
        --only "^std\.BFS-DD\.r4-2e20\.($2)\$" --heddle "$3" 2>"$work/$1" || fail "$1: status $?"
}

# A heddle with which OBM alone fails.
cat >"$work/broken" <<END
#!/usr/bin/env bash
case "\$*" in *"run "*obm*) echo 'heddle: broken' >&2; exit 2 ;; esac
exec "$heddle" "\$@"
END
chmod +x "$work/broken"
study first 'none|obm|mat' "$work/broken"
[ "$(cat "$work/keep/std.BFS-DD.r4-2e20.obm.failed")" = 'heddle: broken' ] || fail 'no message kept'
grep -q '^3 runs to do$' "$work/first" || fail "not three runs: $(cat "$work/first")"
study second 'none|obm|mat' "$heddle"
grep -q '^1 runs to do$' "$work/second" || fail "not the one that failed: $(cat "$work/second")"
csv=$work/reference/results/lakshminarayana2014-10-runs.csv
got=$(awk -F, 'NR > 1 { printf "%s:%s:%s ", $4, $5, $6 }' "$csv")
[ "$got" = 'none:1024:4096 mat:1024:4096 obm:1024:4096 ' ] || fail "kept: $got"
exit $failed
