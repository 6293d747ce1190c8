# The index of the mechanisms by group, with the descriptions that `heddle mechanism` prints:
#
#     heddle mechanism | awk -f wrap.awk -f mechanism_index.awk src/mechanisms/list.h -
#
# A group is a line "//     NAME: QUESTION" of list.h. The comment behind MECHANISM(name) there
# names the mechanism's group.

FNR == NR && /^\/\/     [A-Z][a-z]+: / {
    group = $2
    sub(/:$/, "", group)
    title[group] = substr($0, index($0, group))
    order[++groups] = group
}
FNR == NR && /^MECHANISM\(/ {
    name = $0
    sub(/^MECHANISM\(/, "", name)
    sub(/\).*/, "", name)
    gsub(/_/, "-", name)
    group_of[name] = $0 ~ / \/\/ / ? $NF : ""
}
FNR != NR {
    if (!(group_of[$1] in title)) {
        print $1 ": expected a group of src/mechanisms/list.h, not \"" group_of[$1] "\"" \
            >"/dev/stderr"
        wrong = 1
        exit 1
    }
    text = $0
    sub(/^[^ ]+ +/, "", text)
    paper = text
    sub(/^.*\[/, "", paper)
    sub(/[],].*/, "", paper)
    sub(/\.? \[[^[]*$/, "", text)
    link = "[`" $1 "`](mechanisms/" $1 ".md)"
    items[group_of[$1]] = items[group_of[$1]] link ": " text " [" paper "]\n"
}
END {
    if (wrong) exit 1
    for (i = 1; i <= groups; i++) {
        print (i > 1 ? "\n" : "") title[order[i]] "\n"
        count = split(items[order[i]], item, "\n")
        for (k = 1; k < count; k++) print_item(item[k])
    }
}
