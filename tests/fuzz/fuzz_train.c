/* fuzz_train.c - any words, one a line, as the command line of train: refused in one line, or
 * parameters that a training accepts. */
#include "fuzz.h"

#include <string.h>

#include "cli/train_options.h"
#include "command_line.h"
#include "solver/loop/parameters.h"

static void check_settings(const struct settings *settings)
{
    struct hinge_error error;

    DEMAND(settings->data);
    DEMAND(settings->model || !settings->writes_model);
    DEMAND(hinge_solver_find(settings->parameters.solver));
    DEMAND(hinge_parameters_check(&settings->parameters, &error) == HINGE_OK);
    DEMAND(settings->parameters.relative_gap > 0 || settings->parameters.eps > 0);
    DEMAND(settings->folds != 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct settings settings = {
        .called = "train", .program = "train", .parameters = parameters_default()};
    struct hinge_error error = {HINGE_OK, ""};
    struct command_line words;
    int ended = 0;

    if (!command_line_split(&words, bytes, size))
        return 0;
    if (settings_read(&settings, words.count, words.word, &ended, &error))
        command_line_check_refusal(&error);
    else if (!ended)
        check_settings(&settings);
    settings_free(&settings);
    command_line_free(&words);
    return 0;
}
