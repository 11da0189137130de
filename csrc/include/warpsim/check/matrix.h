/* What matrix instructions access: rows that lanes name, or the lines of a wmma tile. */
#ifndef WARPSIM_CHECK_MATRIX_H
#define WARPSIM_CHECK_MATRIX_H

#include "fragment.h"

#if WS_BODIES

/* The lanes of each register that a load makes of uninitialised rows. A wmma tile's: all. */
static inline void ws_check_registers(const ws_pass *pass, uint32_t count, uint32_t lanes_of[WS_PASS_ELEMENTS]) {
    uint32_t i;
    for (i = 0; i < (uint32_t)WS_PASS_ELEMENTS * (uint32_t)WS_LANES; i++) {
        pass->bits->carried[i / WS_LANES][i % WS_LANES] = WS_BITS_EVERY;
        pass->bits->holes[i / WS_LANES][i % WS_LANES] = UINT8_MAX;
    }
    if (pass->values.op != NULL) {
        ws_carry_registers(pass->values.op, count, lanes_of);
        return;
    }
    for (i = 0; i < WS_PASS_ELEMENTS; i++) lanes_of[i] = WS_ALL_LANES;
}

/* An access of the whole warp: `rows` lanes name the bytes. */
static inline void ws_check_rows(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, ws_pass *pass,
                                 const ws_reach *reach, uint32_t rows) {
    ws_block *block = ws_block_of(lanes);
    uint32_t offset[WS_LANES], shared = ws_watch_split(block, step, reach, rows, offset), global;
    shared = ws_check_cluster(check, block, step, reach, rows, shared, offset);
    if (shared != 0) ws_check_shared(check, block, pass, offset, shared);
    global = ws_watch_global(step, reach, rows & ~shared);
    pass->mask = global;
    pass->space = WS_AT_GLOBAL;
    ws_arrays_pass(&check->judge, &check->arrays, &block->launch->memory, reach->address, pass);
    if (pass->is_write) {
        ws_carry_on(check, ws_warp_of(lanes), step, pass, ~shared);
        return;
    }
    if (pass->unwritten != 0) {
        const int lane = ws_first_lane(pass->unwritten);
        const bool is_shared = shared >> lane & 1;
        const ws_visit read = ws_check_where(is_shared ? WS_AT_SHARED : WS_AT_GLOBAL,
                                             is_shared ? offset[lane] : reach->address[lane], pass->nbytes);
        ws_check_registers(pass, step->count, pass->holes);
        ws_use_begin(check, ws_warp_of(lanes), step, number, WS_ALL_LANES, pass, &read);
    }
    if (pass->carried != 0) {
        ws_check_registers(pass, step->count, pass->carries);
        pass->carried = WS_ALL_LANES;
        ws_carry_on(check, ws_warp_of(lanes), step, pass, 0);
    }
}

/* wmma: line after line of the tile, as if each lane named one. */
static inline void ws_check_lines(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, ws_pass *pass,
                                  ws_reach *reach) {
    const ws_op *op = &ws_block_of(lanes)->program->ops[step->s[WS_S_INSTRUCTION]];
    const uint32_t count = (uint32_t)ws_wmma_lines(op), bits = (uint32_t)ws_type_bits(op->type);
    const uint64_t first = reach->address[0];
    const uint32_t stride =
        step->s[WS_S_STRIDE] == WS_NONE ? (uint32_t)ws_wmma_default_stride(op) : ws_row(lanes, step->s[WS_S_STRIDE])[0];
    uint32_t i;
    if (pass->carried != 0) {
        for (i = 0; i < WS_LANES; i++) ws_pass_carry(pass, (int)i, 0, WS_BITS_EVERY);
    }
    for (i = 0; i < count && i < WS_LANES; i++) reach->address[i] = first + (uint64_t)i * stride * bits / 8;
    pass->nbytes = (uint32_t)ws_wmma_line_elements(op) * bits / 8;
    pass->alignment = ws_pass_rows_alignment(pass->nbytes);
    ws_check_rows(check, lanes, step, number, pass, reach,
                  count >= WS_LANES ? WS_ALL_LANES : (UINT32_C(1) << count) - 1);
}

/* ldmatrix, stmatrix: each lane that names a row accesses it. */
static inline void ws_check_matrix(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const ws_op *op = &ws_block_of(lanes)->program->ops[step->s[WS_S_INSTRUCTION]];
    const uint32_t rows = (uint32_t)ws_op_row_lanes(op);
    ws_pass pass = ws_check_pass(check, lanes, step, number, mask);
    ws_reach reach;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    ws_check_pass_writes(&pass, !ws_op_is_load(op));
    pass.values.element = 0;
    pass.values.op = NULL;
    ws_carry_given(check, ws_warp_of(lanes), step, mask, &pass);
    if (ws_op_is_wmma(op)) {
        ws_check_lines(check, lanes, step, number, &pass, &reach);
        return;
    }
    if (check->steps[number].product != WS_NO_INDEX && op->num == WS_FRAGMENT_A && !op->trans && mask == WS_ALL_LANES)
        ws_fragment_judge(check, ws_warp_of(lanes), number, reach.address);
    pass.values.element = 4;
    pass.nbytes = (uint32_t)ws_op_access_bytes(op);
    pass.alignment = ws_pass_rows_alignment(pass.nbytes);
    pass.values.op = op;
    if (pass.is_write) pass.values.rows = step;
    if (pass.carried != 0) ws_carry_rows(op, step->count, &pass);
    ws_check_rows(check, lanes, step, number, &pass, &reach,
                  rows >= WS_LANES ? mask : mask & ((UINT32_C(1) << rows) - 1));
}

#endif /* WS_BODIES */
#endif
