/* How an instruction does its work: the modifiers of a statement as the bits of one word, `how`.
 *
 *     bit  0-3    rounding                    bits 4-15   one flag each
 *     bits 16-21  the choice: the word that says which of several (a comparison, a class, a mode)
 *     bits 22-23  .and, .or, .xor with a predicate
 *
 * The one vocabulary of what computes on numbers and of what runs statements. It knows no instruction: which words a
 * form takes is said by the form. */
#ifndef WARPSIM_NUMBER_HOW_H
#define WARPSIM_NUMBER_HOW_H

#include <stdint.h>

enum {
    WS_ROUND_NEAREST = 0, /* .rn, .rni: to even; also what no word means */
    WS_ROUND_ZERO = 1,
    WS_ROUND_DOWN = 2, /* .rm */
    WS_ROUND_UP = 3,   /* .rp */
    WS_ROUND_AWAY = 4, /* .rna: halves away from zero */
    WS_ROUND_STOCHASTIC = 5,
    WS_HOW_ROUNDING = 15 /* the mask of all these */
};

enum {
    WS_HOW_INTEGRAL = 1 << 4, /* .rni .rzi .rmi .rpi: to an integral value */
    WS_HOW_FTZ = 1 << 5,
    WS_HOW_SAT = 1 << 6,
    WS_HOW_SATFINITE = 1 << 7,
    WS_HOW_RELU = 1 << 8,
    WS_HOW_NAN = 1 << 9, /* .NaN of min and max */
    WS_HOW_XORSIGN = 1 << 10,
    WS_HOW_OOB = 1 << 11,
    WS_HOW_APPROX = 1 << 12,
    WS_HOW_FULL = 1 << 13,
    WS_HOW_WRAP = 1 << 14, /* .wrap; .clamp is its absence */
    WS_HOW_SHIFTAMT = 1 << 15,
    WS_HOW_AND = 1 << 22,
    WS_HOW_OR = 2 << 22,
    WS_HOW_XOR = 3 << 22,
    WS_HOW_COMBINE = 3 << 22, /* the mask of these three */
    WS_HOW_CHOICE = 63 << 16,
    WS_HOW_POLLS = 1 << 24,   /* a load of what others may change */
    WS_HOW_ABS = 1 << 25,     /* .abs of min and max */
    WS_HOW_CARRIES = 1 << 26, /* addc, subc, madc: take the carry flag */
    WS_HOW_CC = 1 << 27,      /* .cc: write it */
    WS_HOW_REDUCES = 1 << 28  /* red: nobody wants the old value */
};

/* clang-format off */
/* The words of the choice: X(name, word). `lo` and `hi` are also the halves of a product. */
#define WS_CHOICES(X)                                                                                                  \
    X(EQ, "eq") X(NE, "ne") X(LT, "lt") X(LE, "le") X(GT, "gt") X(GE, "ge") X(LO, "lo") X(LS, "ls") X(HI, "hi")        \
    X(HS, "hs") X(EQU, "equ") X(NEU, "neu") X(LTU, "ltu") X(LEU, "leu") X(GTU, "gtu") X(GEU, "geu") X(NUM, "num")      \
    X(NAN, "nan") X(FINITE, "finite") X(INFINITE, "infinite") X(NUMBER, "number") X(NOTANUMBER, "notanumber")          \
    X(NORMAL, "normal") X(SUBNORMAL, "subnormal") X(WIDE, "wide") X(LEFT, "l") X(RIGHT, "r") X(F4E, "f4e")             \
    X(B4E, "b4e") X(RC8, "rc8") X(ECL, "ecl") X(ECR, "ecr") X(RC16, "rc16") X(VADD, "vadd") X(VSUB, "vsub")   \
    X(VAVRG, "vavrg") X(VABSDIFF, "vabsdiff") X(VMIN, "vmin") X(VMAX, "vmax") X(SHR7, "shr7") X(SHR15, "shr15")
/* clang-format on */

#define WS_CHOICE_INDEX_(name, word) WS_CHOICE_INDEX_##name,
enum { WS_CHOICE_INDEX_NONE, WS_CHOICES(WS_CHOICE_INDEX_) WS_NUM_CHOICES };
#undef WS_CHOICE_INDEX_
#define WS_CHOICE_(name, word) WS_CHOICE_##name = WS_CHOICE_INDEX_##name << 16,
enum { WS_CHOICES(WS_CHOICE_) WS_CHOICE_NONE = 0 };
#undef WS_CHOICE_

/* clang-format off */
/* The other words that set bits: X(word, bits). */
#define WS_HOW_WORDS(X)                                                                                                \
    X("rn", WS_ROUND_NEAREST) X("rz", WS_ROUND_ZERO) X("rm", WS_ROUND_DOWN) X("rp", WS_ROUND_UP)                       \
    X("rna", WS_ROUND_AWAY) X("rs", WS_ROUND_STOCHASTIC) X("rni", +WS_HOW_INTEGRAL | WS_ROUND_NEAREST)                 \
    X("rzi", +WS_HOW_INTEGRAL | WS_ROUND_ZERO) X("rmi", +WS_HOW_INTEGRAL | WS_ROUND_DOWN)                              \
    X("rpi", +WS_HOW_INTEGRAL | WS_ROUND_UP) X("ftz", WS_HOW_FTZ) X("sat", WS_HOW_SAT)                                 \
    X("satfinite", WS_HOW_SATFINITE) X("relu", WS_HOW_RELU) X("NaN", WS_HOW_NAN) X("xorsign", WS_HOW_XORSIGN)          \
    X("oob", WS_HOW_OOB) X("approx", WS_HOW_APPROX) X("full", WS_HOW_FULL) X("wrap", WS_HOW_WRAP)                      \
    X("shiftamt", WS_HOW_SHIFTAMT) X("and", WS_HOW_AND) X("or", WS_HOW_OR) X("xor", WS_HOW_XOR)                        \
    X("volatile", WS_HOW_POLLS) X("relaxed", WS_HOW_POLLS) X("acquire", WS_HOW_POLLS) X("mmio", WS_HOW_POLLS)          \
    X("abs", WS_HOW_ABS) X("addc", WS_HOW_CARRIES) X("subc", WS_HOW_CARRIES) X("madc", WS_HOW_CARRIES)                 \
    X("cc", WS_HOW_CC) X("red", WS_HOW_REDUCES)
/* clang-format on */

#endif
