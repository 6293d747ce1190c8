# Prints a table of docs/results/khairy2015.md from two CSV files, of runs and of locality:
#     awk -F, -v table=NAME -f khairy2015.awk RUNS LOCALITY
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
# The kernels of these classes, without those that do not fill the machine.
function kernels_of(classes,    i, list)
{
    for (i = 1; i <= works; i++)
        if (index(classes, ";" class[work[i]] ";") && work[i] !~ /-few$/)
            list = list (list ? " " : "") work[i]
    return list
}
# DWT-PRIC is not built. This variant does by hand what it would choose: bypass for streaming
# kernels, and for thrashing ones the number of warps in the paper's Table 3 (of BFS 7).
function stand_in(work)
{
    if (class[work] == "streaming") return "pric+streaming"
    if (class[work] == "conflict") return "pric"
    if (work == "bfs") return there(work, "pric-warps7") ? "pric-warps7" : "pric-warps8"
    return work ~ /^syrk/ ? "pric-warps2" : "pric-warps1"
}
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
function best_blocks(work,    b, best)
{
    best = 1
    for (b = 1; b <= 8; b *= 2)
        if (there(work, "blocks" b) && gain(work, "blocks" b, "base") > best)
            best = gain(work, "blocks" b, "base")
    return best
}
function miss_rate(work, variant) { return value[work, variant, 9] / value[work, variant, 6] }
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
function measure(what, list, other,    i, count, part, sum, variant)
{
    if (what == "beside" || what == "beside_percent") {
        count = split(on = "conv2d syrk gesummv", part, " ")
        for (i = 1; i <= count; i++) {
            if (!there(part[i], list) || !there(part[i], other)) return ""
            sum += 1 / gain(part[i], list, other)
        }
        return count / sum * (what == "beside" ? 1 : 100)
    }
    if (list == "streaming") list = kernels_of(";streaming;")
    if (list == "thrashing") list = kernels_of(";thrashing;")
    if (list == "contention") list = kernels_of(";conflict;thrashing;thrashing, conflict;")
    count = split(on = list, part, " ")
    if (what == "best_warps") return best_warps(list, list ~ /^(syrk|gesummv)/ ? "pric-" : "")
    if (what == "misses_most") {
        for (i = 1; i <= count; i++)
            if (100 * miss_rate(part[i], "base") > sum) sum = 100 * miss_rate(part[i], "base")
        return sum
    }
    for (i = 1; i <= count; i++) {
        variant = stand_in(part[i])
        if (!there(part[i], variant) || !there(part[i], "base")) return ""
        if (what == "ipc") sum += 1 / gain(part[i], variant, "base")
        else if (what == "misses") sum += fewer_misses(part[i], variant)
        else if (what == "stalls") sum += fewer_stalls(part[i], variant)
        else { # warps_over_blocks
            best_warps(part[i], "")
            sum += most / best_blocks(part[i])
        }
    }
    return what == "ipc" ? count / sum : sum / count
}
function claims_rows(    field, word, one)
{
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        if (field[2] != "khairy2015" || field[11] == "-") continue
        split("", word)
        split(field[11], word, " ")
        one = measure(word[1], word[2], word[3])
        if (one != "") printf "%s\t%.10g\t%.10g\t%s\n", field[1], one, one, on
    }
}
function warps_row(work,    best, gained)
{
    if (!there(work, "warps1")) return
    best = best_warps(work, "")
    gained = most
    printf "| %s | %s | %d | %.2f |", work, class[work], best, gained
    best = best_warps(work, "pric-")
    printf " %d | %.2f |\n", best, most
}
function reduction_row(work,    variant)
{
    variant = stand_in(work)
    if (class[work] == "-" || !there(work, variant)) return
    printf "| %s | %s | %.1f %% | %.1f %% | %.0f %% | %.0f %% |", work, variant,
        100 * miss_rate(work, "base"), 100 * miss_rate(work, variant), fewer_misses(work, variant),
        fewer_misses(work, "l1-unbounded")
    printf " %.0f | %.0f | %.0f %% |\n", stalls(work, "base"), stalls(work, variant),
        fewer_stalls(work, variant)
}
# Of the loads at a level: the share that hits or merges, by who used the line before, and the rest.
function locality_row(work, variant, level, label,    kinds, kind, i, sum, key)
{
    kinds = split("intra_thread inter_thread intra_block intra_core inter_core inter_kernel",
        kind, " ")
    key = work SUBSEP variant SUBSEP level
    if (!(key in loads) || !loads[key]) return
    printf "| %s | %s |", work, label
    for (i = 1; i <= kinds; i++) {
        sum = local[key, "hits_" kind[i]] + local[key, "pending_" kind[i]]
        printf " %.1f |", 100 * sum / loads[key]
    }
    printf " %.1f |\n", 100 * missed[key] / loads[key]
}
FNR == 1 { file++; next }
file == 1 {
    if (!($1 in class)) {
        work[++works] = $1
        class[$1] = $2 == "both" ? "thrashing, conflict" : $2
    }
    cycles[$1, $3] = $4
    instructions[$1, $3] = $5
    for (c = 6; c <= 18; c++) value[$1, $3, c] = $c
}
file == 2 && $5 ~ /^(hits|pending|misses)_/ {
    local[$1, $3, $4, $5] = $6
    loads[$1, $3, $4] += $6
    if ($5 ~ /^misses/) missed[$1, $3, $4] += $6
}
END {
    if (table == "sensitivity") {
        list = "off off-32 off-wide past l1-off unbounded l1-unbounded pric streaming " \
            "streaming-l1 streaming-direct pric+streaming pric+streaming-direct"
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
    } else if (table == "claims") {
        claims_rows()
    } else if (table == "warps") {
        print "| kernel | class | best warps | IPC | best warps with PRIC | IPC |"
        print "| --- | --- | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= works; i++) warps_row(work[i])
    } else if (table == "reduction") {
        print "| kernel | variant | misses | misses then | fewer misses |" \
              " unbounded: fewer misses | stalls | stalls then | fewer stalls |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= works; i++) reduction_row(work[i])
    } else if (table == "locality") {
        print "| kernel | cache | thread | warp | block | SM | other SM | other kernel |" \
              " misses |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= works; i++) {
            locality_row(work[i], "locality-l1", "l1", "L1, unbounded")
            locality_row(work[i], "locality", "l1", "L1")
            locality_row(work[i], "locality-l2", "l2", "L2, unbounded")
            locality_row(work[i], "locality", "l2", "L2")
        }
    } else if (table == "throttling") {
        list = "warps1 warps2 warps4 warps8 blocks1 blocks2 blocks4 pric pric-warps1 " \
            "pric-warps2 pric-warps4 pric-warps8 mshr128 pric-mshr128"
        head(list)
        rows(list, "base")
    } else exit 2
}
