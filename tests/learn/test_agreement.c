/* test_agreement.c - if one rank, a thread of the test, gets another request than the others, all
 * ranks fail and name the difference.
 */
#include "learn/agreement.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "support.h"
#include "threads_team.h"

enum { RANKS = 3, ROWS = 40, FEATURES = 4 };

struct request {
    struct hinge_dataset data;
    struct hinge_parameters parameters;
    size_t start[ROWS + 1];
    uint32_t index[ROWS];
    double label[ROWS];
    double value[ROWS];
    double weight_label, weight; /* a label and its class weight */
    double row_weight[ROWS];
    uint32_t row_group[ROWS];
    struct hinge_model initial;
    double initial_weight[FEATURES];
    double C[2];
    size_t folds;
};

static void ask_for(struct request *request)
{
    struct hinge_matrix *x = &request->data.x;

    memset(request, 0, sizeof *request);
    for (size_t i = 0; i < ROWS; i++) {
        request->start[i] = i;
        request->index[i] = (uint32_t)(i % FEATURES);
        request->label[i] = (double)(i % 2);
        request->value[i] = (double)i + 0.5;
    }
    request->start[ROWS] = x->nonzeros = ROWS;
    *x = (struct hinge_matrix){.rows = ROWS,
                               .nonzeros = ROWS,
                               .start = request->start,
                               .index_kind = HINGE_INDEX_32,
                               .value_kind = HINGE_VALUE_DOUBLE,
                               .index = request->index,
                               .value = request->value};
    request->data.features = FEATURES;
    request->data.label = request->label;
    request->initial.features = FEATURES;
    request->initial.columns = 1;
    request->initial.bias = -1;
    request->initial.weight = request->initial_weight;
    request->parameters = parameters_default();
    request->parameters.weights = 1;
    request->parameters.weight_label = &request->weight_label;
    request->parameters.weight = &request->weight;
    request->parameters.row_weights = request->parameters.row_groups = ROWS;
    request->parameters.row_weight = request->row_weight;
    request->parameters.row_group = request->row_group;
    request->parameters.initial = &request->initial;
    request->C[0] = 1;
    request->C[1] = 2;
    request->folds = 5;
}

/* The kind of a number in the request, which is one larger for the odd rank. */
enum kind { REAL, WHOLE, WORD, INDEX, SIZE };

struct change {
    enum kind kind;
    size_t at;
};

#define CHANGE(kind, member)                                                                       \
    {                                                                                              \
        kind, offsetof(struct request, member)                                                     \
    }

static const struct change changes[] = {
    CHANGE(REAL, label[7]),
    CHANGE(INDEX, data.features),
    CHANGE(WHOLE, parameters.solver),
    CHANGE(REAL, parameters.C),
    CHANGE(REAL, parameters.lambda),
    CHANGE(REAL, parameters.bias),
    CHANGE(WHOLE, parameters.free_bias),
    CHANGE(REAL, parameters.relative_gap),
    CHANGE(REAL, parameters.eps),
    CHANGE(REAL, parameters.epsilon),
    CHANGE(REAL, parameters.l1),
    CHANGE(WHOLE, parameters.probability),
    CHANGE(WHOLE, parameters.balanced),
    CHANGE(WORD, parameters.max_passes),
    CHANGE(WORD, parameters.seed),
    CHANGE(REAL, weight_label),
    CHANGE(REAL, weight),
    CHANGE(REAL, row_weight[7]),
    CHANGE(INDEX, row_group[7]),
    CHANGE(REAL, initial_weight[1]),
    CHANGE(SIZE, folds),
    CHANGE(REAL, C[1]),
};

static void add_one(struct request *request, const struct change *change)
{
    void *number = (char *)request + change->at;

    switch (change->kind) {
    case REAL:
        *(double *)number += 1;
        break;
    case WHOLE:
        *(int *)number += 1;
        break;
    case WORD:
        *(uint64_t *)number += 1;
        break;
    case INDEX:
        *(uint32_t *)number += 1;
        break;
    case SIZE:
        *(size_t *)number += 1;
        break;
    }
}

struct trial {
    const struct change *change; /* NULL: no change */
    int odd;                     /* the rank with the changed request */
    enum hinge_status status[RANKS];
    struct hinge_error error[RANKS];
};

static enum hinge_status agree(void *context, const struct hinge_team *transport,
                               struct hinge_error *error)
{
    struct trial *trial = context;
    struct request *request = calloc(1, sizeof *request);
    struct hinge_dataset *own;
    struct team *team;

    assert_non_null(request);
    ask_for(request);
    if (trial->change && transport->rank == trial->odd)
        add_one(request, trial->change);
    own = rank_dataset_new(&request->data, transport);
    request->parameters.team = transport;
    trial->status[transport->rank] =
        agreement_find(own, &request->parameters, request->folds, request->C, 2, &team,
                       &trial->error[transport->rank]);
    if (trial->status[transport->rank] == HINGE_OK)
        assert_true(team && team_size(team) == RANKS);
    else
        assert_null(team);
    team_free(team);
    rank_dataset_free(own);
    free(request);
    (void)error;
    return HINGE_OK;
}

static void test_the_same(void **state)
{
    struct threads_team team = {.size = RANKS};
    struct trial trial = {.change = NULL};

    (void)state;
    threads_team_run(&team, agree, &trial);
    for (int r = 0; r < RANKS; r++)
        assert_int_equal(trial.status[r], HINGE_OK);
}

static void test_something_else(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(changes); k++)
        for (int odd = 0; odd < RANKS; odd++) {
            struct threads_team team = {.size = RANKS};
            struct trial trial = {&changes[k], odd, {HINGE_OK}, {{HINGE_OK, ""}}};
            char expected[100];

            snprintf(expected, sizeof expected,
                     "team: rank %d has other data or parameters than rank 0", odd > 0 ? odd : 1);
            threads_team_run(&team, agree, &trial);
            for (int r = 0; r < RANKS; r++) {
                assert_int_equal(trial.status[r], HINGE_BAD_ARGUMENT);
                assert_string_equal(trial.error[r].message, expected);
            }
        }
}

/* Without a team, no ranks have to agree, and no team is made. */
static void test_alone(void **state)
{
    static struct request request;
    struct hinge_error error;
    struct team *team;

    (void)state;
    ask_for(&request);
    assert_int_equal(agreement_find(&request.data, &request.parameters, 0, NULL, 0, &team, &error),
                     HINGE_OK);
    assert_null(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_same),
                                       cmocka_unit_test(test_something_else),
                                       cmocka_unit_test(test_alone)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
