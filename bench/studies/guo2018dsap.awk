# Prints tables of docs/results/guo2018dsap.md from the study's CSV file:
#     awk -F, -v tables='NAME...' [-v every=1] -f guo2018dsap.awk CSV
# `every`: with rows of all inputs, and their misses by list; else with the means alone, or the six.
# The table `claims` is for claims.sh: what claims.tsv (-v claims=FILE) measures of this paper.
#
# Speed-ups are in cycles, since IPC counts only the program's instructions and these are nearly the
# same. An access whose line is on its way is a miss, as in the paper (section V-A); `strict` rates
# leave these out.
BEGIN { all_sets = "six random 1024 listed file" } # the sets of inputs
NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    next
}
{
    if (!($1 in set)) input[++inputs] = $1
    set[$1] = $2
    runs[$1, $3] = 1
    for (i in column) value[$1, $3, i] = $column[i]
}
function there(key, variant) { return (key, variant) in runs }
function of(key, variant, name) { return value[key, variant, name] }
function speedup(key, variant, base)
{
    return of(key, base, "cycles") / of(key, variant, "cycles")
}
# The share of an array's accesses (l1: of all) that miss, in percent.
function rate(key, variant, array, strict,    missed)
{
    missed = of(key, variant, array "_misses")
    if (!strict) missed += of(key, variant, array "_pending")
    return 100 * missed / of(key, variant, array "_accesses")
}
function used_lines(key, variant)
{
    return of(key, variant, "useful") + of(key, variant, "late")
}
function share(part, all) { return all ? 100 * part / all : 0 }
function coverage(key, variant,    used)
{
    used = used_lines(key, variant)
    return share(used, used + of(key, variant, "demand_misses"))
}
# Of the lines of which it is known, as the adaptive controller counts.
function utilisation(key, variant,    used)
{
    used = used_lines(key, variant)
    return share(used, used + of(key, variant, "useless"))
}
function change(key, variant, base, name)
{
    return 100 * (of(key, variant, name) / of(key, base, name) - 1)
}
function percent(number) { return sprintf("%.1f %%", number) }
function points(number) { return sprintf("%.1f", number) }
function factor(number) { return sprintf("%.3f", number) }
function greatest(key, variant,    n, name, i, one, most)
{
    n = split("work vertex edge visited", name, " ")
    for (i = 1; i <= n; i++) {
        one = rate(key, variant, name[i])
        most = one > most ? one : most
    }
    return most
}
# A measure of a run, by name; empty if the run, or what it compares with, is not there. `with` is
# the array of a rate, and what a speed-up or a change of traffic is relative to (default: the same
# machine without prefetches).
function measure(what, key, variant, with,    base)
{
    base = variant ~ /-(16KB|lrr)$/ ? "none" substr(variant, index(variant, "-")) : "none"
    if (what ~ /^(speedup|dram|bandwidth|flits)$/ && with) base = with
    if (!there(key, variant) || !there(key, base)) return ""
    if (what == "speedup") return speedup(key, variant, base)
    if (what == "rate" || what == "strict") return rate(key, variant, with, what == "strict")
    if (what == "fewer") return rate(key, base, with) - rate(key, variant, with)
    if (what == "relative") return 100 * (1 - rate(key, variant, with) / rate(key, base, with))
    if (what == "greatest") return greatest(key, variant)
    if (what == "coverage") return coverage(key, variant)
    if (what == "utilisation") return utilisation(key, variant)
    if (what == "dram") return change(key, variant, base, "dram_bytes_moved")
    if (what == "flits") return change(key, variant, base, "flits")
    if (what == "bandwidth")
        return (100 + measure("dram", key, variant, base)) * speedup(key, variant, base) - 100
    return ""
}
# Of the inputs of a set: gmean, amean, least or most; empty if one is missing.
function over(which, how, what, variant, with,    i, n, one, sum, low, high)
{
    for (i = 1; i <= inputs; i++) {
        if (set[input[i]] != which) continue
        one = measure(what, input[i], variant, with)
        if (one == "") return ""
        sum += how == "gmean" ? log(one) : one
        low = !n || one < low ? one : low
        high = !n || one > high ? one : high
        n++
    }
    if (n < (which == "file" ? 1 : 6)) return ""
    if (how == "least") return low
    if (how == "most") return high
    return how == "gmean" ? exp(sum / n) : sum / n
}
function cell(number, format)
{
    if (number == "") return " |"
    if (format == "factor") return " " factor(number) " |"
    return " " (format == "points" ? points(number) : percent(number)) " |"
}
# The row of an input, or with the means of a set, by the columns of print_table.
function print_row(title, key, which, n,    k, field, line, one)
{
    for (k = 1; k <= n; k++) {
        split(columns[k], field, ";")
        if (key) one = measure(field[2], key, field[3], field[4])
        else one = over(which, field[2] == "speedup" ? "gmean" : "amean", field[2], field[3],
                        field[4])
        line = line cell(one, field[5])
    }
    if (line ~ /[0-9]/) print "| " title " |" line
}
# A table with a row for each input, and one with the mean of each set. Without `every` inputs have
# no row, or the six (`with_six`) alone. A column is `title;measure;variant;with;format`.
function print_table(specification, sets, with_six,    n, i, k, field, line, which, count)
{
    n = split(specification, columns, "\n")
    printf "| input |"
    line = "| --- |"
    for (k = 1; k <= n; k++) {
        split(columns[k], field, ";")
        printf " %s |", field[1]
        line = line " ---: |"
    }
    print "\n" line
    for (i = 1; i <= inputs; i++)
        if (every ? index(sets, set[input[i]]) : with_six && set[input[i]] == "six")
            print_row(input[i], input[i], "", n)
    count = split(sets, which, " ")
    for (i = 1; i <= count; i++) print_row("*mean, " which[i] "*", "", which[i], n)
}
function print_inputs(    i, k, n, array, key)
{
    n = split("work vertex edge visited", array, " ")
    print "| input | vertices | edges | launches | warp instructions | cycles | IPC |" \
        (every ? " work | vertex | edge | visited | all |" : " misses, all |")
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |" \
        (every ? " ---: | ---: | ---: | ---: |" : "") " ---: |"
    for (i = 1; i <= inputs; i++) {
        key = input[i]
        if (!there(key, "none") || (!every && set[key] != "six")) continue
        printf "| %s | %d | %d | %d | %d | %d | %.2f |", key, of(key, "none", "vertices"),
            of(key, "none", "edges"), of(key, "none", "launches"),
            of(key, "none", "warp_instructions"), of(key, "none", "cycles"),
            of(key, "none", "warp_instructions") / of(key, "none", "cycles")
        for (k = 1; every && k <= n; k++) printf " %s |", percent(rate(key, "none", array[k]))
        printf " %s |\n", percent(rate(key, "none", "l1"))
    }
}
# Misses by array, and their relative decrease, of graphs like the paper's six.
function print_structures(    i, k, n, array, key)
{
    n = split("work vertex edge visited", array, " ")
    print "| input | work | vertex | edge | visited | fewer: work | vertex | edge | visited |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= inputs; i++) {
        key = input[i]
        if (set[key] == "file" || !there(key, "none") || !there(key, "dsap")) continue
        if (!every && set[key] != "six") continue
        printf "| %s |", key
        for (k = 1; k <= n; k++)
            printf " %s to %s |", percent(rate(key, "none", array[k])),
                points(rate(key, "dsap", array[k]))
        for (k = 1; k <= n; k++) printf " %s |", percent(measure("relative", key, "dsap", array[k]))
        print ""
    }
}
# The share of the periods in each state, and misses by array with `stop` and `on`.
function print_states(    i, k, n, array, name, all, key)
{
    split("work vertex edge visited", array, " ")
    print "| input | 000 | 100 | 110 | 111 | `stop`: 111 | work | vertex | edge | visited |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= inputs; i++) {
        key = input[i]
        if (set[key] == "file" || !there(key, "stop") || !there(key, "dsap")) continue
        printf "| %s |", key
        for (n = 1; n <= 2; n++) {
            name = n == 1 ? "dsap" : "stop"
            all = of(key, name, "none_periods")
            for (k = 1; k <= 4; k++) all += of(key, name, array[k] "_periods")
            for (k = n == 1 ? 1 : 4; k <= 4; k++)
                printf " %s |", percent(share(of(key, name, array[k] "_periods"), all))
        }
        for (k = 1; k <= 4; k++)
            printf " %s to %s |", percent(rate(key, "stop", array[k])),
                points(rate(key, "dsap", array[k]))
        print ""
    }
}
# The greatest difference of the speed-ups with other thresholds, in percent of the least.
function threshold_spread(key,    n, i, name, one, low, high)
{
    n = split("threshold.6 threshold.7 dsap threshold.9", name, " ")
    for (i = 1; i <= n; i++) {
        one = measure("speedup", key, name[i])
        if (one == "") return ""
        low = i == 1 || one < low ? one : low
        high = i == 1 || one > high ? one : high
    }
    return 100 * (high / low - 1)
}
# What a claim measures, by the words of claims.tsv's column `measure`: measure, input or mean,
# variant, with.
function claimed(what, where, variant, with,    one, speed)
{
    if (what == "spread") return threshold_spread(where)
    speed = what ~ /^(faster|slower)$/
    if (where !~ /^(gmean|amean|least|most)$/)
        one = measure(speed ? "speedup" : what, where, variant, with)
    else one = over("six", where, speed ? "speedup" : what, variant, with)
    if (one == "" || !speed) return one
    return what == "faster" ? 100 * (one - 1) : 100 * (1 - one)
}
function print_claims(    field, word, one)
{
    while ((getline <claims) > 0) {
        split($0, field, "\t")
        if (field[2] != "guo2018dsap" || field[11] == "-") continue
        split(field[11], word, " ")
        one = claimed(word[1], word[2], word[3], word[4])
        if (one != "") printf "%s\t%.10g\t%.10g\tlike %s at full size\n", field[1], one, one, \
            set[word[2]] ? word[2] : "the six"
    }
}
function show(table)
{
    if (table == "inputs") print_inputs()
    else if (table == "speedups")
        print_table("next-line;speedup;next-line;;factor\n" \
            "ghb-stride;speedup;ghb-stride;;factor\n" \
            "dsap;speedup;dsap;;factor\n" \
            "coverage: next-line;coverage;next-line;;\n" \
            "ghb-stride;coverage;ghb-stride;;\n" \
            "dsap;coverage;dsap;;", all_sets, 1)
    else if (table == "misses")
        print_table("none;rate;none;l1;\n" \
            "next-line;rate;next-line;l1;\n" \
            "ghb-stride;rate;ghb-stride;l1;\n" \
            "dsap;rate;dsap;l1;\n" \
            "fewer, in points;fewer;dsap;l1;points\n" \
            "fewer, relative;relative;dsap;l1;\n" \
            "without those on their way: none;strict;none;l1;\n" \
            "dsap;strict;dsap;l1;", all_sets)
    else if (table == "structures") print_structures()
    else if (table == "traffic")
        print_table("DRAM bytes;dram;dsap;;\n" \
            "DRAM bytes per cycle;bandwidth;dsap;;\n" \
            "flits;flits;dsap;;\n" \
            "used lines;utilisation;dsap;;\n" \
            "DRAM bytes: next-line;dram;next-line;;\n" \
            "used lines;utilisation;next-line;;", all_sets)
    else if (table == "adaptation")
        print_table("on;speedup;dsap;;factor\n" \
            "stop;speedup;stop;;factor\n" \
            "off;speedup;off;;factor\n" \
            "on / stop;speedup;dsap;stop;factor\n" \
            "on / off;speedup;dsap;off;factor", all_sets)
    else if (table == "states") print_states()
    else if (table == "sensitivity")
        print_table("threshold .6;speedup;threshold.6;;factor\n" \
            ".7;speedup;threshold.7;;factor\n" \
            ".8;speedup;dsap;;factor\n" \
            ".9;speedup;threshold.9;;factor\n" \
            "16 KB;speedup;dsap-16KB;;factor\n" \
            "dsap, 16 / 48 KB;speedup;dsap-16KB;dsap;factor\n" \
            "lrr;speedup;dsap-lrr;;factor\n" \
            "dsap, lrr / gto;speedup;dsap-lrr;dsap;factor", "six")
    else if (table == "open")
        print_table("`states=5`;speedup;states5;dsap;factor\n" \
            "`unresolved=up`;speedup;up;dsap;factor\n" \
            "`stop`, `resume=kernel`;speedup;stop-kernel;dsap;factor\n" \
            "`period=1000`;speedup;period1000;dsap;factor\n" \
            "`period=100000`;speedup;period100000;dsap;factor\n" \
            "`queue=16`;speedup;queue16;dsap;factor\n" \
            "`queue=256`;speedup;queue256;dsap;factor\n" \
            "`fifo=4`;speedup;fifo4;dsap;factor\n" \
            "`fifo=64`;speedup;fifo64;dsap;factor\n" \
            "next-line: `trigger=misses`;speedup;next-line-miss;next-line;factor", "six")
    else exit 2
}
END {
    if (table == "claims") print_claims()
    count = split(tables, wanted, " ")
    for (t = 1; t <= count; t++) {
        print "<!-- " wanted[t] " -->"
        show(wanted[t])
    }
}
