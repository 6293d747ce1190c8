#!/usr/bin/env bash
# Hands the seeds of a fuzz target, and the inputs in which faults were found, to its reader.
# usage: replay.sh TARGET PROGRAM HEDDLE
set -eu
target=$1 program=$(realpath "$2") heddle=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bash "$here/seeds.sh" "$target" "$heddle" "$scratch"
folders=("$scratch/seeds")
[ ! -d "$here/corpus/$target" ] || folders+=("$here/corpus/$target")
cd "$scratch"
# What the readers print is of no interest, unless they fail.
"$program" "$target" "${folders[@]}" >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" && exit 1; }
