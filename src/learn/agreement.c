/* agreement.c - each rank sends a hash of what all ranks must have in common.
 *
 * Ranks that differ would call the transport at different times and wait for ever.
 */
#include "learn/agreement.h"

#include "base/checksum.h"
#include "base/status.h"
#include "model/model.h"
#include "solver/loop/parameters.h"

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return checksum(hash, &word, sizeof word);
}

static uint64_t hash_numbers(uint64_t hash, const double *number, size_t count)
{
    return checksum(hash_word(hash, count), number, count * sizeof *number);
}

uint64_t agreement_sum(const struct hinge_dataset *data, const struct hinge_parameters *parameters)
{
    const double numbers[] = {
        parameters->solver,      parameters->C,         parameters->lambda,
        parameters->bias,        parameters->free_bias, parameters->relative_gap,
        parameters->eps,         parameters->epsilon,   parameters->l1,
        parameters->probability, parameters->balanced,  parameters->initial != NULL};
    const struct hinge_model *initial = parameters->initial;
    uint64_t hash = hash_word(hash_word(CHECKSUM_NONE, data->x.nonzeros), data->features);

    hash = hash_numbers(hash, data->label, data->x.rows);
    hash = hash_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
    hash = hash_word(hash, parameters->max_passes);
    hash = hash_word(hash, parameters->seed);
    hash = hash_numbers(hash, parameters->weight_label, parameters->weights);
    hash = hash_numbers(hash, parameters->weight, parameters->weights);
    hash = hash_numbers(hash, parameters->row_weight, parameters->row_weights);
    hash = checksum(hash, parameters->row_group,
                    parameters->row_groups * sizeof *parameters->row_group);
    if (initial) {
        hash = hash_numbers(hash, initial->weight,
                            ((size_t)initial->features + (initial->bias >= 0)) * initial->columns);
        hash = hash_numbers(hash, initial->label, initial->classes);
    }
    return hash;
}

/* Message of a rank to the others. */
struct statement {
    uint64_t hash;
    double scale;     /* scale of whole numbers, else 1; 0: no entries */
    int all_ones;     /* 1: all entries of the rank are 1 */
    int is_own;       /* 1: all entries of the rank are in its own rows */
    int is_in_memory; /* 1: the entries of the rank are in memory */
};

enum hinge_status agreement_find(const struct hinge_dataset *data,
                                 const struct hinge_parameters *parameters, size_t folds,
                                 const double *C, size_t count, struct team **team,
                                 struct hinge_error *error)
{
    const struct hinge_matrix *x = &data->x;
    const size_t *start = x->start;
    struct statement own = {.scale = 1}, *all;
    enum hinge_status status;
    double scale = 0;
    int is_empty;

    *team = NULL;
    if (!parameters->team)
        return HINGE_OK;
    if (!(*team = shards_team(parameters->team, data, error)))
        return failure(error);
    own.hash = hash_word(agreement_sum(data, parameters), folds);
    if (C)
        own.hash = hash_numbers(own.hash, C, count);
    is_empty = start[x->rows] == start[0];
    if (is_empty || x->value_kind == HINGE_VALUE_WHOLE)
        own.scale = is_empty ? 0 : x->scale;
    own.all_ones = is_empty || x->value_kind == HINGE_VALUE_ONE;
    own.is_own = start[(*team)->first] == start[0] && start[(*team)->end] == start[x->rows];
    own.is_in_memory = !x->pages;
    all = team_room(*team, team_size(*team), sizeof *all);
    if (all)
        team_gather_each(*team, &own, sizeof own, all);
    status = team_check(*team, error);
    (*team)->all_ones = all != NULL;
    for (unsigned q = 0; all && q < team_size(*team) && status == HINGE_OK; q++) {
        if (!all[q].is_in_memory)
            status = fail(error, HINGE_BAD_ARGUMENT,
                          "team: rank %u has too little memory for its rows", q);
        else if (!all[q].is_own)
            status = fail(error, HINGE_BAD_ARGUMENT, "team: rank %u has rows of other ranks", q);
        else if (all[q].hash != all[0].hash)
            status = fail(error, HINGE_BAD_ARGUMENT,
                          "team: rank %u has other data or parameters than rank 0", q);
        else if (all[q].scale != 0 && scale != 0 && all[q].scale != scale)
            /* products with whole numbers of another scale round differently */
            status = fail(error, HINGE_BAD_ARGUMENT,
                          "team: rank %u stores whole numbers with another scale", q);
        (*team)->all_ones &= all[q].all_ones;
        scale = all[q].scale != 0 ? all[q].scale : scale;
    }
    if (status) {
        team_free(*team);
        *team = NULL;
    }
    return status;
}
