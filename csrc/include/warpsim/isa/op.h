/* An instruction as a value, and the words that PTX has for its parts.
 *
 * ws_op holds what the qualifiers of one instruction say, and nothing else: no operand, no address, no target. Fields
 * that an instruction lacks are 0, so equal instructions are equal byte for byte.
 *
 * This file knows nothing about which combinations exist: that is isa.h. */
#ifndef WARPSIM_ISA_OP_H
#define WARPSIM_ISA_OP_H

#include "../base/status.h"

typedef enum ws_kind {
    WS_KIND_NONE = 0,
    WS_LDMATRIX,
    WS_STMATRIX,
    WS_MOVMATRIX,
    WS_LD,
    WS_ST,
    WS_CP_ASYNC,
    WS_WMMA_LOAD,
    WS_WMMA_STORE,
    WS_KIND_COUNT
} ws_kind;

typedef enum ws_shape {
    WS_SHAPE_NONE = 0,
    WS_SHAPE_M8N8,
    WS_SHAPE_M16N16,
    WS_SHAPE_M8N16,
    WS_SHAPE_M16N8,
    WS_SHAPE_M16N16K16, /* the shapes of wmma, from here on */
    WS_SHAPE_M8N32K16,
    WS_SHAPE_M32N8K16,
    WS_SHAPE_M16N16K8,
    WS_SHAPE_M8N8K4,
    WS_SHAPE_M8N8K32,
    WS_SHAPE_M8N8K128,
    WS_SHAPE_COUNT
} ws_shape;

typedef enum ws_type {
    WS_TYPE_NONE = 0,
    WS_TYPE_B8,
    WS_TYPE_B16,
    WS_TYPE_B32,
    WS_TYPE_B64,
    WS_TYPE_U8,
    WS_TYPE_U16,
    WS_TYPE_U32,
    WS_TYPE_U64,
    WS_TYPE_S8,
    WS_TYPE_S16,
    WS_TYPE_S32,
    WS_TYPE_S64,
    WS_TYPE_F32,
    WS_TYPE_F64,
    WS_TYPE_F16,
    WS_TYPE_BF16,
    WS_TYPE_TF32,
    WS_TYPE_S4,
    WS_TYPE_U4,
    WS_TYPE_B1,
    WS_TYPE_B8X16_B6X16_P32,
    WS_TYPE_B8X16_B4X16_P64,
    WS_TYPE_S8_S4,
    WS_TYPE_COUNT
} ws_type;

typedef enum ws_space {
    WS_SPACE_GENERIC = 0,
    WS_SPACE_SHARED,
    WS_SPACE_SHARED_CTA,
    WS_SPACE_GLOBAL,
    WS_SPACE_COUNT
} ws_space;

typedef enum ws_cache { WS_CACHE_NONE = 0, WS_CACHE_CA, WS_CACHE_CG, WS_CACHE_COUNT } ws_cache;

typedef enum ws_operand {
    WS_OPERAND_NONE = 0,
    WS_OPERAND_A,
    WS_OPERAND_B,
    WS_OPERAND_C,
    WS_OPERAND_D,
    WS_OPERAND_COUNT
} ws_operand;

typedef enum ws_matrix_layout { WS_LAYOUT_NONE = 0, WS_LAYOUT_ROW, WS_LAYOUT_COL, WS_LAYOUT_COUNT } ws_matrix_layout;

enum { WS_LANES = 32 };

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
static inline ws_op ws_op_none(void) {
    const ws_op none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return none;
}

/* The PTX word of each value; index 0 is the empty word. A value out of range gives "?". */
static inline const char *ws_kind_word(int kind) {
    static const char *const words[] = {"",   "ldmatrix", "stmatrix",  "movmatrix", "ld",
                                        "st", "cp.async", "wmma.load", "wmma.store"};
    return kind >= 0 && kind < WS_KIND_COUNT ? words[kind] : "?";
}

static inline const char *ws_shape_word(int shape) {
    static const char *const words[] = {"",         "m8n8",     "m16n16",   "m8n16",  "m16n8",   "m16n16k16",
                                        "m8n32k16", "m32n8k16", "m16n16k8", "m8n8k4", "m8n8k32", "m8n8k128"};
    return shape >= 0 && shape < WS_SHAPE_COUNT ? words[shape] : "?";
}

static inline const char *ws_type_word(int type) {
    static const char *const words[] = {"",
                                        "b8",
                                        "b16",
                                        "b32",
                                        "b64",
                                        "u8",
                                        "u16",
                                        "u32",
                                        "u64",
                                        "s8",
                                        "s16",
                                        "s32",
                                        "s64",
                                        "f32",
                                        "f64",
                                        "f16",
                                        "bf16",
                                        "tf32",
                                        "s4",
                                        "u4",
                                        "b1",
                                        "b8x16.b6x16_p32",
                                        "b8x16.b4x16_p64",
                                        "s8.s4"};
    return type >= 0 && type < WS_TYPE_COUNT ? words[type] : "?";
}

static inline const char *ws_space_word(int space) {
    static const char *const words[] = {"", "shared", "shared::cta", "global"};
    return space >= 0 && space < WS_SPACE_COUNT ? words[space] : "?";
}

static inline const char *ws_cache_word(int cache) {
    static const char *const words[] = {"", "ca", "cg"};
    return cache >= 0 && cache < WS_CACHE_COUNT ? words[cache] : "?";
}

static inline const char *ws_operand_word(int operand) {
    static const char *const words[] = {"", "a", "b", "c", "d"};
    return operand >= 0 && operand < WS_OPERAND_COUNT ? words[operand] : "?";
}

static inline const char *ws_layout_word(int layout) {
    static const char *const words[] = {"", "row", "col"};
    return layout >= 0 && layout < WS_LAYOUT_COUNT ? words[layout] : "?";
}

/* Bits of one value in a register or in plain memory; 0 for the unpacking types (see isa.h). */
static inline int ws_type_bits(int type) {
    static const uint8_t bits[] = {0,  8,  16, 32, 64, 8,  16, 32, 64, 8, 16, 32,
                                   64, 32, 64, 16, 16, 32, 4,  4,  1,  0, 0,  0};
    return type >= 0 && type < WS_TYPE_COUNT ? bits[type] : 0;
}

static inline bool ws_type_is_signed(int type) { return type >= WS_TYPE_S8 && type <= WS_TYPE_S64; }

static inline bool ws_op_equal(const ws_op *a, const ws_op *b) {
    return a->kind == b->kind && a->shape == b->shape && a->type == b->type && a->space == b->space &&
           a->num == b->num && a->trans == b->trans && a->vec == b->vec && a->size_bytes == b->size_bytes &&
           a->cache == b->cache && a->operand == b->operand && a->layout == b->layout;
}

/* Threads of a warp execute these together (.sync.aligned); the others lane by lane. */
static inline bool ws_op_is_collective(const ws_op *op) {
    return op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX || op->kind == WS_MOVMATRIX || op->kind == WS_WMMA_LOAD ||
           op->kind == WS_WMMA_STORE;
}

static inline bool ws_op_is_wmma(const ws_op *op) { return op->kind == WS_WMMA_LOAD || op->kind == WS_WMMA_STORE; }

static inline bool ws_op_is_load(const ws_op *op) {
    return op->kind == WS_LDMATRIX || op->kind == WS_LD || op->kind == WS_WMMA_LOAD;
}

static inline bool ws_op_writes_memory(const ws_op *op) {
    return op->kind == WS_STMATRIX || op->kind == WS_ST || op->kind == WS_CP_ASYNC || op->kind == WS_WMMA_STORE;
}

#endif
