/* An instruction as a value, and the words that PTX has for its parts.
 *
 * ws_op holds what the qualifiers of one instruction say, and nothing else: no operand, no address, no target. Fields
 * that an instruction lacks are 0, so equal instructions are equal byte for byte.
 *
 * This file knows nothing about which combinations exist: that is isa.h. */
#ifndef WARPSIM_ISA_OP_H
#define WARPSIM_ISA_OP_H

#include "../base/constant.h"
#include "../base/status.h"
#include "types.h"

/* The vocabularies: each value with its PTX word and its properties. Enumerators, words and every function below come
 * from these lists. Value 0 of each is "not there", the empty word. */
/* clang-format off */
/*    name        word          collective
                                       wmma   loads  stores its number */
#define WS_KIND_LIST(X)                                                                                                \
    X(LDMATRIX,   "ldmatrix",   true,  false, true,  false, WS_NUMBER_NUM)                                             \
    X(STMATRIX,   "stmatrix",   true,  false, false, true,  WS_NUMBER_NUM)                                             \
    X(MOVMATRIX,  "movmatrix",  true,  false, false, false, WS_NUMBER_NUM)                                             \
    X(LD,         "ld",         false, false, true,  false, WS_NUMBER_VEC)                                             \
    X(ST,         "st",         false, false, false, true,  WS_NUMBER_VEC)                                             \
    X(CP_ASYNC,   "cp.async",   false, false, false, true,  WS_NUMBER_SIZE)                                            \
    X(WMMA_LOAD,  "wmma.load",  true,  true,  true,  false, WS_NUMBER_NONE)                                            \
    X(WMMA_STORE, "wmma.store", true,  true,  false, true,  WS_NUMBER_NONE)

/*    name       word         M   N   K of wmma, else 0 */
#define WS_SHAPE_LIST(X)                                                                                               \
    X(M8N8,      "m8n8",      0,  0,  0)                                                                               \
    X(M16N16,    "m16n16",    0,  0,  0)                                                                               \
    X(M8N16,     "m8n16",     0,  0,  0)                                                                               \
    X(M16N8,     "m16n8",     0,  0,  0)                                                                               \
    X(M16N16K16, "m16n16k16", 16, 16, 16)                                                                              \
    X(M8N32K16,  "m8n32k16",  8,  32, 16)                                                                              \
    X(M32N8K16,  "m32n8k16",  32, 8,  16)                                                                              \
    X(M16N16K8,  "m16n16k8",  16, 16, 8)                                                                               \
    X(M8N8K4,    "m8n8k4",    8,  8,  4)                                                                               \
    X(M8N8K32,   "m8n8k32",   8,  8,  32)                                                                              \
    X(M8N8K128,  "m8n8k128",  8,  8,  128)

#define WS_SPACE_LIST(X) X(SHARED, "shared") X(SHARED_CTA, "shared::cta") X(GLOBAL, "global")
#define WS_CACHE_LIST(X) X(CA, "ca") X(CG, "cg")
#define WS_OPERAND_LIST(X) X(A, "a") X(B, "b") X(C, "c") X(D, "d")
#define WS_LAYOUT_LIST(X) X(ROW, "row") X(COL, "col")

#define WS_ENUM_KIND(name, word, collective, wmma, loads, stores, number) WS_##name,
#define WS_ENUM_SHAPE(name, word, m, n, k) WS_SHAPE_##name,
#define WS_ENUM_TYPE(name, word, bits, is_signed) WS_TYPE_##name,
#define WS_ENUM_SPACE(name, word) WS_SPACE_##name,
#define WS_ENUM_CACHE(name, word) WS_CACHE_##name,
#define WS_ENUM_OPERAND(name, word) WS_OPERAND_##name,
#define WS_ENUM_LAYOUT(name, word) WS_LAYOUT_##name,

typedef enum ws_kind { WS_KIND_NONE = 0, WS_KIND_LIST(WS_ENUM_KIND) WS_KIND_COUNT } ws_kind;
typedef enum ws_shape { WS_SHAPE_NONE = 0, WS_SHAPE_LIST(WS_ENUM_SHAPE) WS_SHAPE_COUNT } ws_shape;
typedef enum ws_type { WS_TYPE_NONE = 0, WS_TYPE_LIST(WS_ENUM_TYPE) WS_TYPE_COUNT } ws_type;
typedef enum ws_space { WS_SPACE_GENERIC = 0, WS_SPACE_LIST(WS_ENUM_SPACE) WS_SPACE_COUNT } ws_space;
typedef enum ws_cache { WS_CACHE_NONE = 0, WS_CACHE_LIST(WS_ENUM_CACHE) WS_CACHE_COUNT } ws_cache;
typedef enum ws_operand { WS_OPERAND_NONE = 0, WS_OPERAND_LIST(WS_ENUM_OPERAND) WS_OPERAND_COUNT } ws_operand;
typedef enum ws_matrix_layout { WS_LAYOUT_NONE = 0, WS_LAYOUT_LIST(WS_ENUM_LAYOUT) WS_LAYOUT_COUNT } ws_matrix_layout;
/* clang-format on */

#undef WS_ENUM_KIND
#undef WS_ENUM_SHAPE
#undef WS_ENUM_TYPE
#undef WS_ENUM_SPACE
#undef WS_ENUM_CACHE
#undef WS_ENUM_OPERAND
#undef WS_ENUM_LAYOUT

enum { WS_LANES = 32 };

/* The memory that an address belongs to. */
typedef enum ws_where { WS_NOWHERE = 0, WS_IN_SHARED, WS_IN_GLOBAL } ws_where;

typedef struct ws_op {
    uint8_t kind;       /* ws_kind */
    uint8_t shape;      /* ws_shape; matrix instructions */
    uint8_t type;       /* ws_type; 0 for cp.async */
    uint8_t space;      /* ws_space; 0 = generic, and for movmatrix and cp.async */
    uint8_t num;        /* 1, 2, 4: .num of ldmatrix and stmatrix; 1 for movmatrix */
    uint8_t trans;      /* 0, 1 */
    uint8_t vec;        /* 1, 2, 4: ld, st */
    uint8_t size_bytes; /* 4, 8, 16: cp.async */
    uint8_t cache;      /* ws_cache; cp.async */
    uint8_t operand;    /* ws_operand; wmma */
    uint8_t layout;     /* ws_matrix_layout; wmma */
    uint8_t form;       /* its row of the table in isa.h */
} ws_op;

/* No instruction: what a failed parse leaves. */
WS_CONSTANT ws_op ws_op_none(void) {
    const ws_op none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return none;
}

/* The field of ws_op that holds the number of an instruction. */
typedef enum ws_number { WS_NUMBER_NONE = 0, WS_NUMBER_NUM, WS_NUMBER_VEC, WS_NUMBER_SIZE } ws_number;

typedef struct ws_kind_row {
    const char *word;
    bool is_collective, is_wmma, loads, stores;
    uint8_t number; /* ws_number */
} ws_kind_row;

typedef struct ws_shape_row {
    const char *word;
    uint8_t m, n, k; /* of wmma; else 0 */
} ws_shape_row;

typedef struct ws_type_row {
    const char *word;
    uint8_t bits;
    bool is_signed;
} ws_type_row;

#define WS_ROW(name, word, collective, wmma, loads, stores, number) {word, collective, wmma, loads, stores, number},
WS_TABLE ws_kind_row ws_kind_rows[] = {{"", false, false, false, false, WS_NUMBER_NONE},
                                       WS_KIND_LIST(WS_ROW){"?", false, false, false, false, WS_NUMBER_NONE}};
#undef WS_ROW
#define WS_ROW(name, word, m, n, k) {word, m, n, k},
WS_TABLE ws_shape_row ws_shape_rows[] = {{"", 0, 0, 0}, WS_SHAPE_LIST(WS_ROW){"?", 0, 0, 0}};
#undef WS_ROW
#define WS_ROW(name, word, bits, is_signed) {word, bits, is_signed},
WS_TABLE ws_type_row ws_type_rows[] = {{"", 0, false}, WS_TYPE_LIST(WS_ROW){"?", 0, false}};
#undef WS_ROW
#define WS_WORD(name, word) word,
WS_WORD_TABLE ws_space_words[] = {"", WS_SPACE_LIST(WS_WORD)};
WS_WORD_TABLE ws_cache_words[] = {"", WS_CACHE_LIST(WS_WORD)};
#undef WS_WORD

/* A value out of range gives the last row, whose word is "?". */
WS_CONSTANT const ws_kind_row *ws_kind_at(int kind) {
    return &ws_kind_rows[kind >= 0 && kind < WS_KIND_COUNT ? kind : WS_KIND_COUNT];
}

WS_CONSTANT const ws_shape_row *ws_shape_at(int shape) {
    return &ws_shape_rows[shape >= 0 && shape < WS_SHAPE_COUNT ? shape : WS_SHAPE_COUNT];
}

WS_CONSTANT const ws_type_row *ws_type_at(int type) {
    return &ws_type_rows[type >= 0 && type < WS_TYPE_COUNT ? type : WS_TYPE_COUNT];
}

/* The PTX word of each value; "" of 0. */
WS_CONSTANT const char *ws_kind_word(int kind) { return ws_kind_at(kind)->word; }
WS_CONSTANT const char *ws_shape_word(int shape) { return ws_shape_at(shape)->word; }
WS_CONSTANT const char *ws_type_word(int type) { return ws_type_at(type)->word; }

WS_CONSTANT const char *ws_space_word(int space) {
    return space >= 0 && space < WS_SPACE_COUNT ? ws_space_words[space] : "?";
}
WS_CONSTANT const char *ws_cache_word(int cache) {
    return cache >= 0 && cache < WS_CACHE_COUNT ? ws_cache_words[cache] : "?";
}

#define WS_WORD(name, word) word,
static inline const char *ws_operand_word(int operand) {
    static const char *const words[] = {"", WS_OPERAND_LIST(WS_WORD)};
    return operand >= 0 && operand < WS_OPERAND_COUNT ? words[operand] : "?";
}

static inline const char *ws_layout_word(int layout) {
    static const char *const words[] = {"", WS_LAYOUT_LIST(WS_WORD)};
    return layout >= 0 && layout < WS_LAYOUT_COUNT ? words[layout] : "?";
}
#undef WS_WORD

WS_CONSTANT int ws_type_bits(int type) { return ws_type_at(type)->bits; }

static inline bool ws_type_is_signed(int type) { return ws_type_at(type)->is_signed; }

static inline bool ws_op_equal(const ws_op *a, const ws_op *b) {
    return a->kind == b->kind && a->shape == b->shape && a->type == b->type && a->space == b->space &&
           a->num == b->num && a->trans == b->trans && a->vec == b->vec && a->size_bytes == b->size_bytes &&
           a->cache == b->cache && a->operand == b->operand && a->layout == b->layout;
}

/* Threads of a warp execute these together (.sync.aligned); the others lane by lane. */
WS_CONSTANT bool ws_op_is_collective(const ws_op *op) { return ws_kind_at(op->kind)->is_collective; }

WS_CONSTANT bool ws_op_is_wmma(const ws_op *op) { return ws_kind_at(op->kind)->is_wmma; }

WS_CONSTANT bool ws_op_is_load(const ws_op *op) { return ws_kind_at(op->kind)->loads; }

WS_CONSTANT bool ws_op_writes_memory(const ws_op *op) { return ws_kind_at(op->kind)->stores; }

/* What does not load takes its values from registers, except cp.async, which takes them from memory. */
static inline bool ws_kind_reads_registers(int kind) { return !ws_kind_at(kind)->loads && kind != WS_CP_ASYNC; }

/* The number of an instruction: .num, .vec or the cp-size; 1 for wmma, which does not have one. */
WS_CONSTANT int ws_op_count(const ws_op *op) {
    switch (ws_kind_at(op->kind)->number) {
        case WS_NUMBER_NUM: return op->num;
        case WS_NUMBER_VEC: return op->vec;
        case WS_NUMBER_SIZE: return op->size_bytes;
        default: return 1;
    }
}

/* Every access of the instruction goes to shared memory, by an address of 32 bits. */
WS_CONSTANT bool ws_op_is_shared(const ws_op *op) {
    return op->space == WS_SPACE_SHARED || op->space == WS_SPACE_SHARED_CTA;
}

#endif
