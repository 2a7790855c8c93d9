/* support.h - what the unit tests share: cmocka, scratch files, real data, random numbers. */
#ifndef HINGE_TESTS_SUPPORT_H
#define HINGE_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs these first */
#include <cmocka.h>

#include "data/matrix.h"
#include "hinge_metrics.h"
#include "hinge_team.h"
#include "model/model.h"
#include "solver/loop/parameters.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* With AddressSanitizer, memory cannot be limited, a request that is too large ends the program,
 * and times mean nothing. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#endif

/* Writes length bytes to a scratch file and returns its path, which lasts until the next call with
 * the same name. Files lie in the folder HINGE_SCRATCH, default build/scratch. */
const char *scratch_write(const char *name, const void *bytes, size_t length);

/* Keeps a copy of a test's small file as a seed for the fuzzer of that name, in the folder
 * HINGE_SEEDS. Does nothing if HINGE_SEEDS is unset. */
void keep_seed(const char *fuzzer, const void *bytes, size_t length);

/* Returns the path of a scratch file that may not exist. */
const char *scratch_path(const char *name);

/* Returns the whole file and a NUL, which the caller frees, or NULL if there is no file. */
char *read_file(const char *path, size_t *length);

/* Returns the path of a real data set in the folder HINGE_DATA, by default data. If it is not
 * there, prints a line that says so and returns NULL, and the caller must skip(). */
const char *data_path(const char *name);

/* Returns how often a test that takes long repeats its work. `all`, which finds rare defects, in
 * make test-all (HINGE_ALL); `few` in make test, and where programs are slow (HINGE_SLOW), as under
 * sanitizers. */
size_t repeats(size_t all, size_t few);

/* Return random bits, a double in [0, 1), and a whole number below a bound, the same in each run.
 */
uint64_t random_bits(uint64_t *state);
double random_unit(uint64_t *state);
size_t draw_below(uint64_t *state, size_t bound);

#endif
