/* Warps in bulk: those whose behaviour is plainly defined, seen by one look at their addresses, many at a time.
 *
 *     ldmatrix, stmatrix, movmatrix    the kernels of simd/rows.h
 *     ld, st of 32 bits and more       copies of fixed width
 *     wmma                             rows, or a table of pieces for one stride
 *
 * "Plainly" errs on one side only: what is turned away here is judged by undefined.h, warp by warp. Shared state spaces with all lanes
 * running; .global wmma, ld and st as well. This file refuses to know rules and policies. */
#ifndef WARPSIM_BULK_H
#define WARPSIM_BULK_H

#include "access.h"
#include "simd/rows.h"
#include "wmma_pieces.h"

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define WS_LITTLE_ENDIAN (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)
#else
#define WS_LITTLE_ENDIAN 1
#endif

typedef enum ws_bulk_way { WS_BULK_NONE = 0, WS_BULK_ROWS, WS_BULK_TURN, WS_BULK_LANES, WS_BULK_WMMA } ws_bulk_way;

typedef struct ws_bulk {
    ws_bulk_way way;
    int level;
    ws_rows rows;          /* the memory, for all ways */
    const ws_image *image;
    ws_wmma_code code;
    ws_wmma_pieces pieces;
} ws_bulk;

static inline uint8_t ws_bulk_format(int type) {
    return type == WS_TYPE_B8X16_B6X16_P32   ? WS_ROWS_B6
           : type == WS_TYPE_B8X16_B4X16_P64 ? WS_ROWS_B4
           : type == WS_TYPE_S8_S4           ? WS_ROWS_S4
                                             : WS_ROWS_PLAIN;
}

static inline uint8_t ws_bulk_turn(const ws_op *op) {
    if (op->shape == WS_SHAPE_M16N16) return WS_ROWS_TURN_16X16;
    if (op->shape == WS_SHAPE_M16N8) return WS_ROWS_TURN_BYTES;
    return op->trans ? WS_ROWS_TURN_8X8 : WS_ROWS_NO_TURN;
}

/* The rows of shared memory, where 32-bit offsets reach all of it. */
static inline bool ws_bulk_rows(const ws_image *image, uint64_t row_bytes, ws_rows *rows) {
    const bool fits = image->bytes != NULL && image->nbytes >= row_bytes && image->nbytes - row_bytes < UINT64_C(0x80000000);
    if (!fits || image->base % 16 != 0 || image->base > UINT32_MAX || image->base + image->nbytes > UINT64_C(0x100000000)) return false;
    rows->bytes = image->bytes;
    rows->base = (uint32_t)image->base;
    rows->limit = (uint32_t)(image->nbytes - row_bytes);
    rows->align = (uint32_t)row_bytes - 1;
    rows->matrices = 4;
    rows->format = WS_ROWS_PLAIN;
    rows->turn = WS_ROWS_NO_TURN;
    rows->in_eights = false;
    return true;
}

static inline bool ws_bulk_is_shared(const ws_op *op) { return op->space == WS_SPACE_SHARED || op->space == WS_SPACE_SHARED_CTA; }

static inline ws_bulk_way ws_bulk_way_of(const ws_op *op, const ws_memory *memory, const ws_access *access, ws_bulk *bulk) {
    const bool old = access->target != WS_NO_TARGET && ws_target(access->target)->number <= 75;
    const bool in_32 = ws_bulk_is_shared(op) && access->address_bytes == 4;
    if (op->kind == WS_MOVMATRIX) return WS_LITTLE_ENDIAN ? WS_BULK_TURN : WS_BULK_NONE;
    if (ws_op_is_wmma(op)) {
        const bool known = op->space != WS_SPACE_GENERIC && access->policy != WS_POLICY_HARDWARE && !old;
        return known && WS_LITTLE_ENDIAN && bulk->image->bytes != NULL ? WS_BULK_WMMA : WS_BULK_NONE;
    }
    if (!in_32 || !ws_bulk_rows(bulk->image, (uint64_t)ws_op_access_bytes(op), &bulk->rows)) return WS_BULK_NONE;
    if (op->kind == WS_STMATRIX || (op->kind == WS_LDMATRIX && !old)) {
        bulk->rows.matrices = op->num;
        bulk->rows.format = ws_bulk_format(op->type);
        bulk->rows.turn = ws_bulk_turn(op);
        return WS_BULK_ROWS;
    }
    if ((op->kind == WS_LD || op->kind == WS_ST) && ws_type_bits(op->type) >= 32 && WS_LITTLE_ENDIAN) return WS_BULK_LANES;
    (void)memory;
    return WS_BULK_NONE;
}

static inline void ws_bulk_make(const ws_op *op, const ws_memory *memory, const ws_access *access, ws_bulk *bulk) {
    bulk->level = ws_simd_level(access->simd);
    bulk->image = ws_memory_image(memory, op->space == WS_SPACE_GLOBAL ? WS_IN_GLOBAL : WS_IN_SHARED);
    bulk->pieces.pieces = 0;
    bulk->way = ws_bulk_way_of(op, memory, access, bulk);
    if (bulk->way == WS_BULK_WMMA) bulk->code = ws_wmma_code_of(op, access->target);
}

/* How many of the warps from `first` on have all lanes running. */
static inline size_t ws_bulk_full(const ws_access *access, size_t first, size_t last) {
    size_t warp = first;
    if (access->active == NULL && access->exited == NULL) return last - first;
    while (warp < last && ws_access_active(access, warp) == UINT32_MAX && ws_access_exited(access, warp) == 0) warp++;
    return warp - first;
}

static inline const uint32_t *ws_bulk_address(const ws_access *access, size_t warp) {
    return (const uint32_t *)access->address + warp * WS_LANES;
}

/* ld and st: are all lanes aligned and inside? */
static inline bool ws_bulk_lanes_fit(const ws_rows *rows, const uint32_t *address) {
    uint32_t all = 0, beyond = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t offset = address[lane] - rows->base;
        all |= offset;
        beyond |= rows->limit - offset;
    }
    return ((all & rows->align) | ((all | beyond) & UINT32_C(0x80000000))) == 0;
}

/* memcpy of a few sizes, for a freestanding header. */
static inline void ws_bulk_copy(uint8_t *to, const uint8_t *from, int bytes) {
    int i;
    for (i = 0; i < bytes; i++) to[i] = from[i];
}

/* ld; st in the order that decides who wins: groups of lanes in order, in each the lowest lane last. */
static inline void ws_bulk_move_lanes(const ws_rows *rows, const uint32_t *address, uint8_t *registers, int bytes, int group, bool store) {
    int lane, i;
    for (i = 0; i < WS_LANES; i++) {
        lane = store ? i / group * group + group - 1 - i % group : i;
        if (store) ws_bulk_copy(ws_rows_at(rows, address + lane), registers + lane * bytes, bytes);
        else ws_bulk_copy(registers + lane * bytes, ws_rows_at(rows, address + lane), bytes);
    }
}

static inline void ws_bulk_lanes(const ws_bulk *bulk, const ws_op *op, const uint32_t *address, uint8_t *registers) {
    const bool store = op->kind == WS_ST;
    switch (ws_op_access_bytes(op)) {
        case 4: ws_bulk_move_lanes(&bulk->rows, address, registers, 4, 32, store); break;
        case 8: ws_bulk_move_lanes(&bulk->rows, address, registers, 8, 16, store); break;
        default: ws_bulk_move_lanes(&bulk->rows, address, registers, 16, 8, store);
    }
}

/* The offset of p, if all lanes pass the same p and stride and PTX defines what they do without a remark. */
static inline bool ws_bulk_wmma_offset(ws_bulk *bulk, const ws_op *op, const ws_access *access, size_t warp, uint64_t *offset) {
    const uint32_t fallback = ws_wmma_default_stride(op), stride = ws_access_stride(access, warp, 0, fallback);
    const uint64_t p = ws_access_address(access, warp, 0), fragment = (uint64_t)ws_op_access_bytes(op);
    const uint64_t bits = (uint64_t)stride * (uint64_t)ws_type_bits(op->type);
    int lane;
    for (lane = 1; lane < WS_LANES && access->address_lanes > 1; lane++) {
        if (ws_access_address(access, warp, lane) != p) return false;
    }
    for (lane = 1; lane < WS_LANES && access->stride != NULL && access->stride_lanes > 1; lane++) {
        if (ws_access_stride(access, warp, lane, fallback) != stride) return false;
    }
    if (stride != fallback && (stride < fallback || stride > INT32_MAX || bits % (8 * fragment) != 0)) return false;
    if (bulk->pieces.pieces == 0 || bulk->pieces.stride != stride) ws_wmma_pieces_make(op, &bulk->code, stride, &bulk->pieces);
    *offset = p - bulk->image->base;
    return p % fragment == 0 && p >= bulk->image->base && bulk->pieces.span_bytes <= bulk->image->nbytes &&
           *offset <= bulk->image->nbytes - bulk->pieces.span_bytes &&
           (!ws_bulk_is_shared(op) || p + bulk->pieces.span_bytes <= UINT64_C(0x100000000));
}

static inline void ws_bulk_pieces(const ws_wmma_pieces *pieces, uint8_t *memory, uint8_t *registers, int width, bool store) {
    const int count = WS_LANES * pieces->pieces;
    int i;
    for (i = 0; i < count; i++, registers += width) {
        if (store) ws_bulk_copy(memory + pieces->offset[i], registers, width);
        else ws_bulk_copy(registers, memory + pieces->offset[i], width);
    }
}

/* Loads whose code reads rows: 8x8 matrices, four at a time. */
static inline bool ws_bulk_wmma_rows(const ws_bulk *bulk, const ws_op *op, uint64_t p, uint32_t *registers) {
    const int count = ws_op_num_registers(op), units = bulk->code.units;
    uint32_t address[WS_LANES];
    ws_rows rows;
    int reg, lane;
    if (bulk->code.mode != WS_WMMA_ROWS || bulk->level == WS_SIMD_PORTABLE || count % 4 != 0 || op->kind != WS_WMMA_LOAD) return false;
    if (!ws_bulk_rows(bulk->image, 16, &rows)) return false;
    rows.turn = bulk->code.along ? WS_ROWS_NO_TURN : WS_ROWS_TURN_8X8;
    rows.in_eights = count == 8;
    for (reg = 0; reg < count; reg += 4) {
        for (lane = 0; lane < WS_LANES; lane++) {
            int line, index;
            ws_wmma_unit_place(op, &bulk->code, (reg + lane / 8) % units, lane, &line, &index);
            address[lane] = (uint32_t)ws_wmma_address(op, &bulk->code, p, bulk->pieces.stride, line, index);
        }
        if (ws_rows_load(&rows, address, 1, registers + reg, bulk->level) == 0) return false;
    }
    return true;
}

static inline void ws_bulk_wmma(const ws_bulk *bulk, const ws_op *op, uint64_t offset, uint8_t *registers) {
    uint8_t *memory = bulk->image->bytes + offset;
    const bool store = op->kind == WS_WMMA_STORE;
    if (ws_bulk_wmma_rows(bulk, op, offset + bulk->image->base, (uint32_t *)(void *)registers)) return;
    switch (bulk->pieces.width_bytes) {
        case 1: ws_bulk_pieces(&bulk->pieces, memory, registers, 1, store); break;
        case 2: ws_bulk_pieces(&bulk->pieces, memory, registers, 2, store); break;
        case 4: ws_bulk_pieces(&bulk->pieces, memory, registers, 4, store); break;
        case 8: ws_bulk_pieces(&bulk->pieces, memory, registers, 8, store); break;
        default: ws_bulk_pieces(&bulk->pieces, memory, registers, 16, store);
    }
}

/* How many warps, from `first` on, are plainly defined. Changes nothing. */
static inline size_t ws_bulk_check(ws_bulk *bulk, const ws_op *op, const ws_access *access, size_t first, size_t last) {
    const size_t full = bulk->way == WS_BULK_NONE ? 0 : ws_bulk_full(access, first, last);
    size_t warp = first;
    uint64_t offset;
    switch (bulk->way) {
        case WS_BULK_ROWS: return ws_rows_check(&bulk->rows, ws_bulk_address(access, first), full, bulk->level);
        case WS_BULK_LANES:
            while (warp < first + full && ws_bulk_lanes_fit(&bulk->rows, ws_bulk_address(access, warp))) warp++;
            return warp - first;
        case WS_BULK_WMMA:
            while (warp < first + full && ws_bulk_wmma_offset(bulk, op, access, warp, &offset)) warp++;
            return warp - first;
        default: return full;
    }
}

/* Executes the warps from `first` on while they are plainly defined; returns how many. `registers` and `source` are those of
 * warp `first`. */
static inline size_t ws_bulk_execute(ws_bulk *bulk, const ws_op *op, const ws_access *access, size_t first, size_t last,
                                     const uint32_t *source, uint8_t *registers, size_t step) {
    const size_t full = bulk->way == WS_BULK_NONE ? 0 : ws_bulk_full(access, first, last);
    size_t warp = first;
    uint64_t offset;
    switch (bulk->way) {
        case WS_BULK_ROWS:
            if (op->kind == WS_STMATRIX) {
                return ws_rows_store(&bulk->rows, ws_bulk_address(access, first), full, (const uint32_t *)(const void *)registers, bulk->level);
            }
            return ws_rows_load(&bulk->rows, ws_bulk_address(access, first), full, (uint32_t *)(void *)registers, bulk->level);
        case WS_BULK_LANES:
            for (; warp < first + full && ws_bulk_lanes_fit(&bulk->rows, ws_bulk_address(access, warp)); warp++, registers += step) {
                ws_bulk_lanes(bulk, op, ws_bulk_address(access, warp), registers);
            }
            return warp - first;
        case WS_BULK_WMMA:
            for (; warp < first + full && ws_bulk_wmma_offset(bulk, op, access, warp, &offset); warp++, registers += step) {
                ws_bulk_wmma(bulk, op, offset, registers);
            }
            return warp - first;
        case WS_BULK_TURN:
            if (source == NULL) return 0;
            for (; warp < first + full; warp++, source += WS_LANES, registers += step) {
                static const uint32_t rows_of_16_bytes[WS_LANES] = {0, 16, 32, 48, 64, 80, 96, 112};
                const ws_rows rows = {(uint8_t *)(uintptr_t)source, 0, 112, 15, 1, WS_ROWS_PLAIN, WS_ROWS_TURN_8X8, false};
                ws_rows_load(&rows, rows_of_16_bytes, 1, (uint32_t *)(void *)registers, bulk->level);
            }
            return full;
        default: return 0;
    }
}

#endif
