/* model_value.c - numbers of a model, or of the progress of a training, by name. A trained model
 * has them in its fields, a model that was read in the lines of its record. */
#include <math.h>
#include <string.h>

#include "data/number.h"
#include "data/token.h"
#include "hinge.h"
#include "model/notes.h"
#include "solver/loop/solver.h"

const double *hinge_model_weights(const struct hinge_model *model)
{
    return model->weight;
}

double hinge_model_steps(const struct hinge_model *model)
{
    return model->steps;
}

const double *hinge_model_alpha(const struct hinge_model *model)
{
    return model->alpha;
}

const struct hinge_result *hinge_model_result(const struct hinge_model *model, size_t problem)
{
    return model->result && problem < model->problems ? &model->result[problem] : NULL;
}

/* ---- The record of a model that was read -------------------------------- */

#define BLANKS " \t"

/* Takes the next word of a list and returns its number, NaN if there is none. `name` names the
 * list. */
static double take_number(const char *name, const char **list)
{
    const char *word = *list + strspn(*list, BLANKS);
    const size_t length = strcspn(word, BLANKS);
    double value = NAN;

    *list = word + length;
    if (length == 0)
        return NAN;
    if (strcmp(name, "outcome") == 0) {
        for (int k = HINGE_CERTIFIED; k <= HINGE_NOT_BEGUN; k++)
            if (is_word(word, *list, hinge_outcome_name((enum hinge_outcome)k)))
                return k;
        return NAN;
    }
    if (strcmp(name, "solver") == 0) {
        const struct solver *solver = solver_named(word, length);

        return solver ? (double)solver->info.number : (double)NAN;
    }
    return number_parse(word, &value) == word + length ? value : NAN;
}

/* ---- Fields -------------------------------------------------------------- */

struct named {
    const char *name;
    double value;
};

/* Sets *value to the value of a name. Returns 0 if the table has no such name. */
static int find(const struct named *table, size_t count, const char *name, double *value)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(name, table[k].name) == 0) {
            *value = table[k].value;
            return 1;
        }
    return 0;
}

#define FIND(table, name, value) find(table, sizeof(table) / sizeof *(table), name, value)

/* Sets *value to a number that the fields of the model have. Returns 0 if the record must be asked.
 */
static int find_own(const struct hinge_model *model, const char *name, size_t position,
                    double *value)
{
    const struct hinge_solver *solver = model->solver;
    const struct named fields[] = {
        {"classes", (double)model->classes}, {"features", (double)model->features},
        {"columns", (double)model->columns}, {"bias", model->bias},
        {"one_class", model->one_class},     {"probabilities", hinge_has_probabilities(model)},
    };
    const char *outcomes = hinge_model_note(model, "outcome");
    int known = position == 0, is_field;

    *value = NAN;
    is_field = FIND(fields, name, value);
    if (strcmp(name, "label") == 0) {
        known = position < model->classes;
        *value = known ? model->label[position] : NAN;
    } else if (!is_field && model->result) {
        static const struct hinge_result none = {.primal = NAN};
        const int is_problem = position < model->problems;
        const struct hinge_result *result = is_problem ? &model->result[position] : &none;
        const struct named trained[] = {
            {"solver", solver->number},
            {"problems", (double)model->problems},
            {"rows", (double)model->rows},
            {"C", model->one_class ? NAN : model->C},
            {"lambda", model->one_class ? NAN : model->lambda},
            {"nu", model->one_class ? model->nu : NAN},
            {"l1", solver->l1 == 1 ? model->l1 : NAN},
            {"epsilon", solver->regression ? model->epsilon : NAN},
            {"seed", (double)model->seed},
            {"steps", solver->kind == HINGE_STOCHASTIC ? model->steps : NAN},
        };
        const struct named of_problem[] = {
            {"outcome", result->outcome},
            {"iterations", (double)result->passes},
            {"primal", result->primal},
            {"dual", result->dual},
            {"relative_gap", result->relative_gap},
            {"nonzeros", (double)result->nonzeros},
            {"support_vectors", (double)result->support_vectors},
            {"seconds", result->seconds},
        };

        if (!FIND(trained, name, value))
            known = FIND(of_problem, name, value) && is_problem;
    } else if (!is_field && strcmp(name, "problems") == 0) {
        *value = outcomes ? (double)note_words(outcomes) : (double)NAN;
    } else if (!is_field) {
        return 0;
    }
    if (!known)
        *value = NAN;
    return 1;
}

double hinge_model_value(const struct hinge_model *model, const char *name, size_t position)
{
    const char *list = hinge_model_note(model, name);
    double value;

    if (find_own(model, name, position, &value))
        return value;
    for (; list && *list && position > 0; position--) {
        list += strspn(list, BLANKS);
        list += strcspn(list, BLANKS);
    }
    return list ? take_number(name, &list) : NAN;
}

void hinge_model_values(const struct hinge_model *model, const char *name, size_t count,
                        double *value)
{
    const char *list = hinge_model_note(model, name);

    for (size_t k = 0; k < count; k++)
        if (!find_own(model, name, k, &value[k]))
            value[k] = list ? take_number(name, &list) : NAN;
}

double hinge_progress_value(const struct hinge_progress *progress, const char *name)
{
    const struct named fields[] = {
        {"problem", (double)progress->problem},
        {"problems", (double)progress->problems},
        {"positive", progress->positive},
        {"passes", (double)progress->passes},
        {"steps", (double)progress->steps},
        {"active", (double)progress->active},
        {"rows", (double)progress->rows},
        {"measured", progress->measured},
        {"primal", progress->primal},
        {"dual", progress->dual},
        {"relative_gap", progress->relative_gap},
        {"nonzeros", (double)progress->nonzeros},
        {"last", progress->last},
    };
    double value = NAN;

    FIND(fields, name, &value);
    return value;
}
