/* compiler.h - extensions of GNU C, with a plain C99 replacement for other compilers. */
#ifndef HINGE_BASE_COMPILER_H
#define HINGE_BASE_COMPILER_H

#include <stdint.h>

#if defined(__GNUC__)
#define PREFETCH(address)        __builtin_prefetch(address)
#define LIKELY(condition)        __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition)      __builtin_expect(!!(condition), 0)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define ALWAYS_INLINE            inline __attribute__((always_inline))
#define NEVER_INLINE             __attribute__((noinline))
#define COLD                     __attribute__((cold))
#define LOWEST_BIT(word)         ((unsigned)__builtin_ctzll(word))
#define HIGHEST_BIT(word)        (63 - (unsigned)__builtin_clzll(word))
#else
#define PREFETCH(address)   ((void)(address))
#define LIKELY(condition)   (condition)
#define UNLIKELY(condition) (condition)
#define PRINTF_LIKE(text, first)
#define ALWAYS_INLINE inline
#define NEVER_INLINE
#define COLD
#define LOWEST_BIT(word)  lowest_bit(word)
#define HIGHEST_BIT(word) highest_bit(word)

static inline unsigned lowest_bit(uint64_t word)
{
    unsigned bit = 0;

    while (!(word >> bit & 1))
        bit++;
    return bit;
}

static inline unsigned highest_bit(uint64_t word)
{
    unsigned bit = 0;

    while (word >>= 1)
        bit++;
    return bit;
}
#endif

/* A directive of OpenMP, if the compiler has OpenMP on. */
#ifdef _OPENMP
#include <omp.h>
#define OPENMP(...)      OPENMP_TEXT(omp __VA_ARGS__)
#define OPENMP_TEXT(...) _Pragma(#__VA_ARGS__)

/* Each sets how long waiting threads spin before they sleep: a call of clang's libomp, a variable
 * of GCC's libgomp. The variable's address is NULL unless the program is linked statically. */
#if defined(__clang__)
#define OPENMP_SET_BLOCKTIME(milliseconds) kmp_set_blocktime(milliseconds)
#elif defined(__GNUC__) && defined(__ELF__)
extern unsigned long long gomp_spin_count_var __attribute__((weak));
#define OPENMP_SPINS gomp_spin_count_var
#endif

/* Ends the threads of libgomp that wait for work, by a function of OpenMP 5.0. In clang's libomp
 * that function ends no threads, or also destroys locks. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#define OPENMP_END_THREADS() ((void)omp_pause_resource_all(omp_pause_soft))
#else
#define OPENMP_END_THREADS() ((void)0)
#endif
#else
#define OPENMP(...)
#define OPENMP_END_THREADS() ((void)0)
#endif

/* Defines a function that is compiled for several instruction sets. Each call chooses by the
 * processor, which takes one predictable branch. VERSIONED(double, return, f, (double x), (x))
 * stands before the body of f. The second argument is (void) for a function that returns nothing.
 * STATIC_VERSIONED defines a static function. The results are the same to the bit, because no
 * compiler may add in another order, or contract. With -DBASELINE there is only the version of the
 * compiler's flags. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__AVX2__) && !defined(BASELINE)
#define HAS_VERSIONS 1
extern int compiler_has_avx2; /* set before main, and then never again */

#define LINKED_VERSIONED(linkage, type, give, name, parameters, arguments)                         \
    static ALWAYS_INLINE type name##_as parameters;                                                \
    __attribute__((target("avx2"))) static type name##_avx2 parameters                             \
    {                                                                                              \
        give name##_as arguments;                                                                  \
    }                                                                                              \
    linkage type name parameters                                                                   \
    {                                                                                              \
        if (compiler_has_avx2)                                                                     \
            give name##_avx2 arguments;                                                            \
        else                                                                                       \
            give name##_as arguments;                                                              \
    }                                                                                              \
    static ALWAYS_INLINE type name##_as parameters
#else
#define HAS_VERSIONS 0
#define LINKED_VERSIONED(linkage, type, give, name, parameters, arguments)                         \
    linkage type name parameters
#endif
#define VERSIONED(type, give, name, parameters, arguments)                                         \
    LINKED_VERSIONED(extern, type, give, name, parameters, arguments)
#define STATIC_VERSIONED(type, give, name, parameters, arguments)                                  \
    LINKED_VERSIONED(static, type, give, name, parameters, arguments)

/* 1: the lowest byte of a word is the first one in memory; 0: it is not, or this is unknown. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
#define LITTLE_ENDIAN_WORDS (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#else
#define LITTLE_ENDIAN_WORDS 0
#endif

#endif
