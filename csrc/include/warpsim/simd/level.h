/* How a kernel is compiled for a level: its functions carry their own target attribute, so no compiler flag is
 * needed.
 *
 * The functions of lanes/levels.h and mma/levels.h take most of the time that a file with run.h takes to compile, so that
 * other files of a program may have them:
 *
 *     WS_LEVELS_MADE undefined     all are compiled where they are used, as static functions
 *     0                            none: other files of the program have them
 *     a sum of WS_MAKES_...        these alone, for the whole program: warpsim/level.c */
#ifndef WARPSIM_SIMD_LEVEL_H
#define WARPSIM_SIMD_LEVEL_H

#include "../base/cpu.h"

#define WS_MAKES_ONCE 1 /* statements that are compiled once */
#define WS_MAKES_PORTABLE 2
#define WS_MAKES_AVX2 4
#define WS_MAKES_AVX512 8
#define WS_MAKES_PRODUCTS 16 /* mma, at every level */

#ifndef WS_LEVELS_MADE
#define WS_LEVELS_MADE 31
#define WS_OF_LEVEL static inline
#else
#define WS_OF_LEVEL
#ifdef __cplusplus
#define WS_LEVELS_DECLARED extern "C"
#else
#define WS_LEVELS_DECLARED extern
#endif
#endif

#if WS_HAS_X86
#include <immintrin.h>
/* Without optimization, what is inlined keeps its frame in that of its caller, which would need half a megabyte. */
#ifdef __OPTIMIZE__
#define WS_INLINED inline __attribute__((always_inline))
#else
#define WS_INLINED inline
#endif
#define WS_ON_SSE2 static WS_INLINED
#define WS_ON_AVX2 static WS_INLINED __attribute__((target("avx2")))
#define WS_ON_AVX512 static WS_INLINED __attribute__((target("avx512f,avx512bw")))
#define WS_ENTRY_SSE2 static inline
#define WS_ENTRY_AVX2 static inline __attribute__((target("avx2")))
#define WS_ENTRY_AVX512 static inline __attribute__((target("avx512f,avx512bw")))
#ifdef __clang__
#define WS_UNROLL _Pragma("unroll")
#else
#define WS_UNROLL _Pragma("GCC unroll 32")
#endif
#endif

#endif
