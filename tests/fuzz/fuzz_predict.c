/* fuzz_predict.c - any words, one a line, as the command line of predict. */
#include "fuzz.h"

/* The parser is private to the program. */
#define main predict_main
#include "../../src/cli/predict.c"
#undef main

#include "words.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct predict_settings settings = {0};
    struct hinge_error error = {HINGE_OK, ""};
    struct words words;
    int ended = 0;

    if (!words_split(&words, bytes, size))
        return 0;
    if (parse(&settings, words.count, words.word, &ended, &error))
        words_check_refusal(&error);
    else if (!ended)
        DEMAND(settings.data && settings.model && settings.output);
    words_free(&words);
    return 0;
}
