# page.awk - turns a page of Markdown, as the benchmarks write it, into the input of inspect --page. A line
# <!-- NAME --> is the place of the pictures in the file NAME of the folder `figures`. With -v parts=N, the page has N
# headings.

# Prints the text by sentences, so that no paragraph is too long to be shown.
function put(kind, text, n, part, i, line) {
    n = split(text, part, /[.] /)
    line = ""
    for (i = 1; i <= n; i++) {
        if (line != "" && length(line part[i]) > 360) {
            print kind "\t" line
            line = ""
        }
        line = line (line == "" ? "" : " ") part[i] (i < n ? "." : "")
    }
    if (line != "") print kind "\t" line
}

function end_paragraph() {
    if (paragraph != "") put("text", paragraph)
    paragraph = ""
}

function row(kind, n, cell, i, line) {
    n = split($0, cell, / *[|] */)
    line = kind
    for (i = 2; i < n; i++) line = line "\t" cell[i]
    print line
}

/^!\[/ { next }
{
    gsub(/[`\t]|[*][*]/, "")
    while (match($0, /\[[^]]*\]\([^)]*\)/)) { # a link
        link = substr($0, RSTART + 1, RLENGTH - 1)
        sub(/\].*/, "", link)
        $0 = substr($0, 1, RSTART - 1) link substr($0, RSTART + RLENGTH)
    }
}
/^## / && parts != "" && headings++ >= parts { exit }
/^# / { print "hinge-page 1\t" substr($0, 3); caption = substr($0, 3); next }
/^###* / { end_paragraph(); sub(/^#+ /, ""); caption = $0; print "heading\t" $0; next }
/^<!-- .* -->$/ { end_paragraph(); while ((getline line < (figures "/" $2)) > 0) print line; next }
/^The pictures are in / { next }
/^[|][-:|]*[|]$/ { next }
/^[|]/ { end_paragraph(); row(in_table ? "row" : "table\t" caption); in_table = 1; next }
{ in_table = 0 }
/^ *- / { end_paragraph(); sub(/^ *- /, ""); put("text", $0); next }
/^$/ { end_paragraph(); next }
{ paragraph = paragraph (paragraph == "" ? "" : " ") $0 }
END { end_paragraph() }
