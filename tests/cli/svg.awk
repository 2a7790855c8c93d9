# svg.awk - prints each text of a picture that gnuplot drew as SVG. With -v check=1, prints each text that
# reaches beyond the picture, and each two texts that overlap.
#
# A letter is taken as half as wide as it is high. A text that is neither horizontal nor vertical is taken
# as the point at which it is fixed.

# Returns the value of the attribute NAME in this line.
function value(name) {
    if (!match($0, name "=\"[^\"]*\"")) return ""
    return substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3)
}

/^ width="/ { width = value("width") + 0; height = value("height") + 0 }

/<g transform="translate\(/ {
    match($0, /translate\([^)]*\)/)
    split(substr($0, RSTART + 10, RLENGTH - 11), at, ",")
    turned = match($0, /rotate\([^)]*\)/) ? substr($0, RSTART + 7, RLENGTH - 8) + 0 : 0
    size = value("font-size") + 0
    anchor = value("text-anchor")
}

/<text[ >]/ {
    line = $0
    gsub(/<[^>]*>/, "", line)
    gsub(/&lt;/, "<", line)
    gsub(/&gt;/, ">", line)
    gsub(/&#39;/, "\047", line)
    gsub(/&amp;/, "\\&", line)
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    if (line == "") next
    if (!check) { print line; next }
    long = length(line) * size / 2
    from = anchor == "middle" ? -long / 2 : anchor == "end" ? -long : 0
    n++
    text[n] = line
    if (turned == 0) {
        left[n] = at[1] + from; right[n] = left[n] + long
        top[n] = at[2] - 0.8 * size; bottom[n] = at[2] + 0.2 * size
    } else if (turned == 270 || turned == -90) {
        bottom[n] = at[2] - from; top[n] = bottom[n] - long
        left[n] = at[1] - 0.8 * size; right[n] = at[1] + 0.2 * size
    } else {
        left[n] = right[n] = at[1]
        top[n] = bottom[n] = at[2]
    }
}

END {
    for (i = 1; i <= n; i++) {
        if (left[i] < 0 || right[i] > width || top[i] < 0 || bottom[i] > height)
            print "\047" text[i] "\047 reaches beyond the picture"
        for (j = 1; j < i; j++)
            if (left[i] < right[j] && left[j] < right[i] && top[i] < bottom[j] && top[j] < bottom[i])
                print "\047" text[j] "\047 and \047" text[i] "\047 overlap"
    }
}
