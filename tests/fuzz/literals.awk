# Writes each string literal of C sources to a file of its own: FOLDER/NAME-NUMBER. Adjacent
# literals are one text, as for the compiler. Needs -v folder=FOLDER; texts of under `least` bytes
# are left out.
function value(escape, high) # of one escape sequence, without its backslash
{
    if (escape == "n") return "\n"
    if (escape == "t") return "\t"
    if (escape == "r") return "\r"
    if (escape == "x") {
        high = index("0123456789abcdef", substr(hex, 1, 1)) - 1
        return sprintf("%c", 16 * high + index("0123456789abcdef", substr(hex, 2, 1)) - 1)
    }
    return escape
}

function finish()
{
    if (length(text) >= least && !(text in seen)) {
        seen[text]
        file = folder "/" name "-" ++count
        printf "%s", text > file
        close(file)
    }
    text = ""
    open = 0
}

FNR == 1 {
    finish()
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.[a-z]*$/, "", name)
}

{
    line = $0
    while (line != "") {
        if (open && match(line, /^[ \t]+/)) {
            line = substr(line, RLENGTH + 1)
            continue
        }
        if (!match(line, /^"([^"\\]|\\.)*"/)) { # outside: up to the next literal
            if (match(line, /^\/\//)) break
            finish()
            if (match(line, /^'\\?.'/)) line = substr(line, RLENGTH + 1)
            else line = substr(line, 2)
            continue
        }
        open = 1
        inner = substr(line, 2, RLENGTH - 2)
        line = substr(line, RLENGTH + 1)
        while ((at = index(inner, "\\"))) {
            text = text substr(inner, 1, at - 1)
            escape = substr(inner, at + 1, 1)
            hex = substr(inner, at + 2, 2)
            if (escape == "0") break # what follows a zero byte is no text
            text = text value(escape)
            inner = substr(inner, at + (escape == "x" ? 4 : 2))
        }
        if (!at) text = text inner
    }
}

END { finish() }
