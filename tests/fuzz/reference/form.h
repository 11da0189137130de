/* The instruction forms with their sizes, words, maps and accesses: tables that make_tables.py prints from the oracle in
 * tests/reference.
 *
 * All of reference/ is slow and plain, and written without a look at the core: what a fuzzer compares the core with. Words
 * are PTX's. */
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
/* _Pragma takes one literal */
/* clang-format off */
#define REFERENCE_BEGIN \
    _Pragma("clang attribute push(__attribute__((no_sanitize(\"coverage\", \"address\", \"undefined\"))), apply_to = function)")
/* clang-format on */
#define REFERENCE_END _Pragma("clang attribute pop")
#else
#define REFERENCE_BEGIN
#define REFERENCE_END
#endif

enum { REF_LANES = 32, REF_MOST_REGISTERS = 8, REF_MOST_WORDS = 12 };

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

typedef struct ref_target {
    const char *name;
    int first, last; /* PTX versions that have it: 86 is 8.6 */
} ref_target;

typedef struct ref_element {
    int8_t matrix;
    uint8_t row, col; /* row: which row address; wmma: PTX's i and j */
} ref_element;

typedef struct ref_access {
    int line[REF_LANES]; /* an access begins at p + line * S + byte */
    int byte[REF_LANES];
    int first; /* the value of a lane's fragment that it begins with */
} ref_access;

typedef struct ref_lowering {
    const ref_access *access; /* in the order of the registers */
    int accesses;
    int width;      /* bytes of a lane's access, or of a row */
    int lanes;      /* that give addresses: 8, 16, 32 */
    bool rows;      /* ldmatrix */
    bool trans;     /* .trans of that */
    bool movmatrix; /* each register is transposed */
} ref_lowering;

typedef struct ref_form {
    ref_kind kind;
    const char *mnemonic, *opcode;                     /* wmma.load, wmma.load.a */
    const char *shape, *type, *space, *layout, *cache; /* PTX's words; "" if not there */
    const char *operand;                               /* "a" to "d" of wmma; else "" */
    int num, trans, vec, size;
    int bits;       /* of an element in memory */
    int field_bits; /* of an element in a register */
    bool is_signed;
    int register_bits;   /* 32, 64 */
    int registers;       /* of a lane */
    int rows;            /* row addresses of a matrix */
    int lanes;           /* that supply an address */
    int width;           /* bytes at an address, and its alignment; wmma: F, the bytes of a lane's fragment */
    int m, n, k;         /* wmma */
    int lines;           /* wmma: runs of memory that the stride separates */
    int line_elements;   /* and the elements of one: the default stride */
    bool shared, global; /* the state space; neither: generic */
    bool by_row;         /* wmma */
    bool is_s8s4, is_cg;
    const char *word[REF_MOST_WORDS]; /* qualifiers in the order of the PTX grammar */
    int words;
    const ref_element *map[2];       /* of each value, lane by lane; on sm_75 */
    const ref_lowering *lowering[2]; /* of wmma; on sm_75, NULL where that does not have the form */
    const uint8_t *least;            /* PTX version, by target; 0: never */
} ref_form;

#include <reference_tables.h>

enum { REF_FORMS = sizeof ref_forms / sizeof ref_forms[0], REF_TARGETS = sizeof ref_targets / sizeof ref_targets[0] };

REFERENCE_BEGIN

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
static inline bool ref_is_accumulator(const ref_form *f) { return f->operand[0] == 'c' || f->operand[0] == 'd'; }

/* The canonical text of a form. */
static inline void ref_form_text(const ref_form *f, char *text, size_t capacity) {
    size_t used = (size_t)snprintf(text, capacity, "%s", f->opcode);
    for (int i = 0; i < f->words; i++) used += (size_t)snprintf(text + used, capacity - used, ".%s", f->word[i]);
    if (f->kind == REF_CP_ASYNC) snprintf(text + used, capacity - used, " [dst], [src], %d;", f->size);
}

static inline bool ref_ptx_exists(int ptx) {
    for (size_t i = 0; i < sizeof ref_ptx_versions / sizeof ref_ptx_versions[0]; i++) {
        if (ref_ptx_versions[i] == ptx) return true;
    }
    return false;
}

static inline bool ref_is_legal(const ref_form *f, int target, int ptx) {
    return f->least[target] != 0 && ptx >= f->least[target] && ptx <= ref_targets[target].last && ref_ptx_exists(ptx);
}

/* ldmatrix and stmatrix: `field` of register `reg`, counted from the low bits. */
static inline ref_element ref_matrix_element(const ref_form *f, int lane, int reg, int field) {
    const int fields = 32 / f->field_bits;
    return f->map[0][(lane * f->registers + reg) * fields + field];
}

/* Values of a lane's registers. */
static inline int ref_wmma_values(const ref_form *f) { return f->registers * f->register_bits / f->bits; }

/* The line of memory that a value lies in, and its place in the line. */
static inline void ref_wmma_place(const ref_form *f, int lane, int i, bool sm_75, int *line, int *index) {
    const ref_element e = f->map[sm_75][lane * ref_wmma_values(f) + i];
    *line = f->by_row ? e.row : e.col;
    *index = f->by_row ? e.col : e.row;
}

REFERENCE_END

#endif
