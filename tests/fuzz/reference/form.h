/* The instruction forms, as the PTX ISA and the assembler's verdicts list them, and the sizes that follow.
 *
 * Slow and plain, and written without a look at the core, as all reference_*.h: what a fuzzer compares the core with. Words are PTX's. */
#ifndef REFERENCE_FORM_H
#define REFERENCE_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reference steers no fuzzer, and its own accesses are checked where the corpus is replayed: it need not be slowed down. */
#ifdef __clang__
/* clang-format off: _Pragma takes one literal */
#define REFERENCE_BEGIN \
    _Pragma("clang attribute push(__attribute__((no_sanitize(\"coverage\", \"address\", \"undefined\"))), apply_to = function)")
/* clang-format on */
#define REFERENCE_END _Pragma("clang attribute pop")
#else
#define REFERENCE_BEGIN
#define REFERENCE_END
#endif

REFERENCE_BEGIN

typedef enum ref_kind {
    REF_LDMATRIX,
    REF_STMATRIX,
    REF_MOVMATRIX,
    REF_LD,
    REF_ST,
    REF_CP_ASYNC,
    REF_WMMA_LOAD,
    REF_WMMA_STORE
} ref_kind;

typedef enum ref_matrix { REF_M8N8, REF_M16N16, REF_M8N16, REF_M16N8 } ref_matrix;

typedef struct ref_form {
    ref_kind kind;
    const char *shape, *type, *space, *layout, *cache; /* PTX's words; "" where there is none */
    char operand;                                      /* 'a' to 'd' of wmma; else 0 */
    int num, trans, vec, size;
    int bits;       /* of an element in memory */
    int field_bits; /* of an element in a register */
    bool is_signed;
    int register_bits;   /* 32, 64 */
    int registers;       /* of a lane */
    int rows;            /* row addresses of a matrix */
    int lanes;           /* that supply an address */
    int width;           /* bytes behind an address, and its alignment; wmma: F, the bytes of a lane's fragment */
    int m, n, k;         /* wmma */
    int lines;           /* wmma: runs of memory that the stride separates */
    int line_elements;   /* and the elements of one: the default stride */
    bool shared, global; /* the state space; neither: generic */
    bool by_row;         /* wmma */
    ref_matrix matrix;   /* the shape of a matrix instruction */
    bool is_s32, is_s8s4, is_cg;
} ref_form;

enum { REF_MOST_FORMS = 1024, REF_LANES = 32, REF_MOST_REGISTERS = 8 };

typedef struct ref_forms {
    ref_form form[REF_MOST_FORMS];
    int count;
} ref_forms;

static inline bool ref_is(const char *word, const char *other) { return strcmp(word, other) == 0; }
static inline bool ref_is_wmma(const ref_form *f) { return f->kind == REF_WMMA_LOAD || f->kind == REF_WMMA_STORE; }
static inline bool ref_is_matrix(const ref_form *f) { return f->kind == REF_LDMATRIX || f->kind == REF_STMATRIX; }
static inline bool ref_is_plain(const ref_form *f) { return f->kind == REF_LD || f->kind == REF_ST; }
static inline bool ref_is_warp_wide(const ref_form *f) {
    return ref_is_matrix(f) || ref_is_wmma(f) || f->kind == REF_MOVMATRIX;
}
static inline bool ref_is_load(const ref_form *f) {
    return f->kind == REF_LDMATRIX || f->kind == REF_LD || f->kind == REF_WMMA_LOAD;
}
static inline bool ref_is_accumulator(const ref_form *f) { return f->operand == 'c' || f->operand == 'd'; }

static const char *const ref_spaces[] = {"shared", "shared::cta", "", "global"};

static inline ref_form *ref_forms_add(ref_forms *forms, ref_kind kind, const char *space) {
    static const ref_form none = {REF_LDMATRIX, "",       "",    "",    "",   "", 0, 0, 0, 0, 0, 0,     0,
                                  false,        32,       0,     0,     0,    0,  0, 0, 0, 0, 0, false, false,
                                  false,        REF_M8N8, false, false, false};
    ref_form *f = &forms->form[forms->count++];
    if (forms->count > REF_MOST_FORMS) abort();
    *f = none;
    f->kind = kind;
    f->space = space;
    return f;
}

/* ldmatrix and stmatrix of .x1, .x2 and (most == 4) .x4. Rows are 16 bytes, those of .s8.s4 8; .m16n16 has two registers a matrix. */
static inline void ref_forms_add_matrix(ref_forms *forms, ref_kind kind, const char *shape, int trans, const char *type,
                                        int bits, int most) {
    int num, s;
    for (num = 1; num <= most; num *= 2) {
        for (s = 0; s < 3; s++) {
            ref_form *f = ref_forms_add(forms, kind, ref_spaces[s]);
            f->shape = shape;
            f->trans = trans;
            f->type = type;
            f->num = num;
            f->bits = bits;
            f->field_bits = bits == 16 ? 16 : 8;
            f->rows = ref_is(shape, "m16n16") ? 16 : 8;
            f->registers = ref_is(shape, "m16n16") ? 2 * num : num;
            f->lanes = f->rows * num;
            f->width = ref_is(type, "s8.s4") ? 8 : 16;
        }
    }
}

static inline void ref_forms_add_plain(ref_forms *forms, ref_kind kind) {
    static const char *const types[] = {"b8",  "b16", "b32", "b64", "u8",  "u16", "u32",
                                        "u64", "s8",  "s16", "s32", "s64", "f32", "f64"};
    size_t t;
    int vec, s;
    for (t = 0; t < sizeof types / sizeof types[0]; t++) {
        const int bits = atoi(types[t] + 1);
        for (vec = 1; vec <= 4 && vec * bits <= 128; vec *= 2) {
            for (s = 0; s < 4; s++) {
                ref_form *f = ref_forms_add(forms, kind, ref_spaces[s]);
                f->type = types[t];
                f->bits = f->field_bits = bits;
                f->is_signed = types[t][0] == 's';
                f->register_bits = bits == 64 ? 64 : 32;
                f->registers = f->vec = vec;
                f->lanes = REF_LANES;
                f->width = vec * bits / 8;
            }
        }
    }
}

/* wmma of one operand and shape, in both layouts or (layout != NULL) one. `registers`: the table "Matrix Fragments for WMMA". */
static inline void ref_forms_add_wmma(ref_forms *forms, char operand, const char *shape, const char *type, int bits,
                                      int registers, const char *layout) {
    int s, col;
    for (col = 0; col < 2; col++) {
        const char *word = col ? "col" : "row";
        if (layout != NULL && !ref_is(layout, word)) continue;
        for (s = 0; s < 4; s++) {
            ref_form *f = ref_forms_add(forms, operand == 'd' ? REF_WMMA_STORE : REF_WMMA_LOAD, ref_spaces[s]);
            int rows, cols;
            f->operand = operand;
            f->shape = shape;
            f->type = type;
            f->layout = word;
            f->bits = f->field_bits = bits;
            f->register_bits = bits == 64 ? 64 : 32;
            f->registers = registers;
            f->lanes = 1;
            f->width = registers * f->register_bits / 8;
            if (sscanf(shape, "m%dn%dk%d", &f->m, &f->n, &f->k) != 3) abort();
            rows = operand == 'b' ? f->k : f->m;
            cols = operand == 'a' ? f->k : f->n;
            f->lines = col ? cols : rows;
            f->line_elements = col ? rows : cols;
        }
    }
}

static inline void ref_forms_add_all_wmma(ref_forms *forms) {
    static const struct {
        const char *shape;
        int bf16_a, bf16_b, s8_a, s8_b;
    } k16[] = {{"m16n16k16", 4, 4, 2, 2}, {"m8n32k16", 2, 8, 1, 4}, {"m32n8k16", 8, 2, 4, 1}};
    size_t i;
    char operand;
    for (i = 0; i < 3; i++) {
        const char *shape = k16[i].shape;
        for (operand = 'a'; operand <= 'b'; operand++) {
            ref_forms_add_wmma(forms, operand, shape, "f16", 16, 8, NULL);
            ref_forms_add_wmma(forms, operand, shape, "bf16", 16, operand == 'a' ? k16[i].bf16_a : k16[i].bf16_b, NULL);
            ref_forms_add_wmma(forms, operand, shape, "s8", 8, operand == 'a' ? k16[i].s8_a : k16[i].s8_b, NULL);
            ref_forms_add_wmma(forms, operand, shape, "u8", 8, operand == 'a' ? k16[i].s8_a : k16[i].s8_b, NULL);
        }
        for (operand = 'c'; operand <= 'd'; operand++) {
            ref_forms_add_wmma(forms, operand, shape, "f16", 16, 4, NULL);
            ref_forms_add_wmma(forms, operand, shape, "f32", 32, 8, NULL);
            ref_forms_add_wmma(forms, operand, shape, "s32", 32, 8, NULL);
        }
    }
    for (operand = 'a'; operand <= 'b'; operand++) {
        const char *natural = operand == 'a' ? "row" : "col";
        ref_forms_add_wmma(forms, operand, "m16n16k8", "tf32", 32, 4, NULL);
        ref_forms_add_wmma(forms, operand, "m8n8k4", "f64", 64, 1, NULL);
        ref_forms_add_wmma(forms, operand, "m8n8k32", "s4", 4, 1, natural);
        ref_forms_add_wmma(forms, operand, "m8n8k32", "u4", 4, 1, natural);
        ref_forms_add_wmma(forms, operand, "m8n8k128", "b1", 1, 1, natural);
    }
    for (operand = 'c'; operand <= 'd'; operand++) {
        ref_forms_add_wmma(forms, operand, "m16n16k8", "f32", 32, 8, NULL);
        ref_forms_add_wmma(forms, operand, "m8n8k4", "f64", 64, 2, NULL);
        ref_forms_add_wmma(forms, operand, "m8n8k32", "s32", 32, 2, NULL);
        ref_forms_add_wmma(forms, operand, "m8n8k128", "s32", 32, 2, NULL);
    }
}

static inline void ref_forms_make(ref_forms *forms) {
    static const char *const narrow[] = {"b8x16.b6x16_p32", "b8x16.b4x16_p64"};
    int i, size;
    ref_form *f;
    forms->count = 0;
    for (i = 0; i < 2; i++) {
        ref_forms_add_matrix(forms, REF_LDMATRIX, "m8n8", i, "b16", 16, 4);
        ref_forms_add_matrix(forms, REF_LDMATRIX, "m16n16", 1, narrow[i], i == 0 ? 6 : 4, 2);
        ref_forms_add_matrix(forms, REF_LDMATRIX, "m8n16", 0, narrow[i], i == 0 ? 6 : 4, 4);
        ref_forms_add_matrix(forms, REF_STMATRIX, "m8n8", i, "b16", 16, 4);
    }
    ref_forms_add_matrix(forms, REF_LDMATRIX, "m16n16", 1, "b8", 8, 2);
    ref_forms_add_matrix(forms, REF_LDMATRIX, "m8n16", 0, "s8.s4", 4, 4);
    ref_forms_add_matrix(forms, REF_STMATRIX, "m16n8", 1, "b8", 8, 4);
    f = ref_forms_add(forms, REF_MOVMATRIX, "");
    f->shape = "m8n8";
    f->type = "b16";
    f->trans = f->registers = 1;
    f->num = 1;
    f->bits = f->field_bits = 16;
    for (size = 4; size <= 32; size *= 2) { /* .cg: 16 bytes only */
        f = ref_forms_add(forms, REF_CP_ASYNC, "");
        f->cache = size == 32 ? "cg" : "ca";
        f->size = f->width = size == 32 ? 16 : size;
        f->lanes = REF_LANES;
    }
    ref_forms_add_plain(forms, REF_LD);
    ref_forms_add_plain(forms, REF_ST);
    ref_forms_add_all_wmma(forms);
    for (i = 0; i < forms->count; i++) {
        f = &forms->form[i];
        f->shared = strncmp(f->space, "shared", 6) == 0 || f->kind == REF_CP_ASYNC;
        f->global = ref_is(f->space, "global");
        f->by_row = ref_is(f->layout, "row");
        f->matrix = ref_is(f->shape, "m16n16")  ? REF_M16N16
                    : ref_is(f->shape, "m8n16") ? REF_M8N16
                    : ref_is(f->shape, "m16n8") ? REF_M16N8
                                                : REF_M8N8;
        f->is_s32 = ref_is(f->type, "s32");
        f->is_s8s4 = ref_is(f->type, "s8.s4");
        f->is_cg = ref_is(f->cache, "cg");
    }
}

static inline const char *ref_kind_word(ref_kind kind) {
    static const char *const words[] = {"ldmatrix", "stmatrix", "movmatrix", "ld",
                                        "st",       "cp.async", "wmma.load", "wmma.store"};
    return words[kind];
}

enum { REF_MOST_WORDS = 12 };

/* The qualifiers of a form in the order of the PTX grammar; `word[i]` has no dot. How many. */
static inline int ref_form_words(const ref_form *f, const char *word[REF_MOST_WORDS]) {
    static const char *const nums[] = {"", "x1", "x2", "", "x4"}, *const vecs[] = {"", "", "v2", "", "v4"};
    int count = 0;
    if (f->cache[0] != '\0') word[count++] = f->cache;
    if (ref_is_warp_wide(f)) {
        word[count++] = "sync";
        word[count++] = "aligned";
    }
    if (f->layout[0] != '\0') word[count++] = f->layout;
    if (f->shape[0] != '\0') word[count++] = f->shape;
    if (ref_is_matrix(f)) word[count++] = nums[f->num];
    if (f->trans) word[count++] = "trans";
    if (f->kind == REF_CP_ASYNC) {
        word[count++] = "shared";
        word[count++] = "global";
    }
    if (f->space[0] != '\0') word[count++] = f->space;
    if (f->vec > 1) word[count++] = vecs[f->vec];
    if (ref_is(f->type, "b8x16.b6x16_p32") || ref_is(f->type, "b8x16.b4x16_p64")) {
        word[count++] = "b8x16";
        word[count++] = f->type + 6;
    } else if (ref_is(f->type, "s8.s4")) {
        word[count++] = "s8";
        word[count++] = "s4";
    } else if (f->type[0] != '\0') {
        word[count++] = f->type;
    }
    return count;
}

/* The opcode: one token, wmma.load.a with its dots. */
static inline void ref_form_opcode(const ref_form *f, char text[32]) {
    snprintf(text, 32, f->operand != 0 ? "%s.%c" : "%s", ref_kind_word(f->kind), f->operand);
}

/* The canonical text of a form. */
static inline void ref_form_text(const ref_form *f, char *text, size_t capacity) {
    const char *word[REF_MOST_WORDS];
    const int count = ref_form_words(f, word);
    char opcode[32];
    size_t used;
    int i;
    ref_form_opcode(f, opcode);
    used = (size_t)snprintf(text, capacity, "%s", opcode);
    for (i = 0; i < count; i++) used += (size_t)snprintf(text + used, capacity - used, ".%s", word[i]);
    if (f->kind == REF_CP_ASYNC) snprintf(text + used, capacity - used, " [dst], [src], %d;", f->size);
}

REFERENCE_END

#endif
