/* Statements of whole numbers, logic and bits (form.h says how rows are read; the first row that fits counts). */
#ifndef WARPSIM_LANES_FORMS_INTEGER_H
#define WARPSIM_LANES_FORMS_INTEGER_H

#include "form.h"
#include "meanings.h"

/* clang-format off */
static inline const ws_statement_form *ws_forms_integer(size_t *count) {
    static const ws_statement_form rows[] = {
        {"add(.u16|.s16|.u32|.s32)",              "d0 s0 s0",    WS_DO_ADD_32},
        {"add(.u64|.s64)",                        "d0 s0 s0",    WS_DO_ADD_64},
        {"add.sat.s32",                           "d0 s0 s0",    WS_DO_ADD_SAT_S32},
        {"add(.u16x2|.s16x2)",                    "d0 s0 s0",    WS_DO_ADD_X2},
        {"sub(.u16|.s16|.u32|.s32)",              "d0 s0 s0",    WS_DO_SUB_32},
        {"sub(.u64|.s64)",                        "d0 s0 s0",    WS_DO_SUB_64},
        {"sub.sat.s32",                           "d0 s0 s0",    WS_DO_SUB_SAT_S32},
        {"add.cc(.u32|.s32)",                     "d0 s0 s0",    WS_DO_ADD_CARRY_32},
        {"add.cc(.u64|.s64)",                     "d0 s0 s0",    WS_DO_ADD_CARRY_64},
        {"addc{.cc}(.u32|.s32)",                  "d0 s0 s0",    WS_DO_ADD_CARRY_32},
        {"addc{.cc}(.u64|.s64)",                  "d0 s0 s0",    WS_DO_ADD_CARRY_64},
        {"sub.cc(.u32|.s32)",                     "d0 s0 s0",    WS_DO_SUB_CARRY_32},
        {"sub.cc(.u64|.s64)",                     "d0 s0 s0",    WS_DO_SUB_CARRY_64},
        {"subc{.cc}(.u32|.s32)",                  "d0 s0 s0",    WS_DO_SUB_CARRY_32},
        {"subc{.cc}(.u64|.s64)",                  "d0 s0 s0",    WS_DO_SUB_CARRY_64},
        {"mad(.lo|.hi).cc(.u32|.s32)",            "d0 s0 s0 s0", WS_DO_MAD_CARRY_32},
        {"mad(.lo|.hi).cc(.u64|.s64)",            "d0 s0 s0 s0", WS_DO_MAD_CARRY_64},
        {"madc(.lo|.hi){.cc}(.u32|.s32)",         "d0 s0 s0 s0", WS_DO_MAD_CARRY_32},
        {"madc(.lo|.hi){.cc}(.u64|.s64)",         "d0 s0 s0 s0", WS_DO_MAD_CARRY_64},
        {"mul.lo(.u16|.s16|.u32|.s32)",           "d0 s0 s0",    WS_DO_MUL_32},
        {"mul.lo(.u64|.s64)",                     "d0 s0 s0",    WS_DO_MUL_64},
        {"mul.hi.u16",                            "d0 s0 s0",    WS_DO_MUL_HIGH_U16},
        {"mul.hi.s16",                            "d0 s0 s0",    WS_DO_MUL_HIGH_S16},
        {"mul.hi.u32",                            "d0 s0 s0",    WS_DO_MUL_HIGH_U32},
        {"mul.hi.s32",                            "d0 s0 s0",    WS_DO_MUL_HIGH_S32},
        {"mul.hi(.u64|.s64)",                     "d0 s0 s0",    WS_DO_MUL_HIGH_64},
        {"mul.wide.u16",                          "dw s0 s0",    WS_DO_MUL_WIDE_U16},
        {"mul.wide.s16",                          "dw s0 s0",    WS_DO_MUL_WIDE_S16},
        {"mul.wide.u32",                          "dw s0 s0",    WS_DO_MUL_WIDE_U32},
        {"mul.wide.s32",                          "dw s0 s0",    WS_DO_MUL_WIDE_S32},
        {"mad.lo(.u16|.s16|.u32|.s32)",           "d0 s0 s0 s0", WS_DO_MAD_32},
        {"mad.lo(.u64|.s64)",                     "d0 s0 s0 s0", WS_DO_MAD_64},
        {"mad.hi.u16",                            "d0 s0 s0 s0", WS_DO_MAD_HIGH_U16},
        {"mad.hi.s16",                            "d0 s0 s0 s0", WS_DO_MAD_HIGH_S16},
        {"mad.hi.u32",                            "d0 s0 s0 s0", WS_DO_MAD_HIGH_U32},
        {"mad.hi{.sat}.s32",                      "d0 s0 s0 s0", WS_DO_MAD_HIGH_S32},
        {"mad.hi(.u64|.s64)",                     "d0 s0 s0 s0", WS_DO_MAD_HIGH_64},
        {"mad.wide.u16",                          "dw s0 s0 sw", WS_DO_MAD_WIDE_U16},
        {"mad.wide.s16",                          "dw s0 s0 sw", WS_DO_MAD_WIDE_S16},
        {"mad.wide.u32",                          "dw s0 s0 sw", WS_DO_MAD_WIDE_U32},
        {"mad.wide.s32",                          "dw s0 s0 sw", WS_DO_MAD_WIDE_S32},
        {"mul24(.lo|.hi)(.u32|.s32)",             "d0 s0 s0",    WS_DO_MUL24},
        {"mad24(.lo|.hi)(.u32|.s32)",             "d0 s0 s0 s0", WS_DO_MAD24},
        {"mad24.hi.sat.s32",                      "d0 s0 s0 s0", WS_DO_MAD24},
        {"div(.u16|.s16|.u32|.s32)",              "d0 s0 s0",    WS_DO_DIV_32},
        {"div(.u64|.s64)",                        "d0 s0 s0",    WS_DO_DIV_64},
        {"rem(.u16|.s16|.u32|.s32)",              "d0 s0 s0",    WS_DO_REM_32},
        {"rem(.u64|.s64)",                        "d0 s0 s0",    WS_DO_REM_64},
        {"neg(.s16|.s32)",                        "d0 s0",       WS_DO_NEG_32},
        {"neg.s64",                               "d0 s0",       WS_DO_NEG_64},
        {"abs.s16",                               "d0 s0",       WS_DO_ABS_S16},
        {"abs.s32",                               "d0 s0",       WS_DO_ABS_S32},
        {"abs.s64",                               "d0 s0",       WS_DO_ABS_S64},
        {"sad.u16",                               "d0 s0 s0 s0", WS_DO_SAD_U16},
        {"sad.s16",                               "d0 s0 s0 s0", WS_DO_SAD_S16},
        {"sad.u32",                               "d0 s0 s0 s0", WS_DO_SAD_U32},
        {"sad.s32",                               "d0 s0 s0 s0", WS_DO_SAD_S32},
        {"sad.u64",                               "d0 s0 s0 s0", WS_DO_SAD_U64},
        {"sad.s64",                               "d0 s0 s0 s0", WS_DO_SAD_S64},
#define WS_EXTREMES(type, NAME)                                                                                        \
        {"min" type, "d0 s0 s0", WS_DO_MIN_##NAME}, {"max" type, "d0 s0 s0", WS_DO_MAX_##NAME}
        WS_EXTREMES(".u16", U16), WS_EXTREMES(".s16", S16), WS_EXTREMES(".u32", U32), WS_EXTREMES("{.relu}.s32", S32),
        WS_EXTREMES(".u64", U64), WS_EXTREMES(".s64", S64), WS_EXTREMES(".u16x2", U16X2),
        WS_EXTREMES("{.relu}.s16x2", S16X2),
#undef WS_EXTREMES
        {"dp4a(.u32|.s32)(.u32|.s32)",            "d.u32 s0 s1 s.u32", WS_DO_DP4A},
        {"dp2a(.lo|.hi)(.u32|.s32)(.u32|.s32)",   "d.u32 s0 s1 s.u32", WS_DO_DP2A},

        {"and(.b16|.b32)",                        "d0 s0 s0",    WS_DO_AND_32},
        {"and.b64",                               "d0 s0 s0",    WS_DO_AND_64},
        {"and.pred",                              "p q q",       WS_DO_AND_PREDICATE},
        {"or(.b16|.b32)",                         "d0 s0 s0",    WS_DO_OR_32},
        {"or.b64",                                "d0 s0 s0",    WS_DO_OR_64},
        {"or.pred",                               "p q q",       WS_DO_OR_PREDICATE},
        {"xor(.b16|.b32)",                        "d0 s0 s0",    WS_DO_XOR_32},
        {"xor.b64",                               "d0 s0 s0",    WS_DO_XOR_64},
        {"xor.pred",                              "p q q",       WS_DO_XOR_PREDICATE},
        {"not(.b16|.b32)",                        "d0 s0",       WS_DO_NOT_32},
        {"not.b64",                               "d0 s0",       WS_DO_NOT_64},
        {"not.pred",                              "p q",         WS_DO_NOT_PREDICATE},
        {"cnot.b16",                              "d0 s0",       WS_DO_CNOT_16},
        {"cnot.b32",                              "d0 s0",       WS_DO_CNOT_32},
        {"cnot.b64",                              "d0 s0",       WS_DO_CNOT_64},
        {"lop3.b32",                              "d0 s0 s0 s0 i",     WS_DO_LOP3},
        {"lop3(.and|.or).b32",                    "d0|p s0 s0 s0 i q", WS_DO_LOP3_TEST},
        {"shl(.b16|.b32)",                        "d0 s0 s.u32", WS_DO_LEFT_32},
        {"shl.b64",                               "d0 s0 s.u32", WS_DO_LEFT_64},
        {"shr(.b16|.u16)",                        "d0 s0 s.u32", WS_DO_RIGHT_16},
        {"shr.s16",                               "d0 s0 s.u32", WS_DO_RIGHT_S16},
        {"shr(.b32|.u32)",                        "d0 s0 s.u32", WS_DO_RIGHT_32},
        {"shr.s32",                               "d0 s0 s.u32", WS_DO_RIGHT_S32},
        {"shr(.b64|.u64)",                        "d0 s0 s.u32", WS_DO_RIGHT_64},
        {"shr.s64",                               "d0 s0 s.u32", WS_DO_RIGHT_S64},
        {"shf.l(.wrap|.clamp).b32",               "d0 s0 s0 s.u32", WS_DO_FUNNEL_LEFT},
        {"shf.r(.wrap|.clamp).b32",               "d0 s0 s0 s.u32", WS_DO_FUNNEL_RIGHT},
        {"prmt.b32",                              "d0 s0 s0 s0", WS_DO_PRMT},
        {"prmt.b32(.f4e|.b4e|.rc8|.ecl|.ecr|.rc16)", "d0 s0 s0 s0", WS_DO_PRMT_MODE},
        {"bfe.u32",                               "d0 s0 s.u32 s.u32", WS_DO_BFE_U32},
        {"bfe.s32",                               "d0 s0 s.u32 s.u32", WS_DO_BFE_S32},
        {"bfe.u64",                               "d0 s0 s.u32 s.u32", WS_DO_BFE_U64},
        {"bfe.s64",                               "d0 s0 s.u32 s.u32", WS_DO_BFE_S64},
        {"bfi.b32",                               "d0 s0 s0 s.u32 s.u32", WS_DO_BFI_32},
        {"bfi.b64",                               "d0 s0 s0 s.u32 s.u32", WS_DO_BFI_64},
        {"bfind{.shiftamt}(.u32|.s32)",           "d.u32 s0",    WS_DO_BFIND_32},
        {"bfind{.shiftamt}(.u64|.s64)",           "d.u32 s0",    WS_DO_BFIND_64},
        {"clz.b32",                               "d.u32 s0",    WS_DO_CLZ_32},
        {"clz.b64",                               "d.u32 s0",    WS_DO_CLZ_64},
        {"popc.b32",                              "d.u32 s0",    WS_DO_POPC_32},
        {"popc.b64",                              "d.u32 s0",    WS_DO_POPC_64},
        {"brev.b32",                              "d0 s0",       WS_DO_BREV_32},
        {"brev.b64",                              "d0 s0",       WS_DO_BREV_64},
        {"fns.b32",                               "d0 s0 s.u32 s.s32", WS_DO_FNS},
        {"szext(.wrap|.clamp)(.u32|.s32)",        "d0 s0 s.u32", WS_DO_SZEXT},
        {"bmsk(.wrap|.clamp).b32",                "d0 s.u32 s.u32", WS_DO_BMSK},

#define WS_VIDEO_OF(word, two, ab)                                                                                     \
        {word "(.u32|.s32)" ab "{.sat}", "d0 s1 s1 s0", WS_DO_VIDEO_##two},                                            \
        {word "(.u32|.s32)" ab ".add",   "d0 s1 s1 s0", WS_DO_VIDEO_##two##_SUM}
#define WS_VIDEO(word)                                                                                                 \
        WS_VIDEO_OF(word "2", 2, ".u32.u32"), WS_VIDEO_OF(word "2", 2, ".s32.s32"),                                    \
        WS_VIDEO_OF(word "4", 4, ".u32.u32"), WS_VIDEO_OF(word "4", 4, ".s32.s32")
        WS_VIDEO("vadd"), WS_VIDEO("vsub"), WS_VIDEO("vavrg"), WS_VIDEO("vabsdiff"), WS_VIDEO("vmin"), WS_VIDEO("vmax"),
#undef WS_VIDEO_OF
#undef WS_VIDEO
        {"vmad.u32.u32.u32{.sat}{.shr7|.shr15}",  "d0 y1 y2 s0", WS_DO_VIDEO_MAD},
        {"vmad.s32.s32.s32{.sat}{.shr7|.shr15}",  "d0 y1 y2 s0", WS_DO_VIDEO_MAD},
    };
    *count = sizeof rows / sizeof rows[0];
    return rows;
}
/* clang-format on */

#endif
