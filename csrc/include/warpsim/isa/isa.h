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

#include "../base/rows.h"
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
#define WS_COUNTS_1 WS_BIT(1)
#define WS_COUNTS_12 (WS_BIT(1) | WS_BIT(2))
#define WS_COUNTS_124 (WS_COUNTS_12 | WS_BIT(4))
#define WS_COUNTS_16 WS_BIT(16)
#define WS_COUNTS_4_8_16 (WS_BIT(4) | WS_BIT(8) | WS_BIT(16))
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
    uint8_t row_bytes;      /* bytes of memory at one address, including padding */
    uint8_t row_elements;   /* elements in a row */
    uint8_t element_bits;   /* width of an element in memory */
    uint8_t field_bits;     /* width of an element in a register */
    uint8_t packing;        /* ws_row_packing */
    uint8_t turn;           /* ws_row_turn: what .trans does */
    uint8_t group_lanes;    /* row addresses that go to the banks at once */
    bool counters_measured; /* false: the grouping is assumed from m8n8, not measured */
    uint8_t min_ptx;        /* 65 is PTX 6.5 */
    uint8_t targets;        /* ws_target_rule */
} ws_form;

enum { WS_ANY_PTX = 60 /* earlier than the first version known here */ };

#define WS_SHAPES_K16 (WS_BIT(WS_SHAPE_M16N16K16) | WS_BIT(WS_SHAPE_M8N32K16) | WS_BIT(WS_SHAPE_M32N8K16))
#define WS_SHAPES_K8 WS_BIT(WS_SHAPE_M16N16K8)
#define WS_SHAPES_K4 WS_BIT(WS_SHAPE_M8N8K4)
#define WS_SHAPES_K32 WS_BIT(WS_SHAPE_M8N8K32)
#define WS_SHAPES_K128 WS_BIT(WS_SHAPE_M8N8K128)
#define WS_SHAPES_K32_K128 (WS_SHAPES_K32 | WS_SHAPES_K128)
#define WS_TYPES_8 (WS_BIT(WS_TYPE_S8) | WS_BIT(WS_TYPE_U8))
#define WS_TYPES_4 (WS_BIT(WS_TYPE_S4) | WS_BIT(WS_TYPE_U4))
#define WS_OPERANDS_A WS_BIT(WS_OPERAND_A)
#define WS_OPERANDS_B WS_BIT(WS_OPERAND_B)
#define WS_OPERANDS_AB (WS_OPERANDS_A | WS_OPERANDS_B)
#define WS_LAYOUTS_ROW WS_BIT(WS_LAYOUT_ROW)
#define WS_LAYOUTS_COL WS_BIT(WS_LAYOUT_COL)
#define WS_LAYOUTS_BOTH (WS_LAYOUTS_ROW | WS_LAYOUTS_COL)

/* The rows, one macro for each set of columns: those that a macro leaves out are 0, "not there". */
/* clang-format off */
#define WS_MATRIX(kind, shape, type, trans, nums, spaces, registers, rows, row_bytes, row_elements, element, field, packing, turn, \
                  group, measured, ptx, targets)                                                                       \
    {WS_##kind, WS_BIT(WS_SHAPE_##shape), WS_TRANS_##trans, WS_CACHE_NONE, WS_BIT(WS_OPERAND_NONE),                    \
     WS_BIT(WS_LAYOUT_NONE), WS_BIT(WS_TYPE_##type), WS_COUNTS_##nums, WS_SPACES_##spaces, registers, rows, row_bytes, \
     row_elements, element, field, WS_ROWS_##packing, WS_ROWS_##turn, group, measured, ptx, WS_TARGETS_##targets}
#define WS_PLAIN(kind, types, vecs)                                                                                    \
    {WS_##kind, WS_BIT(WS_SHAPE_NONE), WS_TRANS_NEVER, WS_CACHE_NONE, WS_BIT(WS_OPERAND_NONE), WS_BIT(WS_LAYOUT_NONE), \
     WS_TYPES_##types, WS_COUNTS_##vecs, WS_SPACES_PLAIN, 0, 0, 0, 0, 0, 0, 0, 0, 0, true, WS_ANY_PTX, WS_TARGETS_ALL}
#define WS_COPY(cache, sizes, ptx, targets)                                                                            \
    {WS_CP_ASYNC, WS_BIT(WS_SHAPE_NONE), WS_TRANS_NEVER, WS_CACHE_##cache, WS_BIT(WS_OPERAND_NONE),                    \
     WS_BIT(WS_LAYOUT_NONE), WS_BIT(WS_TYPE_NONE), WS_COUNTS_##sizes, WS_SPACES_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, true, \
     ptx, WS_TARGETS_##targets}
#define WS_WMMA(kind, operands, shapes, layouts, types, bits, ptx, targets)                                            \
    {WS_##kind, shapes, WS_TRANS_NEVER, WS_CACHE_NONE, operands, layouts, types, WS_COUNTS_1, WS_SPACES_PLAIN,         \
     0, 0, 0, 0, bits, bits, 0, 0, 0, true, ptx, targets}
#define WS_FACTOR(operands, shapes, layouts, types, bits, ptx, targets)                                                \
    WS_WMMA(WMMA_LOAD, WS_OPERANDS_##operands, WS_SHAPES_##shapes, WS_LAYOUTS_##layouts, types, bits, ptx,             \
            WS_TARGETS_##targets)
#define WS_ACCUMULATOR(shapes, type, bits, ptx, targets) /* two rows: load.c and store.d */                            \
    WS_WMMA(WMMA_LOAD, WS_BIT(WS_OPERAND_C), WS_SHAPES_##shapes, WS_LAYOUTS_BOTH, WS_BIT(WS_TYPE_##type), bits, ptx,   \
            WS_TARGETS_##targets),                                                                                     \
    WS_WMMA(WMMA_STORE, WS_BIT(WS_OPERAND_D), WS_SHAPES_##shapes, WS_LAYOUTS_BOTH, WS_BIT(WS_TYPE_##type), bits, ptx,  \
            WS_TARGETS_##targets)

WS_TABLE ws_form ws_forms[] = {
    {WS_KIND_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 0, 0}, /* row 0: no instruction */
    /*        kind       shape   type             trans  .num spaces  registers
                                                                          rows bytes elements
                                                                                      element bits
                                                                                          field bits
                                                                                             packing turn     group
                                                                                                                   measured PTX targets */
    WS_MATRIX(LDMATRIX,  M8N8,   B16,             MAY,   124, SHARED, 1,  8,   16,  8, 16, 16, PLAIN, TURN_8X8,   8,  true,  65, SM75_UP),
    WS_MATRIX(LDMATRIX,  M16N16, B8,              MUST,  12,  SHARED, 2,  16,  16, 16, 8,  8,  PLAIN, TURN_16X16, 8,  false, 86, AF100_UP),
    WS_MATRIX(LDMATRIX,  M16N16, B8X16_B6X16_P32, MUST,  12,  SHARED, 2,  16,  16, 16, 6,  8,  B6,    TURN_16X16, 8,  false, 86, AF100_UP),
    WS_MATRIX(LDMATRIX,  M16N16, B8X16_B4X16_P64, MUST,  12,  SHARED, 2,  16,  16, 16, 4,  8,  B4,    TURN_16X16, 8,  false, 86, AF100_UP),
    WS_MATRIX(LDMATRIX,  M8N16,  B8X16_B6X16_P32, NEVER, 124, SHARED, 1,  8,   16, 16, 6,  8,  B6,    NO_TURN,    8,  false, 86, AF100_UP),
    WS_MATRIX(LDMATRIX,  M8N16,  B8X16_B4X16_P64, NEVER, 124, SHARED, 1,  8,   16, 16, 4,  8,  B4,    NO_TURN,    8,  false, 86, AF100_UP),
    WS_MATRIX(LDMATRIX,  M8N16,  S8_S4,           NEVER, 124, SHARED, 1,  8,   8,  16, 4,  8,  S4,    NO_TURN,    16, true,  94, 90A_AF100_UP),
    WS_MATRIX(STMATRIX,  M8N8,   B16,             MAY,   124, SHARED, 1,  8,   16,  8, 16, 16, PLAIN, TURN_8X8,   8,  true,  78, SM90_UP),
    WS_MATRIX(STMATRIX,  M16N8,  B8,              MUST,  124, SHARED, 1,  8,   16, 16, 8,  8,  PLAIN, TURN_BYTES, 8,  false, 86, AF100_UP),
    WS_MATRIX(MOVMATRIX, M8N8,   B16,             MUST,  1,   NONE,   1,  0,   0,   8, 16, 16, PLAIN, TURN_8X8,   0,  true,  78, SM75_UP),
    /*       kind types  .vec */
    WS_PLAIN(LD,  TO_32, 124),
    WS_PLAIN(LD,  64,    12),
    WS_PLAIN(ST,  TO_32, 124),
    WS_PLAIN(ST,  64,    12),
    /*      cache sizes   PTX targets */
    WS_COPY(CA,   4_8_16, 70, SM80_UP),
    WS_COPY(CG,   16,     70, SM80_UP),
    /*        operands
                  shapes layouts types              bits PTX targets */
    WS_FACTOR(AB, K16,   BOTH, WS_BIT(WS_TYPE_F16),  16, 63, SM70_UP),
    WS_FACTOR(AB, K16,   BOTH, WS_BIT(WS_TYPE_BF16), 16, 70, SM80_UP),
    WS_FACTOR(AB, K16,   BOTH, WS_TYPES_8,           8,  63, SM72_UP),
    WS_FACTOR(AB, K8,    BOTH, WS_BIT(WS_TYPE_TF32), 32, 70, SM80_UP),
    WS_FACTOR(AB, K4,    BOTH, WS_BIT(WS_TYPE_F64),  64, 70, SM80_UP),
    WS_FACTOR(A,  K32,   ROW,  WS_TYPES_4,           4,  63, SM75_UP),
    WS_FACTOR(B,  K32,   COL,  WS_TYPES_4,           4,  63, SM75_UP),
    WS_FACTOR(A,  K128,  ROW,  WS_BIT(WS_TYPE_B1),   1,  63, SM75_UP),
    WS_FACTOR(B,  K128,  COL,  WS_BIT(WS_TYPE_B1),   1,  63, SM75_UP),
    /*             shapes    type bits PTX targets */
    WS_ACCUMULATOR(K16,      F16, 16,  63, SM70_UP),
    WS_ACCUMULATOR(K16,      F32, 32,  63, SM70_UP),
    WS_ACCUMULATOR(K16,      S32, 32,  63, SM72_UP),
    WS_ACCUMULATOR(K8,       F32, 32,  70, SM80_UP),
    WS_ACCUMULATOR(K4,       F64, 64,  70, SM80_UP),
    WS_ACCUMULATOR(K32_K128, S32, 32,  63, SM75_UP),
};
/* clang-format on */

#undef WS_MATRIX
#undef WS_PLAIN
#undef WS_COPY
#undef WS_WMMA
#undef WS_FACTOR
#undef WS_ACCUMULATOR

enum { WS_FORM_COUNT = (int)(sizeof ws_forms / sizeof ws_forms[0]) };

WS_CONSTANT const ws_form *ws_isa_form(int index) { return &ws_forms[index >= 0 && index < WS_FORM_COUNT ? index : 0]; }

WS_CONSTANT const ws_form *ws_op_form(const ws_op *op) { return ws_isa_form(op->form); }

/* Whether a bit set has a value; out of range: no. */
WS_CONSTANT bool ws_in(uint32_t set, int value) { return value >= 0 && value < 32 && (set >> value & 1) != 0; }

/* A number that belongs to another kind of instruction. */
WS_CONSTANT bool ws_op_has_foreign_fields(const ws_op *op) {
    const int number = ws_kind_at(op->kind)->number;
    return (op->num != 0 && number != WS_NUMBER_NUM) || (op->vec != 0 && number != WS_NUMBER_VEC) ||
           (op->size_bytes != 0 && number != WS_NUMBER_SIZE) || op->trans > 1;
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

WS_CONSTANT ws_match ws_form_match(const ws_form *form, const ws_op *op) {
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
WS_CONSTANT int ws_isa_find(const ws_op *op) {
    int i;
    for (i = 1; i < WS_FORM_COUNT; i++) {
        if (ws_form_match(ws_isa_form(i), op) == WS_MATCH_ALL) return i;
    }
    return 0;
}

/* Made by ws_parse or ws_op_validate, and unchanged since: no two rows match one instruction. */
WS_CONSTANT bool ws_op_is_valid(const ws_op *op) { return ws_form_match(ws_isa_form(op->form), op) == WS_MATCH_ALL; }

#endif
