# Prints tables of docs/results/lakshminarayana2014-prefetch.md from two CSV files, of launches and
# of runs:
#     awk -F, -v tables='NAME...' [-v every=1] -f lakshminarayana2014_prefetch.awk LAUNCHES RUNS
# `every`: with the number of runs of a row.
# A launch counts if its baseline executes at least one warp instruction per vertex of the input. At
# full size this is the paper's limit of "about one million" instructions. Means of IPC are
# harmonic: over the launches of a kernel on all inputs, then over the kernels. A mean over kernels
# leaves out inputs on which some of them did not run.
#
# The table `claims` is for claims.sh: what claims.tsv (-v claims=FILE) measures here.
BEGIN {
    kernels = split("H-BFS H-SSSP H-MST LS-BFS LS-SSSP LS-MST STCON", kernel, " ")
    names = split("r4-2e20 Graph1M rmat20", name, " ")
    seven = "H-BFS H-SSSP H-MST LS-BFS LS-SSSP LS-MST STCON"
    paper["stream"] = "0.95 0.99 1.00 0.99 0.99 0.99 0.99 0.98"
    paper["stride"] = "1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00"
    paper["ghb"] = "1.00 1.01 1.00 1.00 1.00 0.99 1.02 1.00"
    paper["spref1"] = "1.12 1.01 1.02 1.04 1.03 1.20 1.04 1.06"
    paper["c-spref1"] = "1.14 1.01 1.04 1.04 1.03 1.20 1.05 1.07"
    paper["spref"] = "1.12 1.01 1.05 1.04 1.03 1.23 1.04 1.07"
    paper["c-spref"] = "1.15 1.01 1.05 1.05 1.04 1.25 1.05 1.08"
    paper["spref1-c"] = "1.06 0.99 0.83 1.01 0.99 0.88 1.03 0.96"
    paper["base-64KB"] = "1.02 1.04 1.02 1.07 1.10 1.03 1.00 1.04"
    paper["unused"] = "38 26 44 52 40 76 36"
    compared_count = split("head_waits tail_waits l1_loads l1_misses dram_bytes", compared, " ")
}
FNR == 1 {
    file++
    for (i = 1; i <= NF; i++) column[file, $i] = i
    next
}
function of(what) { return $column[file, what] }
file == 1 {
    run = of("kernel") SUBSEP of("input") SUBSEP of("variant")
    base[of("variant")] = of("baseline")
    count_of[run]++
    for (i = 6; i <= NF; i++) value[run, of("launch"), i] = $i
}
file == 2 {
    run = of("kernel") SUBSEP of("input") SUBSEP of("variant")
    for (i = 5; i <= NF; i++) total[run, i] = $i
    if (of("vertices") > full[of("input")]) full[of("input")] = of("vertices")
}
function at(run, launch, what) { return value[run, launch, column[1, what]] }
function whole(run, what) { return total[run, column[2, what]] }
function ratio(a, b) { return b ? a / b : 1 }
function among(words, word) { return index(" " words " ", " " word " ") }
function ran(k, input, v)
{
    return ((k SUBSEP input SUBSEP v) in count_of) && ((k SUBSEP input SUBSEP base[v]) in count_of)
}
function ipc_of(run, launch)
{
    return at(run, launch, "warp_instructions") / at(run, launch, "cycles")
}
# Sums up kernel k with variant v on the inputs `on` (empty: on all): n launches that count, or all
# if `every`, on r inputs. `inverse`: the baseline's IPC divided by ours, summed. ours[], theirs[]:
# the counters `compared`, by name, with the variant and with its baseline.
function gather(k, v, on, every,    j, i, c, run, other, one)
{
    n = r = inverse = busy = busy_of = 0
    for (c = 1; c <= compared_count; c++) ours[compared[c]] = theirs[compared[c]] = 0
    low = 1e9
    high = 0
    for (j = 1; j <= names; j++) {
        if (on && !among(on, name[j]) || !ran(k, name[j], v)) continue
        r++
        run = k SUBSEP name[j] SUBSEP v
        other = k SUBSEP name[j] SUBSEP base[v]
        for (i = 0; i < count_of[run]; i++) {
            if (!every && at(other, i, "warp_instructions") < full[name[j]]) continue
            one = ipc_of(run, i) / ipc_of(other, i)
            n++
            inverse += 1 / one
            low = one < low ? one : low
            high = one > high ? one : high
            busy += at(run, i, "dram_busy"); busy_of += at(run, i, "dram_cycles")
            for (c = 1; c <= compared_count; c++) {
                ours[compared[c]] += at(run, i, compared[c])
                theirs[compared[c]] += at(other, i, compared[c])
            }
        }
    }
    return n
}
# The mean IPC over a list of kernels, on the inputs `on` on which all of them ran; empty if one has
# no launch that counts.
function mean(v, list, on, every,    i, count, part, sum)
{
    count = split(list, part, " ")
    on = complete(v, list, on)
    if (!on) return ""
    for (i = 1; i <= count; i++) {
        if (!gather(part[i], v, on, every)) return ""
        sum += inverse / n
    }
    return count / sum
}
# Of the inputs `on` (empty: of all) those on which a variant and its baseline ran with all the
# kernels of a list.
function complete(v, list, on,    i, j, count, part, there, found)
{
    count = split(list, part, " ")
    for (j = 1; j <= names; j++) {
        there = !on || among(on, name[j])
        for (i = 1; i <= count; i++) there = there && ran(part[i], name[j], v)
        if (there) found = found (found ? " " : "") name[j]
    }
    return found
}
# Registers of an SM (128 KB) that no thread has, in KB.
function unused(k,    run)
{
    run = k SUBSEP name[1] SUBSEP "none"
    return 128 - whole(run, "registers") * whole(run, "threads_per_sm") * 4 / 1024
}
# The L1D and the spare registers that prefetches take, at most, in KB.
function store(v,    k, j, run, one, most)
{
    for (k = 1; k <= kernels; k++)
        for (j = 1; j <= names; j++) {
            run = kernel[k] SUBSEP name[j] SUBSEP v
            if (!(run in count_of)) continue
            one = whole(run, "turn_registers") * whole(run, "threads_per_sm") * 4
            one = (one + whole(run, "l1d_bytes")) / 1024
            most = one > most ? one : most
        }
    return most
}
function most_ipc(v, on, every,    k, most)
{
    for (k = 1; k <= kernels; k++)
        if (gather(kernel[k], v, on, every)) most = high > most ? high : most
    return most
}
function claims_rows(    field, word, here, every, list, on)
{
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        if (split(field[11], word, " ") < 3 || word[1] != "prefetch") continue
        list = word[4] == "all" || word[4] == "" ? seven : word[4]
        on = complete(word[3], list)
        if (!on) continue
        if (word[2] == "ipc") {
            here = mean(word[3], list, on)
            every = mean(word[3], list, on, 1)
        } else if (word[2] == "ipc_most") {
            here = most_ipc(word[3], on)
            every = most_ipc(word[3], on, 1)
        } else here = every = store(word[3])
        if (here == "") continue
        if (word[2] ~ /^ipc/ && field[8] == "percent") {
            here = 100 * (here - 1)
            every = 100 * (every - 1)
        }
        gsub(" ", ",", on)
        printf "%s\t%.10g\t%.10g\t%s\n", field[1], here, every,
            (on == "r4-2e20,Graph1M,rmat20" ? "three inputs" : on) " at full size"
    }
}
function heading(first, last,    k, line, count, title)
{
    line = "| --- |"
    printf "| %s |", first
    for (k = 1; k <= kernels; k++) { printf " %s |", kernel[k]; line = line " ---: |" }
    count = split(last, title, ",")
    for (k = 1; k <= count; k++) { printf " %s |", title[k]; line = line " ---: |" }
    print "\n" line
}
function paper_row(title, v, width,    k, part)
{
    split(paper[v], part, " ")
    printf "| %s |", title
    for (k = 1; k <= width; k++) printf " %s |", part[k]
}
function ipc_row(v, on,    k, line, runs)
{
    for (k = 1; k <= kernels; k++) {
        line = line (gather(kernel[k], v, on) ? sprintf(" %.2f |", n / inverse) : " |")
        runs += r
    }
    if (!runs) return
    printf "| %s |%s %s | %s |%s\n", v, line, three_digits(mean(v, seven, on)),
        three_digits(mean(v, seven, on, 1)), (every ? sprintf(" %d |", runs) : "")
    if (v in paper && !on) {
        paper_row("*paper*", v, 8)
        print every ? "  |  |" : "  |"
    }
}
function three_digits(number) { return number == "" ? "" : sprintf("%.3f", number) }
function range_row(v,    k, line, any)
{
    for (k = 1; k <= kernels; k++) {
        line = line (gather(kernel[k], v) ? sprintf(" %.2f-%.2f |", low, high) : " |")
        any += n
    }
    if (any) print "| " v " |" line
}
# Prints a cell for each kernel: a column of the run with variant v on the first input, divided.
function run_cells(v, what, divisor,    k)
{
    for (k = 1; k <= kernels; k++)
        printf ran(kernel[k], name[1], v) ? " %d |" : " |",
            whole(kernel[k] SUBSEP name[1] SUBSEP v, what) / divisor
    print ""
}
function register_rows(    k)
{
    heading("", "")
    printf "| registers of a thread |"
    run_cells("none", "registers", 1)
    printf "| threads of an SM |"
    run_cells("none", "threads_per_sm", 1)
    printf "| unused, KB |"
    for (k = 1; k <= kernels; k++)
        printf ran(kernel[k], name[1], "none") ? " %d |" : " |", unused(kernel[k])
    print ""
    paper_row("*paper*", "unused", 7)
    print ""
}
# The size of the L1D, in KB.
function size_rows(    v, count, list)
{
    heading("", "")
    count = split("none base-64KB unified unified-spref1", list, " ")
    for (v = 1; v <= count; v++) {
        printf "| %s |", list[v]
        run_cells(list[v], "l1d_bytes", 1024)
    }
}
# Figures 10 to 12: a row for each kernel and input.
function input_rows(    k, j, v, count, list)
{
    count = split("stride stream ghb spref1 c-spref1", list, " ")
    print "| kernel | input | launches | stride | stream | ghb | spref1 | c-spref1 | DRAM busy |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (k = 1; k <= kernels; k++)
        for (j = 1; j <= names; j++) {
            if (!gather(kernel[k], "none", name[j])) continue
            printf "| %s | %s | %d |", kernel[k], name[j], n
            for (v = 1; v <= count; v++)
                printf gather(kernel[k], list[v], name[j]) ? " %.2f |" : " |", n / (n ? inverse : 1)
            gather(kernel[k], "none", name[j])
            printf " %.0f %% |\n", 100 * busy / busy_of
        }
}
# Figures 13 and 14: the launches of H-BFS on R4_2e20.
function launch_rows(    i, own, first, second)
{
    print "| launch | active vertices | warp instructions | spref1 | c-spref1 |" \
          " waits for heads | waits for tails | stalls for memory |"
    print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    own = "H-BFS" SUBSEP name[1] SUBSEP "none"
    first = "H-BFS" SUBSEP name[1] SUBSEP "spref1"
    second = "H-BFS" SUBSEP name[1] SUBSEP "c-spref1"
    if (!(first in count_of) || !(second in count_of)) return
    for (i = 0; i < count_of[own]; i++)
        printf "| %d | %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f |\n", i + 1, at(own, i, "active"),
            at(own, i, "warp_instructions"), at(own, i, "cycles") / at(first, i, "cycles"),
            at(own, i, "cycles") / at(second, i, "cycles"),
            ratio(at(first, i, "head_waits"), at(own, i, "head_waits")),
            ratio(at(first, i, "tail_waits"), at(own, i, "tail_waits")),
            ratio(at(first, i, "stall_memory"), at(own, i, "stall_memory"))
}
function wait_rows(    v, k, count, list)
{
    heading("", "")
    printf "| none: tails, relative to heads |"
    for (k = 1; k <= kernels; k++) {
        gather(kernel[k], "none")
        printf theirs["tail_waits"] ? " %.2f |" : " |",
            ratio(theirs["tail_waits"], theirs["head_waits"])
    }
    print ""
    count = split("spref1 c-spref1 spref c-spref spref1-c", list, " ")
    for (v = 1; v <= count; v++) {
        compared_row(list[v], "heads", "head_waits")
        compared_row(list[v], "tails", "tail_waits")
    }
}
# A counter of the launches that count, relative to the baseline.
function compared_row(v, title, what,    k)
{
    printf "| %s: %s |", v, title
    for (k = 1; k <= kernels; k++) {
        gather(kernel[k], v)
        printf theirs[what] ? " %.2f |" : " |", ratio(ours[what], theirs[what])
    }
    print ""
}
# A counter of the runs of a kernel, summed over inputs.
function summed(k, v, what,    j, run, sum)
{
    for (j = 1; j <= names; j++) {
        run = k SUBSEP name[j] SUBSEP v
        if (run in count_of) sum += whole(run, what)
    }
    return sum
}
function print_share(part, all)
{
    printf all ? " %.0f %% |" : " |", 100 * ratio(part, all)
}
# Figure 16: the shares of loop entries with each distance.
function distance_rows(    v, k, d, i, count, list, sum)
{
    heading("", "")
    count = split("spref c-spref", list, " ")
    for (v = 1; v <= count; v++)
        for (d = 1; d <= 3; d++) {
            printf "| %s: %d |", list[v], d
            for (k = 1; k <= kernels; k++) {
                sum = 0
                for (i = 1; i <= 3; i++) sum += summed(kernel[k], list[v], "distance_" i)
                print_share(summed(kernel[k], list[v], "distance_" d), sum)
            }
            print ""
        }
}
# What prefetches into the caches became, of whole runs; L1D load misses and DRAM bytes of all timed
# launches of the kernel.
function fate_rows(    v, k, count, list, used, fetched, missed)
{
    print "| kernel | prefetcher | requested lines | fetched | accuracy | evicted unused |" \
          " coverage | misses by pollution | L1D load misses | DRAM bytes |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    count = split("stride stream ghb", list, " ")
    for (k = 1; k <= kernels; k++)
        for (v = 1; v <= count; v++) {
            fetched = summed(kernel[k], list[v], "fetched")
            used = summed(kernel[k], list[v], "useful") + summed(kernel[k], list[v], "late")
            missed = summed(kernel[k], list[v], "demand_misses")
            if (!missed) continue
            printf "| %s | %s | %d | %d |", kernel[k], list[v],
                summed(kernel[k], list[v], "requested"), fetched
            print_share(used, fetched)
            print_share(summed(kernel[k], list[v], "useless"), fetched)
            gather(kernel[k], list[v], "", 1)
            printf " %.1f %% | %.1f %% | %.2f | %.2f |\n", 100 * used / (used + missed),
                100 * summed(kernel[k], list[v], "pollution") / missed,
                ratio(ours["l1_misses"], theirs["l1_misses"]),
                ratio(ours["dram_bytes"], theirs["dram_bytes"])
        }
}
# Loads and what they miss, with tails in registers and in the cache.
function load_rows(    v, count, list)
{
    heading("", "")
    count = split("spref1 spref1-c", list, " ")
    for (v = 1; v <= count; v++) {
        compared_row(list[v], "L1D loads", "l1_loads")
        compared_row(list[v], "L1D load misses", "l1_misses")
        compared_row(list[v], "DRAM bytes", "dram_bytes")
    }
}
function used_lanes(k, v) { return summed(k, v, "moved_lanes") + summed(k, v, "loaded_lanes") }
# Accuracy and coverage of prefetched lanes, as docs/mechanisms/spref.md defines them; of spref1-c
# the coverage's upper bound.
function lane_rows(    v, k, count, list, lanes)
{
    heading("", "")
    count = split("spref1 c-spref1 spref c-spref spref1-c", list, " ")
    for (v = 1; v <= count; v++) {
        printf "| %s: accuracy |", list[v]
        for (k = 1; k <= kernels; k++) {
            lanes = summed(kernel[k], list[v], "head_lanes")
            lanes += summed(kernel[k], list[v], "tail_lanes")
            lanes -= summed(kernel[k], list[v], "dropped_lanes")
            print_share(used_lanes(kernel[k], list[v]), lanes)
        }
        printf "\n| %s: coverage |", list[v]
        for (k = 1; k <= kernels; k++)
            print_share(used_lanes(kernel[k], list[v]), summed(kernel[k], list[v], "target_lanes"))
        print ""
    }
    printf "| wrong addresses, all forms |"
    for (k = 1; k <= kernels; k++) {
        lanes = 0
        for (v = 1; v <= count; v++) lanes += summed(kernel[k], list[v], "wrong")
        printf " %d |", lanes
    }
    print ""
}
# Variants beside others, on R4_2e20.
function beside(list,    i, count, v)
{
    heading("", "mean,all launches,runs")
    count = split(list, v, " ")
    for (i = 1; i <= count; i++) ipc_row(v[i], name[1])
}
function show(table,    i, variant, variants)
{
    variants = split("stream stride ghb spref1 c-spref1 spref c-spref spref1-c base-64KB unified" \
        " unified-spref1", variant, " ")
    if (table == "registers") register_rows()
    else if (table == "sizes") size_rows()
    else if (table == "ipc") {
        heading("", "mean,all launches" (every ? ",runs" : ""))
        for (i = 1; i <= variants; i++) ipc_row(variant[i])
    } else if (table == "range") {
        heading("", "")
        for (i = 1; i <= variants; i++) range_row(variant[i])
    } else if (table == "inputs") input_rows()
    else if (table == "launches") launch_rows()
    else if (table == "waits") wait_rows()
    else if (table == "distances") distance_rows()
    else if (table == "fates") fate_rows()
    else if (table == "lanes") lane_rows()
    else if (table == "loads") load_rows()
    else if (table == "shared") beside("stream stream-shared stride stride-shared ghb ghb-shared")
    else if (table == "fast") beside("stream fast-stream spref1 fast-spref1")
    else exit 2
}
END {
    if (table == "claims") claims_rows()
    count = split(tables, wanted, " ")
    for (t = 1; t <= count; t++) {
        print "<!-- " wanted[t] " -->"
        show(wanted[t])
    }
}
