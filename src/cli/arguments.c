/* arguments.c - "@FILE" in a command line -> the words in the file
 *
 *     # a comment
 *     --solver dcd-l1
 *     --test "a file with blanks"
 *
 * Blanks and line ends separate words. A word in quotes may have blanks and be empty.
 */
#include "cli/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/report.h"
#include "data/source.h"
#include "data/token.h"

struct arguments {
    int count;
    char **word; /* [count], then NULL */
    size_t capacity;
};

/* Appends a copy of the word. */
static enum hinge_status append(struct arguments *arguments, const char *word, size_t length,
                                struct hinge_error *error)
{
    const size_t count = (size_t)arguments->count;

    if (ARRAY_RESERVE(&arguments->word, &arguments->capacity, count + 2, error))
        return failure(error);
    arguments->word[count + 1] = NULL;
    if (!(arguments->word[count] = array_new(length + 1, 1, error)))
        return failure(error);
    memcpy(arguments->word[count], word, length);
    arguments->count++;
    return HINGE_OK;
}

static enum hinge_status append_file(struct arguments *arguments, const char *path,
                                     struct hinge_error *error)
{
    struct source source;
    enum hinge_status status = source_open(&source, path, error);
    const char *end, *word;
    int found = 1;

    if (status)
        return status;
    while (!status && (found = source_line(&source, &end, error)) > 0) {
        for (const char *p = source.cursor; !status && p < end && *p != '#'; p++) {
            if (is_blank(*p) || *p == '\r')
                continue;
            word = p;
            if (*word == '"') {
                p = memchr(word + 1, '"', (size_t)(end - word - 1));
                if (!p) {
                    status =
                        source_fail(&source, word, error, "the quote does not end in its line");
                    break;
                }
                word++;
            } else {
                while (p < end && !is_blank(*p) && *p != '\r')
                    p++;
            }
            status = append(arguments, word, (size_t)(p - word), error);
        }
        if (!status)
            status = source_skip_line(&source, error);
    }
    if (found < 0)
        status = failure(error);
    source_close(&source);
    return status;
}

/* Fills in the words of a command line. */
static enum hinge_status read_words(struct arguments *arguments, int argc, char **argv,
                                    struct hinge_error *error)
{
    int is_option = 1; /* no "--" yet */
    enum hinge_status status = HINGE_OK;

    if (!(arguments->word = array_new(1, sizeof *arguments->word, error)))
        return failure(error);
    arguments->capacity = 1;
    for (int k = 0; k < argc && !status; k++) {
        is_option &= strcmp(argv[k], "--") != 0;
        status = k > 0 && is_option && argv[k][0] == '@'
                     ? append_file(arguments, argv[k] + 1, error)
                     : append(arguments, argv[k], strlen(argv[k]), error);
    }
    return status;
}

int arguments_run(int argc, char **argv, int (*run)(int argc, char **argv))
{
    struct arguments arguments = {0};
    struct hinge_error error;
    FILE *held[3]; /* the first ones take the numbers of closed standard streams */
    int status;

    for (int k = 0; k < 3; k++) /* a new file gets the lowest free number */
        held[k] = fopen("/", "rb");
    status = read_words(&arguments, argc, argv, &error)
                 ? report_error(program_name(argv[0]), &error)
                 : run(arguments.count, arguments.word);
    for (int k = 0; k < arguments.count; k++)
        free(arguments.word[k]);
    free(arguments.word);
    for (int k = 0; k < 3; k++)
        if (held[k])
            fclose(held[k]);
    return status;
}
