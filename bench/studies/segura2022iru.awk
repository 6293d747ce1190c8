# Prints tables of docs/results/segura2022iru.md from the study's CSV files:
#     awk -F, -v tables='NAME...' [-v every=1] -f segura2022iru.awk STORAGE RUNS
# `every`: all tables, with rows of all runs, else with the means alone.
# The table `claims` is for claims.sh: what claims.tsv (-v claims=FILE) measures of this paper.
#
# A key is ALGORITHM SUBSEP INPUT. Names with k_ in front are of the kernel with load_iru alone.
# Means are over the inputs that a table shows.
FNR == 1 {
    file = $1 == "structure" ? "storage" : "runs"
    if (file == "runs") for (i = 1; i <= NF; i++) column[$i] = i
    next
}
file == "storage" {
    structure[++structures] = $1
    entries[$1] = $2
    bits[$1] = $3
    places[$1] = $4
}
file == "runs" {
    key = $1 SUBSEP $2
    if (!(key in listed)) {
        listed[key] = ++keys
        name[keys] = key
        algorithm[keys] = $1
        input[keys] = $2
    }
    runs[key, $3] = 1
    for (i in column) value[key, $3, i] = $column[i]
}
function there(key, variant) { return (key, variant) in runs }
function of(key, variant, what) { return value[key, variant, what] }
function base_of(variant)
{
    return match(variant, /^(line|phases|words1)-/) ? substr(variant, 1, RLENGTH) "none" : "none"
}
# Loads that bypass the L1: requests of loads that leave the SM and did not miss there.
function past(key, variant, k)
{
    return of(key, variant, k "load_requests") - of(key, variant, k "l1_load_misses")
}
# What the memory hierarchy counts, of a run: k is "" (all kernels) or "k_".
function amount(what, key, variant, k)
{
    if (what == "l1_past") return of(key, variant, k "l1_accesses") + past(key, variant, k)
    if (what == "l2_own")
        return of(key, variant, k "l2_accesses") - of(key, variant, "lines") - \
            of(key, variant, "secondary_lines")
    return of(key, variant, k what)
}
function divided(part, all) { return all ? part / all : "" }
# Memory requests of a memory instruction. `loads`: of loads and stores. `all`: of atomics too.
# `unit`: of load_iru too, one request each.
function per_instruction(what, key, variant, k,    more)
{
    if (what == "loads")
        return divided(amount("l1_past", key, variant, k),
                       of(key, variant, k "loads") + of(key, variant, k "stores"))
    more = what == "unit" ? of(key, variant, k "unit_requests") : 0
    return divided(of(key, variant, k "memory_requests") + more,
                   of(key, variant, k "memory_instructions") + more)
}
# Replies with elements. Those without come behind the end of the data.
function replies(key, variant)
{
    return of(key, variant, "replies_by_entry") + of(key, variant, "replies_by_timeout") + \
        of(key, variant, "replies_by_end") - of(key, variant, "all_disabled")
}
# A measure of a run, by name; empty if the run, or what it compares with, is not there.
function measure(what, key, variant, with,    base, k, part, kind)
{
    base = with ? with : base_of(variant)
    if (!there(key, variant) || !there(key, base)) return ""
    k = sub(/^k_/, "", what) ? "k_" : ""
    if (what == "speedup")
        return of(key, base, k "cycles") / of(key, variant, k "cycles")
    if (what ~ /^requests_/) return per_instruction(substr(what, 10), key, variant, k)
    if (what ~ /^coalescing_/) {
        kind = substr(what, 12)
        return divided(per_instruction(kind, key, base, k),
                       per_instruction(kind, key, variant, k))
    }
    if (what == "merged" && key ~ /^bfs/) return "" # it has no filter
    if (what == "merged") return 100 * divided(of(key, variant, "merged"), of(key, variant, "read"))
    if (what == "issued")
        return 100 * divided(of(key, variant, k "issued"), of(key, variant, k "slots"))
    if (what == "share") return 100 * of(key, variant, "k_cycles") / of(key, variant, "cycles")
    if (what == "blocks")
        return divided(of(key, variant, "blocks"), replies(key, variant))
    if (what ~ /^by_/)
        return 100 * divided(of(key, variant, "replies_" what), replies(key, variant))
    if (what == "hops") return divided(of(key, variant, "request_hops"), replies(key, variant))
    if (what == "elements") return of(key, variant, "read")
    if (what == "rate") # elements that the engine reads in the run `with`
        return of(key, with, "read") / 4 / of(key, variant, "k_cycles")
    if (what == "unit_flits")
        return 100 * of(key, variant, "flits_unit") / of(key, variant, "flits")
    if (what ~ /^(target|after)$/) return phase(what, key, variant)
    if (what ~ /^normal_/) return phase_normal(substr(what, 8), key, variant, base)
    # Relative to the base, in percent.
    part = divided(amount(what, key, variant, k), amount(what, key, base, k))
    return part == "" ? "" : 100 * part
}
# Mean cycles of a warp of the kernel to the data of the target load, and from there to its end.
function phase(what, key, variant)
{
    return divided(of(key, variant, what == "target" ? "cycles_to_target" : "cycles_after_target"),
                   of(key, variant, "warps"))
}
# The same in percent of the warp's whole time without the engine; `whole`: both.
function phase_normal(what, key, variant, base,    all, one)
{
    all = phase("target", key, base) + phase("after", key, base)
    one = what == "whole" ? phase("target", key, variant) + phase("after", key, variant) : \
        phase(what, key, variant)
    return all ? 100 * one / all : ""
}
# Whether a run belongs to an algorithm ("": all of them; filtered: those that merge).
function belongs(i, which)
{
    return which == "filtered" ? algorithm[i] != "bfs" : !which || algorithm[i] == which
}
# Over the inputs of an algorithm: amean, gmean, least or most. Sets `cells`. In a table, over its
# rows; empty if one has no value.
function over(which, how, what, variant, with,    i, one, sum, low, high)
{
    cells = 0
    for (i = 1; i <= keys; i++) {
        if (!belongs(i, which) || (rows && !shown[i])) continue
        one = measure(what, name[i], variant, with)
        if (one == "" && !rows) continue
        if (one == "" || (how == "gmean" && one <= 0)) return ""
        sum += how == "gmean" ? log(one) : one
        low = !cells || one < low ? one : low
        high = !cells || one > high ? one : high
        cells++
    }
    if (!cells) return ""
    if (how == "least") return low
    if (how == "most") return high
    return how == "gmean" ? exp(sum / cells) : sum / cells
}
function text(number, format)
{
    if (number == "") return ""
    if (format == "factor") return sprintf("%.3f", number)
    if (format == "number") return sprintf("%.2f", number)
    if (format == "count") return sprintf("%.0f", number)
    return sprintf("%.1f %%", number)
}
# The row of a key, or with the means over an algorithm. A column is title;measure;variant;with;
# format.
function print_row(title, key, which, how, n,    k, field, line, one)
{
    for (k = 1; k <= n; k++) {
        split(columns[k], field, ";")
        if (key) one = measure(field[2], key, field[3], field[4])
        else if (field[5] == "count") one = ""
        else one = over(which, how, field[2], field[3], field[4])
        one = text(one, field[5])
        line = line (one == "" ? " |" : " " one " |")
    }
    if (line ~ /[0-9]/) print "| " title " |" line
}
# How many of the table's first n columns have a value for a run.
function filled(key, n,    k, field, count)
{
    for (k = 1; k <= n; k++) {
        split(columns[k], field, ";")
        count += measure(field[2], key, field[3], field[4]) != ""
    }
    return count
}
# Rows of all runs, and their means. `complete`: only runs with a value in each column, and only
# arithmetic means; else runs with one in `first` columns, and geometric means too. Without `every`
# the arithmetic means alone.
function print_table(specification, complete, first,    n, i, k, field, line, which, count)
{
    n = split(specification, columns, "\n")
    line = "| --- |"
    printf "| run |"
    for (k = 1; k <= n; k++) {
        split(columns[k], field, ";")
        printf " %s |", field[1]
        line = line " ---: |"
    }
    print "\n" line
    rows = 0
    for (i = 1; i <= keys; i++) {
        k = complete ? n : first ? first : 1
        shown[i] = filled(name[i], k) == k
        rows += shown[i]
    }
    count = split("bfs sssp pagerank", which, " ")
    for (k = 1; every && k <= count; k++)
        for (i = 1; i <= keys; i++)
            if (algorithm[i] == which[k] && shown[i])
                print_row(algorithm[i] " " input[i], name[i], "", "", n)
    for (k = 1; rows && k <= count + 1; k++) {
        print_row("*mean" (which[k] ? ", " which[k] : "") "*", "", which[k], "amean", n)
        if (every && !complete)
            print_row("*geometric" (which[k] ? ", " which[k] : "") "*", "", which[k], "gmean", n)
    }
}
# Columns of a measure for each timeout, counted as the table's name says.
function sweep(title, what, format,    n, i, each, variant, list)
{
    n = split("256 500 1000 2048", each, " ")
    for (i = 1; i <= n; i++) {
        variant = table (each[i] == 500 ? "" : each[i])
        list = list (i > 1 ? "\n" : title) each[i] ";" what ";" \
            (variant == "timeout" ? "iru" : variant) ";;" format
    }
    return list
}
function print_inputs(    i, k, count, which)
{
    print "| run | vertices | edges | launches of the kernel | its thread blocks |" \
        " with the engine | cycles | of these in the kernel | issue slots used |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    count = split("bfs sssp pagerank", which, " ")
    for (k = 1; k <= count; k++)
        for (i = 1; i <= keys; i++) {
            key = name[i]
            if (algorithm[i] != which[k] || !there(key, "none")) continue
            printf "| %s %s | %d | %d | %d | %d | %s | %d | %s | %s |\n", algorithm[i], input[i],
                of(key, "none", "vertices"), of(key, "none", "edges"), of(key, "none", "launches"),
                of(key, "none", "grid"), there(key, "iru") ? of(key, "iru", "grid") : "",
                of(key, "none", "cycles"), text(measure("share", key, "none")),
                text(measure("issued", key, "none"))
        }
}
# The structures of a slice that a row of the paper's Table 1 means, as a regular expression.
function kilobytes(which,    i, sum)
{
    for (i = 1; i <= structures; i++)
        if (structure[i] ~ which) sum += entries[structure[i]] * bits[structure[i]]
    return sum / 8 / 1024
}
function print_storage(    sum)
{
    print "| part | paper, KB | here, KB |"
    print "| --- | ---: | ---: |"
    sum = storage_row("requests", 2, "^requests$")
    sum += storage_row("prefetch buffer", 1.7, "^prefetch buffer$")
    sum += storage_row("classifier", 1.2, "^classifier: ")
    sum += storage_row("ring", 2.8, "^ring: ")
    sum += storage_row("table", 80, "^table$")
    printf "| *these* | 87.7 | %.2f |\n", sum
    printf "| all others | | %.2f |\n", kilobytes(".") - sum
    printf "| *all* | | %.2f |\n", kilobytes(".")
    # A cell of Intel's 32 nm process has 0.171 um2 (Natarajan et al., IEDM 2008).
    printf "| area | 5.98 mm2 | cells alone %.2f mm2 |\n", kilobytes(".") * 8192 * 0.171e-6
}
function storage_row(title, paper, which,    here)
{
    here = kilobytes(which)
    printf "| %s | %s | %.2f |\n", title, paper, here
    return here
}
# What a claim measures, by the words of claims.tsv's column `measure`: measure, mean or input,
# algorithm (all: each), variant, with. `fewer`: what is missing to 100 percent. Sets `on`.
function claimed(what, where, which, variant, with,    one, fewer)
{
    on = ""
    if (what == "kilobytes") return structures ? kilobytes(where) : ""
    if (what == "entries")
        return structures ? entries[where] * (which == "all" ? places[where] : 1) : ""
    fewer = sub(/^fewer_/, "", what)
    which = which == "all" ? "" : which
    if (where ~ /^(amean|gmean|least|most)$/) {
        # A quotient of two means, as the paper has it.
        if (what ~ /^quotient_/) {
            sub(/^quotient_/, "requests_", what)
            one = over(which, where, what, variant, with)
            one = one == "" ? "" : over(which, where, what, with, variant) / one
        } else one = over(which, where, what, variant, with)
        on = cells == (which == "filtered" ? 12 : which ? 6 : 18) ? "like the six at full size" \
                                                                  : cells " runs"
    } else {
        one = measure(what, which SUBSEP where, variant, with)
        on = "like " where " at full size"
    }
    return one == "" ? "" : fewer ? 100 - one : one
}
function print_claims(    field, word, one)
{
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        if (field[2] != "segura2022iru" || field[11] == "-") continue
        split("", word)
        split(field[11], word, " ")
        gsub("_", " ", word[2])
        one = claimed(word[1], word[2], word[3], word[4], word[5])
        if (one != "") printf "%s\t%.10g\t%.10g\t%s\n", field[1], one, one, on
    }
}
function show()
{
    if (table == "inputs") print_inputs()
    else if (table == "storage") print_storage()
    else if (table == "phases")
        print_table((every ? "none: to the data;target;phases-none;;count\n" \
            "after them;after;phases-none;;count\n" \
            "iru: to the data;target;phases-iru;;count\n" \
            "after them;after;phases-iru;;count\n" : "") \
            "normalised: none, to the data;normal_target;phases-none;;\n" \
            "after;normal_after;phases-none;;\n" \
            "iru, to the data;normal_target;phases-iru;;\n" \
            "after;normal_after;phases-iru;;\n" \
            "both;normal_whole;phases-iru;;", 0, 4)
    else if (table == "accesses")
        print_table("L1;l1_accesses;iru;;\n" \
            "L1 and bypassed;l1_past;iru;;\n" \
            "L2;l2_accesses;iru;;\n" \
            "L2 without the engine's reads;l2_own;iru;;\n" \
            "turn: L1 and bypassed;l1_past;turn;;\n" \
            "L2;l2_accesses;turn;;\n" \
            "kernel: L1 and bypassed;k_l1_past;iru;;\n" \
            "L2;k_l2_accesses;iru;;\n" \
            "turn: L1 and bypassed;k_l1_past;turn;;\n" \
            "L2;k_l2_accesses;turn;;")
    else if (table == "flits")
        print_table("flits;flits;iru;;\n" \
            "to and from engines, of these;unit_flits;iru;;\n" \
            "kernel;k_flits;iru;;\n" \
            "turn: flits;flits;turn;;\n" \
            "to and from engines, of these;unit_flits;turn;;\n" \
            "kernel;k_flits;turn;;")
    else if (table == "requests")
        print_table("loads and stores: none;requests_loads;none;;number\n" \
            "iru;requests_loads;iru;;number\n" \
            "turn;requests_loads;turn;;number\n" \
            "and atomics, `load_iru`: none;requests_unit;none;;number\n" \
            "iru;requests_unit;iru;;number\n" \
            "turn;requests_unit;turn;;number\n" \
            "kernel, the same: none;k_requests_unit;none;;number\n" \
            "iru;k_requests_unit;iru;;number\n" \
            "turn;k_requests_unit;turn;;number", 0, 2)
    else if (table == "merged")
        print_table("iru;merged;iru;;\n" \
            "turn;merged;turn;;\n" \
            (every ? "iru, 256;merged;timeout256;;\n" \
            "1000;merged;timeout1000;;\n" \
            "2048;merged;timeout2048;;\n" \
            "turn, 256;merged;turn256;;\n" \
            "2048;merged;turn2048;;\n" : "") \
            "private;merged;private;;")
    else if (table == "speedups")
        print_table("iru: all kernels;speedup;iru;;factor\n" \
            "the kernel;k_speedup;iru;;factor\n" \
            "turn: all kernels;speedup;turn;;factor\n" \
            "the kernel;k_speedup;turn;;factor\n" \
            "iru: warp instructions;warp_instructions;iru;;\n" \
            "kernel's share of the cycles: none;share;none;;\n" \
            "iru;share;iru;;")
    else if (table == "dram")
        print_table("iru: bytes;dram_bytes;iru;;\n" \
            "L2 misses;l2_misses;iru;;\n" \
            "turn: bytes;dram_bytes;turn;;\n" \
            "L2 misses;l2_misses;turn;;")
    else if (table == "groups")
        print_table("iru: blocks;blocks;iru;;number\n" \
            "by entry;by_entry;iru;;\n" \
            "by timeout;by_timeout;iru;;\n" \
            "hops of a request;hops;iru;;number\n" \
            "elements of a slice and cycle: none;k_rate;none;iru;number\n" \
            "iru;k_rate;iru;iru;number\n" \
            "turn;k_rate;turn;iru;number\n" \
            "turn: blocks;blocks;turn;;number\n" \
            "by entry;by_entry;turn;;\n" \
            "by timeout;by_timeout;turn;;\n" \
            "hops of a request;hops;turn;;number", 1)
    else if (table == "timeout" || table == "turn")
        print_table(sweep("", "speedup", "factor") "\n" \
            sweep("kernel: ", "k_speedup", "factor") "\n" \
            sweep("blocks: ", "blocks", "number"), 1)
    else if (table == "balance")
        print_table("all kernels: turn;speedup;turn;;factor\n" \
            "turn, 64;speedup;turn64;;factor\n" \
            "turn, private;speedup;turn-private;;factor\n" \
            "private;speedup;private;;factor\n" \
            "kernel: turn;k_speedup;turn;;factor\n" \
            "turn, 64;k_speedup;turn64;;factor\n" \
            "turn, private;k_speedup;turn-private;;factor\n" \
            "private;k_speedup;private;;factor\n" \
            "by timeout: turn;by_timeout;turn;;\n" \
            "turn, private;by_timeout;turn-private;;\n" \
            "blocks: turn;blocks;turn;;number\n" \
            "turn, private;blocks;turn-private;;number\n" \
            "flits: turn;flits;turn;;\n" \
            "turn, private;flits;turn-private;;\n" \
            "merged: turn, private;merged;turn-private;;")
    else if (table == "variants")
        print_table("kernel: iru;k_speedup;iru;;factor\n" \
            "private;k_speedup;private;;factor\n" \
            "alternate;k_speedup;alternate;;factor\n" \
            "window 8;k_speedup;window8;;factor\n" \
            "block 32;k_speedup;block32;;factor\n" \
            "past;k_speedup;past;;factor\n" \
            "blocks: iru;blocks;iru;;number\n" \
            "private;blocks;private;;number\n" \
            "kernel's flits: iru;k_flits;iru;;\n" \
            "private;k_flits;private;;\n" \
            "block 32;k_flits;block32;;\n" \
            "kernel's L2 accesses: iru;k_l2_accesses;iru;;\n" \
            "block 32;k_l2_accesses;block32;;\n" \
            "past;k_l2_accesses;past;;", 1)
    else if (table == "atomics")
        print_table("kernel: word;k_speedup;iru;;factor\n" \
            "line;k_speedup;line-iru;;factor\n" \
            "kernel's flits: word;k_flits;iru;;\n" \
            "line;k_flits;line-iru;;\n" \
            "words 1, kernel: none;k_speedup;words1-none;none;factor\n" \
            "iru;k_speedup;words1-iru;;factor\n" \
            "turn;k_speedup;words1-turn;;factor\n" \
            "words 1, all kernels: iru;speedup;words1-iru;;factor\n" \
            "turn;speedup;words1-turn;;factor", 1)
    else exit 2
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
