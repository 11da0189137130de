/* Warps in bulk: many at a time, if one quick check of their addresses shows that their behaviour is defined.
 *
 *     ldmatrix, stmatrix, movmatrix    the kernels of simd/rows.h
 *     ld, st of 32 bits and more       copies of fixed width
 *     wmma                             rows, or a table of pieces for one stride
 *
 * "Plainly" errs on one side only: what is turned away here is judged by undefined.h, warp by warp. All lanes run; the state space is
 * shared, generic for ldmatrix and stmatrix, global for wmma. This file refuses to know rules and policies. */
#ifndef WARPSIM_EXECUTE_BULK_H
#define WARPSIM_EXECUTE_BULK_H

#include "../base/bytes.h"
#include "bulk_wmma.h"

typedef enum ws_bulk_way { WS_BULK_NONE = 0, WS_BULK_ROWS, WS_BULK_TURN, WS_BULK_LANES, WS_BULK_WMMA } ws_bulk_way;

typedef struct ws_bulk {
    ws_bulk_way way;
    int level;
    ws_rows rows;    /* the memory, for all ways */
    uint64_t window; /* generic address of shared address 0 */
    ws_bulk_wmma wmma;
} ws_bulk;

enum { WS_BULK_WARPS = 64 }; /* checked and then moved, while their addresses are at hand */

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

static inline ws_bulk_way ws_bulk_way_of(const ws_op *op, const ws_memory *memory, const ws_access *access,
                                         ws_bulk *bulk) {
    const ws_image *image = ws_memory_image(memory, op->space == WS_SPACE_GLOBAL ? WS_IN_GLOBAL : WS_IN_SHARED);
    const bool old = ws_access_is_before_sm_80(access);
    const bool in_32 = ws_bulk_is_shared(op) && access->address_bytes == 4;
    const bool generic = op->space == WS_SPACE_GENERIC && access->address_bytes == 8 &&
                         (op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX);
    if (op->kind == WS_MOVMATRIX) return WS_LITTLE_ENDIAN ? WS_BULK_TURN : WS_BULK_NONE;
    if (ws_op_is_wmma(op)) {
        const bool known = op->space != WS_SPACE_GENERIC && access->policy != WS_POLICY_HARDWARE && !old;
        if (!known || !WS_LITTLE_ENDIAN || image->bytes == NULL) return WS_BULK_NONE;
        bulk->wmma = ws_bulk_wmma_make(op, image, access->target, bulk->level);
        return WS_BULK_WMMA;
    }
    if ((!in_32 && !generic) || !ws_bulk_rows(image, (uint64_t)ws_op_access_bytes(op), &bulk->rows))
        return WS_BULK_NONE;
    if (op->kind == WS_STMATRIX || (op->kind == WS_LDMATRIX && !old)) {
        bulk->rows.matrices = op->num;
        bulk->rows.format = ws_bulk_format(op->type);
        bulk->rows.turn = ws_bulk_turn(op);
        return WS_BULK_ROWS;
    }
    if ((op->kind == WS_LD || op->kind == WS_ST) && ws_type_bits(op->type) >= 32 && WS_LITTLE_ENDIAN)
        return WS_BULK_LANES;
    return WS_BULK_NONE;
}

static inline void ws_bulk_make(const ws_op *op, const ws_memory *memory, const ws_access *access, ws_bulk *bulk) {
    bulk->level = ws_simd_level(access->simd);
    bulk->window = memory->shared_window;
    bulk->way = ws_bulk_way_of(op, memory, access, bulk);
}

/* n packed rows of 16 bytes, one behind the other, as their type has them in registers. */
static inline void ws_decompress_rows(int type, const uint8_t *rows, size_t n, uint8_t *out, int simd) {
    ws_rows_unpack(ws_bulk_format(type), rows, n, out, ws_simd_level(simd));
}

/* How many of the warps from `first` on have all lanes running. */
static inline size_t ws_bulk_full(const ws_access *access, size_t first, size_t last) {
    size_t warp = first;
    if (access->active == NULL && access->exited == NULL) return last - first;
    while (warp < last && ws_access_active(access, warp) == UINT32_MAX && ws_access_exited(access, warp) == 0) warp++;
    return warp - first;
}

/* Shared addresses of n warps: the caller's, or generic ones in the window, of at most WS_BULK_WARPS warps; outside: all bits. */
static inline const uint32_t *ws_bulk_address(const ws_bulk *bulk, const ws_access *access, size_t first, size_t n,
                                              uint32_t *narrow) {
    const uint64_t *wide = (const uint64_t *)access->address + first * WS_LANES;
    size_t i;
    if (access->address_bytes == 4) return (const uint32_t *)access->address + first * WS_LANES;
    for (i = 0; i < n * WS_LANES; i++) {
        const uint64_t offset = wide[i] - bulk->window;
        narrow[i] = offset < WS_SHARED_WINDOW_BYTES ? (uint32_t)offset : UINT32_MAX;
    }
    return narrow;
}

/* ld; st in the order that decides who wins: groups of lanes in order, in each the lowest lane last. */
static inline void ws_bulk_move_lanes(const ws_rows *rows, const uint32_t *address, uint8_t *registers, int bytes,
                                      int group, bool store) {
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

/* How many warps, from `first` on, are plainly defined. Changes nothing. */
static inline size_t ws_bulk_check(ws_bulk *bulk, const ws_op *op, const ws_access *access, size_t first, size_t last) {
    const size_t full = bulk->way == WS_BULK_NONE ? 0 : ws_bulk_full(access, first, last);
    size_t warp = first;
    uint64_t offset;
    switch (bulk->way) {
        case WS_BULK_ROWS:
        case WS_BULK_LANES:
            while (warp < first + full) {
                const size_t most = access->address_bytes == 4 ? full : (size_t)WS_BULK_WARPS,
                             left = first + full - warp;
                const size_t n = left < most ? left : most;
                uint32_t narrow[WS_BULK_WARPS * 32];
                const uint32_t *address = ws_bulk_address(bulk, access, warp, n, narrow);
                const size_t fit = ws_fit(&bulk->rows.bounds, address, n, ws_op_row_lanes(op), bulk->level);
                warp += fit;
                if (fit < n) break;
            }
            return warp - first;
        case WS_BULK_WMMA:
            while (warp < first + full && ws_bulk_wmma_offset(&bulk->wmma, op, access, warp, &offset)) warp++;
            return warp - first;
        default: return full;
    }
}

/* Movmatrix: rows of 16 bytes, which are the registers of the source. */
static inline void ws_bulk_movmatrix(const uint32_t *source, uint32_t *registers, int level) {
    static const uint32_t offset[WS_LANES] = {0, 16, 32, 48, 64, 80, 96, 112};
    const ws_rows rows = {(uint8_t *)(uintptr_t)source, {0, 112, 15}, 1, WS_ROWS_PLAIN, WS_ROWS_TURN_8X8, false};
    ws_rows_load(&rows, offset, 1, registers, false, level);
}

/* Executes n warps from `first` on, which ws_bulk_check has found to be plainly defined; `registers` and `source` are theirs. */
static inline void ws_bulk_move(ws_bulk *bulk, const ws_op *op, const ws_access *access, size_t first, size_t n,
                                const uint32_t *source, uint8_t *registers, size_t step, bool large) {
    size_t warp;
    uint64_t offset;
    if (bulk->way == WS_BULK_ROWS) {
        const size_t most = access->address_bytes == 4 ? n : (size_t)WS_BULK_WARPS;
        size_t done, some;
        for (done = 0; done < n; done += some) {
            uint32_t narrow[WS_BULK_WARPS * 32], *to = (uint32_t *)(void *)(registers + done * step);
            const uint32_t *address;
            some = n - done < most ? n - done : most;
            address = ws_bulk_address(bulk, access, first + done, some, narrow);
            if (op->kind == WS_STMATRIX) ws_rows_store(&bulk->rows, address, some, to, bulk->level);
            else ws_rows_load(&bulk->rows, address, some, to, large, bulk->level);
        }
        return;
    }
    for (warp = first; warp < first + n; warp++, registers += step) {
        if (bulk->way == WS_BULK_LANES) {
            ws_bulk_lanes(bulk, op, ws_bulk_address(bulk, access, warp, 1, NULL), registers);
        } else if (bulk->way == WS_BULK_TURN) {
            ws_bulk_movmatrix(source + (warp - first) * WS_LANES, (uint32_t *)(void *)registers, bulk->level);
        } else if (ws_bulk_wmma_offset(&bulk->wmma, op, access, warp,
                                       &offset)) { /* once more: addresses may have changed */
            ws_bulk_wmma_move(&bulk->wmma, op, offset, registers);
        }
    }
}

/* Executes the warps from `first` on while they are plainly defined, which `checked` takes for granted; returns how many. */
static inline size_t ws_bulk_execute(ws_bulk *bulk, const ws_op *op, const ws_access *access, size_t first, size_t last,
                                     const uint32_t *source, uint8_t *registers, size_t step, bool checked,
                                     bool large) {
    size_t warp = first;
    if (bulk->way == WS_BULK_NONE || (bulk->way == WS_BULK_TURN && source == NULL)) return 0;
    if (bulk->way == WS_BULK_WMMA) checked = false; /* what is defined need not be plain */
    while (warp < last) {
        const size_t end = !checked && last - warp > WS_BULK_WARPS ? warp + WS_BULK_WARPS : last;
        const size_t n = checked ? ws_bulk_full(access, warp, end) : ws_bulk_check(bulk, op, access, warp, end);
        const size_t done = warp - first;
        ws_bulk_move(bulk, op, access, warp, n, source == NULL ? NULL : source + done * WS_LANES,
                     registers + done * step, step, large);
        warp += n;
        if (warp < end) break;
    }
    return warp - first;
}

#endif
