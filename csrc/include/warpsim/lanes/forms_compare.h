/* Statements of comparison and choice (form.h says how rows are read; the first row that fits counts). */
#ifndef WARPSIM_LANES_FORMS_COMPARE_H
#define WARPSIM_LANES_FORMS_COMPARE_H

#include "form.h"
#include "meanings.h"

/* The comparisons of bits, signed, unsigned and floating-point numbers. */
#define WS_OF_BITS "(.eq|.ne)"
#define WS_OF_SIGNED "(.eq|.ne|.lt|.le|.gt|.ge)"
#define WS_OF_UNSIGNED "(.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs)"
#define WS_OF_FLOATS "(.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan)"
#define WS_COMBINED "{.and|.or|.xor}"

/* clang-format off */
static inline const ws_statement_form *ws_forms_compare(size_t *count) {
    static const ws_statement_form rows[] = {
#define WS_SETP(comparison, type, NAME)                                                                                \
        {"setp" comparison WS_COMBINED type, "p|p s0 s0 ?q", WS_DO_TEST_##NAME}
#define WS_SET(comparison, to, type, NAME)                                                                             \
        {"set" comparison WS_COMBINED to type, "d0 s1 s1 ?q", WS_DO_SET_##NAME}
#define WS_BOTH(comparison, ftz, type, NAME)                                                                           \
        WS_SETP(comparison, ftz type, NAME), WS_SET(comparison, ftz "(.u32|.s32|.f32|.f16|.bf16)", type, NAME)
        WS_BOTH(WS_OF_SIGNED, "", ".s32", S32), WS_BOTH(WS_OF_UNSIGNED, "", ".u32", U32), WS_BOTH(WS_OF_BITS, "", ".b32", U32),
        WS_BOTH(WS_OF_SIGNED, "", ".s64", S64), WS_BOTH(WS_OF_UNSIGNED, "", ".u64", U64), WS_BOTH(WS_OF_BITS, "", ".b64", U64),
        WS_BOTH(WS_OF_SIGNED, "", ".s16", S16), WS_BOTH(WS_OF_UNSIGNED, "", ".u16", U16), WS_BOTH(WS_OF_BITS, "", ".b16", U16),
        WS_BOTH(WS_OF_FLOATS, "{.ftz}", ".f32", F32), WS_BOTH(WS_OF_FLOATS, "", ".f64", F64),
        WS_SETP(WS_OF_FLOATS, "{.ftz}.f16", F16), WS_SETP(WS_OF_FLOATS, ".bf16", BF16),
        WS_SETP(WS_OF_FLOATS, "{.ftz}.f16x2", F16X2), WS_SETP(WS_OF_FLOATS, ".bf16x2", BF16X2),
        WS_SET(WS_OF_FLOATS, "{.ftz}(.f16|.bf16|.u16|.s16|.u32|.s32)", ".f16", F16),
        WS_SET(WS_OF_FLOATS, "(.bf16|.u16|.s16|.u32|.s32)", ".bf16", BF16),
        WS_SET(WS_OF_FLOATS, "{.ftz}(.f16x2|.u32|.s32)", ".f16x2", F16X2),
        WS_SET(WS_OF_FLOATS, "(.bf16x2|.u32|.s32)", ".bf16x2", BF16X2),
#undef WS_BOTH
#undef WS_SETP
#undef WS_SET
        {"selp(.b16|.b32|.u16|.u32|.s16|.s32|.f32)",      "d0 s0 s0 q",  WS_DO_SELECT_32},
        {"selp(.b64|.u64|.s64|.f64)",                     "d0 s0 s0 q",  WS_DO_SELECT_64},
        {"slct(.b16|.b32|.u16|.u32|.s16|.s32|.f32).s32",  "d0 s0 s0 s1", WS_DO_SELECT_S32_32},
        {"slct(.b64|.u64|.s64|.f64).s32",                 "d0 s0 s0 s1", WS_DO_SELECT_S32_64},
        {"slct{.ftz}(.b16|.b32|.u16|.u32|.s16|.s32|.f32).f32", "d0 s0 s0 s1", WS_DO_SELECT_F32_32},
        {"slct{.ftz}(.b64|.u64|.s64|.f64).f32",           "d0 s0 s0 s1", WS_DO_SELECT_F32_64},
    };
    *count = sizeof rows / sizeof rows[0];
    return rows;
}
/* clang-format on */

#undef WS_OF_BITS
#undef WS_OF_SIGNED
#undef WS_OF_UNSIGNED
#undef WS_OF_FLOATS
#undef WS_COMBINED

#endif
