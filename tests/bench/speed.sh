#!/usr/bin/env bash
# bench/speed.sh with Heddle in place of the other simulator: a row for the run, and its messages.
#
#     speed.sh SOURCE HEDDLE
set -u
script=$1/bench/speed.sh heddle=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v jq >/dev/null || { echo 'skipped: jq is not installed'; exit 77; }
failed=0
expect() # WHAT TEXT PATTERN
{
    grep -qE "$3" <<<"$2" && return
    echo "$1: expected '$3', found: $2"
    failed=1
}

printf '#!/usr/bin/env bash\nexec "%s" "$@"\n' "$heddle" >"$work/other"
chmod +x "$work/other"
table=$("$script" "$heddle" "$work" "$work/other" 1 vecadd 2>/dev/null) || failed=1
expect table "$table" '^\| vecadd \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ M \| [0-9]+ \| [0-9]+ \|$'
expect rows "$(grep -c '^| [a-z]* |' <<<"$table")" '^2$'
beside=$("$script" --before "$heddle" --machine volta-v100-gpgpusim4 "$heddle" "$work" \
    "$work/other" 1 vecadd 2>/dev/null) || failed=1
expect 'with an older one' "$beside" '^\| vecadd \|( [0-9.]+ M? ?\|){5} [0-9.]+ \| [0-9]+ \|$'
expect 'last line' "$(tail -n 1 <<<"$table")" \
    '^[0-9]+ to [0-9]+ times its speed: [0-9.]+ to [0-9.]+ million warp instructions per second$'

refused=$("$script" "$heddle" "$work" "$work/other" 1 nothing 2>&1) && failed=1
expect 'no run' "$refused" "^speed.sh: no run matches 'nothing'\$"
refused=$("$script" --lang "$heddle" "$work" "$work/other" 2>&1) && failed=1
expect 'unknown option' "$refused" \
    "^speed.sh: unknown option '--lang': --help says what is expected\$"
refused=$("$script" "$heddle" "$work" false 1 vecadd 2>&1) && failed=1
expect 'failing command' "$refused" \
    '^speed.sh: failed: false run vecadd --param elements=1 --machine .* --registers [a-z_]+='
exit $failed
