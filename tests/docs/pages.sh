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

# The anchors of a page's headings, as the forges make them.
anchors()
{
    sed -n 's/^#\{1,6\} //p' "$1" | tr '[:upper:]' '[:lower:]' |
        sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/[^a-z0-9 _-]//g; s/ /-/g'
}

# The paths of the tree that a page names in backticks, or a file of a layer, as an #include names
# it. A path may hold `*`; one with a placeholder in capitals (`MACHINE.csv`) is left out.
named_paths()
{
    grep -v '^    ' "$1" | tr '\n' ' ' | grep -o '`[^`]*`' | tr -d '`' |
        grep -oE "(^|[^A-Za-z0-9_./-])$top/[A-Za-z0-9_./*-]+" | sed 's/^[^a-z]//' |
        grep -v '/[A-Z]*\.[a-z]*$'
    grep -v '^    ' "$1" | tr '\n' ' ' | grep -oE "\`$layers/[a-z0-9_/]+\.[ch]\`" |
        tr -d '`' | sed 's|^|src/|'
}

top='(src|tests|bench|docs|kernels|machines|include|reference)'
layers="($(cd src && printf '%s\n' */ | sed 's|/$||' | paste -sd '|'))"
mapfile -t pages < <(find README.md CONTRIBUTING.md docs bench tests -name '*.md' | sort)
[ "${#pages[@]}" -gt 40 ] || fail "${#pages[@]} pages found: expected all"

for page in "${pages[@]}"; do
    if [ "$page" != README.md ]; then
        sed -n '2,/./{/./p}' "$page" | grep -q '^For ' ||
            fail "$page: expected 'For ...', who reads it and for what, below the title"
    fi
    while read -r link; do
        case $link in http://* | https://*) continue ;; esac
        target=${link%%#*} anchor=
        case $link in *#*) anchor=${link#*#} ;; esac
        path=$page
        [ -n "$target" ] && path=$(dirname "$page")/$target
        if [ ! -e "$path" ]; then
            fail "$page: ($link): no such file"
        elif [ -n "$anchor" ] && ! anchors "$path" | grep -qx -- "$anchor"; then
            fail "$page: ($link): no such heading"
        fi
    done < <(tr '\n' ' ' <"$page" | grep -o '\]([^) ]*)' | sed 's/^](//; s/)$//')
    while read -r path; do
        compgen -G "$path" >/dev/null || fail "$page: \`$path\`: no such file"
    done < <(named_paths "$page" | sort -u)
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
