/* THE table: one row per instruction form. What follows from a row is in form.h.
 *
 * Sources: PTX ISA, "Warp-level matrix load instruction: ldmatrix", "... store instruction:
 * stmatrix", "... transpose instruction: movmatrix", "Data Movement and Conversion
 * Instructions: ld, st, cp.async"; acceptance by ptxas 12.9, 13.0 and 13.5. Rows of
 * m8n16.s8.s4 (8 bytes each) and the 16 address lanes of m16n16 are measurements: PTX states neither.
 *
 *     matrix row in memory   |e0|e1|e2| ... |  padding |     one address lane each
 *                             element_bits               row_bytes
 *
 * This file knows nothing about what a form does with its data. */
#ifndef WARPSIM_ISA_ISA_H
#define WARPSIM_ISA_ISA_H

#include "op.h"

typedef enum ws_trans_rule { WS_TRANS_NEVER = 0, WS_TRANS_MAY, WS_TRANS_MUST } ws_trans_rule;

/* Which targets have a form; targets.h lists the targets. */
typedef enum ws_target_rule {
    WS_TARGETS_ALL = 0,
    WS_TARGETS_SM70_UP,
    WS_TARGETS_SM72_UP,
    WS_TARGETS_SM75_UP,
    WS_TARGETS_SM80_UP,
    WS_TARGETS_SM90_UP,
    WS_TARGETS_AF100_UP,    /* suffix a or f, sm_100 and later */
    WS_TARGETS_90A_AF100_UP /* those and sm_90a */
} ws_target_rule;

#define WS_BIT(value) (UINT32_C(1) << (value))
#define WS_COUNTS_12 (WS_BIT(1) | WS_BIT(2))
#define WS_COUNTS_124 (WS_COUNTS_12 | WS_BIT(4))
#define WS_SPACES_SHARED (WS_BIT(WS_SPACE_GENERIC) | WS_BIT(WS_SPACE_SHARED) | WS_BIT(WS_SPACE_SHARED_CTA))
#define WS_SPACES_NONE WS_BIT(WS_SPACE_GENERIC)
#define WS_SPACES_PLAIN (WS_SPACES_SHARED | WS_BIT(WS_SPACE_GLOBAL))
#define WS_TYPES_TO_32                                                                                                 \
    (WS_BIT(WS_TYPE_B8) | WS_BIT(WS_TYPE_B16) | WS_BIT(WS_TYPE_B32) | WS_BIT(WS_TYPE_U8) | WS_BIT(WS_TYPE_U16) |       \
     WS_BIT(WS_TYPE_U32) | WS_BIT(WS_TYPE_S8) | WS_BIT(WS_TYPE_S16) | WS_BIT(WS_TYPE_S32) | WS_BIT(WS_TYPE_F32))
#define WS_TYPES_64 (WS_BIT(WS_TYPE_B64) | WS_BIT(WS_TYPE_U64) | WS_BIT(WS_TYPE_S64) | WS_BIT(WS_TYPE_F64))

typedef struct ws_form {
    uint8_t kind;           /* ws_kind */
    uint32_t shapes;        /* bit set of ws_shape */
    uint8_t trans;          /* ws_trans_rule */
    uint8_t cache;          /* ws_cache */
    uint8_t operands;       /* bit set of ws_operand */
    uint8_t layouts;        /* bit set of ws_matrix_layout */
    uint32_t types;         /* bit set of ws_type; plain and matrix forms */
    uint32_t counts;        /* bit set: the .num, .vec or cp-size that exist */
    uint32_t spaces;        /* bit set of ws_space */
    uint8_t registers;      /* 32-bit registers per matrix and lane; 0: vec, or none (cp.async) */
    uint8_t rows;           /* row addresses per matrix; 0 where there are none */
    uint8_t row_bytes;      /* bytes of memory that one address stands for, padding included */
    uint8_t row_elements;   /* elements in a row */
    uint8_t element_bits;   /* width of an element in memory */
    uint8_t field_bits;     /* width of an element in a register */
    uint8_t group_lanes;    /* row addresses that meet in the banks at once */
    bool counters_measured; /* false: the grouping is taken over from m8n8, not measured */
    uint8_t min_ptx;        /* 65 is PTX 6.5 */
    uint8_t targets;        /* ws_target_rule */
} ws_form;

enum { WS_FORM_COUNT = 38, WS_ANY_PTX = 60 /* before the first version known here */ };

#define WS_SHAPES_K16 (WS_BIT(WS_SHAPE_M16N16K16) | WS_BIT(WS_SHAPE_M8N32K16) | WS_BIT(WS_SHAPE_M32N8K16))
#define WS_OPERANDS_AB (WS_BIT(WS_OPERAND_A) | WS_BIT(WS_OPERAND_B))
#define WS_LAYOUTS_BOTH (WS_BIT(WS_LAYOUT_ROW) | WS_BIT(WS_LAYOUT_COL))
#define WS_WMMA_ROW(kind, shapes, operands, layouts, types, bits, ptx, targets)                                        \
    {                                                                                                                  \
        kind, shapes, 0, 0, operands, layouts, types, WS_BIT(1), WS_SPACES_PLAIN, 0, 0, 0, 0, bits, bits, 0, true,     \
            ptx, targets                                                                                               \
    }
#define WS_WMMA_AB(shapes, types, operands, layouts, bits, ptx, targets)                                               \
    WS_WMMA_ROW(WS_WMMA_LOAD, shapes, operands, layouts, types, bits, ptx, targets)
/* load.c and store.d of one type are two rows */
#define WS_WMMA_CD(shapes, type, bits, ptx, targets)                                                                   \
    WS_WMMA_ROW(WS_WMMA_LOAD, shapes, WS_BIT(WS_OPERAND_C), WS_LAYOUTS_BOTH, WS_BIT(type), bits, ptx, targets),        \
        WS_WMMA_ROW(WS_WMMA_STORE, shapes, WS_BIT(WS_OPERAND_D), WS_LAYOUTS_BOTH, WS_BIT(type), bits, ptx, targets)

static inline const ws_form *ws_isa_form(int index) {
    /* clang-format off */
    static const ws_form table[WS_FORM_COUNT] = {
        /* row 0: no instruction */
        {WS_KIND_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 0, 0},
        /* kind, shapes, trans, cache, operands, layouts, types, counts, spaces,
           registers, rows, row_bytes, row_elements, element_bits, field_bits, group_lanes, measured, PTX, targets */
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M8N8), WS_TRANS_MAY, 0, 1, 1, WS_BIT(WS_TYPE_B16), WS_COUNTS_124, WS_SPACES_SHARED,
         1, 8, 16, 8, 16, 16, 8, true, 65, WS_TARGETS_SM75_UP},
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M16N16), WS_TRANS_MUST, 0, 1, 1, WS_BIT(WS_TYPE_B8), WS_COUNTS_12, WS_SPACES_SHARED,
         2, 16, 16, 16, 8, 8, 8, false, 86, WS_TARGETS_AF100_UP},
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M16N16), WS_TRANS_MUST, 0, 1, 1, WS_BIT(WS_TYPE_B8X16_B6X16_P32), WS_COUNTS_12,
         WS_SPACES_SHARED, 2, 16, 16, 16, 6, 8, 8, false, 86, WS_TARGETS_AF100_UP},
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M16N16), WS_TRANS_MUST, 0, 1, 1, WS_BIT(WS_TYPE_B8X16_B4X16_P64), WS_COUNTS_12,
         WS_SPACES_SHARED, 2, 16, 16, 16, 4, 8, 8, false, 86, WS_TARGETS_AF100_UP},
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M8N16), WS_TRANS_NEVER, 0, 1, 1, WS_BIT(WS_TYPE_B8X16_B6X16_P32), WS_COUNTS_124,
         WS_SPACES_SHARED, 1, 8, 16, 16, 6, 8, 8, false, 86, WS_TARGETS_AF100_UP},
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M8N16), WS_TRANS_NEVER, 0, 1, 1, WS_BIT(WS_TYPE_B8X16_B4X16_P64), WS_COUNTS_124,
         WS_SPACES_SHARED, 1, 8, 16, 16, 4, 8, 8, false, 86, WS_TARGETS_AF100_UP},
        {WS_LDMATRIX, WS_BIT(WS_SHAPE_M8N16), WS_TRANS_NEVER, 0, 1, 1, WS_BIT(WS_TYPE_S8_S4), WS_COUNTS_124,
         WS_SPACES_SHARED, 1, 8, 8, 16, 4, 8, 16, true, 94, WS_TARGETS_90A_AF100_UP},
        {WS_STMATRIX, WS_BIT(WS_SHAPE_M8N8), WS_TRANS_MAY, 0, 1, 1, WS_BIT(WS_TYPE_B16), WS_COUNTS_124, WS_SPACES_SHARED,
         1, 8, 16, 8, 16, 16, 8, true, 78, WS_TARGETS_SM90_UP},
        {WS_STMATRIX, WS_BIT(WS_SHAPE_M16N8), WS_TRANS_MUST, 0, 1, 1, WS_BIT(WS_TYPE_B8), WS_COUNTS_124, WS_SPACES_SHARED,
         1, 8, 16, 16, 8, 8, 8, false, 86, WS_TARGETS_AF100_UP},
        {WS_MOVMATRIX, WS_BIT(WS_SHAPE_M8N8), WS_TRANS_MUST, 0, 1, 1, WS_BIT(WS_TYPE_B16), WS_BIT(1), WS_SPACES_NONE,
         1, 0, 0, 8, 16, 16, 0, true, 78, WS_TARGETS_SM75_UP},
        {WS_LD, 1, 0, 0, 1, 1, WS_TYPES_TO_32, WS_COUNTS_124, WS_SPACES_PLAIN,
         0, 0, 0, 0, 0, 0, 0, true, WS_ANY_PTX, WS_TARGETS_ALL},
        {WS_LD, 1, 0, 0, 1, 1, WS_TYPES_64, WS_COUNTS_12, WS_SPACES_PLAIN,
         0, 0, 0, 0, 0, 0, 0, true, WS_ANY_PTX, WS_TARGETS_ALL},
        {WS_ST, 1, 0, 0, 1, 1, WS_TYPES_TO_32, WS_COUNTS_124, WS_SPACES_PLAIN,
         0, 0, 0, 0, 0, 0, 0, true, WS_ANY_PTX, WS_TARGETS_ALL},
        {WS_ST, 1, 0, 0, 1, 1, WS_TYPES_64, WS_COUNTS_12, WS_SPACES_PLAIN,
         0, 0, 0, 0, 0, 0, 0, true, WS_ANY_PTX, WS_TARGETS_ALL},
        {WS_CP_ASYNC, 1, 0, WS_CACHE_CA, 1, 1, WS_BIT(WS_TYPE_NONE), WS_BIT(4) | WS_BIT(8) | WS_BIT(16), WS_SPACES_NONE,
         0, 0, 0, 0, 0, 0, 0, true, 70, WS_TARGETS_SM80_UP},
        {WS_CP_ASYNC, 1, 0, WS_CACHE_CG, 1, 1, WS_BIT(WS_TYPE_NONE), WS_BIT(16), WS_SPACES_NONE,
         0, 0, 0, 0, 0, 0, 0, true, 70, WS_TARGETS_SM80_UP},
        WS_WMMA_AB(WS_SHAPES_K16, WS_BIT(WS_TYPE_F16), WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 16, 63, WS_TARGETS_SM70_UP),
        WS_WMMA_AB(WS_SHAPES_K16, WS_BIT(WS_TYPE_BF16), WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 16, 70, WS_TARGETS_SM80_UP),
        WS_WMMA_AB(WS_SHAPES_K16, WS_BIT(WS_TYPE_S8) | WS_BIT(WS_TYPE_U8), WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 8, 63,
                   WS_TARGETS_SM72_UP),
        WS_WMMA_AB(WS_BIT(WS_SHAPE_M16N16K8), WS_BIT(WS_TYPE_TF32), WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 32, 70,
                   WS_TARGETS_SM80_UP),
        WS_WMMA_AB(WS_BIT(WS_SHAPE_M8N8K4), WS_BIT(WS_TYPE_F64), WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 64, 70,
                   WS_TARGETS_SM80_UP),
        WS_WMMA_AB(WS_BIT(WS_SHAPE_M8N8K32), WS_BIT(WS_TYPE_S4) | WS_BIT(WS_TYPE_U4), WS_BIT(WS_OPERAND_A),
                   WS_BIT(WS_LAYOUT_ROW), 4, 63, WS_TARGETS_SM75_UP),
        WS_WMMA_AB(WS_BIT(WS_SHAPE_M8N8K32), WS_BIT(WS_TYPE_S4) | WS_BIT(WS_TYPE_U4), WS_BIT(WS_OPERAND_B),
                   WS_BIT(WS_LAYOUT_COL), 4, 63, WS_TARGETS_SM75_UP),
        WS_WMMA_AB(WS_BIT(WS_SHAPE_M8N8K128), WS_BIT(WS_TYPE_B1), WS_BIT(WS_OPERAND_A), WS_BIT(WS_LAYOUT_ROW), 1, 63,
                   WS_TARGETS_SM75_UP),
        WS_WMMA_AB(WS_BIT(WS_SHAPE_M8N8K128), WS_BIT(WS_TYPE_B1), WS_BIT(WS_OPERAND_B), WS_BIT(WS_LAYOUT_COL), 1, 63,
                   WS_TARGETS_SM75_UP),
        WS_WMMA_CD(WS_SHAPES_K16, WS_TYPE_F16, 16, 63, WS_TARGETS_SM70_UP),
        WS_WMMA_CD(WS_SHAPES_K16, WS_TYPE_F32, 32, 63, WS_TARGETS_SM70_UP),
        WS_WMMA_CD(WS_SHAPES_K16, WS_TYPE_S32, 32, 63, WS_TARGETS_SM72_UP),
        WS_WMMA_CD(WS_BIT(WS_SHAPE_M16N16K8), WS_TYPE_F32, 32, 70, WS_TARGETS_SM80_UP),
        WS_WMMA_CD(WS_BIT(WS_SHAPE_M8N8K4), WS_TYPE_F64, 64, 70, WS_TARGETS_SM80_UP),
        WS_WMMA_CD(WS_BIT(WS_SHAPE_M8N8K32) | WS_BIT(WS_SHAPE_M8N8K128), WS_TYPE_S32, 32, 63, WS_TARGETS_SM75_UP),
    };
    /* clang-format on */
    return &table[index >= 0 && index < WS_FORM_COUNT ? index : 0];
}

static inline const ws_form *ws_op_form(const ws_op *op) { return ws_isa_form(op->form); }

/* The number that the table's `counts` is about: .num, .vec or the cp-size. */
static inline int ws_op_count(const ws_op *op) {
    if (op->kind == WS_CP_ASYNC) return op->size_bytes;
    if (ws_op_is_wmma(op)) return 1;
    return op->kind == WS_LD || op->kind == WS_ST ? op->vec : op->num;
}

/* Whether a bit set has a value; out of range: no. */
static inline bool ws_in(uint32_t set, int value) { return value >= 0 && value < 32 && (set >> value & 1) != 0; }

/* A number that belongs to another kind of instruction. */
static inline bool ws_op_has_foreign_fields(const ws_op *op) {
    const bool plain = op->kind == WS_LD || op->kind == WS_ST, copies = op->kind == WS_CP_ASYNC;
    const bool counted = op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX || op->kind == WS_MOVMATRIX;
    return (op->num != 0 && !counted) || (op->vec != 0 && !plain) || (op->size_bytes != 0 && !copies) || op->trans > 1;
}

/* How many qualifiers of `op`, taken in this order, a row allows. */
typedef enum ws_match {
    WS_MATCH_NONE = 0,
    WS_MATCH_NOT_OPERAND, /* the operand is the first one that it does not allow */
    WS_MATCH_NOT_SHAPE,
    WS_MATCH_NOT_CACHE,
    WS_MATCH_NOT_TYPE,
    WS_MATCH_NOT_COUNT,
    WS_MATCH_NOT_TRANS,
    WS_MATCH_NOT_LAYOUT,
    WS_MATCH_NOT_SPACE,
    WS_MATCH_ALL
} ws_match;

static inline ws_match ws_form_match(const ws_form *form, const ws_op *op) {
    if (form->kind != op->kind || op->kind == WS_KIND_NONE || ws_op_has_foreign_fields(op)) return WS_MATCH_NONE;
    if (!ws_in(form->operands, op->operand)) return WS_MATCH_NOT_OPERAND;
    if (!ws_in(form->shapes, op->shape)) return WS_MATCH_NOT_SHAPE;
    if (form->cache != op->cache) return WS_MATCH_NOT_CACHE;
    if (!ws_in(form->types, op->type)) return WS_MATCH_NOT_TYPE;
    if (!ws_in(form->counts, ws_op_count(op))) return WS_MATCH_NOT_COUNT;
    if (form->trans != WS_TRANS_MAY && op->trans != (form->trans == WS_TRANS_MUST)) return WS_MATCH_NOT_TRANS;
    if (!ws_in(form->layouts, op->layout)) return WS_MATCH_NOT_LAYOUT;
    return ws_in(form->spaces, op->space) ? WS_MATCH_ALL : WS_MATCH_NOT_SPACE;
}

/* The row of `op`, or 0. */
static inline int ws_isa_find(const ws_op *op) {
    int i;
    for (i = 1; i < WS_FORM_COUNT; i++) {
        if (ws_form_match(ws_isa_form(i), op) == WS_MATCH_ALL) return i;
    }
    return 0;
}

/* Made by ws_parse or ws_op_validate, and not changed since. */
static inline bool ws_op_is_valid(const ws_op *op) { return op->form != 0 && op->form == ws_isa_find(op); }

#endif
