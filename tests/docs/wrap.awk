# For the scripts that print lists of pages: awk -f wrap.awk -f ...

# Prints an item of a list, at most 100 columns a line.
function print_item(text,    words, count, i, line)
{
    count = split(text, words, " ")
    line = "-"
    for (i = 1; i <= count; i++) {
        if (length(line " " words[i]) > 100) {
            print line
            line = " "
        }
        line = line " " words[i]
    }
    print line
}
