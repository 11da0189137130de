/* Which vector instructions a kernel may use, and whether this CPU has them.
 *
 *     portable   plain C, on every machine
 *     sse2       every x86-64
 *     avx2, avx512 (F, BW)   asked of the CPU at run time; the functions carry their own target attribute, so no
 *                            compiler flag is needed
 *
 * Every level gives the same answers. Other machines, and compilers other than gcc and clang, have "portable" alone, and
 * so has clang in the place of MSVC: its headers keep instructions back that no flag asks for. WS_NO_SIMD, defined before
 * the header is included, does the same. */
#ifndef WARPSIM_SIMD_LEVEL_H
#define WARPSIM_SIMD_LEVEL_H

#include <stdbool.h>

enum { WS_SIMD_AUTO = 0, WS_SIMD_PORTABLE, WS_SIMD_SSE2, WS_SIMD_AVX2, WS_SIMD_AVX512, WS_SIMD_COUNT };

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_MSC_VER) && !defined(WS_NO_SIMD)
#define WS_HAS_X86 1
#include <immintrin.h>
#define WS_ON_SSE2 static inline __attribute__((always_inline))
#define WS_ON_AVX2 static inline __attribute__((always_inline, target("avx2")))
#define WS_ON_AVX512 static inline __attribute__((always_inline, target("avx512f,avx512bw")))
#define WS_ENTRY_SSE2 static inline
#define WS_ENTRY_AVX2 static inline __attribute__((target("avx2")))
#define WS_ENTRY_AVX512 static inline __attribute__((target("avx512f,avx512bw")))
#ifdef __clang__
#define WS_UNROLL _Pragma("unroll")
#else
#define WS_UNROLL _Pragma("GCC unroll 32")
#endif
#else
#define WS_HAS_X86 0
#endif

static inline const char *ws_simd_word(int level) {
    static const char *const words[] = {"auto", "portable", "sse2", "avx2", "avx512"};
    return level >= 0 && level < WS_SIMD_COUNT ? words[level] : "?";
}

/* The highest level that this CPU has. */
static inline int ws_simd_best(void) {
#if WS_HAS_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return WS_SIMD_AVX512;
    return __builtin_cpu_supports("avx2") ? WS_SIMD_AVX2 : WS_SIMD_SSE2;
#else
    return WS_SIMD_PORTABLE;
#endif
}

/* The level to use where `wanted` was asked for: never one that the CPU does not have. */
static inline int ws_simd_level(int wanted) {
    const int best = wanted == WS_SIMD_PORTABLE ? WS_SIMD_PORTABLE : ws_simd_best();
    return wanted > WS_SIMD_AUTO && wanted < best ? wanted : best;
}

#endif
