# Prints tables of docs/results/lakshminarayana2014.md from two CSV files, of launches and of runs:
#     awk -F, -v tables='NAME...' [-v every=1] -v configuration=std -f lakshminarayana2014.awk \
#         LAUNCHES RUNS
# `every`: all tables, with columns of all kernels or inputs; else summary, work and rules with the
# means alone. Storage bits (work) are of the mechanism, and of the core for it (sectored lines,
# copy-backs), with an L1 of 48 KB.
# A launch counts if its baseline executes at least one warp instruction per vertex of the input. At
# full size this is the paper's limit of "about one million" instructions. Where a table has "all
# launches", each timed launch counts. An input counts if its baseline ran with all the kernels that
# this configuration ran on any input.
#
# The table `claims` is for claims.sh: what claims.tsv (-v claims=FILE) measures on this
# configuration.
BEGIN {
    kernels = split("H-BFS H-SSSP H-MST LS-BFS LS-SSSP LS-MST CLR MIS BFS-DD BFS-WC", kernel, " ")
    variants = split("exclusive flexclusion r-ex mat-l2 adaptive-l2 obm-l2 mat adaptive obm b+c " \
        "sector spp-l1 bimodal-l1 nap-l1 spp bimodal nap obm+sector adaptive+slru drrip", variant,
        " ")
    names = split("r4-2e20 Graph1M rmat20", name, " ")
    on_page = " exclusive flexclusion r-ex mat adaptive obm b+c sector spp bimodal nap obm+sector "
    split("exclusion,Flexclusion,R-Exclusion,MAT at the L2,Adaptive Bypass at the L2," \
        "OBM at the L2,MAT,Adaptive Bypass,OBM,B+C,sector cache,SPP at the L1," \
        "Bimodal at the L1,NAP at the L1,SPP,Bimodal,NAP,OBM and sector cache," \
        "Adaptive Bypass with its own LRU,DRRIP", one, ",")
    for (i in one) title[variant[i]] = one[i]
    paper["std"] = "exclusive=1.06 flexclusion=1.04 r-ex=1.05 mat-l2=1.02 adaptive-l2=1.02 " \
        "obm-l2=1.05 mat=1.03 adaptive=1.04 obm=1.14 b+c=1.09 sector=1.39 spp-l1=1.39 " \
        "bimodal-l1=1.38 nap-l1=1.40 obm+sector=1.54"
    paper["fast"] = "exclusive=1.03 flexclusion=1.03 r-ex=1.03 mat=1.02 adaptive=1.03 obm=1.12 " \
        "b+c=1.08 sector=1.14 spp-l1=1.15 bimodal-l1=1.14 nap-l1=1.17"
    paper["large"] = "exclusive=1.05 flexclusion=1.03 r-ex=1.03"
    split(paper[configuration], pair, " ")
    for (i in pair) { split(pair[i], part, "="); published[part[1]] = part[2] }
}
FNR == 1 { file++; next }
$1 != configuration { next }
file == 1 {
    run = $2 SUBSEP $3
    key = run SUBSEP $4 SUBSEP $6
    base[$4] = $5
    lines[run, $4]++
    for (c = 7; c <= 23; c++) value[key, c] = $c
    if (!(run in seen)) {
        seen[run] = 1
        order[++inputs] = run
    }
}
file == 2 {
    if ($5 > full[$3]) full[$3] = $5 # vertices
    storage[$4] = $8
    for (c = 10; c <= 13; c++) used[$2, $3, $4, c - 9] = $c
}
function ratio(a, b) { return b ? a / b : 1 }
# A column per instruction, relative to the baseline.
function rate(key, other, column)
{
    return ratio(value[key, column] / value[key, 7], value[other, column] / value[other, 7])
}
# The paper's traffic (section 4.4.5.2): flits between L1s and L2, and for each line of 128 bytes
# between L2 and DRAM an address of one flit and data of five.
function traffic(key)
{
    return value[key, 14] + value[key, 15] + 6 * (value[key, 16] + value[key, 17]) / 128
}
# Sums up the launches of kernel k with variant v: n launches on r inputs, or of each timed launch
# if `every`. Each sum is relative to the baseline. If `only` is not empty, takes the launches on
# the inputs that it lists, with commas around each.
function gather(k, v, every,    j, s, part, run, i, key, other, one, ipc)
{
    n = r = inverse = l1 = l2 = flits = fills = bytes = moved = inserts = 0
    missed[1] = missed[2] = past[1] = past[2] = 0
    low = 1e9
    high = 0
    for (j = 1; j <= inputs; j++) {
        s = order[j]
        split(s, part, SUBSEP)
        run = s SUBSEP v
        if (part[1] != k || part[2] in partial || !(run in lines)) continue
        if (only && !index(only, "," part[2] ",")) continue
        r++
        for (i = 0; i < lines[run]; i++) {
            key = run SUBSEP i
            other = s SUBSEP base[v] SUBSEP i
            # 2^20 instructions of 2^20 vertices
            if (!every && value[other, 7] < full[part[2]]) continue
            ipc = (value[key, 7] / value[key, 8]) / (value[other, 7] / value[other, 8])
            n++
            inverse += 1 / ipc
            low = ipc < low ? ipc : low
            high = ipc > high ? ipc : high
            l1 += rate(key, other, 10)
            l2 += rate(key, other, 12)
            fills += ratio(value[key, 13], value[other, 13])
            flits += ratio(value[key, 14] + value[key, 15], value[other, 14] + value[other, 15])
            bytes += ratio(value[key, 16], value[other, 16])
            moved += ratio(traffic(key), traffic(other))
            inserts += ratio(value[key, 20], value[other, 20])
            missed[1] += value[key, 10]; past[1] += value[key, 21]
            missed[2] += value[key, 22]; past[2] += value[key, 23]
        }
    }
    return n
}
# The inputs on which the variant and its baseline ran with all the kernels of the list, with commas
# around each; empty if there is none.
function complete(v, list,    i, j, count, part, run, found, there)
{
    count = split(list, part, " ")
    for (j = 1; j <= names; j++) {
        there = !(name[j] in partial)
        for (i = 1; i <= count; i++) {
            run = part[i] SUBSEP name[j]
            there = there && ((run, v) in lines) && ((run, base[v]) in lines)
        }
        if (there) found = found "," name[j]
    }
    return found ? found "," : ""
}
# The mean over kernels of a list, of launches on the inputs of `only`: harmonic for IPC, else
# arithmetic. Empty if no launch counts.
function mean(v, list, what, every,    i, count, part, sum)
{
    count = split(list, part, " ")
    for (i = 1; i <= count; i++) {
        if (!gather(part[i], v, every)) return ""
        if (what == "ipc") sum += inverse / n
        else if (what == "l2_misses") sum += l2 / n
        else if (what == "traffic") sum += moved / n
        else sum += inserts / n
    }
    return what == "ipc" ? count / sum : sum / count
}
function titles(last,    k, count, title, line)
{
    line = "| --- |"
    printf "| |"
    for (k = 1; every && k <= kernels; k++) {
        printf " %s |", kernel[k]
        line = line " ---: |"
    }
    count = split(last, title, ",")
    for (k = 1; k <= count; k++) { printf " %s |", title[k]; line = line " ---: |" }
    print "\n" line
}
function ipc_row(v,    k, line, sum, sum_all, count, runs, kernels_mean, all_mean)
{
    for (k = 1; k <= kernels; k++) {
        if (!gather(kernel[k], v)) { line = line " |"; continue }
        line = line sprintf(" %.2f |", n / inverse)
        sum += inverse / n
        count++
        runs += r
        gather(kernel[k], v, 1)
        sum_all += inverse / n
    }
    if (!count) return
    if (count == kernels) { # a mean of all kernels, or none
        kernels_mean = sprintf("%.3f", count / sum)
        all_mean = sprintf("%.3f", count / sum_all)
    }
    print "| " v " |" line " " kernels_mean " | " all_mean " | " published[v] " | " runs " |"
}
# The share of the missing loads that bypassed a cache, in percent. The data do not have it of
# sectored caches.
function bypassing(level) { return 100 * ratio(past[level], missed[level]) }
function bypass_row(v, level,    k, line, count, sum)
{
    for (k = 1; k <= kernels; k++) {
        if (!gather(kernel[k], v)) { line = line " |"; continue }
        line = line sprintf(" %.0f %% |", bypassing(level))
        sum += bypassing(level)
        count++
    }
    if (count) print "| " v " |" line (count == kernels ? sprintf(" %.0f %% |", sum / count) : " |")
}
# A rule's means: IPC, and the shares that bypass each level.
function rule_row(v,    level, k, past)
{
    if (!mean(v, ten, "ipc")) return
    printf "| %s | %.3f | %.3f |", v, mean(v, ten, "ipc"), mean(v, ten, "ipc", 1)
    for (level = 1; level <= 2; level++) {
        past = 0
        for (k = 1; k <= kernels; k++) {
            gather(kernel[k], v)
            past += bypassing(level)
        }
        printf v ~ /^(r-ex|slru)/ ? " |" : " %.0f %% |", past / kernels
    }
    print ""
}
# The kernels in the form of their authors and in ours: IPC, and misses that bypass the L1.
function own_rows(    k, v, ipc, past_l1, list, i, count)
{
    kernels = split("H-BFS H-BFS-OWN H-SSSP H-SSSP-OWN H-MST H-MST-OWN BFS-DD BFS-DD-OWN " \
        "BFS-WC BFS-WC-OWN", kernel, " ")
    only = ",r4-2e20,"
    titles("")
    count = split("r-ex mat adaptive obm b+c sector", list, " ")
    for (i = 1; i <= count; i++) {
        v = list[i]
        ipc = past_l1 = ""
        for (k = 1; k <= kernels; k++) {
            if (!gather(kernel[k], v)) { ipc = ipc " |"; past_l1 = past_l1 " |"; continue }
            ipc = ipc sprintf(" %.2f |", n / inverse)
            past_l1 = past_l1 sprintf(" %.0f %% |", bypassing(1))
        }
        print "| " v " |" ipc
        if (v ~ /^(mat|adaptive|obm|b[+]c)$/) print "| " v " bypasses the L1 |" past_l1
    }
}
# A mechanism's means on each input (`every`), on the three, of all launches of the inputs that were
# run, and the paper's.
function summary_row(i,    v, j, have, line, three)
{
    v = variant[i]
    have = complete(v, ten)
    if (!have) return
    for (j = 1; every && j <= names; j++) {
        only = "," name[j] ","
        line = line (index(have, only) ? sprintf(" %.2f |", mean(v, ten, "ipc")) : " |")
    }
    only = have
    if (have == every_input) three = sprintf("%.2f", mean(v, ten, "ipc"))
    printf "| %s |%s %s | %.2f | %s |\n", title[v], line, three, mean(v, ten, "ipc", 1),
        published[v]
    only = ""
}
# The least of eight kernels' shares of L1 lines with one used sector, in percent.
function one_sector(v,    k, j, i, lines_left, one, least)
{
    least = 100
    for (k = 1; k <= kernels; k++) {
        if (kernel[k] ~ /^(H-SSSP|BFS-WC)$/) continue
        lines_left = one = 0
        for (j = 1; j <= names; j++) {
            if (!index(only, "," name[j] ",")) continue
            if (used[kernel[k], name[j], v, 1] == "") return ""
            one += used[kernel[k], name[j], v, 1]
            for (i = 1; i <= 4; i++) lines_left += used[kernel[k], name[j], v, i]
        }
        least = 100 * one / lines_left < least ? 100 * one / lines_left : least
    }
    return least
}
# What a claim measures here, in its unit, of the launches that count or of all; empty if the data
# lack it. Sets `only` to its inputs.
function measure(what, v, list, every,    k, i, count, part, one, most)
{
    count = split(v, part, ",")
    only = complete(part[1], list)
    if (!only) return ""
    if (what == "one_sector") return one_sector(v)
    if (what == "ipc_over") { # `list` is ten kernels, `part[2]` the other mechanism
        if (length(complete(part[2], list)) < length(only)) only = complete(part[2], list)
        if (!only || !index(complete(part[1], list), only)) return ""
        return 100 * (mean(part[1], list, "ipc", every) / mean(part[2], list, "ipc", every) - 1)
    }
    if (what == "ipc_most") {
        for (i = 1; i <= count; i++)
            for (k = 1; k <= kernels; k++)
                if (gather(kernel[k], part[i], every)) most = high > most ? high : most
        return most
    }
    one = mean(v, list, what, every)
    if (one == "") return ""
    return 100 * (what == "l2_misses" ? 1 - one : one - 1)
}
function claims_rows(    field, word, list, here, here_all)
{
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        split(field[11], word, " ")
        if (word[2] != configuration || field[2] != "lakshminarayana2014") continue
        if (word[1] == "storage") continue
        list = word[4] ~ /^(all|least)$/ || word[1] == "ipc_over" ? ten : word[4]
        if (word[1] == "ipc_over") word[3] = word[3] "," word[4]
        here = measure(word[1], word[3], list)
        here_all = measure(word[1], word[3], list, 1)
        if (here != "")
            printf "%s\t%.10g\t%.10g\t%s\n", field[1], here, here_all,
                (only == every_input ? "three inputs" : substr(only, 2, length(only) - 2)) \
                " at full size"
        only = ""
    }
}
function range_row(v,    k, line, count)
{
    for (k = 1; k <= kernels; k++) {
        if (!gather(kernel[k], v)) { line = line " |"; continue }
        line = line sprintf(" %.2f-%.2f |", low, high)
        count++
    }
    if (count) print "| " v " |" line
}
function work_row(v,    k, count, sum)
{
    for (k = 1; k <= kernels; k++) {
        if (!gather(kernel[k], v)) continue
        count++
        sum[1] += l1 / n; sum[2] += l2 / n; sum[3] += flits / n; sum[4] += fills / n
        sum[5] += bytes / n; sum[6] += moved / n; sum[7] += inserts / n
    }
    if (count < kernels) return
    printf "| %s |", v
    for (k = 1; k <= 5; k++) {
        printf " %.2f |", sum[k] / count
        if (k == 3) printf " %.3f |", sum[6] / count
        if (k == 4) printf " %.3f |", sum[7] / count
    }
    if (every) printf " %d |", storage[v]
    print ""
}
# The shares of a kernel's L1 lines of which 1 to 4 sectors were used.
function sectors_row(k,    j, i, sum, all)
{
    for (j = 1; j <= names; j++)
        for (i = 1; i <= 4 && !(name[j] in partial); i++) {
            sum[i] += used[k, name[j], "none", i]
            all += used[k, name[j], "none", i]
        }
    if (!all) return
    printf "| %s |", k
    for (i = 1; i <= 4; i++) printf " %.1f %% |", 100 * sum[i] / all
    print ""
}
function base_row(k,    j, s, part, i, key, c, sum, inst, count)
{
    for (j = 1; j <= inputs; j++) {
        s = order[j]
        split(s, part, SUBSEP)
        if (part[1] != k || part[2] in partial) continue
        for (i = 0; i < lines[s, "none"]; i++) {
            key = s SUBSEP "none" SUBSEP i
            if (value[key, 7] < full[part[2]]) continue
            count++
            for (c = 7; c <= 19; c++) sum[c] += value[key, c]
        }
    }
    if (!count) return
    printf "| %s | %d | %d | %.2f | %.1f %% | %.1f | %.1f %% | %.1f | %.1f | %.1f | %.0f %% |\n", k,
        count, sum[7], sum[7] / sum[8], 100 * sum[10] / sum[9], 1000 * sum[10] / sum[7],
        100 * sum[12] / sum[11], 1000 * sum[12] / sum[7], (sum[16] + sum[17]) / sum[8],
        sum[18] / sum[8], 100 * sum[19] / sum[8] / 16 # SMs
}
function find_partial(    i, j, k)
{
    for (k = 1; k <= kernels; k++)
        for (j = 1; j <= names; j++)
            for (i = 1; i <= names; i++)
                if (((kernel[k] SUBSEP name[i], "none") in lines) &&
                    !((kernel[k] SUBSEP name[j], "none") in lines))
                    partial[name[j]] = 1
}
function show(table,    i, rules, rule)
{
    kernels = split(ten, kernel, " ")
    rules = split("slru adaptive adaptive+slru adaptive+slru-ageing mat mat-8bit mat-halve " \
        "mat-pays obm obm-replaced obm-threshold16 obm-used r-ex r-ex-8bit r-ex-sticky b+c " \
        "b+c-8bit b+c-sticky", rule, " ")
    only = table ~ /^(rules|bypass)/ ? ",r4-2e20," : ""
    if (table == "summary") {
        print "| |" (every ? " R4_2e20 | Graph1M | RMAT20 |" : "") \
              " three inputs | all launches | paper |"
        print "| --- |" (every ? " ---: | ---: | ---: |" : "") " ---: | ---: | ---: |"
        for (i = 1; i <= variants; i++) summary_row(i)
    } else if (table == "ipc" || table == configuration) {
        titles("mean,all launches,paper,runs")
        for (i = 1; i <= variants; i++) ipc_row(variant[i])
    } else if (table == "rules" && every) {
        titles("mean,all launches,paper,runs")
        for (i = 1; i <= rules; i++) ipc_row(rule[i])
    } else if (table == "rules") {
        titles("mean,all launches,bypass the L1,the L2")
        for (i = 1; i <= rules; i++) rule_row(rule[i])
    } else if (table ~ /^bypass/) {
        titles("mean")
        for (i = 1; i <= rules; i++)
            if (rule[i] !~ /^(r-ex|slru)/) bypass_row(rule[i], substr(table, 9))
    } else if (table == "own") {
        own_rows()
    } else if (table == "range") {
        titles("")
        for (i = 1; i <= variants; i++) range_row(variant[i])
    } else if (table == "work") {
        print "| | L1 MPKI | L2 MPKI | flits | traffic | L2 fills | L2 insertions |" \
              " bytes read from DRAM |" (every ? " storage bits |" : "")
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" (every ? " ---: |" : "")
        for (i = 1; i <= variants; i++)
            if (every || index(on_page, " " variant[i] " ")) work_row(variant[i])
    } else if (table == "sectors") {
        print "| kernel | one | two | three | four |\n| --- | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= kernels; i++) sectors_row(kernel[i])
    } else if (table == "baseline") {
        print "| kernel | launches | warp instructions | IPC | L1 loads that miss | L1 MPKI |" \
              " L2 accesses that miss | L2 MPKI | DRAM bytes per cycle | flits to SMs per cycle |" \
              " no MSHR entry |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= kernels; i++) base_row(kernel[i])
    } else exit 2
}
END {
    find_partial()
    for (i = 1; i <= kernels; i++) ten = ten (i > 1 ? " " : "") kernel[i]
    for (i = 1; i <= names; i++) every_input = every_input "," name[i]
    every_input = every_input ","
    if (table == "claims") claims_rows()
    count = split(tables, wanted, " ")
    for (t = 1; t <= count; t++) {
        print "<!-- " wanted[t] " -->"
        show(wanted[t])
    }
}
