/* model_page.h - the sections of a report about a model: what it is, how near to optimal, its
 * weights. */
#ifndef HINGE_CLI_MODEL_PAGE_H
#define HINGE_CLI_MODEL_PAGE_H

#include "cli/names.h"
#include "hinge.h"
#include "report/page.h"

/* Prints the name of the problem of a column of weights: "class 1 against class -1", "class 3
 * against the rest", "class 3", or "weights". names has the words of classes. */
enum { COLUMN_TITLE = 240 };
void model_column_title(char title[COLUMN_TITLE], const struct hinge_model *model, size_t column,
                        const struct names *names);

/* Begins a page with the command line and the version of the program. */
enum hinge_status command_page(struct page *page, FILE *stream, const char *title, int argc,
                               char **argv, struct hinge_error *error);

/* Adds a sentence on how far P may be above its minimum, given the largest relative gap (NaN: not
 * known). P - P* <= gap P, so P/P* - 1 <= gap / (1 - gap). */
void certificate_page(struct page *page, double gap, int is_certified);

/* Adds the properties of the model, and its certificate. If has_origin is set, adds the command and
 * the data that the model comes from, which a page about the training has already. */
enum hinge_status model_facts_page(struct page *page, const struct hinge_model *model,
                                   int has_origin, struct hinge_error *error);

/* Adds the weights of each class, with pictures of the `most` largest ones, at most 50. */
enum hinge_status model_weights_page(struct page *page, const struct hinge_model *model,
                                     const struct names *names, uint64_t most,
                                     struct hinge_error *error);

/* Reads the description at path, as hinge-files(5) has it, and writes its page. */
enum hinge_status drawing_write(const char *path, FILE *stream, struct hinge_error *error);

#endif
