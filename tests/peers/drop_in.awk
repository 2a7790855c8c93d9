# drop_in.awk - compares the runs that drop_in.sh noted: exit status, printed lines, models, predictions.
#
# Lines of the notes that start with @ mean:
#   @run KEY | ARGUMENTS      a run of both programs follows; KEY names the item of the manual that explains
#                             why they may differ, or is -
#   @status WHO N MESSAGE     WHO, ours or theirs, printed the lines before this one; N is its exit status,
#                             MESSAGE the first line on standard error
#   @file WHO NAME            WHO wrote a file, whose lines follow
#   @labels                   labels and decision values by our model and by theirs follow, a row a line
#   @end                      that was all
# Prints a line for each difference without an explanation, then "explained N KEY" for each explanation and
# the number of runs it was needed for, then "passed N" and "failed N", runs.

# explain WHY: the difference is one that the manual explains in this item.
function explain(why) {
    if (last[why] != runs) explained[why]++
    last[why] = runs
}

function differ(what) {
    if (failed_run != runs) failed++
    failed_run = runs
    print "DIFFERENT " arguments ": " what
}

# Counts the explanation of a difference in the output, or reports the difference if it has none.
function differ_unless_explained(what) {
    if (key ~ /^-$| here$/) differ(what)
    else explain(key)
}

function given(letter) { return (" " arguments " ") ~ (" -" letter "[^ ]* ") }
function value_of(option) {
    return match(arguments, option "[^ ]+") ? substr(arguments, RSTART + 3, RLENGTH - 3) : ""
}

function away(a, b) { return a > b ? a - b : b - a }
function size(a) { return a < 0 ? -a : a }

# ---- Printed lines --------------------------------------------------------

# Returns which of LIBLINEAR's results the line is, or "" if it is none.
function kind(line) {
    if (line ~ /^optimization finished, #iter = [0-9]+$/) return "finished"
    if (line ~ /^Objective value = -?[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9]$/) return "objective"
    if (line ~ /^nSV = [0-9]+$/) return "nSV"
    if (line ~ /^rho = -?[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9]$/) return "rho"
    if (line ~ /^#nonzeros\/#features = [0-9]+\/[0-9]+$/) return "nonzeros"
    if (line ~ /^Cross Validation Accuracy = [0-9.e+-]+%$/) return "fold accuracy"
    if (line ~ /^Cross Validation Mean squared error = [0-9.e+-]+$/) return "fold error"
    if (line ~ /^Cross Validation Squared correlation coefficient = (-?nan|[0-9.e+-]+)$/) return "fold correlation"
    if (line ~ /^Doing parameter search with [0-9]+-fold cross validation[.]$/) return "search"
    if (line ~ /^log2c= *-?[0-9]+[.][0-9][0-9]\trate=[0-9.e+-]+$/) return "rate"
    if (line ~ /^log2c= *-?[0-9]+[.][0-9][0-9]\tp= *[0-9]+[.][0-9][0-9]\tMean squared error=[0-9.e+-]+$/) return "rate"
    if (line ~ /^Best C = [0-9.e+-]+  CV accuracy = [0-9.e+-]+%$/) return "best"
    if (line ~ /^Best C = [0-9.e+-]+ Best p = [0-9.e+-]+  CV MSE = [0-9.e+-]+$/) return "best p"
    if (line ~ /^Accuracy = [0-9.e+-]+% [(][0-9]+\/[0-9]+[)]$/) return "accuracy"
    if (line ~ /^Mean squared error = [0-9.e+-]+ [(]regression[)]$/) return "error"
    if (line ~ /^Squared correlation coefficient = (-?nan|[0-9.e+-]+) [(]regression[)]$/) return "correlation"
    return ""
}

# True for a line of LIBLINEAR's progress, or of a limit that it has met.
function is_progress(line) {
    return line ~ /^[.*#]*$/ || line ~ /^(init|iter) / || line ~ /^=+$/ || line ~ /^(WARNING: |warning: |Switching to |Using -s )/
}

# Gathers the results of WHO: kinds[who] is their sequence, value[who, n] the n-th line. Takes one of the lines of the
# values of C, and no line of a fold's training.
function gather(who,    k, line, what) {
    kinds[who] = ""
    results[who] = 0
    for (k = 1; k <= printed[who]; k++) {
        line = output[who, k]
        if (line ~ /max number of/) limited = 1
        what = kind(line)
        if (what == "") {
            if (who == "theirs" && !is_progress(line)) differ_unless_explained("unknown line of LIBLINEAR: " line)
            if (who == "ours" && line != "" && given("q")) differ("-q leaves the line: " line)
            continue
        }
        if (what == "rate" && kinds[who] ~ /rate; $/) continue
        if ((given("v") || given("C")) && what ~ /^(finished|objective|nSV|rho|nonzeros)$/) {
            if (who == "ours") differ("prints a line of a fold: " line)
            explain("More lines, and fewer")
            continue
        }
        if (who == "theirs") theirs_has[what]
        else if (!(what in theirs_has)) {
            explain("More lines, and fewer")
            continue
        }
        kinds[who] = kinds[who] what "; "
        value[who, ++results[who]] = line
        kind_of[results[who]] = what
    }
}

# Compares two numbers, which may differ by a part of theirs plus an amount, 2e-6 for lines with six decimals.
function compare_number(what, ours, theirs, part, amount, explanation) {
    if (ours == theirs) return
    sub(/.* = /, "", ours)
    sub(/.* = /, "", theirs)
    sub(/%$/, "", ours)
    sub(/%$/, "", theirs)
    if (away(ours, theirs) > part * size(theirs) + amount) differ_unless_explained(what " is " ours " and not " theirs)
    else explain(explanation)
}

function compare_result(what, ours, theirs) {
    if (what ~ /^(objective|rho)$/ && !limited) {
        compare_number(what, ours, theirs, tight ? 1e-4 : 0.1, 2e-6, "Stopping")
    } else if (what == "nonzeros") {
        sub(/.*\//, "", ours)
        sub(/.*\//, "", theirs)
        if (ours != theirs) differ("features are " ours " and not " theirs)
    } else if (what == "fold accuracy") {
        compare_number(what, ours, theirs, 0, each_row_a_fold ? 10 : 40, "Folds")
    } else if (what ~ /^(fold|search|rate|best)/) {
        if (ours != theirs) explain("Folds")
    } else if (what == "nSV" && tight && !limited) {
        sub(/.* = /, "", ours)
        sub(/.* = /, "", theirs)
        if (given("s") && arguments ~ /-s 4 / && ours + 0 <= theirs + 0) explain("nSV of solver 4")
        else if (away(ours, theirs) > 2) differ("nSV is " ours " and not " theirs)
    } else if (what ~ /^(accuracy|error|correlation)$/ && ours != theirs) {
        differ_unless_explained("prints " ours " and not " theirs)
    }
}

function compare_results(    k) {
    limited = 0
    for (k in theirs_has) delete theirs_has[k]
    gather("theirs")
    gather("ours")
    if (given("C") && given("q") && kinds["theirs"] ~ /^search; / && kinds["ours"] !~ /^search; /) {
        explain("More lines, and fewer")
        return
    }
    if (kinds["ours"] != kinds["theirs"]) {
        differ_unless_explained("prints [" kinds["ours"] "] and not [" kinds["theirs"] "]")
        return
    }
    for (k = 1; k <= results["theirs"]; k++) compare_result(kind_of[k], value["ours", k], value["theirs", k])
}

# ---- Models and predictions -----------------------------------------------

# Compares the files of both: names, headers, numbers of weights, weights.
function compare_models(    k, n, m, a, b, x, y, in_weights, square, distance) {
    if (names["ours"] != names["theirs"]) {
        differ_unless_explained("writes [" names["ours"] "] and not [" names["theirs"] "]")
        return
    }
    square = distance = 0
    for (k = 1; k <= lines["ours"] || k <= lines["theirs"]; k++) {
        a = file["ours", k]
        b = file["theirs", k]
        n = split(a, x, " ")
        m = split(b, y, " ")
        if (in_weights ? n != m || n == 0 || a !~ / $/ : x[1] != y[1] || (a != b && x[1] != "rho")) {
            differ_unless_explained("line " k " of the model is [" a "] and not [" b "]")
            return
        }
        if (x[1] == "rho") compare_number("rho of the model", x[2], y[2], tight ? 1e-3 : 0.1, 2e-6, "Stopping")
        for (n = 1; in_weights && n <= m; n++) {
            distance += (x[n] - y[n]) ^ 2
            square += y[n] ^ 2
        }
        if (a == "w") in_weights = 1
    }
    if (distance > 0 && !limited) {
        if (sqrt(distance) > (tight ? 2e-3 : 0.3) * sqrt(square) + 1e-3)
            differ_unless_explained("weights are " sqrt(distance / square) " away, relative")
        else explain("Stopping")
    }
}

# Returns how far the label, the first word, is from another one: |decision value|, or the difference of the largest
# two of several.
function margin(line,    n, k, word, first, second) {
    n = split(line, word, " ")
    if (n == 2) return size(word[2])
    first = second = -1e300
    for (k = 2; k <= n; k++) {
        if (word[k] > first) {
            second = first
            first = word[k]
        } else if (word[k] > second) second = word[k]
    }
    return first - second
}

# Compares predictions: nearly all labels that are not near another one must be equal, and numbers nearly equal.
function compare_labels(    k, x, ours, theirs, off, scale) {
    off = scale = 0
    for (k = 1; k <= labelled; k++) {
        split(labels[k], x, "\t")
        split(x[1], ours, " ")
        split(x[2], theirs, " ")
        if (ours[1] == theirs[1]) {
            scale++
        } else if (ours[1] == ours[2]) { # a regression
            off += (ours[1] - theirs[1]) ^ 2
            scale += theirs[1] ^ 2
        } else {
            if (margin(x[1]) > (tight ? 0.01 : 0.1)) off++
            scale++
            explain("Stopping")
        }
    }
    if (sqrt(off) > (tight ? 0.01 : 0.35) * sqrt(scale) + 1e-3)
        differ("predictions are " sqrt(off / scale) " away, relative")
}

# ---- A run ----------------------------------------------------------------

function compare() {
    tight = value_of("-e ") != "" && value_of("-e ") + 0 <= 1e-4 && !given("q") # which hides LIBLINEAR's limits
    each_row_a_fold = value_of("-v ") + 0 >= 31
    if (labelled) {
        compare_labels()
        return
    }
    if (code["ours"] > 5) {
        differ("exit status " code["ours"])
    } else if (code["ours"] != 0) {
        if (message["ours"] !~ /: .+/) differ("is refused without a reason: " message["ours"])
        if (code["theirs"] != code["ours"]) explain("Exit status")
        if (code["theirs"] == 0 || code["theirs"] > 5) {
            if (key ~ / refused here$/) explain(key)
            else differ("is refused: " message["ours"])
        }
    } else if (code["theirs"] != 0) {
        if (key ~ / taken here$/) explain(key)
        else differ("is accepted; LIBLINEAR: " message["theirs"])
    } else {
        compare_results()
        compare_models()
    }
}

BEGIN { runs = failed = 0 }

/^@run / {
    runs++
    key = arguments = substr($0, 6)
    sub(/ [|].*/, "", key)
    sub(/^[^|]*[|] /, "", arguments)
    lines["ours"] = lines["theirs"] = labelled = n = 0
    names["ours"] = names["theirs"] = ""
    reading = "output"
    next
}
/^@status / {
    who = $2
    code[who] = $3
    message[who] = $0
    sub(/^@status [a-z]+ [0-9]+ ?/, "", message[who])
    printed[who] = n
    n = 0
    for (k = 1; k <= printed[who]; k++) output[who, k] = held[k]
    next
}
/^@file / {
    who = $2
    names[who] = names[who] $3 " "
    reading = "file"
    next
}
/^@labels$/ { reading = "labels"; next }
/^@end$/ { compare(); next }
reading == "output" { held[++n] = $0; next }
reading == "file" { if ($0 !~ /^#/) file[who, ++lines[who]] = $0; next }
{ labels[++labelled] = $0 }

END {
    for (why in explained) print "explained " explained[why] " " why
    print "passed " runs - failed
    print "failed " failed
}
