/* leaks.c - lets a program of clang's or gcc's sanitizers end without a search for leaks if nothing
 * can have leaked.
 *
 * The search takes as long as the program's start, and tests start thousands of programs. At the
 * end of a program that has given back all that it took, there is nothing to find. All other
 * programs are searched, as they always are. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/lsan_interface.h>

const char *__asan_default_options(void);

/* Of the calls that led to an allocation, a find shows the last.
 * ASAN_OPTIONS=malloc_context_size=30 shows all. */
const char *__asan_default_options(void)
{
    return "leak_check_at_exit=0:malloc_context_size=2";
}

static size_t bytes_at_start;

static void search(void)
{
    if (__sanitizer_get_current_allocated_bytes() > bytes_at_start)
        __lsan_do_leak_check();
}

/* The C library never frees the buffers of its standard streams, so they are taken from here. */
__attribute__((constructor)) static void begin(void)
{
    static char input[4096], output[4096]; /* as the C library takes for a pipe or a file */

    setvbuf(stdin, input, _IOFBF, sizeof input);
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, output, _IOFBF, sizeof output);
    bytes_at_start = __sanitizer_get_current_allocated_bytes();
    atexit(search);
}
