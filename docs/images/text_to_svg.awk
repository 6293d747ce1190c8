# A terminal's text as SVG: text_to_svg.awk -v command="heddle ..." <output >picture.svg
# Characters lie on a grid, so that columns line up in whatever monospaced font the viewer has.

function escaped(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function put(text, fill)
{
    if (length(text) > columns) columns = length(text)
    y += 17
    if (text !~ /[^ ]/) return
    body = body sprintf("<text x=\"14\" y=\"%d\" fill=\"%s\" textLength=\"%.1f\">%s</text>\n",
                        y, fill, length(text) * 7.8, escaped(text))
}

BEGIN {
    y = 10
    put("$ " command, "#0b5394")
}
{ put($0, "#222222") }
END {
    width = int(columns * 7.8) + 29
    height = y + 14
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" " \
           "viewBox=\"0 0 %d %d\">\n", width, height, width, height
    printf "<title>%s</title>\n", escaped(command)
    printf "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#fafafa\" " \
           "stroke=\"#bbbbbb\"/>\n", width - 1, height - 1
    print "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" " \
          "xml:space=\"preserve\">"
    printf "%s</g>\n</svg>\n", body
}
