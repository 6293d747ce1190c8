# The table "Names of result schema 1" of docs/using.md, from tests/docs/renamed.tsv: a row for each
# pair of names, with the places where it holds.
function place(scope)
{
    if (scope == "key") return "anywhere"
    if (scope == "mechanisms") return "below `mechanisms`"
    if (scope == "structure") return "storage structure"
    if (scope == "parameter") return "parameter of the machine"
    if (scope == "value") return "value of a parameter"
    if (scope == "csv") return "column of a CSV"
    if (sub(/ parameter$/, "", scope)) return "parameter of " scope
    return "counter of " scope
}
BEGIN { FS = "\t" }
/^#/ || $1 == "added" { next }
{
    names = "| `" $2 "` | `" $3 "` |"
    if (!(names in places)) {
        row[++rows] = names
        places[names] = last[names] = place($1)
        next
    }
    # "counter of a, b" and not "counter of a, counter of b"
    where = place($1)
    kind = where
    sub(/ of .*/, " of ", kind)
    if (index(last[names], kind) == 1) sub(kind, "", where)
    else last[names] = where
    places[names] = places[names] ", " where
}
END {
    print "| Schema 1 | Schema 2 | Where |\n| --- | --- | --- |"
    for (i = 1; i <= rows; i++) print row[i], places[row[i]], "|"
}
