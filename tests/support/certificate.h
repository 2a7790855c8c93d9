/* certificate.h - what a training says about P, D and the gap, against their exact values. */
#ifndef HINGE_TESTS_CERTIFICATE_H
#define HINGE_TESTS_CERTIFICATE_H

#include "nasty.h"

/* The faults that were found, one bit each. */
enum fault {
    GAP_ABOVE_TARGET = 1,      /* certified, and (P + D) / P is larger than what was asked */
    GAP_ABOVE_REPORTED = 2,    /* (P + D) / P is larger than what is reported, */
    PRIMAL_ABOVE_REPORTED = 4, /* and so is P, */
    DUAL_ABOVE_REPORTED = 8,   /* and D: the minimum of P may be below the bound */
    INFEASIBLE = 16,           /* an alpha below 0 or above its upper bound, or unbalanced */
    WORSE_THAN_ZERO = 32,      /* P(w) > P(0), or D(alpha) > D(0), by 1e-12 of P */
    FILE_DIFFERS = 64          /* weights, alpha or the record as written to files */
};

enum { FAULTS = 7 };
extern const char *const fault_names[FAULTS];

/* One training. */
struct finding {
    int solver;
    int refused; /* hinge_train failed: with that status; nothing below is known */
    enum hinge_outcome outcome;
    unsigned faults;
    int unbalanced; /* sum alpha_i y_i is not 0, though one row can make up for it */
    double seconds; /* of processor time */
    double target;  /* of the gap */
    double said[3]; /* P, D, gap as reported */
    double true_value[3];
    double primal_at_zero; /* P(0) */
    char message[160];     /* of a refusal */
};

/* Trains, and recomputes everything from the data, the weights and alpha. seconds: the monitors
 * stop it after so much processor time. folder: where model and alpha are written and read again;
 * NULL: they are not. trained, which may be NULL, is called when the library is done. */
void certificate_find(const struct nasty *nasty, const struct hinge_dataset *data, int solver,
                      double seconds, const char *folder, void (*trained)(void),
                      struct finding *finding);

/* The part of it that judges: sets faults, unbalanced, said and true_value by what model says,
 * which was trained by finding->solver for finding->target. */
void certificate_judge(const struct nasty *nasty, const struct hinge_model *model,
                       struct finding *finding);

/* The problem as the library reads its file. NULL if it cannot be. Free with hinge_dataset_free. */
struct hinge_dataset *certificate_read(const struct nasty *nasty, struct hinge_error *error);

#endif
