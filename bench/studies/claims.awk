# Compares the papers' claims with what was measured, for claims.sh:
#     awk -F'\t' -v table=NAME -v ids=REGEX -f claims.awk REASONS MEASURED CLAIMS
# `csv`: all rows. `claims`: how many claims of these ids are met, by figure. `missed`: which of
# them are not met. `unexplained`: which claims of any id need a reason and have none.
#
# The effect is the difference to the value without effect. Its sign is right if ours is on the same
# side of that value. A claim without effect, or ours of it, is right within a hundredth. A claim
# that is a bound (`above`, `below`) is met by anything on that side of it. The sign is that of the
# measured value; all else is judged with the value that the tables show, rounded like the paper's.
function rounded(number, unit)
{
    if (unit ~ /^percent/) return sprintf("%.1f", number)
    return sprintf(unit ~ /^(ratio|KB|accesses\/request)$/ ? "%.2f" : "%.0f", number)
}
function magnitude(number) { return number < 0 ? -number : number }
function quoted(text) { return text ~ /[,"]/ ? "\"" text "\"" : text }
function compare(claim, unit, kind, neutral, here, shown,    effect, ours, near)
{
    effect = claim - neutral
    ours = shown - neutral
    near = unit == "ratio" ? 0.01 : 1
    if (kind == "above" && shown >= claim || kind == "below" && shown <= claim)
        return (sign = within = 1)
    if (!effect) return (sign = within = magnitude(ours) < near)
    sign = effect * (here - neutral) > 0
    within = sign && magnitude(ours - effect) <= 0.3 * magnitude(effect)
}
FNR == 1 { file++ }
file == 1 && FNR > 1 { reason[$1] = $2 }
file == 2 && !($1 in here) {
    here[$1] = $2
    every[$1] = $3
    on[$1] = $4
}
file == 3 && FNR > 1 {
    id[++rows] = $1
    from[$1] = $2
    source[$1] = $3
    metric[$1] = $4
    mechanism[$1] = $5
    workload[$1] = $6
    claim[$1] = $7
    unit[$1] = $8
    kind[$1] = $9
    neutral[$1] = $10
    measured[$1] = $11
}
function judge(i)
{
    sign = within = 0
    known = i in here
    value = known ? rounded(here[i], unit[i]) : ""
    if (known) compare(claim[i] + 0, unit[i], kind[i], neutral[i] + 0, here[i] + 0,
                       value + 0)
    why = ""
    if (known && !within) why = reason[i]
    else if (!known) why = measured[i] == "-" ? reason[i] : "not measured yet"
}
function yes(flag) { return flag ? "yes" : "no" }
function count_figures(    r, i, f, figures, figure, total)
{
    print "| source | claims | comparable | right sign | within 30 % |"
    print "| --- | ---: | ---: | ---: | ---: |"
    for (r = 1; r <= rows; r++) {
        i = id[r]
        if (i !~ ids) continue
        judge(i)
        if (!((source[i], 0) in total)) figure[++figures] = source[i]
        for (f = 0; f <= 1; f++) {
            total[f ? "all" : source[i], 0]++
            total[f ? "all" : source[i], 1] += known
            total[f ? "all" : source[i], 2] += sign
            total[f ? "all" : source[i], 3] += within
        }
    }
    figure[++figures] = "all"
    for (r = 1; r <= figures; r++) {
        printf "| %s |", figure[r] == "all" ? "*all*" : figure[r]
        for (f = 0; f <= 3; f++) printf " %d |", total[figure[r], f]
        print ""
    }
}
# Of long lists of inputs their number; the names that the paper lists are the inputs'.
function list_missed(    r, i, of, inputs, one)
{
    print "| claim | source | what | of | paper | here | inputs | sign | why |"
    print "| --- | --- | --- | --- | ---: | ---: | --- | --- | --- |"
    for (r = 1; r <= rows; r++) {
        i = id[r]
        if (i !~ ids) continue
        judge(i)
        if (!known || within) continue
        of = workload[i] ~ /^(-|ALL10|ALL7)$/ ? "" : ", " workload[i]
        sub(/ \([A-Z0-9 ]+\)$/, "", of)
        inputs = length(on[i]) > 72 ? split(on[i], one, " ") " kernels" : on[i]
        printf "| %s | %s | %s | %s%s | %s | %s | %s | %s | %s |\n", i, source[i], metric[i],
            mechanism[i], of, claim[i], value, inputs, sign ? "right" : "wrong", why
    }
}
function print_csv(    r, i)
{
    print "id,paper,source,metric,mechanism,workload,unit,published,ours,ours_all_launches," \
        "inputs,comparable,sign_right,within_30_percent,reason"
    for (r = 1; r <= rows; r++) {
        i = id[r]
        judge(i)
        printf "%s,%s,%s,%s,%s,%s,%s,%s,", i, from[i], quoted(source[i]), quoted(metric[i]),
            quoted(mechanism[i]), quoted(workload[i]), unit[i], claim[i]
        printf "%s,%s,%s,%s,%s,%s,%s\n", value, known ? rounded(every[i], unit[i]) : "",
            quoted(on[i]), yes(known), known ? yes(sign) : "",
            known ? yes(within) : "", quoted(why)
    }
}
END {
    if (table == "csv") print_csv()
    else if (table == "claims") count_figures()
    else if (table == "missed") list_missed()
    else if (table == "unexplained") {
        for (r = 1; r <= rows; r++) {
            judge(id[r])
            if (!why && !(known && within)) print id[r] " has no reason (reasons.tsv)"
        }
    } else exit 2
}
