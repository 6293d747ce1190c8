#!/usr/bin/env bash
# Checks the words, the width of lines, and the subjects of commits: tests/words.sh ROOT [FIRST].
#
# - No file uses a word that tests/words.txt retires.
# - Code has at most 100 columns. (tests/docs/pages.sh checks the pages.)
# - The subject of each commit after FIRST has at most 72 characters. This is skipped where there is
#   no git history.
set -u
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:?usage: words.sh ROOT [FIRST]}" || exit 2
# The commit at which the subjects' limit began.
first=${2:-68105386849b0723deb273188d7bb5bffb893f5d}
bad=0

mapfile -t files < <(find .ci .editorconfig .github Containerfile bench cudart docs heddle-setup \
    debian/{changelog,control,rules,tests} include kernels machines reference src studies tests \
    ./*.md meson.build meson_options.txt -type f 2>/dev/null |
    grep -vE '\.(svg|csv|gz|bib|jsonl|tsv|expected)$' | grep -vE '/words[._]' | LC_ALL=C sort)
if [ ${#files[@]} -eq 0 ]; then
    echo "words.sh: $1: no files" >&2
    exit 2
fi

# Leaves out the functions that stand in for those of the C library, and their test.
without_stand_ins()
{
    awk -F: '
        /vsnprintf/ && ($1 !~ /^src\// || $1 == "src/base/number.c") { next }
        $1 == "tests/base/test_text.c" && /assert_int_equal/ { next }
        { print }'
}

mapfile -t rows < <(grep -v '^#' "$here/words.txt")
while IFS= read -r hit; do
    bad=1
    for row in "${rows[@]}"; do
        pattern=${row%%$'\t'*}
        if [[ ${hit#*:*:} =~ $pattern ]]; then
            printf '%s\n    retired word: expected %s\n' "$hit" "${row#*$'\t'}"
        fi
    done
done < <(grep -nE -f <(printf '%s\n' "${rows[@]%%$'\t'*}") /dev/null "${files[@]}" |
         without_stand_ins)

# Bytes that continue a character are left out of its length.
mapfile -t code < <(printf '%s\n' "${files[@]}" |
    grep -E '\.(c|def|h|cu|cuh|hpp|tcc|ptx|sh|awk|jq|yaml|in|build)$|(^|/)(heddle-setup|\.ci/run)$')
LC_ALL=C awk -v limit=100 '
    FNR == 1 { most = limit + 2 * (FILENAME ~ /^studies\//) } # a page stands two blanks in
    { gsub(/[\200-\277]/, "") }
    length($0) > most {
        printf "%s:%d: %d columns: expected at most %d\n", FILENAME, FNR, length($0), most
        bad = 1
    }
    END { exit bad }' /dev/null "${code[@]}" || bad=1

if git rev-parse -q --verify "$first^{commit}" >/dev/null 2>&1; then
    while IFS=' ' read -r commit subject; do
        [ ${#subject} -le 72 ] && continue
        printf 'commit %s: a subject of %d characters: expected at most 72: %s\n' \
            "$commit" ${#subject} "$subject"
        bad=1
    done < <(git log --no-merges --format='%h %s' "$first..HEAD")
else
    echo 'words.sh: no git history: the subjects of commits are not checked'
fi
[ $bad -eq 0 ] && echo "${#files[@]} files: words, columns and subjects are right"
exit $bad
