# models.sh - the bytes of the model are the same for every number of ranks, and for train by the same method.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

# Newton's method starts at the solution for a part of the rows, and there at the solution for a part of that part.
awk 'BEGIN {
    for (i = 0; i < 30000; i++) {
        x = sin(i * i % 7919); y = cos(i * 3.7); z = sin(i * 0.9)
        printf "%d 1:%.6f 2:%.6f 3:%.6f\n", (x - 2 * y + z + 3 * sin(i * 12.9898) > 0.3), x, y, z
    } }' >narrow
for solver in 0 11 61; do
    agrees "parts of parts, -s $solver" '2 3' -s "$solver" narrow
    as_train "parts of parts, -s $solver" -s "$solver" narrow
done

# More rows than features, but few that have a weight: the factor is over these.
awk 'BEGIN {
    for (i = 0; i < 1100; i++) {
        x = sin(i * i % 7919); y = cos(i * 3.7)
        printf "%d 1:%.6f 2:%.6f", (x > y), 3 * x, 3 * y
        for (j = i % 37 + 3; j < 540; j += 37)
            printf " %d:%.6f", j, sin(i * j)
        printf "\n"
    } }' >few
for solver in 2 61; do
    agrees "few rows with a weight, -s $solver" '2 3' -s "$solver" -c 100 few
    as_train "few rows with a weight, -s $solver" -s "$solver" -c 100 few
done

sets="$CANCER $DIGITS"
if is_sanitized; then sets=$CANCER; fi # which takes minutes
for data in $sets; do
    name=$(basename "$data") most=${SIZES#1 } few='2 3' others='0 1 3 7 11 12 13'
    if [ "$data" = "$DIGITS" ]; then most='2 3' few=3 others='3 7'; fi
    for solver in 2 61; do
        agrees "$name, -s $solver" "$most" -s "$solver" "$data"
        as_train "$name, -s $solver" -s "$solver" "$data"
    done
    for solver in $others; do
        agrees "$name, -s $solver" "$few" -s "$solver" "$data"
    done
    agrees "$name, -b 1" '3' -s 2 -b 1 "$data"
    prints "$name, -v" "$few" -s 2 -v 5 "$data"
    prints "$name, -v, -s 3" '3' -s 3 -v 3 --metrics=json "$data"
    prints "$name, -C" '3' -s 2 -C --c-range -2:4:2 "$data"
    awk '{ print "g" NR % 7 }' "$data" >groups
    ranks 1 -q -s 2 --folds groups --predictions rows "$data"
    ranks 3 -q -s 2 --folds groups --predictions others "$data"
    same_bytes "$name, --folds, --predictions" rows others
    ranks 1 -q -s 2 -C --c-range -2:2:2 --refit --path path "$data" one
    ranks 3 -q -s 2 -C --c-range -2:2:2 --refit --path paths "$data" many
    same_bytes "$name, -C --refit" one many
    same "$name, --path" "$(cut -d , -f 1-8 path)" "$(cut -d , -f 1-8 paths)"
    "$BIN/train" -q -s 2 -c 0.5 "$data" start
    agrees "$name, --initial-model" '3' -s 2 --initial-model start "$data"
done
agrees 'a bias' '3' -s 3 -B 1 "$CANCER"
agrees 'a free bias' '3' -s 2 -B 1 -R "$CANCER"
agrees 'weights' '3' -s 2 --balanced -w1 3 "$CANCER"
agrees '-e' '3' -s 2 -e 0.001 "$CANCER"
awk '{ print NR % 5 }' "$CANCER" >weights
agrees 'weights of rows' '3' -s 3 -W weights "$CANCER"
