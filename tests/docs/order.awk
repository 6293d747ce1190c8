# The order of events as text, for docs/write-a-mechanism.md: of each FILE of order/, its first
# sentence and a list of the rows whose title follows `==*`. Rows with the same hooks are one item.
# A semicolon divides the hooks of two commands of a row.
#
#     awk -f wrap.awk -f order.awk FILE...

# The hook of the row's command comes next. on_memory_issue begins each row of an L1: it is left
# out.
function add(hook)
{
    if (hook == "`on_memory_issue`") return
    if (hook == last && !pending) {
        times++
        return
    }
    end_hook()
    hooks = hooks (hooks == "" ? "" : pending ? "; " : ", ") hook
    last = hook
    pending = 0
}

# The last hook may have been called several times in a row.
function end_hook()
{
    if (times > 1) hooks = hooks " (" times " times)"
    times = 1
    last = ""
}

function end_row()
{
    if (!listed) return
    end_hook()
    if (hooks == "") hooks = "none"
    if (!(hooks in titles)) order[++items] = hooks
    else sub(/^A /, "a ", title)
    titles[hooks] = titles[hooks] (titles[hooks] == "" ? "" : "; ") title
    listed = 0
}

function end_file(    i)
{
    end_row()
    for (i = 1; i <= items; i++) print_item("**" titles[order[i]] ":** " order[i])
    items = 0
    delete titles
    delete order
}

FNR == 1 {
    end_file()
    heading = $0
    sub(/^# /, "", heading)
    sub(/\. .*/, ":", heading)
    print (NR > 1 ? "\n" : "") heading "\n"
}
{ sub(/ *#.*/, "") }
/^==/ { end_row() }
/^==\* / {
    title = substr($0, 5)
    sub(/ *\([a-z_]+=[^)]*\)$/, "", title)
    listed = 1
    compared = pending = 0
    hooks = last = ""
    times = 0
}
/^--$/ { compared = 1; next }
compared && /^[^ ]/ { pending = 1 }
compared && match($0, /^  every (gpu )?[a-z_]+:/) {
    hook = substr($0, 9, RLENGTH - 9)
    add(sub(/^gpu /, "", hook) ? "`" hook "` of the GPU" : "`" hook "`")
}
END { end_file() }
