# real.sh - models of real data have the same bytes for every number of ranks (RANKS, default 2), and for train by the
# same method.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

for name in w8a covtype-93k letter imdb farm-ads; do
    if [ ! -f "$LARGE/$name" ] || is_sanitized; then
        skips "$name" "HINGE_DATA has no $name, or with sanitizers it takes long"
        continue
    fi
    solvers='2 61 0'
    [ "$name" != farm-ads ] || solvers='2 0' # -s 61 is slow there, and imdb has many features, too
    for solver in $solvers; do
        agrees "$name, -s $solver" "${RANKS:-2}" -s "$solver" "$LARGE/$name"
        plain=--plain # where features are many, train has passes before Newton's method
        [ "$solver" != 61 ] || plain=
        # shellcheck disable=SC2086 # none or one
        as_train "$name, -s $solver" $plain -s "$solver" "$LARGE/$name"
    done
done
