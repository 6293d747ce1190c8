# Compares the papers' claims with what was measured, for claims.sh:
#     awk -F'\t' -v table=NAME -v papers=' PAPER... ' -v old=CSV -f claims.awk \
#         REASONS MEASURED CLAIMS
# `csv`: all rows; those of other papers are the lines of the CSV file `old`. `unexplained`: which
# claims of the papers need a reason and have none.
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
function asked(i) { return index(papers, " " from[i] " ") }
function print_csv(    r, i, line, kept)
{
    while ((getline line <old) > 0) kept[substr(line, 1, index(line, ",") - 1)] = line
    print "id,paper,source,metric,mechanism,workload,unit,published,ours,ours_all_launches," \
        "inputs,comparable,sign_right,within_30_percent,reason"
    for (r = 1; r <= rows; r++) {
        i = id[r]
        if (!asked(i)) {
            print kept[i]
            continue
        }
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
    else if (table == "unexplained") {
        for (r = 1; r <= rows; r++) {
            judge(id[r])
            if (asked(id[r]) && !why && !(known && within))
                print id[r] " has no reason (reasons.tsv)"
        }
    } else exit 2
}
