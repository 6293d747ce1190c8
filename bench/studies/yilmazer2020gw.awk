# Prints tables of docs/results/yilmazer2020gw.md from the study's CSV file:
#     awk -F, -v tables='NAME...' [-v every=1] -f yilmazer2020gw.awk RUNS
# `every`: all tables, with rows of all programs, else with the means and what the paper prints.
# The table `claims` is for claims.sh: what claims.tsv (-v claims=FILE) measures of this paper.
#
# Speeds are those of cycles, relative to the variant b32. The paper's means are geometric.
FNR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    next
}
{
    if (!($1 in class)) program[++programs] = $1
    class[$1] = $2
    runs[$1, $3] = 1
    for (i in column) value[$1, $3, i] = $column[i]
}
BEGIN {
    # The speed of GW8 in Figure 10, as far as section 8.2 prints it.
    split("CP 1.25 PF 1.21 DHWD 1.12 NUQ 1.31 HOTS 1.22 NN 1.19 LPS 1.17 MUM 1 BFS.4k 10 " \
          "BFS.64k 6.5", printed, " ")
    for (i = 1; i in printed; i += 2) paper[printed[i]] = printed[i + 1]
    paper["regular"] = 1.09
    paper["irregular"] = 1.17
    paper["graph"] = 4.41
}
function there(name, variant) { return (name, variant) in runs }
function of(name, variant, what) { return value[name, variant, what] }
function divided(part, all) { return all ? part / all : "" }
function sum_of(name, variant, list,    each, i, n, sum) {
    n = split(list, each, " ")
    for (i = 1; i <= n; i++) sum += of(name, variant, each[i])
    return sum + 0
}
# A measure of a run, by name; `with`: the run that it compares with. Empty if one is not there.
function measure(what, name, variant, with,    groups) {
    if (!there(name, variant)) return ""
    if (what == "speed") {
        with = with ? with : "b32"
        return there(name, with) ? of(name, with, "cycles") / of(name, variant, "cycles") : ""
    }
    if (what == "requests")
        return divided(of(name, variant, "memory_requests"), \
                       of(name, variant, "memory_instructions"))
    if (what == "scalar")
        return 100 * divided(of(name, variant, "scalar_instructions"), \
                             of(name, variant, "warp_instructions"))
    # Graph programs repeat work in the lanes of a warp if a vertex is the task of a warp.
    if (what == "redundant")
        return measure("scalar", name, class[name] == "graph" ? variant "-warp" : variant)
    if (what == "degree") return divided(of(name, variant, "edges"), of(name, variant, "vertices"))
    if (what == "executed")
        return 100 * divided(of(name, variant, "scalars"), of(name, variant, "warp_instructions"))
    if (what == "packed")
        return divided(of(name, variant, "wave_members"), of(name, variant, "waves"))
    if (what == "paired")
        return 100 * divided(of(name, variant, "pairs"), \
                             of(name, variant, "pairs") + of(name, variant, "lone"))
    if (what == "lanes") # of 32 or 16
        return divided(of(name, variant, "thread_instructions") - \
                       of(name, variant, "lanes_saved"), of(name, variant, "issued"))
    if (what == "used")
        return 100 * divided(of(name, variant, "issued"), of(name, variant, "slots"))
    if (what == "late") return of(name, variant, "waves_by_patience")
    if (what ~ /^(groups|waves)_/) { # a share of all groups, or waves
        groups = what ~ /^groups/ ? "groups_0 groups_1 groups_5 groups_9 groups_17 groups_25" \
                                  : "waves_1 waves_2 waves_5 waves_9 waves_17"
        return 100 * divided(of(name, variant, what), sum_of(name, variant, groups))
    }
    if (what == "few") # groups of at most 8 lanes
        return 100 * divided(sum_of(name, variant, "groups_0 groups_1 groups_5"), \
            sum_of(name, variant, "groups_0 groups_1 groups_5 groups_9 groups_17 groups_25"))
    if (what == "unfilled") return 100 - measure("groups_full", name, variant)
    if (what ~ /^(warps|issuable)_/)
        return 100 * divided(of(name, variant, what), of(name, variant, "sm_cycles"))
    if (what == "full")
        return divided(of(name, variant, "wave_table_full"), of(name, variant, "sm_cycles"))
    # Relative to another run's count.
    with = with ? with : "b32"
    return there(name, with) ? divided(of(name, variant, what), of(name, with, what)) : ""
}
# Over the programs of a class ("": the 20): gmean, amean, least, most, or the number of those at
# least `least`.
function over(which, how, what, variant, with, least,    i, one, sum, low, high) {
    cells = 0
    for (i = 1; i <= programs; i++) {
        if (which ? class[program[i]] != which : class[program[i]] == "more") continue
        one = measure(what, program[i], variant, with)
        if (one == "" || (how == "gmean" && one <= 0)) continue
        low = !cells || one < low ? one : low
        high = !cells || one > high ? one : high
        cells++
        sum += how == "gmean" ? log(one) : how == "count" ? one >= least : one
    }
    if (!cells) return ""
    if (how == "least") return low
    if (how == "most") return high
    return how == "gmean" ? exp(sum / cells) : how == "count" ? sum : sum / cells
}
function text(number, format) {
    if (number == "") return ""
    if (format == "percent") return sprintf("%.1f %%", number)
    if (format == "count") return sprintf("%.0f", number)
    if (format == "number") return sprintf("%.1f", number)
    return sprintf("%.2f", number)
}
# A column is title;measure;variant;with;format. The means of a class are geometric for factors,
# else arithmetic; none for counts.
function print_table(specification, only,    n, k, i, columns, field, line, name, count, which, c) {
    n = split(specification, columns, "\n")
    printf "| program |"
    line = "| --- |"
    for (k = 1; k <= n; k++) {
        split(columns[k], field, ";")
        printf " %s |", field[1]
        line = line " ---: |"
    }
    print "\n" line
    count = split("regular irregular graph more", which, " ")
    for (c = 1; c <= count; c++) {
        if (only && which[c] != only) continue
        for (i = 1; i <= programs; i++) {
            name = program[i]
            if (class[name] != which[c]) continue
            if (!every && !(table == "performance" && name in paper)) continue
            printf "| %s |", name
            for (k = 1; k <= n; k++) {
                split(columns[k], field, ";")
                printf " %s |", text(field[2] == "paper" ? (name in paper ? paper[name] : "") \
                    : measure(field[2], name, field[3], field[4]), field[5])
            }
            print ""
        }
        if (which[c] == "more") continue
        printf "| *%s* |", which[c]
        for (k = 1; k <= n; k++) {
            split(columns[k], field, ";")
            if (field[5] == "count") {
                printf "  |"
                continue
            }
            printf " %s |", text(field[2] == "paper" ? paper[which[c]] \
                : over(which[c], field[5] ? "amean" : "gmean", field[2], field[3], field[4]), \
                field[5])
        }
        print ""
    }
}
function print_programs(    i, name) {
    print "| program | class | vertices | edges | launches | B32: cycles | warp instructions |" \
        " memory requests | L2 accesses | issue slots used | GW8: slots used |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= programs; i++) {
        name = program[i]
        if (!there(name, "b32")) continue
        printf "| %s | %s | %s | %s | %d | %d | %d | %d | %d | %s | %s |\n", name, class[name], \
            of(name, "b32", "vertices"), of(name, "b32", "edges"), of(name, "b32", "launches"), \
            of(name, "b32", "cycles"), of(name, "b32", "warp_instructions"), \
            of(name, "b32", "memory_requests"), of(name, "b32", "l2_accesses"), \
            text(measure("used", name, "b32"), "percent"), \
            text(measure("used", name, "waves"), "percent")
    }
}
# What a claim measures: measure, statistic or program, class, variant, with; `count`: least.
function print_claims(    field, word, one, on) {
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        if (field[2] != "yilmazer2020gw" || field[11] == "-") continue
        split("", word)
        split(field[11], word, " ")
        if (word[3] == "all") word[3] = ""
        if (word[2] ~ /^(gmean|amean|least|most|count)$/) {
            one = over(word[3], word[2], word[1], word[4], word[2] == "count" ? "" : word[5], \
                       word[5])
            on = cells " programs"
        } else {
            one = measure(word[1], word[2], word[4], word[5])
            on = word[2]
        }
        if (one == "") continue
        if (field[8] == "percent" && word[1] == "speed") one = 100 * (one - 1)
        printf "%s\t%.10g\t%.10g\t%s\n", field[1], one, one, on
    }
}
function show()
{
    if (table == "programs") print_programs()
    else if (table == "performance")
        print_table("paper: GW8;paper;;;\nhere: GW8;speed;waves;;\n" \
                    "of it, the code: `b32-warp`;speed;b32-warp;;\n" \
                    "the hardware, with the same code;speed;waves;b32-warp;")
    else if (table == "steps")
        print_table("narrow;speed;narrow;;\n+ store;speed;store;;\n+ pairs;speed;pairs;;\n" \
                    "+ execute;speed;execute;;\n+ waves;speed;waves;;")
    else if (table == "width")
        print_table("16 lanes, 4 schedulers;speed;half;;\n8 lanes, 8 schedulers;speed;narrow;;\n" \
                    "8 lanes, shared decoded instructions;speed;store;;")
    else if (table == "graphs")
        print_table("code for warps, on B32;speed;b32-warp;;\ncode for threads, on GW8;" \
                    "speed;gw8-thread;;\nboth;speed;waves;;\n" \
                    "B32, threads: requests an access;requests;b32;;ratio\n" \
                    "groups of less than 32 lanes;unfilled;b32;;percent\n" \
                    "groups of at most 8 lanes;few;b32;;percent\n" \
                    "B32, warps: requests an access;requests;b32-warp;;ratio\n" \
                    "at most 8 lanes;few;b32-warp;;percent", "graph")
    else if (table == "choices")
        print_table("members: any;speed;any;waves;\nwaves first;speed;waves-first;waves;\n" \
                    "64 entries;speed;entries64;waves;\n8 look-ups;speed;lookups8;waves;\n" \
                    "store of 192;speed;store192;waves;\n" \
                    "2 groups per cycle to memory;speed;lsu2;waves;\n" \
                    "patience 100;speed;impatient;waves;\n" \
                    "patience 10^6;speed;patient;waves;" \
                    (every ? "\nlate waves, of 1024;late;waves;;count\n" \
                             "of 100;late;impatient;;count" : ""))
    else if (table == "utilisation")
        print_table("B32: none;groups_0;b32;;percent\n1-4;groups_1;b32;;percent\n" \
                    "5-8;groups_5;b32;;percent\n" \
                    "9-16;groups_9;b32;;percent\n17-24;groups_17;b32;;percent\n" \
                    "25-32;groups_25;b32;;percent\nlanes;lanes;b32;;number\n" \
                    "GW8: none;groups_0;waves;;percent\n1-4;groups_1;waves;;percent\n" \
                    "5-8;groups_5;waves;;percent\n" \
                    "9-16;groups_9;waves;;percent\nlanes;lanes;waves;;number\n" \
                    "pairs, waves aside;paired;waves;;percent")
    else if (table == "waves")
        print_table("scalar;scalar;b32;;percent\nGW8;scalar;waves;;percent\n" \
                    "waves of 1;waves_1;waves;;percent\n2-4;waves_2;waves;;percent\n" \
                    "5-8;waves_5;waves;;percent\n9-16;waves_9;waves;;percent\n" \
                    "mean;packed;waves;;number\nwaiting for an entry;full;waves;;number")
    else if (table == "issuable")
        print_table("warps: 0;warps_0;waves;;percent\n1;warps_1;waves;;percent\n" \
                    "2-4;warps_2;waves;;percent\n5-8;warps_5;waves;;percent\n" \
                    "9-16;warps_9;waves;;percent\nmore;warps_more;waves;;percent\n" \
                    "scalars: 0;issuable_0;waves;;percent\n1;issuable_1;waves;;percent\n" \
                    "2-4;issuable_2;waves;;percent\n5-8;issuable_5;waves;;percent\n" \
                    "9-16;issuable_9;waves;;percent\nmore;issuable_more;waves;;percent")
    else if (table == "fetches")
        print_table("decoded: 8 lanes;decoded;narrow;;\n+ store;decoded;store;;\n" \
                    "+ pairs;decoded;pairs;;\nGW8;decoded;waves;;\nfetches: 8 lanes;" \
                    "fetches;narrow;;\nGW8;fetches;waves;;\nGW8, same code;decoded;waves;b32-warp;")
    else if (table == "memory")
        print_table("requests;memory_requests;waves;;\nL1 accesses;l1_accesses;waves;;\n" \
                    "L1 misses;l1_misses;waves;;\nL2 accesses;l2_accesses;waves;;\n" \
                    "L2 misses;l2_misses;waves;;\nDRAM bytes;dram_bytes;waves;;\n" \
                    "same code: requests;memory_requests;waves;b32-warp;\n" \
                    "L2 accesses;l2_accesses;waves;b32-warp;")
}
END {
    if (table == "claims") print_claims()
    count_of_tables = split(tables, wanted, " ")
    for (t = 1; t <= count_of_tables; t++) {
        print "<!-- " wanted[t] " -->"
        table = wanted[t]
        show()
    }
}
