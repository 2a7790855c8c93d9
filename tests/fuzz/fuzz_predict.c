/* fuzz_predict.c - any words, one a line, as the command line of predict. */
#include "fuzz.h"

#include <float.h>
#include <math.h>

#include "cli/predict_options.h"
#include "command_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct predict_settings settings = {0};
    struct hinge_error error = {HINGE_OK, ""};
    struct command_line words;
    int ended = 0;

    if (!command_line_split(&words, bytes, size))
        return 0;
    if (options_read(&predict_program, &settings, words.count, words.word, &ended, &error))
        command_line_check_refusal(&error);
    else if (!ended)
        DEMAND(settings.data && settings.model && settings.output &&
               fabs(settings.threshold) <= DBL_MAX);
    command_line_free(&words);
    return 0;
}
