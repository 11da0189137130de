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

/* Does the level choose lanes by masks? */
#define WS_HAS_MASKS 0

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
#define WS_LEVEL(name) name##_sse2
#include "level_block.h"
#undef WS_LEVEL
#undef WS_TARGET

#undef WS_HAS_FMA
#define WS_HAS_FMA 1
#define WS_LEVEL(name) name##_avx2
#define WS_TARGET __attribute__((target("avx2,fma")))
#include "level_block.h"
#undef WS_LEVEL
#undef WS_TARGET

#undef WS_HAS_MASKS
#define WS_HAS_MASKS 1
#define WS_LEVEL(name) name##_avx512
#define WS_TARGET __attribute__((target(WS_TARGET_AVX512)))
#include "level_block.h"
#undef WS_LEVEL
#endif
#undef WS_TARGET
#undef WS_AT_LEVEL
#undef WS_APART

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
