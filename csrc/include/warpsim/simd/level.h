/* How a kernel is compiled for a level: its functions carry their own target attribute, so no compiler flag is
 * needed. */
#ifndef WARPSIM_SIMD_LEVEL_H
#define WARPSIM_SIMD_LEVEL_H

#include "../base/cpu.h"

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
