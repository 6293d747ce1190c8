#!/usr/bin/env bash
# The documentation's form: each page says in its first sentence who reads it, links lead somewhere,
# paths in backticks exist, lines have at most 100 columns, and a table cell holds a few words.
#
#     tests/docs/pages.sh ROOT
#
# Not held to columns and cells: fenced and indented text, and tables of numbers, whose cells are
# short but many.
set -u
export LC_ALL=C.UTF-8
cd "${1:?usage: pages.sh ROOT}" || exit 2
failed=0

fail()
{
    echo "pages.sh: $*" >&2
    failed=1
}

top='(src|tests|bench|docs|kernels|machines|include|reference)'
layers="($(cd src && printf '%s\n' */ | sed 's|/$||' | paste -sd '|'))"
mapfile -t pages < <(find README.md CONTRIBUTING.md docs bench tests -name '*.md' | sort)
[ "${#pages[@]}" -gt 40 ] || fail "${#pages[@]} pages found: expected all"

# What the pages have, a line each: "page PAGE WORDS", the first words below the title; "anchor
# PAGE#NAME", headings as the forges name them, but for capitals; "link PAGE TARGET"; "path PAGE
# PATH", which a page names in backticks, of the tree or of a layer, as an #include names it. A path
# may hold `*`; one with a placeholder in capitals (`MACHINE.csv`) is left out.
facts()
{
    awk -v top="$top" -v layers="$layers" '
        function end_page(    rest, code, from) {
            for (rest = text; match(rest, /\]\([^) ]*\)/); rest = substr(rest, RSTART + RLENGTH))
                print "link", page, substr(rest, RSTART + 2, RLENGTH - 3)
            for (rest = prose; match(rest, /`[^`]*`/); rest = substr(rest, from)) {
                code = substr(rest, RSTART + 1, RLENGTH - 2)
                from = RSTART + RLENGTH
                name_paths(code)
            }
            for (rest = prose; match(rest, "`" layers "/[a-z0-9_/]+\\.[ch]`");
                 rest = substr(rest, RSTART + RLENGTH))
                print "path", page, "src/" substr(rest, RSTART + 1, RLENGTH - 2)
        }
        function name_paths(code,    path) {
            while (match(code, "(^|[^A-Za-z0-9_./-])" top "/[A-Za-z0-9_./*-]+")) {
                path = substr(code, RSTART, RLENGTH)
                code = substr(code, RSTART + RLENGTH)
                sub(/^[^a-z]/, "", path)
                if (path !~ /\/[A-Z]*\.[a-z]*$/) print "path", page, path
            }
        }
        FNR == 1 {
            if (page) end_page()
            page = FILENAME
            text = prose = ""
            below = 0
        }
        FNR > 1 && /./ && !below++ { print "page", page, $0 }
        /^#+ / {
            name = substr($0, index($0, " ") + 1)
            while (match(name, /\[[^]]*\]\([^)]*\)/)) {
                shown = substr(name, RSTART + 1, index(substr(name, RSTART), "](") - 2)
                name = substr(name, 1, RSTART - 1) shown substr(name, RSTART + RLENGTH)
            }
            gsub(/[^A-Za-z0-9 _-]/, "", name)
            gsub(/ /, "-", name)
            print "anchor", page "#" name
        }
        { text = text $0 " " }
        !/^    / { prose = prose $0 " " }
        END { end_page() }' "${pages[@]}"
}

mapfile -t facts < <(facts)
[ "${#facts[@]}" -gt 500 ] || fail "${#facts[@]} links, headings and paths found: expected all"
declare -A known=()
for fact in "${facts[@]}"; do
    read -r kind page <<<"$fact"
    name=${page#*#}
    [ "$kind" = anchor ] && known[${page%%#*}#${name,,}]=1
done
for fact in "${facts[@]}"; do
    read -r kind page rest <<<"$fact"
    case $kind in
    page)
        [ "$page" = README.md ] || [[ $rest == 'For '* ]] ||
            fail "$page: expected 'For ...', who reads it and for what, below the title"
        ;;
    link)
        case $rest in http://* | https://*) continue ;; esac
        path=$page
        [ -n "${rest%%#*}" ] && path=${page%"${page##*/}"}${rest%%#*}
        while [[ $path =~ ^(.*/)?[^/.]+/\.\./(.*)$ ]]; do
            path=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
        done
        if [ ! -e "$path" ]; then
            fail "$page: ($rest): no such file"
        elif [[ $rest == *'#'* ]] && [ -z "${known[$path#${rest#*#}]:-}" ]; then
            fail "$page: ($rest): no such heading"
        fi
        ;;
    path)
        compgen -G "$rest" >/dev/null || fail "$page: \`$rest\`: no such file"
        ;;
    esac
done

# The list of decisions has the title of each page.
listed=$(tr -s '\n ' ' ' <docs/decisions/README.md)
for page in docs/decisions/0*.md; do
    entry="[$(sed -n '1s/^# //p' "$page")](${page##*/})"
    [[ $listed == *"$entry"* ]] || fail "docs/decisions/README.md: expected $entry"
done

# Bytes that continue a character are left out of its length.
LC_ALL=C awk -v limit=100 -v cell=80 '
    { gsub(/[\200-\277]/, "") }
    FNR == 1 { fenced = 0 }
    /^ *```/ { fenced = !fenced; next }
    fenced || /^    / { next }
    /^ *\|/ {
        count = split($0, cells, "|")
        for (i = 2; i < count; i++)
            if (length(cells[i]) > cell) {
                printf "pages.sh: %s:%d: a cell of %d characters: expected at most %d\n",
                    FILENAME, FNR, length(cells[i]), cell
                bad = 1
            }
        next
    }
    length($0) > limit {
        printf "pages.sh: %s:%d: %d columns: expected at most %d\n",
            FILENAME, FNR, length($0), limit
        bad = 1
    }
    END { exit bad }' "${pages[@]}" >&2 || failed=1
exit $failed
