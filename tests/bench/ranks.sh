#!/bin/sh
# make bench-mpi: compares train-mpi with MPI LIBLINEAR's trust-region Newton method and with blockERM's block-diagonal
# method and DisDCA (CoCoA+), RANKS processes of each: calls of MPI, messages and bytes sent, and processor time of the
# busiest rank, until the model is within 1e-3 of the minimum. Writes tests/bench/MPI.md. Run it from the top folder,
# after make.
# HINGE_DATA: folder of the data sets; HINGE_SETS: the data sets; HINGE_RANKS (default 4); HINGE_PEERS: folder with
# build.sh, which builds the peers; HINGE_PATIENCE: seconds after which a run of a peer is stopped (default 100).
# Needs awk, an MPI, and what lib.sh needs.
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh
set -u

data=${HINGE_DATA:-data}
ranks=${HINGE_RANKS:-4}
patience=${HINGE_PATIENCE:-100}
sets=${HINGE_SETS-a9a covtype-93k w8a imdb farm-ads covtype-synth}
peers=${HINGE_PEERS:-$data/../peers}
here=tests/bench
page=${HINGE_PAGE:-$here/MPI.md}
bench='bench-mpi'
runs=1 long=0

# shellcheck source=/dev/null
. "$here/lib.sh"
if ! command -v "${MPICC:-mpicc}" >/dev/null 2>&1 || ! command -v mpirun >/dev/null 2>&1; then
    echo "$bench: no MPI is installed (Debian: libopenmpi-dev, openmpi-bin): nothing measured"
    exit 0
fi

# Open MPI must be allowed to run as root, and with more ranks than processors.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
options='--oversubscribe --mca mpi_yield_when_idle 1 --mca btl_vader_single_copy_mechanism none'
# Open MPI records each message, including those inside its collective calls, in a file for each rank.
options="$options --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3
    --mca pml_monitoring_filename $scratch/messages"

# counted COMMAND...: runs the command on all ranks. Writes calls, bytes and seconds to the file counts, which is empty
# if the command fails.
counted() {
    : >"$scratch/counts"
    rm -f "$scratch"/messages.*
    # shellcheck disable=SC2086 # several options
    timeout "$patience" mpirun -q $options -n "$ranks" -x MPI_COUNT="$scratch/counts" \
        -x LD_PRELOAD="$scratch/mpi_count.so" "$@" >"$scratch/report" 2>&1
}

# parts NAME: writes the rows into one file for each rank, as blockERM reads them.
parts() {
    rm -f "$scratch"/rows.*
    awk -v ranks="$ranks" -v rows="$(wc -l <"$(path "$1")")" -v out="$scratch/rows." \
        '{ k = int((NR - 1) * ranks / rows); print >(out k) }' "$(path "$1")"
}

# messages: the most messages that a rank has sent, or - if this MPI does not record them.
messages() {
    for record in "$scratch"/messages.*; do
        awk '/^[EI]\t/ { n += $6 } END { print n + 0 }' "$record" 2>/dev/null
    done | sort -n | awk '{ most = $1 } END { print (most > 0 ? most : "-") }'
}

# cells: the columns of what was counted, CALLS, MESSAGES, kB, SECONDS.
cells() {
    awk -v messages="$(messages)" '{ printf "%d | %s | %.0f | %.2f", $1, messages, $2 / 1000, $3; n++ }
        END { if (!n) printf "- | - | - | -" }' "$scratch/counts"
}

ours() {
    if counted "./train-mpi" -s "$2" "$(path "$1")" "$scratch/ours.model"; then
        found=$(excess ours.model "$1" 1 "$2")
    else
        found=failed
    fi
    echo "| $1 | \`-s $2\` | train-mpi | | $found | $(cells) |"
}

# theirs SET SOLVER NAME NUMBER: runs a peer with the first -e that is good enough.
theirs() {
    for e in 0.1 0.03 0.01 0.003 0.001 0.0003 0.0001; do
        found="not within $patience s" tolerance=$e
        counted "$scratch/peers/blockERM/train" -s "$4" -c 1 -e "$e" "$scratch/rows" "$scratch/theirs.raw" ||
            { : >"$scratch/counts" && break; }
        # peers have other names of solvers
        sed '1s/.*/solver_type L2R_L2LOSS_SVC/' "$scratch/theirs.raw" >"$scratch/theirs.model"
        found=$(excess theirs.model "$1" 1 "$2")
        ! awk -v x="$found" 'BEGIN { exit !(x <= 1e-3) }' || break
    done
    echo "| $1 | \`-s $2\` | $3 | $tolerance | $found | $(cells) |"
}

# rows SET SOLVER [NAME NUMBER]...: a row for train-mpi, and one for each peer's solver.
rows() {
    set_name=$1 solver=$2
    shift 2
    ./train -j 1 -q -s "$solver" -g 1e-6 "$(path "$set_name")" "$scratch/tight.model" 2>/dev/null
    least
    ours "$set_name" "$solver"
    while [ -x "$scratch/peers/blockERM/train" ] && [ $# -ge 2 ]; do
        theirs "$set_name" "$solver" "$1" "$2"
        shift 2
    done
}

table() {
    echo '# Several processes'
    echo
    echo "Written by \`make bench-mpi\`: $ranks processes of one machine, C = 1. The column of calls counts the"
    echo 'calls of MPI in which all ranks take part. An exchange by messages counts as one call. So does an'
    echo 'MPI_Allreduce, although a long vector is exchanged twice inside this call. Messages are the most that a'
    echo "rank sends, those inside such calls included, as Open MPI's monitoring records them. kB are the most that"
    echo 'a rank sends; seconds the most processor time that a rank spends outside of MPI, reading included. These'
    echo 'numbers and the calls are from mpi_count.c, by the same rules for all programs. The excess is'
    echo '(P(w) - least)/P(w), P of the model that was written, summed by grid_gap.c, least the lower bound of our'
    echo 'own run to 1e-6. train-mpi stops at its default,'
    echo "a certified 1e-3. blockERM runs with the first \`-e\` of 0.1, 0.03, 0.01 ... 1e-4 that leaves an excess"
    echo "of at most 1e-3; what takes longer than $patience s is given up. Elapsed time would say nothing here,"
    echo "because the processes share one machine."
    echo
    echo "| data | solver | program | \`-e\` | excess | calls | messages | kB | s |"
    echo '|---|---|---|--:|--:|--:|--:|--:|--:|'
    for name in $sets; do
        has "$name" || continue
        note "$name"
        parts "$name"
        rows "$name" 1 'trust-region Newton' 3 'block-diagonal' 0 'DisDCA' 5
        rows "$name" 3 'block-diagonal' 1 'DisDCA' 6
        rows "$name" 0 'trust-region Newton' 4 'block-diagonal' 2 'DisDCA' 7
    done
    echo
    machine_line
}

build grid_gap
"${MPICC:-mpicc}" -O2 -shared -fPIC -o "$scratch/mpi_count.so" "$here/mpi_count.c" || exit 1
if [ -f "$peers/build.sh" ]; then
    if [ -x build/peers/blockERM/train ]; then
        ln -s "$PWD/build/peers" "$scratch/peers"
    else
        sh "$peers/build.sh" "$scratch/peers" >/dev/null 2>&1
    fi
else
    note "no peers: $peers/build.sh is not there"
fi
mkdir -p build/bench
case " $sets " in
*' covtype-synth '*) build/plain/synth covtype 581012 --output build/bench/covtype-synth || exit 1 ;;
esac
table >"$scratch/page" && cp "$scratch/page" "$page"
note "$page is written"
