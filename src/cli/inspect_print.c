/* inspect_print.c - a model as text, "name = value" and tables, or as a JSON object. */
#include "cli/inspect_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cli/text.h"
#include "data/number.h"
#include "model/weights.h"

/* ---- Properties -------------------------------------------------------- */

/* What a solver minimises, by its name in the file. */
static const char *loss_of(const struct hinge_model *model)
{
    static const char *const losses[][2] = {{"_LR", "logistic"},
                                            {"L2LOSS_SVC", "L2-loss (squared hinge)"},
                                            {"L1LOSS_SVC", "L1-loss (hinge)"},
                                            {"L2LOSS_SVR", "squared error beyond epsilon"},
                                            {"L1LOSS_SVR", "absolute error beyond epsilon"},
                                            {"MCSVM_CS", "Crammer and Singer's"},
                                            {"ONECLASS_SVM", "one-class"}};

    if (model->softmax)
        return "softmax";
    for (size_t k = 0; k < sizeof losses / sizeof *losses; k++)
        if (strstr(model->solver_type, losses[k][0]))
            return losses[k][1];
    return "unknown";
}

static void print_type(const struct hinge_model *model)
{
    fputs(model->solver_type, stdout);
}

static int same_type(const struct hinge_model *one, const struct hinge_model *other)
{
    return strcmp(one->solver_type, other->solver_type) == 0;
}

static void print_loss(const struct hinge_model *model)
{
    fputs(loss_of(model), stdout);
}

static int same_loss(const struct hinge_model *one, const struct hinge_model *other)
{
    return strcmp(loss_of(one), loss_of(other)) == 0;
}

static const char *regulariser_of(const struct hinge_model *model)
{
    return strncmp(model->solver_type, "L1R", 3) == 0 ? "|w|_1"
           : hinge_model_note(model, "l1")            ? "|w|^2/2 and l1 |w|_1"
                                                      : "|w|^2/2";
}

static void print_regulariser(const struct hinge_model *model)
{
    fputs(regulariser_of(model), stdout);
}

static int same_regulariser(const struct hinge_model *one, const struct hinge_model *other)
{
    return strcmp(regulariser_of(one), regulariser_of(other)) == 0;
}

static void print_labels(const struct hinge_model *model)
{
    if (model->classes == 0) {
        fputs("none, the model predicts numbers", stdout);
        return;
    }
    printf("%llu:", (unsigned long long)model->classes);
    for (size_t c = 0; c < model->classes; c++) {
        putchar(' ');
        number_write(stdout, model->label[c]);
    }
}

static int same_labels(const struct hinge_model *one, const struct hinge_model *other)
{
    if (one->classes != other->classes)
        return 0;
    for (size_t c = 0; c < one->classes; c++)
        if (one->label[c] != other->label[c])
            return 0;
    return 1;
}

static void print_features(const struct hinge_model *model)
{
    printf("%lu, indices from %d", (unsigned long)model->features, !model->zero_based);
}

static int same_features(const struct hinge_model *one, const struct hinge_model *other)
{
    return one->features == other->features && !one->zero_based == !other->zero_based;
}

/* Of a one-class SVM the bias stands for rho. */
static int has_bias(const struct hinge_model *model)
{
    return model->bias >= 0 && !model->one_class;
}

static void print_bias(const struct hinge_model *model)
{
    if (has_bias(model))
        number_write(stdout, model->bias);
    else
        fputs("none", stdout);
}

static int same_bias(const struct hinge_model *one, const struct hinge_model *other)
{
    return has_bias(one) == has_bias(other) && (!has_bias(one) || one->bias == other->bias);
}

const struct property inspect_properties[] = {{"solver_type", print_type, same_type},
                                              {"loss", print_loss, same_loss},
                                              {"regulariser", print_regulariser, same_regulariser},
                                              {"classes", print_labels, same_labels},
                                              {"features", print_features, same_features},
                                              {"bias", print_bias, same_bias},
                                              {NULL, NULL, NULL}};

/* Prints the label of a class, and the word that stood for it. */
static void print_label(const struct inspection *inspection, double label)
{
    const char *word = names_of_label(&inspection->names, label);

    number_write(stdout, label);
    if (word) {
        fputs(" (", stdout);
        text_print(stdout, word);
        putchar(')');
    }
}

void inspect_print_class(const struct inspection *inspection, size_t column)
{
    const struct hinge_model *model = inspection->model[0];

    if (model->classes == 0 || model->one_class) {
        fputs("weights", stdout);
        return;
    }
    fputs("class ", stdout);
    print_label(inspection, model->label[column]);
    if (model->classes == 2 && model->columns == 1) {
        fputs(" against ", stdout);
        print_label(inspection, model->label[1]);
    } else if (model->classes > 1 && strcmp(model->solver_type, "MCSVM_CS") != 0) {
        fputs(" against the rest", stdout);
    }
}

double inspect_bias_term(const struct hinge_model *model, size_t column)
{
    return model->bias >= 0 ? model->bias * model->weight[model->features * model->columns + column]
                            : 0;
}

unsigned long inspect_index(const struct hinge_model *model, uint32_t feature)
{
    return (unsigned long)feature + !model->zero_based;
}

/* ---- Text -------------------------------------------------------------- */

static void print_largest(const struct inspection *inspection, const struct weight_column *column,
                          size_t c)
{
    const struct hinge_model *model = inspection->model[0];

    if (column->kept > 0)
        puts("     feature        weight");
    for (size_t k = 0; k < column->kept; k++) {
        const uint32_t j = column->largest[k].feature;
        const char *name = names_of(&inspection->names, j);

        printf("%12lu  %12.6g", inspect_index(model, j), model->weight[j * model->columns + c]);
        if (name) {
            fputs("  ", stdout);
            text_print(stdout, name);
        }
        putchar('\n');
    }
}

static void print_text(const struct inspection *inspection, const struct weight_column *column)
{
    const struct hinge_model *model = inspection->model[0];
    struct cursor list[MOST_LISTS];
    const size_t lists = inspect_find_lists(model, list);

    for (const struct property *property = inspect_properties; property->name; property++) {
        printf("%s = ", property->name);
        property->print(model);
        putchar('\n');
    }
    inspect_print_notes(model);
    for (size_t c = 0; c < model->columns; c++) {
        putchar('\n');
        inspect_print_class(inspection, c);
        putchar('\n');
        inspect_print_lists(list, lists);
        printf("#nonzeros/#features = %lu/%lu\n", (unsigned long)column[c].nonzeros,
               (unsigned long)model->features);
        printf("|w| = %g, |w|_1 = %g\n", weight_column_norm(&column[c]), column[c].absolute);
        if (model->one_class)
            printf("rho = %g\n", 0 - inspect_bias_term(model, c));
        else if (model->bias >= 0)
            printf("bias term = %g\n", inspect_bias_term(model, c));
        if (model->sigmoid)
            printf("Probability = 1/(1 + exp(A f + B)), A = %g, B = %g\n", model->sigmoid[2 * c],
                   model->sigmoid[2 * c + 1]);
        print_largest(inspection, &column[c], c);
    }
}

/* ---- JSON -------------------------------------------------------------- */

void inspect_put_feature(const struct inspection *inspection, uint32_t feature)
{
    const char *name = names_of(&inspection->names, feature);

    printf("{\"feature\":%lu", inspect_index(inspection->model[0], feature));
    if (name) {
        fputs(",\"name\":", stdout);
        text_print_json(stdout, name);
    }
}

static void put_column(const struct inspection *inspection, const struct weight_column *column,
                       size_t c)
{
    const struct hinge_model *model = inspection->model[0];

    if (model->classes > 0) {
        const char *word = names_of_label(&inspection->names, model->label[c]);

        text_put_number(stdout, '{', "label", model->label[c]);
        if (word) {
            fputs(",\"word\":", stdout);
            text_print_json(stdout, word);
        }
    }
    printf("%c\"nonzeros\":%lu", model->classes > 0 ? ',' : '{', (unsigned long)column->nonzeros);
    text_put_number(stdout, ',', "norm", weight_column_norm(column));
    text_put_number(stdout, ',', "norm1", column->absolute);
    text_put_number(stdout, ',', "bias_term", inspect_bias_term(model, c));
    if (model->sigmoid) {
        text_put_number(stdout, ',', "A", model->sigmoid[2 * c]);
        text_put_number(stdout, ',', "B", model->sigmoid[2 * c + 1]);
    }
    fputs(",\"largest\":[", stdout);
    for (size_t k = 0; k < column->kept; k++) {
        const uint32_t j = column->largest[k].feature;

        if (k > 0)
            putchar(',');
        inspect_put_feature(inspection, j);
        text_put_number(stdout, ',', "weight", model->weight[j * model->columns + c]);
        putchar('}');
    }
    fputs("]}", stdout);
}

static void print_json(const struct inspection *inspection, const struct weight_column *column)
{
    const struct hinge_model *model = inspection->model[0];

    fputs("{\"model\":", stdout);
    text_print_json(stdout, inspection->path[0]);
    printf(",\"solver_type\":\"%s\",\"loss\":\"%s\",\"regulariser\":\"%s\",\"labels\":[",
           model->solver_type, loss_of(model), regulariser_of(model));
    for (size_t c = 0; c < model->classes; c++)
        text_put_number(stdout, c > 0 ? ',' : '\0', NULL, model->label[c]);
    printf("],\"features\":%lu,\"first_index\":%d", (unsigned long)model->features,
           !model->zero_based);
    text_put_number(stdout, ',', "bias", has_bias(model) ? model->bias : NAN);
    fputs(",\"record\":", stdout);
    inspect_put_record(model);
    fputs(",\"columns\":[", stdout);
    for (size_t c = 0; c < model->columns; c++) {
        if (c > 0)
            putchar(',');
        put_column(inspection, &column[c], c);
    }
    puts("]}");
}

enum hinge_status inspect_model(const struct inspection *inspection, struct hinge_error *error)
{
    const struct hinge_model *model = inspection->model[0];
    const size_t most = inspection->most < model->features ? inspection->most : model->features;
    struct weight_column *column = weight_columns_new(model->columns, most, error);

    if (!column)
        return failure(error);
    for (uint32_t j = 0; j < model->features; j++)
        for (size_t c = 0; c < model->columns; c++)
            weight_column_add(&column[c], j, model->weight[j * model->columns + c]);
    for (size_t c = 0; c < model->columns; c++)
        weight_column_sort(&column[c]);
    if (inspection->json)
        print_json(inspection, column);
    else
        print_text(inspection, column);
    weight_columns_free(column);
    return HINGE_OK;
}
