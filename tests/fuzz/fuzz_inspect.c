/* fuzz_inspect.c - any words, one a line, as the command line of inspect. */
#include "fuzz.h"

/* The parser is private to the program. */
#define inspection_run included_inspection_run
#include "../../src/cli/inspect_run.c"
#undef inspection_run

#include "command_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct inspect_settings settings = {.most = 10};
    struct hinge_error error = {HINGE_OK, ""};
    struct command_line words;
    int ended = 0;

    if (!command_line_split(&words, bytes, size))
        return 0;
    if (options_read(&program, &settings, words.count, words.word, &ended, &error))
        command_line_check_refusal(&error);
    else if (!ended)
        DEMAND(settings.path);
    command_line_free(&words);
    return 0;
}
