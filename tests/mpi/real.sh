# real.sh - models of real data: the same bytes for every number of ranks.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

if is_sanitized; then
    skips real 'takes long with sanitizers'
    return
fi
for name in a9a w8a covtype-93k letter imdb farm-ads; do
    if [ ! -f "$LARGE/$name" ]; then
        skips "$name" "HINGE_DATA has no $name"
        continue
    fi
    for solver in 2 61 3 0; do
        agrees "$name, -s $solver" '2 4' -s "$solver" "$LARGE/$name"
        case $solver in
        61) as_train "$name, -s $solver" -s "$solver" "$LARGE/$name" ;;
        esac
    done
done
