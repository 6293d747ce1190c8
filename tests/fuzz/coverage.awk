# Counts lines of the files src/SOURCE... in lcov's format: those of functions that ran, of which a
# share was reached. Other functions of a reader's file write, or serve other commands.
# usage: llvm-cov export -format=lcov ... | awk -v target=NAME -v sources='...' -f coverage.awk
BEGIN { count = split(sources, names, " ") }
/^SF:/ {
    wanted = 0
    for (i = 1; i <= count; i++)
        if (index($0, "/src/" names[i])) wanted = 1
    split("", ran)
    split("", start)
}
!wanted { next }
/^FN:/ { split(substr($0, 4), field, ","); start[field[2]] = field[1] }
/^FNDA:/ { split(substr($0, 6), field, ","); ran[start[field[2]]] += field[1] }
/^DA:/ {
    split(substr($0, 4), field, ",")
    if (field[1] in ran) inside = ran[field[1]]
    if (!inside) next
    lines++
    reached += field[2] > 0
}
END { printf "%-14s %8d %7.1f%%  %s\n", target, lines, 100 * reached / lines, sources }
