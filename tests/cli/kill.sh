# kill.sh - kill -9 at any moment: under the model's name is the old model, or the whole new one.
# shellcheck shell=sh

# Most of the time goes into writing: three classes, 60,000 features, few rows.
awk 'BEGIN {
    for (i = 1; i <= 3; i++) {
        printf "%d", i
        for (j = 1; j <= 60000; j++) printf " %d:%.4f", j, i / (j + 1)
        print ""
    } }' >data
"$BIN/train" -q -i 3 data whole
echo 'an old model' >old

if ! sleep 0.001 2>/dev/null; then
    skips 'killed at any moment' 'sleep takes whole seconds only'
else
    damaged='' met=0 round=0
    awk 'BEGIN { srand(); for (k = 0; k < 30; k++) printf "%.3f\n", 0.18 * rand() }' >delays
    while read -r delay; do
        round=$((round + 1))
        expected=old
        if [ $((round % 2)) = 0 ]; then
            cp old model
        else
            rm -f model
            expected=none
        fi
        "$BIN/train" -q -i 3 data model &
        number=$!
        sleep "$delay"
        kill -s KILL "$number" 2>/dev/null
        wait "$number" 2>/dev/null
        if [ -e model ]; then
            cmp -s model whole || { [ "$expected" = old ] && cmp -s model old; } ||
                damaged="$damaged $delay"
        elif [ "$expected" = old ]; then
            damaged="$damaged $delay"
        fi
        for temporary in model.tmp-*; do
            [ ! -s "$temporary" ] || met=$((met + 1))
            rm -f "$temporary"
        done
    done <delays
    same 'killed at any moment: delays that left something else' '' "$damaged"
    [ "$met" -gt 0 ] || skips 'killed at any moment' 'no kill met the writing'
fi
