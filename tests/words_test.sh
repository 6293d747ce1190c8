#!/usr/bin/env bash
# Checks that words.sh finds retired words, wide lines and long subjects, and nothing else:
# words_test.sh PATH-OF-WORDS.SH.
set -u
check=$(realpath "${1:?usage: words_test.sh WORDS.SH}")
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
# Not the settings of who runs this, and no repository around the tree.
export HOME=$tree GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$tree/..
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
failures=0 first=

judge() # STATUS TEXT WHAT
{
    local said status
    said=$(bash "$check" "$tree/root" ${first:+"$first"})
    status=$?
    if [ $status -ne "$1" ] || [[ $said != *"$2"* ]]; then
        printf 'FAILED: %s: status %d, said: %s\n' "$3" $status "$said"
        failures=$((failures + 1))
    fi
}

# expect STATUS TEXT FILE LINE: a tree whose FILE ends with the LINE gives this status and message.
expect()
{
    rm -rf "$tree/root"
    mkdir -p "$tree/root/$(dirname "$3")" "$tree/root/src"
    echo '// a file' >"$tree/root/src/other.c"
    echo "$4" >"$tree/root/$3"
    judge "$1" "$2" "$3 with $4"
}

right='words, columns and subjects are right'
expect 1 $'src/a.c:1:    x = HOOK_PARTS;\n    retired word: expected sectors' \
    src/a.c '    x = HOOK_PARTS;'
expect 1 'expected sectors' docs/glossary.md '| `parts_fetched` |'
expect 0 "$right" docs/papers.bib 'parts_fetched'
expect 0 "$right" tests/long/names.tsv 'mechanisms	parts_fetched	sectors_fetched'
expect 1 'expected sector' src/a.c '// Fetches parts of 32 bytes.'
expect 0 "$right" docs/a.md 'The parts of a result.'
expect 1 'expected bypass' src/a.c '// The data go past the cache.'
expect 0 "$right" src/a.c '// One past the last.'
expect 1 'expected stall' src/a.c '    if (reason == REFUSED_MSHR)'
expect 1 'expected stall' src/a.c '// An access is refused while the queue is full.'
expect 0 "$right" tests/a.c '    assert_refused("run", "an unknown option is refused");'
expect 1 'expected throttle' src/a.c '// A mechanism held it back.'
expect 1 'expected version' src/a.c '    uint32_t stamp = 0;'
expect 0 "$right" src/a.c '    uint64_t timestamp = now();'
expect 1 'expected invariants' src/a.c 'void check_laws(void);'
expect 0 "$right" docs/a.md 'Degrees follow a power law: power_law(x).'
expect 1 'expected shadow data' src/a.c '    CARRY(line);'
expect 0 "$right" src/a.c 'ADD_CARRY(x) // carried out'
expect 1 'expected number_read' src/a.c '    x = strtod(text, &end);'
expect 0 "$right" src/a.c '    x = strtod_l(text, &end, locale);'
expect 1 'expected text_is_digit' src/a.c '    if (isdigit((unsigned char)c)) return;'
expect 0 "$right" src/a.c '    if (text_is_digit(c)) return;'
expect 1 'expected timed' docs/a.md 'Launches in time.'
expect 0 "$right" docs/a.md 'Just in time.'
expect 1 'expected reported' src/a.c '// The user is told.'
expect 1 'expected out of memory' src/a.c '// NULL where memory is out.'
expect 0 "$right" src/a.c '// Shared memory is outside it.'
expect 1 'expected the name of the thing' src/a.c '// Somebody waits.'
expect 1 'expected a comment that stands alone' src/a.c 'int x; // ... and the rest'
expect 0 "$right" src/a.c '// Lines 0, 4, 8, ... fall into set 0.'

printf -v wide '%100s' x
expect 0 "$right" src/a.c "$wide"
expect 1 'src/a.c:1: 101 columns: expected at most 100' src/a.c "$wide "
expect 1 'tests/a.sh:1: 101 columns' tests/a.sh "$wide "
expect 0 "$right" src/a.c "${wide%??}→x" # a character of three bytes
expect 0 "$right" docs/a.csv "$wide$wide"

# Subjects count after the first commit only, and without history the rest is still checked.
expect 0 'no git history' src/a.c ''
commit() { git -C "$tree/root" commit -q --allow-empty -m "$1"; }
if command -v git >/dev/null; then
    git -C "$tree/root" init -q
    git -C "$tree/root" config user.name x
    git -C "$tree/root" config user.email x@example.org
    printf -v long '%073d' 0
    commit "$long"
    first=$(git -C "$tree/root" rev-parse HEAD)
    commit "${long%0}"
    judge 0 "$right" 'a subject of 72 characters'
    commit "$long"
    judge 1 'a subject of 73 characters: expected at most 72: 000' 'a subject of 73 characters'
fi
[ $failures -eq 0 ] && echo 'words.sh finds what it should'
exit $((failures > 0))
