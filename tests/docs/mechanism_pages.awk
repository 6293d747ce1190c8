# The tables of one mechanism's page, from `heddle mechanism describe NAME`.
#
#     heddle mechanism describe NAME | awk -v table=parameters|storage -f mechanism_pages.awk

# The unit behind a range of numbers ("lines", "entries"); a choice has none.
function parameter(name, text,    at, value, range, unit)
{
    match(text, /, default [^,]*(,[^,]*)*$/)
    at = RSTART
    value = substr(text, at + length(", default "))
    range = substr(text, 1, at - 1)
    sub(/.*; /, "", range)
    unit = ""
    if (match(range, /^[0-9.eE+-]+ to [0-9.eE+-]+ /)) {
        unit = substr(range, RLENGTH + 1)
        range = substr(range, 1, RLENGTH - 1)
    } else if (range !~ /^[0-9]/) {
        gsub(/ or /, "`, `", range)
        range = "`" range "`"
    }
    defaults[name] = value
    rows[++count] = "| `" name "` | " value " | " range " | " unit " |"
}

# "NAME for each PLACE: ENTRIES x BITS bits", or without the entries: one.
function structure(text,    place, name, entries, bits, size)
{
    match(text, / +for each [^:]*: /)
    name = substr(text, 1, RSTART - 1)
    place = substr(text, RSTART, RLENGTH - 2)
    sub(/^ +for each /, "", place)
    size = substr(text, RSTART + RLENGTH)
    if (size ~ /^[0-9]+ bits$/) size = "1 x " size
    match(size, / x [0-9]+ bits$/)
    entries = substr(size, 1, RSTART - 1)
    bits = substr(size, RSTART + 3)
    sub(/ bits$/, "", bits)
    rows[++count] = "| " name " | " place " | " entries " | " bits " |"
    if (entries in defaults) entries = defaults[entries]
    if (!(place in fixed)) places[++place_count] = place
    fixed[place] += entries ~ /^[0-9]+$/ ? entries * bits : 0
    if (entries !~ /^[0-9]+$/) per[place, entries] += bits
}

# What all structures of a place cost: "376 bits and 5 bits a line".
function sum(place,    text, each)
{
    if (fixed[place]) text = fixed[place] " bits"
    for (each in unit) {
        if (!((place, each) in per)) continue
        text = text (text == "" ? "" : " and ") per[place, each] \
            (per[place, each] == 1 ? " bit" : " bits") " for each " unit[each]
    }
    return text
}

BEGIN {
    unit["lines"] = "line"
    unit["sets"] = "set"
    unit["warp slots"] = "warp slot"
    unit["block slots"] = "block slot"
    unit["schedulers"] = "scheduler"
    unit["as many as occur"] = "line that it meets"
}
/^[a-z]/ { section = $1 }
/^for copy-backs/ { section = "core"; copies = 1 }
/^sideband:/ { sideband = $0 }
/^entries: / { machine = substr($0, length("entries: ") + 1) }
/^  / && section == "parameters" {
    line = substr($0, 3)
    name = line
    sub(/ .*/, "", name)
    sub(/^[^ ]+ +/, "", line)
    parameter(name, line)
}
/^  / && section == "structures" { if (table == "storage") structure(substr($0, 3)) }

END {
    # What is counted for storage begins behind the parameters, which give numbers of entries.
    if (table == "parameters") {
        if (!count) print "It has no parameters."
        else print "| parameter | default | range | unit |\n| --- | --- | --- | --- |"
    } else {
        for (i = 1; rows[i] ~ /^\| `/; i++) first = i
        if (!place_count) print "It declares no structures of its own."
        else print "| structure | for each | entries | bits of an entry |\n" \
                   "| --- | --- | --- | ---: |"
    }
    for (i = first + 1; i <= count; i++) print rows[i]
    if (table == "parameters") exit
    if (place_count) print ""
    for (i = 1; i <= place_count; i++) {
        head = "- Each " places[i] ", with the default parameters:"
        rest = sum(places[i]) "."
        if (rest == ".") continue # only other parameters give it structures
        print head (length(head " " rest) > 100 ? "\n  " : " ") rest
    }
    if (machine != "") print "- Entries are those " machine "."
    if (sideband != "") {
        sub(/^[a-z]+: /, "", sideband)
        sub(/ bits /, " ", sideband)
        print "- Sideband bits: " sideband "."
    }
    if (copies) print "- [Copy-backs](../mechanisms.md#copy-backs), once for all mechanisms that " \
                      "send lines back."
}
