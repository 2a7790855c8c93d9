/* parameters.h - the parameters of a training. hinge_parameters_set in hinge.h describes each. */
#ifndef HINGE_SOLVER_LOOP_PARAMETERS_H
#define HINGE_SOLVER_LOOP_PARAMETERS_H

#include "hinge.h"

struct hinge_parameters {
    int solver;
    double C;
    double lambda;
    double bias;
    int free_bias;
    double relative_gap;
    double eps;
    double epsilon;
    double nu;
    double cache;
    uint64_t max_passes; /* max-iter */
    uint64_t seed;
    int single_method;
    int keep_alpha;
    int probability;
    const struct hinge_model *initial; /* hinge_parameters_start; NULL: from 0 */
    double l1;

    uint32_t batch;
    uint64_t iterations;
    double epochs;
    uint64_t checkpoint;
    enum hinge_sampling sampling;
    enum hinge_average average;
    double suffix;

    uint32_t threads;

    size_t weights;             /* number of class weights */
    const double *weight_label; /* [weights] */
    const double *weight;       /* [weights] */
    int balanced;
    size_t row_weights;        /* rows, or 0: all rows weigh 1 */
    const double *row_weight;  /* [row_weights] */
    size_t row_groups;         /* rows, or 0: each row is a group */
    const uint32_t *row_group; /* [row_groups] */
    int store_decisions;

    const struct hinge_team *team; /* NULL: this process alone */
};

struct hinge_parameters parameters_default(void);

#endif
