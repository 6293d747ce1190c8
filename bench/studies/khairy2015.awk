# Prints tables of docs/results/khairy2015.md from CSV files of runs, of locality, and of what
# DWT-CS sampled:
#     awk -F, -v tables='NAME...' [-v every=1] -f khairy2015.awk RUNS LOCALITY SAMPLING
# `every`: with rows of all kernels, else only of those that the page has; common.sh, study_page.
# The table `claims` is for claims.sh: what claims.tsv (-v claims=FILE) measures of this paper.
# `beside` is the IPC of a variant relative to the IPC of `base`.
function ipc(work, variant) { return instructions[work, variant] / cycles[work, variant] }
function there(work, variant) { return (work, variant) in cycles }
function beside(work, variant, base)
{
    if (!there(work, variant) || !there(work, base)) return ""
    return sprintf("%.2f", ipc(work, variant) / ipc(work, base))
}
function head(names,    i, n, line)
{
    line = every ? "| --- | --- |" : "| --- |"
    n = split(names, name, " ")
    printf every ? "| kernel | class |" : "| mean |"
    for (i = 1; i <= n; i++) {
        printf " %s |", name[i]
        line = line " ---: |"
    }
    print "\n" line
}
# Rows of the kernels of these classes ("": of all), without empty ones. None if not `every`.
function rows(list, base, classes,    i, k, n, line)
{
    if (!every) return
    n = split(list, name, " ")
    for (i = 1; i <= works; i++) {
        if (classes && !index(classes, ";" class[work[i]] ";")) continue
        line = ""
        for (k = 1; k <= n; k++) line = line " " beside(work[i], name[k], base) " |"
        if (line ~ /[0-9]/) print "| " work[i] " | " class[work[i]] " |" line
    }
}
# Mean of the variant's IPC relative to the IPC of `base`, over the kernels of these classes:
# harmonic, or geometric. Leaves out `-small` and `-few`. Empty if a kernel has no such run.
function mean(variant, base, classes, geometric,    i, n, sum, key)
{
    for (i = 1; i <= works; i++) {
        key = work[i]
        if (!index(classes, ";" class[key] ";") || key ~ /-(few|small)$/) continue
        if (!there(key, variant) || !there(key, base)) return ""
        sum += geometric ? log(gain(key, variant, base)) : 1 / gain(key, variant, base)
        n++
    }
    return n ? sprintf("%.2f", geometric ? exp(sum / n) : n / sum) : ""
}
function means(label, list, base, classes, geometric,    k, n, line)
{
    n = split(list, name, " ")
    for (k = 1; k <= n; k++) line = line " " mean(name[k], base, classes, geometric) " |"
    if (line ~ /[0-9]/) print "| *" label (every ? "* | |" : "* |") line
}
# What the L1 of a kernel does with a variant (Figure 4), by column.
function contention(work, variant, column,    run)
{
    run = work SUBSEP variant
    if (column == 1) return 100 * miss_rate(work, variant)
    if (column == 2) return 1000 * value[run, 9] / instructions[run]
    if (column == 3) return 1000 * value[run, 9] / threads[work]
    if (column <= 7) return 1000 * value[run, column + 6] / cycles[run]
    if (column == 8) return 100 * value[run, 15] / (value[run, 14] + !value[run, 14])
    return value[run, 18] / 100
}
# Of the loads at a level (l1, l2): the share that hits or merges, by who used the line before; in
# the last column the rest.
function locality(work, variant, level, column,    kind, key)
{
    split("intra_thread inter_thread intra_block intra_core inter_core inter_kernel", kind, " ")
    key = work SUBSEP variant SUBSEP level
    if (column == 7) return 100 * missed[key] / loads[key]
    return 100 * (local[key, "hits_" kind[column]] + local[key, "pending_" kind[column]]) / \
        loads[key]
}
# A row of these measures: of a kernel, or arithmetic means over the kernels of a list. None if one
# was not run.
function measures_row(what, list, variant, label,    i, k, n, columns, part, format, sum)
{
    n = split(list, part, " ")
    for (i = 1; i <= n; i++)
        if (what == "contention" ? !there(part[i], variant) : !loads[part[i], variant, what]) return
    columns = split(what == "contention" ? "%.1f %%;%.1f;%.1f;%.0f;%.0f;%.0f;%.0f;%.1f %%;%.0f %%" \
                                         : "%.1f;%.1f;%.1f;%.1f;%.1f;%.1f;%.1f", format, ";")
    printf "| %s |", label
    for (k = 1; k <= columns; k++) {
        sum = 0
        for (i = 1; i <= n; i++)
            sum += what == "contention" ? contention(part[i], variant, k) \
                                        : locality(part[i], variant, what, k)
        printf " " format[k] " |", sum / n
    }
    print ""
}
# The kernels of these classes, without those that do not fill the machine.
function kernels_of(classes,    i, list)
{
    for (i = 1; i <= works; i++)
        if (index(classes, ";" class[work[i]] ";") && work[i] !~ /-(few|small)$/)
            list = list (list ? " " : "") work[i]
    return list
}
# Whether a kernel that fills the machine is of one of these classes.
function among(classes, work) { return index(" " kernels_of(classes) " ", " " work " ") }
function gain(work, variant, base) { return ipc(work, variant) / ipc(work, base) }
# The number of warps of each scheduler with the highest IPC; 24, which is all, if none is 1 % above
# that. Sets `most` to its IPC relative to all warps.
function best_warps(work, pric,    w, best, one)
{
    most = 1.01
    best = 24
    for (w = 1; w < 24; w++) {
        if (!there(work, pric "warps" w)) continue
        one = gain(work, pric "warps" w, pric ? "pric" : "base")
        if (one > most) { most = one; best = w }
    }
    if (best == 24) most = 1
    return best
}
# The number of blocks of an SM with the highest IPC; "all" if none is 1 % above that. Sets `most`.
function best_blocks(work,    b, best, one)
{
    most = 1.01
    best = "all"
    for (b = 1; b <= 8; b *= 2) {
        if (!there(work, "blocks" b)) continue
        one = gain(work, "blocks" b, "base")
        if (one > most) { most = one; best = b }
    }
    if (best == "all") most = 1
    return best
}
# The numbers of warps that DWT-CS chose, by launch; repeated ones once.
function chosen(work, variant,    part, n, i, text)
{
    n = split(warps[work, variant], part, " ")
    for (i = 1; i <= n; i++) if (i == 1 || part[i] != part[i - 1]) text = text " " part[i]
    return n ? substr(text, 2) : there(work, variant) ? "none" : ""
}
function miss_rate(work, variant)
{
    return value[work, variant, 6] ? value[work, variant, 9] / value[work, variant, 6] : 0
}
function stalls(work, variant,    c, sum)
{
    for (c = 10; c <= 13; c++) sum += value[work, variant, c]
    return 1000 * sum / cycles[work, variant]
}
# By how much a variant reduces the L1's miss rate (Figure 10) or its stalls (11), in percent.
function fewer_misses(work, variant)
{
    return 100 - 100 * miss_rate(work, variant) / miss_rate(work, "base")
}
function fewer_stalls(work, variant)
{
    return 100 - 100 * stalls(work, variant) / stalls(work, "base")
}
# Different sets among `count` addresses that are `stride` lines apart.
function sets_used(sets, stride, count,    i, n, used)
{
    for (i = 0; i < count; i++)
        if (!used[i * stride % sets]++) n++
    return n
}
# Harmonic mean of the IPC of a variant relative to another one.
function ipc_over(list, variant, other,    i, count, part, sum)
{
    count = split(on = list, part, " ")
    for (i = 1; i <= count; i++) {
        if (!there(part[i], variant) || !there(part[i], other)) return ""
        sum += 1 / gain(part[i], variant, other)
    }
    return count / sum
}
function named(list)
{
    if (list == "all") return kernels_of(every_class)
    if (list == "streaming" || list == "conflict" || list == "thrashing" || list == "friendly")
        return kernels_of(";" list ";")
    if (list == "both") return kernels_of(";thrashing, conflict;")
    if (list == "conflicts") return kernels_of(";conflict;thrashing, conflict;")
    return list == "contention" ? kernels_of(contended) : list
}
# The best of a list, by the measure `what`.
function extreme(what, list, least,    i, count, part, one, best)
{
    count = split(on = list, part, " ")
    for (i = 1; i <= count; i++) {
        if (!there(part[i], "base")) return ""
        one = what == "misses" ? 100 * miss_rate(part[i], "base") \
                               : gain(part[i], "dwt-pric", "base")
        if (i == 1 || (least ? one < best : one > best)) best = one
    }
    return best
}
function measure(what, list, other, third,    i, count, part, sum)
{
    if (what == "sets") return sets_used(list, other, third)
    if (what == "bytes_per_thread") return list / other
    if (what == "beside") return ipc_over(named("conflicts"), list, other)
    if (what == "beside_percent") return 100 * ipc_over(named("conflicts"), list, other)
    if (what == "decided") {
        on = list
        return decided[list, "dwt-pric"] ? decided[list, "dwt-pric"] / 1000 : ""
    }
    list = named(list)
    if (what == "ipc") return ipc_over(list, "dwt-pric", "base")
    if (what == "over") return ipc_over(list, "dwt-pric", other)
    if (what == "ipc_least") return extreme("ipc", list, 1)
    if (what == "misses_most") return extreme("misses", list, 0)
    count = split(on = list, part, " ")
    if (what == "best_warps") return best_warps(list, list ~ /^(syrk|gesummv)/ ? "pric-" : "")
    if (what == "chosen_warps") {
        sum = chosen(list, "dwt-pric") + 0 # the first one
        return sum ? sum : 24
    }
    if (what == "unbounded_misses") return 100 * miss_rate(list, "l1-unbounded")
    for (i = 1; i <= count; i++) {
        if (!there(part[i], "dwt-pric") || !there(part[i], "base")) return ""
        if (what == "misses") sum += fewer_misses(part[i], "dwt-pric")
        else if (what == "stalls") sum += fewer_stalls(part[i], "dwt-pric")
        else { # warps_over_blocks
            best_warps(part[i], "")
            other = most
            best_blocks(part[i])
            sum += most / other
        }
    }
    return what == "warps_over_blocks" ? count / sum : sum / count
}
function claims_rows(    field, word, one)
{
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        if (field[2] != "khairy2015" || field[11] == "-") continue
        split("", word)
        split(field[11], word, " ")
        on = ""
        one = measure(word[1], word[2], word[3], word[4])
        if (one != "") printf "%s\t%.10g\t%.10g\t%s\n", field[1], one, one, on
    }
}
function warps_row(work,    best, gained, blocks)
{
    if (!there(work, "warps1")) return
    best = best_warps(work, "")
    gained = most
    blocks = best_blocks(work)
    printf "| %s | %s | %d | %.2f | %s | %.2f |", work, class[work], best, gained, blocks, most
    printf " %s | %s |", chosen(work, "dwt-cs"), beside(work, "dwt-cs", "base")
    if (there(work, "pric-warps1")) {
        best = best_warps(work, "pric-")
        printf " %d | %.2f |", best, most
    } else printf " | |"
    printf " %s |\n", chosen(work, "dwt-pric")
}
function reduction_row(work)
{
    if (class[work] == "-" || !there(work, "dwt-pric")) return
    printf "| %s | %s | %.1f %% | %.1f %% | %.0f %% | %.0f %% |", work, class[work],
        100 * miss_rate(work, "base"), 100 * miss_rate(work, "dwt-pric"),
        fewer_misses(work, "dwt-pric"), fewer_misses(work, "l1-unbounded")
    printf " %.0f | %.0f | %.0f %% |\n", stalls(work, "base"), stalls(work, "dwt-pric"),
        fewer_stalls(work, "dwt-pric")
}
# The best static number of warps as a variant of its own.
function add_swt(    i, c, best, from)
{
    for (i = 1; i <= works; i++) {
        if (!there(work[i], "warps1")) continue
        best = best_warps(work[i], "")
        from = best < 24 ? "warps" best : "base"
        cycles[work[i], "swt"] = cycles[work[i], from]
        instructions[work[i], "swt"] = instructions[work[i], from]
    }
}
# DWT-PRIC relative to another mechanism, over the kernels of these classes.
function over_row(label, classes, geometric,    list)
{
    list = "ccws mrpb mrpb-all swt"
    n = split(list, name, " ")
    printf "| *%s* |", label
    for (k = 1; k <= n; k++) printf " %s |", mean("dwt-pric", name[k], classes, geometric)
    print ""
}
# Figure 4, of each kernel, or with the means of each class.
function contention_rows(variant,    i)
{
    for (i = 1; every && i <= works; i++)
        measures_row("contention", work[i], variant, work[i] " | " variant)
    for (i = 1; !every && i <= classes; i++)
        measures_row("contention", kernels_of(";" class_name[i] ";"), variant,
                     "*" class_name[i] "*")
}
function locality_rows(list, label)
{
    measures_row("l1", list, "locality-l1", label " | L1, unbounded")
    measures_row("l1", list, "locality", label " | L1")
    measures_row("l2", list, "locality-l2", label " | L2, unbounded")
    measures_row("l2", list, "locality", label " | L2")
}
BEGIN {
    contended = ";conflict;thrashing;thrashing, conflict;"
    every_class = ";streaming" contended "friendly;"
    classes = split("streaming;conflict;thrashing;thrashing, conflict;friendly", class_name, ";")
}
FNR == 1 { file = $4 == "cycles" ? "runs" : $4 == "level" ? "locality" : "sampling"; next }
file == "runs" {
    if (!($1 in class)) {
        work[++works] = $1
        class[$1] = $2 == "both" ? "thrashing, conflict" : $2
    }
    cycles[$1, $3] = $4
    instructions[$1, $3] = $5
    for (c = 6; c <= 18; c++) value[$1, $3, c] = $c
    if ($21) threads[$1] = $21 # the same in all variants
    warps[$1, $3] = $22
}
file == "locality" && $5 ~ /^(hits|pending|misses)_/ {
    local[$1, $3, $4, $5] = $6
    loads[$1, $3, $4] += $6
    if ($5 ~ /^misses/) missed[$1, $3, $4] += $6
}
file == "sampling" && $5 == 1 && $7 >= 1 && !decided[$1, $3] { decided[$1, $3] = $6 }
function show(table,    i, list)
{
    if (table == "sensitivity") {
        list = "off l1-off unbounded l1-unbounded pric streaming streaming-direct pric+streaming"
        head(list)
        rows(list, "base")
        means("streaming", list, "base", ";streaming;")
        means("contention", list, "base", contended)
        means("friendly", list, "base", ";friendly;")
    } else if (table == "streaming") {
        list = "off off-32 off-wide l1-off past streaming streaming-direct"
        head(list)
        rows(list, "base", ";streaming;")
        means("streaming", list, "base", ";streaming;")
    } else if (table == "contention") {
        print (every ? "| kernel | variant |" : "| mean |") " L1 loads that miss | MPKI, warps |" \
              " MPKI, threads | line | MSHR | merge | queue | L2 misses | DRAM busy |"
        print (every ? "| --- |" : "|") \
              " --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        contention_rows("base")
        if (every) contention_rows("pric")
        if (every) contention_rows("l1-unbounded")
    } else if (table == "proposal") {
        list = "dwt-pric pric+dwt-cs pric dwt-cs pric+streaming dwt-pric-1-5 dwt-pric-across " \
            "dwt-pric-warp"
        head(list)
        rows(list, "base", every_class)
        means("streaming", list, "base", ";streaming;")
        means("contention", list, "base", contended)
        means("friendly", list, "base", ";friendly;")
        means("all", list, "base", every_class)
        means("all, geometric", list, "base", every_class, 1)
    } else if (table == "compared") {
        list = "ccws mrpb mrpb-all dwt-cs pric pric+dwt-cs dwt-pric swt"
        head(list)
        rows(list, "base", contended)
        means("conflict", list, "base", ";conflict;")
        means("thrashing", list, "base", ";thrashing;")
        means("thrashing, conflict", list, "base", ";thrashing, conflict;")
        means("contention", list, "base", contended)
        means("contention, geometric", list, "base", contended, 1)
    } else if (table == "over") {
        print "| DWT-PRIC over | ccws | mrpb | mrpb-all | swt |"
        print "| --- | ---: | ---: | ---: | ---: |"
        over_row("conflict", ";conflict;")
        over_row("thrashing", ";thrashing;")
        over_row("thrashing, conflict", ";thrashing, conflict;")
        over_row("contention", contended)
        over_row("contention, geometric", contended, 1)
    } else if (table == "associativity") {
        list = "at1-pric at1-dwt-pric at1-16way at1-32way at1-64way at1-full"
        head(list)
        rows(list, "at1-base", ";conflict;thrashing, conflict;")
        means("conflict", list, "at1-base", ";conflict;thrashing, conflict;")
    } else if (table == "warps") {
        print "| kernel | class | warps | IPC | blocks | IPC | DWT-CS | IPC |" \
              " warps with PRIC | IPC | DWT-PRIC |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= works; i++)
            if (every || among(";thrashing;thrashing, conflict;", work[i])) warps_row(work[i])
    } else if (table == "reduction") {
        print "| kernel | class | misses | misses then | fewer misses |" \
              " unbounded: fewer misses | stalls | stalls then | fewer stalls |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= works; i++)
            if (every || among(contended, work[i])) reduction_row(work[i])
    } else if (table == "locality") {
        print (every ? "| kernel |" : "| mean |") \
              " cache | thread | warp | block | SM | other SM | other kernel | misses |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; every && i <= works; i++) locality_rows(work[i], work[i])
        if (!every) {
            locality_rows(named("streaming"), "*streaming*")
            locality_rows(named("contention"), "*contention*")
            locality_rows(named("friendly"), "*friendly*")
        }
    } else if (table == "throttling") {
        list = "warps1 warps2 warps4 warps8 warps12 blocks1 blocks2 blocks4 pric pric-warps1 " \
            "pric-warps2 pric-warps4 pric-warps8"
        head(list)
        rows(list, "base", contended ";-;")
    } else exit 2
}
END {
    add_swt()
    if (table == "claims") claims_rows()
    count = split(tables, wanted, " ")
    for (t = 1; t <= count; t++) {
        print "<!-- " wanted[t] " -->"
        show(wanted[t])
    }
}
