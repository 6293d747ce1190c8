# Prints a table of docs/results/khairy2015.md from the CSV: -v table=NAME.
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
    line = "| --- | --- |"
    n = split(names, name, " ")
    printf "| kernel | class |"
    for (i = 1; i <= n; i++) {
        printf " %s |", name[i]
        line = line " ---: |"
    }
    print "\n" line
}
function rows(list, base,    i, k, n, line)
{
    n = split(list, name, " ")
    for (i = 1; i <= works; i++) {
        line = ""
        for (k = 1; k <= n; k++) line = line " " beside(work[i], name[k], base) " |"
        if (line ~ /[0-9]/) print "| " work[i] " | " class[work[i]] " |" line
    }
}
# Harmonic mean of the variant's IPC relative to the IPC of `base`, over the kernels of these
# classes. Leaves out kernels that do not fill the machine.
function mean(variant, base, classes,    i, n, sum, key)
{
    for (i = 1; i <= works; i++) {
        key = work[i]
        if (!index(classes, ";" class[key] ";") || key ~ /-few$/ || !there(key, variant)) continue
        sum += ipc(key, base) / ipc(key, variant)
        n++
    }
    return n ? sprintf("%.2f", n / sum) : ""
}
function means(label, list, base, classes,    k, n, line)
{
    n = split(list, name, " ")
    for (k = 1; k <= n; k++) line = line " " mean(name[k], base, classes) " |"
    if (line ~ /[0-9]/) print "| *" label "* | |" line
}
# A column of a kernel and variant, per 1,000 cycles.
function per_kilo(key, column) { return sprintf("%.0f", 1000 * value[key, column] / cycles[key]) }
function contention(variant,    i, key)
{
    for (i = 1; i <= works; i++) {
        if (!there(work[i], variant)) continue
        key = work[i] SUBSEP variant
        printf "| %s | %s |", work[i], variant
        printf " %.1f %% | %.1f |", 100 * value[key, 9] / value[key, 6],
            1000 * value[key, 9] / instructions[key]
        printf " %s | %s | %s | %s |", per_kilo(key, 10), per_kilo(key, 11), per_kilo(key, 12),
            per_kilo(key, 13)
        printf " %.1f %% | %.0f %% |\n", 100 * value[key, 15] / (value[key, 14] + !value[key, 14]),
            value[key, 18] / 100
    }
}
NR > 1 {
    if (!($1 in class)) {
        work[++works] = $1
        class[$1] = $2 == "both" ? "thrashing, conflict" : $2
    }
    cycles[$1, $3] = $4
    instructions[$1, $3] = $5
    for (c = 6; c <= NF; c++) value[$1, $3, c] = $c
}
END {
    if (table == "sensitivity") {
        list = "off off-32 off-wide past l1-off unbounded l1-unbounded pric streaming " \
            "streaming-l1 pric+streaming"
        head(list)
        rows(list, "base")
        means("streaming", list, "base", ";streaming;")
        means("conflict, thrashing", list, "base", ";conflict;thrashing;thrashing, conflict;")
    } else if (table == "contention") {
        print "| kernel | variant | L1 loads that miss | L1 MPKI | line | MSHR | merge | queue |" \
              " L2 misses | DRAM busy |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        contention("base")
        contention("pric")
        contention("l1-unbounded")
    } else if (table == "associativity") {
        list = "at1-pric at1-16way at1-32way at1-64way at1-full"
        head(list)
        rows(list, "at1-base")
        means("conflict", list, "at1-base", ";conflict;thrashing, conflict;")
    } else if (table == "throttling") {
        list = "warps1 warps2 warps4 warps8 blocks1 blocks2 blocks4 pric pric-warps1 " \
            "pric-warps2 pric-warps4 pric-warps8 mshr128 pric-mshr128"
        head(list)
        rows(list, "base")
    } else exit 2
}
