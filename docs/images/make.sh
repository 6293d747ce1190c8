#!/usr/bin/env bash
# Makes the pictures of this folder from what heddle prints and draws (gnuplot is needed).
#
#     docs/images/make.sh build/heddle
#
# Only the host's seconds, in the report's third line, differ from one time to the next.
set -eu
heddle=$(realpath "${1:?usage: make.sh HEDDLE}")
images=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# picture NAME ARGUMENTS: what a command prints, as a terminal shows it.
picture()
{
    local name=$1
    shift
    "$heddle" "$@" >"$work/text"
    awk -v command="heddle $*" -f "$images/text_to_svg.awk" "$work/text" >"$images/$name.svg"
}

picture report run bfs --impl warp --graph rmat:14,8
"$heddle" compare mst --graph rmat:14,8 --symmetrize --machine fermi-macsim --mechanism none \
    --mechanism obm --mechanism sector --mechanism next-line --svg comparison.svg
cp comparison.svg "$images/"
