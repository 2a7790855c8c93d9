/* certificate.h - what a training says about P, D and the gap, against their exact values. */
#ifndef HINGE_TESTS_CERTIFICATE_H
#define HINGE_TESTS_CERTIFICATE_H

#include "nasty.h"

/* The faults that were found, one bit each. */
enum fault {
    GAP_ABOVE_TARGET = 1,      /* certified, and (P + D) / P is larger than what was asked */
    GAP_ABOVE_REPORTED = 2,    /* (P + D) / P is larger than reported */
    PRIMAL_ABOVE_REPORTED = 4, /* P is larger than reported */
    DUAL_ABOVE_REPORTED = 8,   /* D is larger: the minimum of P may be below the reported bound */
    INFEASIBLE = 16,           /* an alpha below 0 or above its upper bound, or unbalanced */
    WORSE_THAN_ZERO = 32,      /* P(w) > P(0), or D(alpha) > D(0), by 1e-12 of P */
    FILE_DIFFERS = 64          /* the files have other weights, alpha or record */
};

enum { FAULTS = 7 };
extern const char *const fault_names[FAULTS];

/* One training. */
struct finding {
    int solver;
    int refused; /* status of hinge_train if it failed; later fields are then unknown */
    enum hinge_outcome outcome;
    unsigned faults;
    int unbalanced; /* sum alpha_i y_i is not 0; a row can make up for it unless INFEASIBLE */
    double seconds; /* processor time */
    double target;  /* the relative gap asked for, or the default one */
    double said[3]; /* P, D, gap as reported */
    double true_value[3];
    double primal_at_zero; /* P(0) */
    char message[160];     /* message of a refusal */
};

/* Trains, and recomputes everything from the data, the weights and alpha. The training is stopped
 * after so many seconds of processor time. Model and alpha are written to the folder and read
 * again, unless it is NULL. trained, which may be NULL, is called when the library is done. */
void certificate_find(const struct nasty *nasty, const struct hinge_dataset *data, int solver,
                      double seconds, const char *folder, void (*trained)(void),
                      struct finding *finding);

/* Judges a model that was trained by finding->solver for finding->target. Sets the fields from
 * outcome to primal_at_zero, except seconds and target. */
void certificate_judge(const struct nasty *nasty, const struct hinge_model *model,
                       struct finding *finding);

/* Returns the problem as the library reads its file, or NULL. Free it with hinge_dataset_free. */
struct hinge_dataset *certificate_read(const struct nasty *nasty, struct hinge_error *error);

#endif
