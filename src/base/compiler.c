/* compiler.c - asks if the processor and the system have AVX2.
 *
 * __builtin_cpu_supports asks for every feature at the start of the program. Each question leaves a
 * virtual machine, so asking took a tenth of the time to start and end a program.
 */
#include "base/compiler.h"

#if HAS_VERSIONS
#include <cpuid.h>
#include <stddef.h>

int compiler_has_avx2;

/* Asks the processor. Leaf 1 tells if XGETBV exists, which tells if the system saves the registers.
 * Leaf 7 has AVX2 (Intel, Software Developer's Manual, volume 1, 14.7.1). */
static __attribute__((constructor)) void find_avx2(void)
{
    enum { FEATURES = 1, MORE_FEATURES = 7, SSE_AND_AVX = 6 };
    unsigned a, b, c, d, kept, ignored;

    if (__get_cpuid_max(0, NULL) < MORE_FEATURES)
        return;
    __cpuid(FEATURES, a, b, c, d);
    if (!(c & bit_OSXSAVE))
        return;
    __asm__("xgetbv" : "=a"(kept), "=d"(ignored) : "c"(0));
    __cpuid_count(MORE_FEATURES, 0, a, b, c, d);
    compiler_has_avx2 = (kept & SSE_AND_AVX) == SSE_AND_AVX && (b & bit_AVX2);
}
#endif
