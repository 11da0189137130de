/* The functions of all meanings, at each level of vector instructions. */
#ifndef WARPSIM_LANES_LEVELS_H
#define WARPSIM_LANES_LEVELS_H

#include "float_rows.h"
#include "meanings.h"

#ifdef __clang__
#define WS_TARGET_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"
#else
#define WS_TARGET_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"
#endif

/* Does the level choose lanes by masks? How doubles are computed: lane by lane, or as WS_DOUBLES of the words of
 * WS_VECTOR_WORDS lanes. */
#define WS_HAS_MASKS 0
#define WS_VECTOR_WORDS 0
#define WS_QUICK(name, sources, quick) WS_QUICK_ROWS(name, sources, quick)
#define WS_SPLAT(x) (x)
#define WS_FUSED(x, y, z) __builtin_fma(x, y, z)

/* Functions of a level; what is rare stays apart from those that are not. */
#define WS_AT_LEVEL static inline WS_TARGET
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WS_APART static __attribute__((noinline, unused)) WS_TARGET
#else
#define WS_APART WS_AT_LEVEL
#endif

/* Those that are compiled once. */
#define WS_LEVEL(name) name##_once
#define WS_TARGET
#include "rows_block.h"

WS_DO_HEAD(mov_pred) { ws_predicate_set(lanes, step->d[0], ws_predicate(lanes, step->s[0]), mask); }
#include "convert_once_block.h"
#include "integer_once_block.h"
#include "float_once_block.h"
#undef WS_LEVEL

/* Levels whose instructions fuse products and sums; the portable one has the compiler's word. */
#if defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
#define WS_HAS_FMA 1
#else
#define WS_HAS_FMA 0
#endif
#define WS_LEVEL(name) name##_portable
#include "level_block.h"
#undef WS_LEVEL

#if WS_HAS_X86
#undef WS_VECTOR_WORDS
#undef WS_QUICK
#undef WS_SPLAT
#undef WS_FUSED
#define WS_QUICK(name, sources, quick) WS_QUICK_VECTORS(name, sources, quick)
#define WS_SPLAT(x) WS_MM(set1_pd)(x)
#define WS_FUSED(x, y, z) WS_MM(fmadd_pd)(x, y, z)

#define WS_VECTOR_WORDS 4
#define WS_FLOATS __m128
#define WS_DOUBLES __m128d
#define WS_MM(name) _mm_##name
#define WS_HAS_NO_NAN(x) (_mm_movemask_pd(_mm_cmpunord_pd(x, x)) == 0)
#define WS_LEVEL(name) name##_sse2
#include "level_block.h"
#undef WS_LEVEL
#undef WS_TARGET

#undef WS_VECTOR_WORDS
#undef WS_FLOATS
#undef WS_DOUBLES
#undef WS_MM
#undef WS_HAS_NO_NAN
#undef WS_HAS_FMA
#define WS_VECTOR_WORDS 8
#define WS_FLOATS __m256
#define WS_DOUBLES __m256d
#define WS_MM(name) _mm256_##name
#define WS_HAS_NO_NAN(x) (_mm256_movemask_pd(_mm256_cmp_pd(x, x, _CMP_UNORD_Q)) == 0)
#define WS_HAS_FMA 1
#define WS_LEVEL(name) name##_avx2
#define WS_TARGET __attribute__((target("avx2,fma")))
#include "level_block.h"
#undef WS_LEVEL
#undef WS_TARGET

#undef WS_VECTOR_WORDS
#undef WS_FLOATS
#undef WS_DOUBLES
#undef WS_MM
#undef WS_HAS_NO_NAN
#undef WS_HAS_MASKS
#define WS_VECTOR_WORDS 16
#define WS_FLOATS __m512
#define WS_DOUBLES __m512d
#define WS_MM(name) _mm512_##name
#define WS_HAS_NO_NAN(x) (_mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q) == 0)
#define WS_HAS_MASKS 1
#define WS_LEVEL(name) name##_avx512
#define WS_TARGET __attribute__((target(WS_TARGET_AVX512)))
#include "level_block.h"
#undef WS_LEVEL
#endif
#undef WS_TARGET
#undef WS_AT_LEVEL
#undef WS_APART

#undef WS_FLOATS
#undef WS_DOUBLES
#undef WS_MM
#undef WS_HAS_NO_NAN
#undef WS_VECTOR_WORDS
#undef WS_QUICK
#undef WS_SPLAT
#undef WS_FUSED
#undef WS_HAS_FMA
#undef WS_HAS_MASKS

/* The function of a meaning at a level. */
#if WS_HAS_X86
#define WS_MEANING_VECTOR(name)                                                                                        \
    { ws_do_##name##_portable, ws_do_##name##_sse2, ws_do_##name##_avx2, ws_do_##name##_avx512 }
#else
#define WS_MEANING_VECTOR(name)                                                                                        \
    { ws_do_##name##_portable, NULL, NULL, NULL }
#endif
#define WS_MEANING_SCALAR(name)                                                                                        \
    { ws_do_##name##_once, ws_do_##name##_once, ws_do_##name##_once, ws_do_##name##_once }

#endif
