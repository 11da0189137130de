/* wmma in bulk: warps whose lanes all pass the same p, and a stride that PTX defines and that needs no warning.
 *
 * Loads whose code reads rows go through the kernels of simd/rows.h, everything else piece by piece. Warps rejected
 * here are checked by undefined/check_wmma.h, which also owns the rule for the stride. */
#ifndef WARPSIM_EXECUTE_BULK_WMMA_H
#define WARPSIM_EXECUTE_BULK_WMMA_H

#include "../simd/rows.h"
#include "wmma_pieces.h"
#include "../undefined/check_wmma.h"

typedef struct ws_bulk_wmma {
    const ws_image *image;
    ws_wmma_pieces pieces; /* of the last stride */
} ws_bulk_wmma;

/* The rows of shared memory, where 32-bit offsets reach all of it. */
static inline bool ws_bulk_rows(const ws_image *image, uint64_t row_bytes, ws_rows *rows) {
    const bool fits =
        image->bytes != NULL && image->nbytes >= row_bytes && image->nbytes - row_bytes < UINT64_C(0x80000000);
    if (!fits || image->base % 16 != 0 || image->base > UINT32_MAX ||
        image->base + image->nbytes > UINT64_C(0x100000000))
        return false;
    rows->bytes = image->bytes;
    rows->bounds.base = (uint32_t)image->base;
    rows->bounds.limit = (uint32_t)(image->nbytes - row_bytes);
    rows->bounds.align = (uint32_t)row_bytes - 1;
    rows->matrices = 4;
    rows->packing = WS_ROWS_PLAIN;
    rows->turn = WS_ROWS_NO_TURN;
    rows->in_eights = false;
    return true;
}

/* memcpy of a few sizes, for a freestanding header. */
static inline void ws_bulk_copy(uint8_t *to, const uint8_t *from, int bytes) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_memcpy(to, from, (size_t)bytes);
#else
    int i;
    for (i = 0; i < bytes; i++) to[i] = from[i];
#endif
}

/* The offset of p, if all lanes pass the same p and stride and PTX defines what they do, without a warning. */
static inline bool ws_bulk_wmma_offset(ws_bulk_wmma *bulk, const ws_plan *plan, const ws_access *access, size_t warp,
                                       uint64_t *offset) {
    const ws_op *op = &plan->op;
    const uint32_t fallback = ws_wmma_default_stride(op), stride = ws_access_stride(access, warp, 0, fallback);
    const uint64_t p = ws_access_address(access, warp, 0), fragment = (uint64_t)plan->access_bytes;
    bool remark;
    ws_wmma_stride_fault(op, stride, &remark);
    if (remark || !ws_wmma_is_uniform(access, warp)) return false;
    if (bulk->pieces.pieces == 0 || bulk->pieces.stride != stride) ws_wmma_pieces_make(plan, stride, &bulk->pieces);
    *offset = p - bulk->image->base;
    return p % fragment == 0 && p >= bulk->image->base && bulk->pieces.span_bytes <= bulk->image->nbytes &&
           *offset <= bulk->image->nbytes - bulk->pieces.span_bytes &&
           (!plan->is_shared || p + bulk->pieces.span_bytes <= UINT64_C(0x100000000));
}

static inline void ws_bulk_pieces(const ws_wmma_pieces *pieces, uint8_t *memory, uint8_t *registers, int width,
                                  bool store) {
    const int count = WS_LANES * pieces->pieces;
    int i;
    for (i = 0; i < count; i++, registers += width) {
        if (store) ws_bulk_copy(memory + pieces->offset[i], registers, width);
        else ws_bulk_copy(registers, memory + pieces->offset[i], width);
    }
}

/* Loads whose code reads rows: 8x8 matrices, four at a time. */
static inline bool ws_bulk_wmma_rows(const ws_bulk_wmma *bulk, const ws_plan *plan, uint64_t p, uint32_t *registers) {
    const int count = ws_op_num_registers(&plan->op);
    uint32_t address[WS_LANES];
    ws_rows rows;
    int reg, lane;
    if (plan->code.mode != WS_WMMA_ROWS || plan->level == WS_SIMD_PORTABLE || count % 4 != 0) return false;
    if (!ws_bulk_rows(bulk->image, 16, &rows)) return false;
    rows.turn = plan->code.along ? WS_ROWS_NO_TURN : WS_ROWS_TURN_8X8;
    rows.in_eights = count == 8;
    for (reg = 0; reg < count; reg += 4) {
        for (lane = 0; lane < WS_LANES; lane++) address[lane] = (uint32_t)p + bulk->pieces.row[8 * reg + lane];
        ws_rows_load(&rows, address, 1, registers + reg, plan->level);
    }
    return true;
}

static inline void ws_bulk_wmma_move(const ws_bulk_wmma *bulk, const ws_plan *plan, uint64_t offset,
                                     uint8_t *registers) {
    uint8_t *memory = bulk->image->bytes + offset;
    const bool store = ws_op_writes_memory(&plan->op);
    if (ws_bulk_wmma_rows(bulk, plan, offset + bulk->image->base, (uint32_t *)(void *)registers)) return;
    switch (bulk->pieces.width_bytes) {
        case 1: ws_bulk_pieces(&bulk->pieces, memory, registers, 1, store); break;
        case 2: ws_bulk_pieces(&bulk->pieces, memory, registers, 2, store); break;
        case 4: ws_bulk_pieces(&bulk->pieces, memory, registers, 4, store); break;
        case 8: ws_bulk_pieces(&bulk->pieces, memory, registers, 8, store); break;
        default: ws_bulk_pieces(&bulk->pieces, memory, registers, 16, store);
    }
}

#endif
