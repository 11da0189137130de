/* The functions of all meanings, at each level of vector instructions. simd/level.h says where they are compiled.
 *
 * SSE2 has no functions of its own: a compiler for x86-64 uses it in the portable ones. */
#ifndef WARPSIM_LANES_LEVELS_H
#define WARPSIM_LANES_LEVELS_H

#include "float_rows.h"
#include "meanings.h"

#ifdef WS_LEVELS_DECLARED
#define WS_LEVEL_DECLARED(level)                                                                                       \
    WS_LEVELS_DECLARED ws_lanes_function *ws_lanes_##level(int meaning);                                               \
    WS_LEVELS_DECLARED bool ws_stretch_load_##level(ws_lanes *lanes, const ws_step *step, const ws_range *range);      \
    WS_LEVELS_DECLARED bool ws_stretch_store_##level(ws_lanes *lanes, const ws_step *step, const ws_range *range);     \
    WS_LEVELS_DECLARED bool ws_offsets_##level(uint32_t *offset, const uint32_t *low, uint32_t mask,                   \
                                               const ws_range *range);
WS_LEVELS_DECLARED ws_lanes_function *ws_lanes_once(int meaning);
WS_LEVEL_DECLARED(portable)
WS_LEVEL_DECLARED(avx2)
WS_LEVEL_DECLARED(avx512)
#undef WS_LEVEL_DECLARED
#endif

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

/* Functions of a level. */
#define WS_AT_LEVEL static inline WS_TARGET

/* The function of a meaning at a level, or NULL: that kind is elsewhere. */
#define WS_LANES_FUNCTION                                                                                              \
    WS_OF_LEVEL ws_lanes_function *WS_LEVEL(ws_lanes)(int meaning) {                                                   \
        static ws_lanes_function *const functions[] = {WS_LANE_MEANINGS(WS_ROW)};                                      \
        return functions[meaning];                                                                                     \
    }
#define WS_ROW(NAME, name, kind) WS_ROW_##kind(name),

/* Those that are compiled once. */
#define WS_TARGET
#if WS_LEVELS_MADE & WS_MAKES_ONCE
#define WS_LEVEL(name) name##_once
#include "rows_block.h"

WS_DO_HEAD(mov_pred) { ws_predicate_set(lanes, step->d[0], ws_predicate(lanes, step->s[0]), mask); }
#include "convert_once_block.h"
#include "integer_once_block.h"
#include "float_once_block.h"

#define WS_ROW_VECTOR(name) NULL
#define WS_ROW_SCALAR(name) WS_DO_NAME(name)
WS_LANES_FUNCTION
#undef WS_ROW_VECTOR
#undef WS_ROW_SCALAR
#undef WS_LEVEL
#endif
#define WS_ROW_VECTOR(name) WS_DO_NAME(name)
#define WS_ROW_SCALAR(name) NULL

/* Levels whose instructions fuse products and sums; the portable one has the compiler's word. */
#if defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
#define WS_HAS_FMA 1
#else
#define WS_HAS_FMA 0
#endif
#if WS_LEVELS_MADE & WS_MAKES_PORTABLE
#define WS_LEVEL(name) name##_portable
#include "level_block.h"
#undef WS_LEVEL
#endif
#undef WS_TARGET

#if WS_HAS_X86
#undef WS_VECTOR_WORDS
#undef WS_QUICK
#undef WS_SPLAT
#undef WS_FUSED
#undef WS_HAS_FMA
#define WS_QUICK(name, sources, quick) WS_QUICK_VECTORS(name, sources, quick)
#define WS_SPLAT(x) WS_MM(set1_pd)(x)
#define WS_FUSED(x, y, z) WS_MM(fmadd_pd)(x, y, z)
#define WS_HAS_FMA 1

#if WS_LEVELS_MADE & WS_MAKES_AVX2
#define WS_VECTOR_WORDS 8
#define WS_FLOATS __m256
#define WS_DOUBLES __m256d
#define WS_MM(name) _mm256_##name
#define WS_HAS_NO_NAN(x) (_mm256_movemask_pd(_mm256_cmp_pd(x, x, _CMP_UNORD_Q)) == 0)
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
#endif

#undef WS_HAS_MASKS
#define WS_HAS_MASKS 1
#if WS_LEVELS_MADE & WS_MAKES_AVX512
#define WS_VECTOR_WORDS 16
#define WS_FLOATS __m512
#define WS_DOUBLES __m512d
#define WS_MM(name) _mm512_##name
#define WS_HAS_NO_NAN(x) (_mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q) == 0)
#define WS_LEVEL(name) name##_avx512
#define WS_TARGET __attribute__((target(WS_TARGET_AVX512)))
#include "level_block.h"
#undef WS_LEVEL
#undef WS_TARGET
#undef WS_VECTOR_WORDS
#undef WS_FLOATS
#undef WS_DOUBLES
#undef WS_MM
#undef WS_HAS_NO_NAN
#endif
#else
#undef WS_VECTOR_WORDS
#endif
#undef WS_AT_LEVEL
#undef WS_ROW
#undef WS_ROW_VECTOR
#undef WS_ROW_SCALAR
#undef WS_LANES_FUNCTION
#undef WS_QUICK
#undef WS_SPLAT
#undef WS_FUSED
#undef WS_HAS_FMA
#undef WS_HAS_MASKS

/* The function of a meaning of lanes; level: WS_SIMD_PORTABLE .. WS_SIMD_AVX512. */
static inline ws_lanes_function *ws_lanes_at(int meaning, int level) {
    ws_lanes_function *const once = ws_lanes_once(meaning);
    if (once != NULL) return once;
#if WS_HAS_X86
    if (level == WS_SIMD_AVX512) return ws_lanes_avx512(meaning);
    if (level == WS_SIMD_AVX2) return ws_lanes_avx2(meaning);
#endif
    (void)level;
    return ws_lanes_portable(meaning);
}

#endif
