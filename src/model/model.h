/* model.h - weights, classes, and how they were trained. */
#ifndef HINGE_MODEL_MODEL_H
#define HINGE_MODEL_MODEL_H

#include "data/source.h"
#include "hinge.h"

/* A line "# key value" of the record of a model file. */
struct hinge_note {
    char *key;   /* no blanks */
    char *value; /* one line, in the block of key */
};

/* The lines of a map of convert as a model file has them, "# map hinge-map 3", ... A source may
 * scan them: NULs follow the last one. */
struct model_map {
    char *text; /* NULL: no map */
    size_t length;
    size_t capacity;
    uint64_t line; /* number of the first line in its file */
};

#define MODEL_MAP      "# map "
#define MODEL_MAP_HEAD "hinge-map "

struct hinge_model {
    size_t classes;    /* 0: a regression */
    double *label;     /* [classes]; NULL for regression */
    uint32_t features; /* number of features without the bias */
    double bias;       /* value of the constant feature; < 0: none */
    size_t columns;    /* weights per feature, see hinge_model_weights */
    double *weight;    /* [(features + (bias >= 0)) * columns], feature by feature, bias last */
    double *sigmoid;   /* [2 columns] A and B of each column: at the decision value f the
                          probability of the class is 1/(1 + exp(A f + B)); NULL: none */
    int is_bare;       /* 1: hinge_model_write leaves out the record */
    int zero_based;    /* 1: trained on a file whose indices start at 0 */
    int one_class;     /* 1: the classes are +1, inside, and -1; the bias is a feature of value
                          1 with weight -rho. The file has rho */
    int softmax;       /* 1: probabilities are those of softmax. 0: for an L2R_LR or L1R_LR
                          model, 1/(1 + e^-f) over their sum */
    const char *solver_type; /* the name in the file */
    double steps;            /* steps of a stochastic solver; 0: another solver, or not known */
    double *alpha;           /* [rows * columns] row by row, beta for regression; NULL: not kept */
    unsigned threads;        /* threads of the training, which hinge_model_write uses, too; 0: 1 */
    int uncalibrated;        /* 1: sigmoids were asked for, but a monitor stopped the training */
    struct model_map map;    /* map of the table that the data come from */
    size_t notes;            /* number of notes */
    struct hinge_note *note; /* [notes] lines of the record that no field keeps, and added ones */

    /* Set by training; 0 and NULL in a model that was read. */
    const struct hinge_solver *solver;
    double C;
    double lambda; /* 1/(C m), m the weight of all rows */
    int free_bias;
    double l1;
    double epsilon;
    double nu;
    uint64_t seed;
    size_t problems;             /* columns, or 1 if all classes are one problem */
    struct hinge_result *result; /* [problems] */
    size_t rows;                 /* rows of the data */
    double *class_weight;        /* [classes] factors of C in the problems where the parameter
                                    applies; NULL: 1 */
    int balanced;                /* parameters.balanced was set */
    int row_weighted;            /* 1: the rows had weights */
};

/* True if a model in LIBLINEAR's format begins at the cursor. */
int model_begins(const struct source *source);

/* Appends the line of a map from p to end, without MODEL_MAP before it. */
enum hinge_status model_map_append(struct model_map *map, const char *p, const char *end,
                                   struct hinge_error *error);

/* True if a model of LIBSVM begins at the cursor. */
int libsvm_begins(const struct source *source);

/* Reads a model of LIBSVM with a linear kernel. HINGE_BAD_INPUT if its kernel is another one, or if
 * it has more than two classes. The caller frees the model, on failure too. */
enum hinge_status libsvm_read(struct source *source, struct hinge_model *model,
                              struct hinge_error *error);

#endif
