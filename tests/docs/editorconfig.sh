#!/usr/bin/env bash
# The files of the tree are as .editorconfig says: UTF-8, ends of lines, blanks and tabs, width, and
# the step of indentation, which is the most frequent one of a section's files.
#
#     tests/docs/editorconfig.sh ROOT
#
# Skipped (77) without a git repository, which knows what belongs to the tree.
set -u
shopt -s extglob
export LC_ALL=C.UTF-8
cd "${1:?usage: editorconfig.sh ROOT}" || exit 2
mapfile -t files < <(git ls-files 2>/dev/null)
[ ${#files[@]} -gt 0 ] || exit 77
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# Section i has the name names[i], the pattern globs[i] in bash's form, and rules "key value".
names=() globs=() rules=()
while read -r line; do
    case $line in
    '['*']')
        glob=${line#'['} glob=${glob%']'} glob=${glob//'{'/@(} glob=${glob//'}'/)}
        names+=("$line") globs+=("${glob//,/|}") rules+=('')
        ;;
    *' = '*) [ ${#names[@]} -eq 0 ] || rules[-1]+="${line/ = / }"$'\n' ;;
    esac
done <.editorconfig

# set-SECTIONS lists the files that these sections match.
for file in "${files[@]}"; do
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    sections=set
    for i in "${!names[@]}"; do
        subject=${file##*/}
        [[ ${globs[i]} != */* ]] || subject=$file
        # The right side is a pattern.
        [[ $subject != ${globs[i]} ]] || sections+=-$i
    done
    printf '%s\n' "$file" >>"$work/$sections"
done

# KEY-VALUE lists the files with that rule, steps-SECTION those whose indentation a section gives.
for set in "$work"/set-*; do
    declare -A values=()
    mapfile -t -d - sections <<<"${set#*/set-}"
    for i in "${sections[@]}"; do
        while read -r key value; do
            [ -z "$key" ] || values[$key]=$value
        done <<<"${rules[i]}"
        [[ ${rules[i]} != *indent_size* ]] || cat "$set" >>"$work/steps-$((i))"
    done
    for key in "${!values[@]}"; do cat "$set" >>"$work/$key-${values[$key]}"; done
done

# none RULE WHAT OPTION... PATTERN: no file with the rule has a line like this.
none()
{
    local rule=$1 what=$2
    shift 2
    [ -f "$work/$rule" ] || return
    if xargs -d '\n' grep -aHn "$@" <"$work/$rule" >"$work/found"; then
        sed "s/^\([^:]*:[0-9]*\):.*/editorconfig.sh: \1: $what/" "$work/found" >&2
        failed=1
    fi
}

none charset-utf-8 'expected UTF-8' -vx '.*'
none end_of_line-lf 'ends with CR LF: expected LF' -P '\r$'
none trim_trailing_whitespace-true 'ends with a blank: expected none' -E '[[:blank:]]$'
none indent_style-space 'is indented by a tab: expected spaces' -P '^ *\t'
for rule in "$work"/max_line_length-*; do
    most=${rule##*-}
    none "max_line_length-$most" "expected at most $most columns" -E ".{$((most + 1))}"
done
# All last characters together first: files that lack a newline are rare.
if [ -n "$(xargs -d '\n' tail -qc 1 <"$work/insert_final_newline-true" | tr -d '\n')" ]; then
    while read -r file; do
        [ -z "$(tail -c 1 "$file")" ] ||
            echo "editorconfig.sh: $file: expected a newline at its end" >&2
    done <"$work/insert_final_newline-true"
    failed=1
fi

for i in "${!names[@]}"; do
    [ -f "$work/steps-$i" ] || continue
    step=$(xargs -d '\n' cat <"$work/steps-$i" | awk '
        NF == 0 { next }
        { match($0, /^ */); if (RLENGTH > indent) steps[RLENGTH - indent]++; indent = RLENGTH }
        END { for (s in steps) if (steps[s] > steps[most]) most = s; print most }')
    size=$(sed -n 's/^indent_size //p' <<<"${rules[i]}")
    [ "$step" != "$size" ] || continue
    echo "editorconfig.sh: ${names[i]}: indented in steps of $step: expected $size" >&2
    failed=1
done

[ $failed -ne 0 ] || echo "${#files[@]} files are as .editorconfig says"
exit $failed
