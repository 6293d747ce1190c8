# The counters of one list of a header, as a list of a page: name and sentence.
#
#     awk -v list=PREFETCH_COUNTERS -f wrap.awk -f counters.awk HEADER
#
# A row C##_ARRAY(array, elements, ROWS) has the counters of ROWS, of the same header.
{
    if (match($0, /^#define [A-Z_]+\(C\)/)) name = substr($2, 1, length($2) - 3)
    else if (!continued) name = ""
    continued = sub(/ *\\$/, "")
    sub(/^#define [A-Z_]+\(C\) */, "")
    sub(/^ */, "")
    if (name != "") text[name] = text[name] $0
}

function print_rows(rows,    part, counter)
{
    while (rows != "") {
        if (match(rows, /^C##_ARRAY\([^)]*\)/)) {
            split(substr(rows, 1, RLENGTH - 1), part, /, */)
            rows = substr(rows, RLENGTH + 1)
            print_rows(text[part[3]])
        } else if (match(rows, /^C\([a-z_0-9]+, *("[^"]*" *,? *)+\)/)) {
            counter = substr(rows, 3, RLENGTH - 3)
            rows = substr(rows, RLENGTH + 1)
            gsub(/" *"/, "", counter) # texts of several lines
            split(counter, part, /, *"/)
            sub(/" *$/, "", part[3])
            print_item("`" part[1] "`: " part[3])
        } else {
            print FILENAME ": " list ": expected C(name, \"unit\", \"sentence\"), not " \
                substr(rows, 1, 40) >"/dev/stderr"
            exit 1
        }
    }
}

END {
    if (text[list] == "") {
        print "src/hooks/*.h: expected a list " list "(C)" >"/dev/stderr"
        exit 1
    }
    print_rows(text[list])
}
