/* compiler.h - what GNU C adds to C99, with a plain meaning everywhere else. */
#ifndef HINGE_BASE_COMPILER_H
#define HINGE_BASE_COMPILER_H

#if defined(__GNUC__)
#define PREFETCH(address)        __builtin_prefetch(address)
#define LIKELY(condition)        __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition)      __builtin_expect(!!(condition), 0)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define ALWAYS_INLINE            inline __attribute__((always_inline))
#else
#define PREFETCH(address)   ((void)(address))
#define LIKELY(condition)   (condition)
#define UNLIKELY(condition) (condition)
#define PRINTF_LIKE(text, first)
#define ALWAYS_INLINE inline
#endif

#endif
