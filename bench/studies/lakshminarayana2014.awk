# Prints a table of docs/results/lakshminarayana2014.md from two CSV files, of launches and of runs:
#     awk -F, -v table=NAME -v configuration=std -f lakshminarayana2014.awk LAUNCHES RUNS
# A launch counts if its baseline executes at least one warp instruction per vertex of the input. At
# full size this is the paper's limit of "about one million" instructions.
BEGIN {
    kernels = split("H-BFS H-SSSP H-MST LS-BFS LS-SSSP LS-MST CLR MIS BFS-DD BFS-WC", kernel, " ")
    variants = split("exclusive flexclusion r-ex mat-l2 adaptive-l2 obm-l2 mat adaptive obm b+c " \
        "sector spp-l1 bimodal-l1 nap-l1 spp bimodal nap obm+sector", variant, " ")
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
    for (c = 7; c <= 19; c++) value[key, c] = $c
    if (!(run in seen)) {
        seen[run] = 1
        order[++inputs] = run
    }
}
file == 2 {
    if ($5 > full[$3]) full[$3] = $5 # vertices
    inserted[$2, $3, $4, 1] = $8
    bypassed[$2, $3, $4, 1] = $9
    inserted[$2, $3, $4, 2] = $10
    bypassed[$2, $3, $4, 2] = $11
    storage[$4] = $14
}
function ratio(a, b) { return b ? a / b : 1 }
# A column per instruction, relative to the baseline.
function rate(key, other, column)
{
    return ratio(value[key, column] / value[key, 7], value[other, column] / value[other, 7])
}
# Sums up the launches of kernel k with variant v: n launches on r inputs. Each sum is relative to
# the baseline. If `only` is not empty, takes the launches on that input.
function gather(k, v,    j, s, part, run, i, key, other, one, ipc)
{
    n = r = inverse = l1 = l2 = flits = fills = bytes = past1 = past2 = 0
    low = 1e9
    high = 0
    for (j = 1; j <= inputs; j++) {
        s = order[j]
        split(s, part, SUBSEP)
        run = s SUBSEP v
        if (part[1] != k || !(run in lines) || (only && part[2] != only)) continue
        r++
        past1 += ratio(bypassed[run, 1], bypassed[run, 1] + inserted[run, 1])
        past2 += ratio(bypassed[run, 2], bypassed[run, 2] + inserted[run, 2])
        for (i = 0; i < lines[run]; i++) {
            key = run SUBSEP i
            other = s SUBSEP base[v] SUBSEP i
            if (value[other, 7] < full[part[2]]) continue # 2^20 instructions of 2^20 vertices
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
        }
    }
    return n
}
function titles(first, last,    k, line)
{
    line = "| --- |"
    printf "| %s |", first
    for (k = 1; k <= kernels; k++) { printf " %s |", kernel[k]; line = line " ---: |" }
    for (k = 1; k <= split(last, name, ","); k++) { printf " %s |", name[k]; line = line " ---: |" }
    print "\n" line
}
function ipc_row(v,    k, line, sum, count, runs, mean)
{
    for (k = 1; k <= kernels; k++) {
        if (!gather(kernel[k], v)) { line = line " |"; continue }
        line = line sprintf(" %.2f |", n / inverse)
        sum += inverse / n
        count++
        runs += r
    }
    if (!count) return
    mean = count == kernels ? sprintf("%.3f", count / sum) : "" # a mean of all kernels, or none
    print "| " v " |" line " " mean " | " published[v] " | " runs " |"
}
# The mean over the ten kernels, for each input.
function inputs_row(v,    names, name, j, k, line, sum, count, any)
{
    names = split("r4-2e20 Graph1M rmat20", name, " ")
    for (j = 1; j <= names; j++) {
        only = name[j]
        sum = count = 0
        for (k = 1; k <= kernels; k++)
            if (gather(kernel[k], v)) { sum += inverse / n; count++ }
        line = line (count == kernels ? sprintf(" %.3f |", count / sum) : " |")
        any += count == kernels
    }
    only = ""
    if (any) print "| " v " |" line
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
        sum[5] += bytes / n; sum[6] += past1 / r; sum[7] += past2 / r
    }
    if (count < kernels) return
    printf "| %s |", v
    for (k = 1; k <= 5; k++) printf " %.2f |", sum[k] / count
    printf " %.0f %% | %.0f %% | %d |\n", 100 * sum[6] / count, 100 * sum[7] / count, storage[v]
}
function base_row(k,    j, s, part, i, key, c, sum, inst, count)
{
    for (j = 1; j <= inputs; j++) {
        s = order[j]
        split(s, part, SUBSEP)
        if (part[1] != k) continue
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
END {
    if (table == "ipc") {
        titles("", "mean,paper,runs")
        for (i = 1; i <= variants; i++) ipc_row(variant[i])
    } else if (table == "inputs") {
        print "| | R4_2e20 | Graph1M | RMAT20 |\n| --- | ---: | ---: | ---: |"
        for (i = 1; i <= variants; i++) inputs_row(variant[i])
    } else if (table == "range") {
        titles("", "")
        for (i = 1; i <= variants; i++) range_row(variant[i])
    } else if (table == "work") {
        print "| | L1 MPKI | L2 MPKI | flits | L2 fills | bytes read from DRAM | bypass the L1 |" \
              " bypass the L2 | storage bits |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= variants; i++) work_row(variant[i])
    } else if (table == "baseline") {
        print "| kernel | launches | warp instructions | IPC | L1 loads that miss | L1 MPKI |" \
              " L2 accesses that miss | L2 MPKI | DRAM bytes per cycle | flits to SMs per cycle |" \
              " no MSHR entry |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= kernels; i++) base_row(kernel[i])
    } else exit 2
}
