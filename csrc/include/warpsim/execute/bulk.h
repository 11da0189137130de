/* Warps in bulk: many at a time, if one quick check of their addresses shows that their behaviour is defined.
 *
 *     ldmatrix, stmatrix, movmatrix    the kernels of simd/rows.h
 *     ld, st of 32 bits and more       copies of fixed width
 *     wmma                             rows, or a table of pieces for one stride
 *
 * The check may reject a defined warp, but never accepts an undefined one; undefined/check.h checks rejected warps one
 * by one. All lanes run; the state space is shared, generic for ldmatrix and stmatrix, global for wmma. This file knows
 * nothing about rules and policies. */
#ifndef WARPSIM_EXECUTE_BULK_H
#define WARPSIM_EXECUTE_BULK_H

#include "../data/movmatrix.h"
#include "bulk_wmma.h"
#include "call.h"

typedef enum ws_bulk_way { WS_BULK_NONE = 0, WS_BULK_ROWS, WS_BULK_TURN, WS_BULK_LANES, WS_BULK_WMMA } ws_bulk_way;

/* How one thread goes through the warps of a call. */
typedef struct ws_bulk {
    const ws_call *call;
    ws_bulk_way way;
    ws_rows rows; /* the memory, for every method */
    ws_bulk_wmma wmma;
} ws_bulk;

enum { WS_BULK_WARPS = 64 }; /* checked and then moved while their addresses are in the cache */

static inline ws_bulk_way ws_bulk_way_of(const ws_call *call, ws_bulk *bulk) {
    const ws_plan *plan = call->plan;
    const ws_op *op = &plan->op;
    const ws_image *image = ws_memory_image(call->memory, op->space == WS_SPACE_GLOBAL ? WS_IN_GLOBAL : WS_IN_SHARED);
    const bool in_32 = plan->is_shared && call->access->address_bytes == 4, has_rows = plan->form->rows > 0;
    const bool generic = op->space == WS_SPACE_GENERIC && call->access->address_bytes == 8 && has_rows;
    if (op->kind == WS_MOVMATRIX) return WS_BULK_TURN;
    if (plan->is_wmma) {
        const bool known =
            op->space != WS_SPACE_GENERIC && call->access->policy != WS_POLICY_HARDWARE && !plan->before_sm_80;
        if (!known || !WS_LITTLE_ENDIAN || image->bytes == NULL) return WS_BULK_NONE;
        bulk->wmma.image = image;
        bulk->wmma.pieces.pieces = 0;
        return WS_BULK_WMMA;
    }
    if ((!in_32 && !generic) || !ws_bulk_rows(image, (uint64_t)plan->access_bytes, &bulk->rows)) return WS_BULK_NONE;
    if (has_rows) {
        if (op->kind == WS_LDMATRIX && plan->before_sm_80) return WS_BULK_NONE;
        ws_rows_describe(op, &bulk->rows);
        return WS_BULK_ROWS;
    }
    return ws_type_bits(op->type) >= 32 && WS_LITTLE_ENDIAN ? WS_BULK_LANES : WS_BULK_NONE;
}

static inline void ws_bulk_make(const ws_call *call, ws_bulk *bulk) {
    bulk->call = call;
    bulk->way = ws_bulk_way_of(call, bulk);
}

/* How many of the warps, starting at `first`, have all lanes running. */
static inline size_t ws_bulk_full(const ws_access *access, size_t first, size_t last) {
    size_t warp = first;
    if (access->active == NULL && access->exited == NULL) return last - first;
    while (warp < last && ws_access_active(access, warp) == UINT32_MAX && ws_access_exited(access, warp) == 0) warp++;
    return warp - first;
}

/* Shared addresses of n warps: the caller's, or generic ones in the window, of at most WS_BULK_WARPS warps; outside:
 * all bits. */
static inline const uint32_t *ws_bulk_address(const ws_call *call, size_t first, size_t n, uint32_t *narrow) {
    const ws_access *access = call->access;
    const uint64_t *wide = (const uint64_t *)access->address + first * WS_LANES;
    size_t i;
    if (access->address_bytes == 4) return (const uint32_t *)access->address + first * WS_LANES;
    for (i = 0; i < n * WS_LANES; i++) {
        const uint64_t offset = wide[i] - call->memory->shared_window;
        narrow[i] = offset < WS_SHARED_WINDOW_BYTES ? (uint32_t)offset : UINT32_MAX;
    }
    return narrow;
}

/* ld; st in the order that decides which lane wins: groups of lanes in order, in each the lowest lane last. */
static inline void ws_bulk_move_lanes(const ws_rows *rows, const uint32_t *address, uint8_t *registers, int bytes,
                                      int group, bool store) {
    int lane, i;
    for (i = 0; i < WS_LANES; i++) {
        lane = store ? i / group * group + group - 1 - i % group : i;
        if (store) ws_bulk_copy(ws_rows_at(rows, address + lane), registers + lane * bytes, bytes);
        else ws_bulk_copy(registers + lane * bytes, ws_rows_at(rows, address + lane), bytes);
    }
}

static inline void ws_bulk_lanes(const ws_bulk *bulk, const uint32_t *address, uint8_t *registers) {
    const bool store = ws_op_writes_memory(&bulk->call->plan->op);
    switch (bulk->call->plan->access_bytes) {
        case 4: ws_bulk_move_lanes(&bulk->rows, address, registers, 4, 32, store); break;
        case 8: ws_bulk_move_lanes(&bulk->rows, address, registers, 8, 16, store); break;
        default: ws_bulk_move_lanes(&bulk->rows, address, registers, 16, 8, store);
    }
}

/* How many warps, starting at `first`, pass the quick check. Changes nothing. */
static inline size_t ws_bulk_check(ws_bulk *bulk, size_t first, size_t last) {
    const ws_plan *plan = bulk->call->plan;
    const ws_access *access = bulk->call->access;
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
                const uint32_t *address = ws_bulk_address(bulk->call, warp, n, narrow);
                const size_t fit = ws_fit(&bulk->rows.bounds, address, n, plan->row_lanes, plan->level);
                warp += fit;
                if (fit < n) break;
            }
            return warp - first;
        case WS_BULK_WMMA:
            while (warp < first + full && ws_bulk_wmma_offset(&bulk->wmma, plan, access, warp, &offset)) warp++;
            return warp - first;
        default: return full;
    }
}

/* Rows, as many warps at a time as the kernels take. */
static inline void ws_bulk_move_rows(const ws_bulk *bulk, size_t first, size_t n) {
    const ws_call *call = bulk->call;
    const size_t most = call->access->address_bytes == 4 ? n : (size_t)WS_BULK_WARPS;
    const bool store = ws_op_writes_memory(&call->plan->op);
    size_t done, some;
    for (done = 0; done < n; done += some) {
        uint32_t narrow[WS_BULK_WARPS * 32], *to = (uint32_t *)(void *)ws_call_registers(call, first + done);
        const uint32_t *address;
        some = n - done < most ? n - done : most;
        address = ws_bulk_address(call, first + done, some, narrow);
        if (store) ws_rows_store(&bulk->rows, address, some, to, call->plan->level);
        else ws_rows_load(&bulk->rows, address, some, to, call->plan->level);
    }
}

/* Executes n warps, starting at `first`, that passed ws_bulk_check. */
static inline void ws_bulk_move(ws_bulk *bulk, size_t first, size_t n) {
    const ws_call *call = bulk->call;
    uint8_t *registers = ws_call_registers(call, first);
    size_t warp;
    uint64_t offset;
    if (bulk->way == WS_BULK_ROWS) {
        ws_bulk_move_rows(bulk, first, n);
        return;
    }
    if (bulk->way == WS_BULK_TURN) {
        ws_movmatrix_warps(call->source + first * WS_LANES, n, (uint32_t *)(void *)registers, call->plan->level);
        return;
    }
    for (warp = first; warp < first + n; warp++, registers += call->plan->warp_bytes) {
        if (bulk->way == WS_BULK_LANES) {
            ws_bulk_lanes(bulk, ws_bulk_address(call, warp, 1, NULL), registers);
        } else if (ws_bulk_wmma_offset(&bulk->wmma, call->plan, call->access, warp,
                                       &offset)) { /* again: addresses may have changed */
            ws_bulk_wmma_move(&bulk->wmma, call->plan, offset, registers);
        }
    }
}

/* Executes warps, starting at `first`, as long as they pass the quick check; returns how many. */
static inline size_t ws_bulk_execute(ws_bulk *bulk, size_t first, size_t last) {
    const bool checked = bulk->call->checked && bulk->way != WS_BULK_WMMA; /* a defined warp may fail the check */
    size_t warp = first;
    if (bulk->way == WS_BULK_NONE) return 0;
    while (warp < last) {
        const size_t end = !checked && last - warp > WS_BULK_WARPS ? warp + WS_BULK_WARPS : last;
        const size_t n = checked ? ws_bulk_full(bulk->call->access, warp, end) : ws_bulk_check(bulk, warp, end);
        ws_bulk_move(bulk, warp, n);
        warp += n;
        if (warp < end) break;
    }
    return warp - first;
}

#endif
