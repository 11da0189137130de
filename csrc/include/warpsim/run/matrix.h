/* ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store of a warp: the core's own instructions, on rows. */
#ifndef WARPSIM_RUN_MATRIX_H
#define WARPSIM_RUN_MATRIX_H

#include "../execute/execute.h"
#include "pieces.h"

enum { WS_MATRIX_REGISTERS = 16 /* the most that one lane has: of 32 bits */ };

/* The memory that lane addresses of the instruction can mean. */
static inline ws_memory ws_matrix_memory(const ws_block *block, const uint64_t *address, uint32_t mask) {
    ws_memory memory = ws_memory_make(block->shared, block->launch->shared_bytes, 0);
    const ws_region *region = ws_space_find(&block->launch->memory, address[ws_first_lane(mask)], 1);
    memory.shared_window = WS_SHARED_WINDOW + block->shared_at;
    if (region != NULL) memory = ws_memory_with_global(memory, region->bytes, (size_t)region->nbytes, region->base);
    return memory;
}

/* Rows of the vector operand to registers [32][count], or back. */
static inline void ws_matrix_gather(const ws_lanes *lanes, const ws_step *step, uint32_t *registers) {
    int lane, i;
    for (i = 0; i < step->count; i++) {
        const uint32_t *row = ws_row(lanes, lanes->list[step->list + (uint32_t)i]);
        for (lane = 0; lane < WS_LANES; lane++) registers[lane * step->count + i] = row[lane];
    }
}

/* Four registers of all lanes at once: most matrices. */
static inline void ws_matrix_scatter_4(const ws_lanes *lanes, const uint32_t *list, const uint32_t *registers) {
    uint32_t *const a = ws_row(lanes, list[0]), *const b = ws_row(lanes, list[1]);
    uint32_t *const c = ws_row(lanes, list[2]), *const d = ws_row(lanes, list[3]);
    int lane;
    WS_LANES_INDEPENDENT
    for (lane = 0; lane < WS_LANES; lane++) {
        a[lane] = registers[4 * lane];
        b[lane] = registers[4 * lane + 1];
        c[lane] = registers[4 * lane + 2];
        d[lane] = registers[4 * lane + 3];
    }
}

static inline void ws_matrix_scatter(const ws_lanes *lanes, const ws_step *step, const uint32_t *registers,
                                     uint32_t mask) {
    int lane, i;
    if (mask == WS_ALL_LANES && step->count == 4) {
        ws_matrix_scatter_4(lanes, lanes->list + step->list, registers);
        return;
    }
    for (i = 0; i < step->count; i++) {
        uint32_t *row = ws_row(lanes, lanes->list[step->list + (uint32_t)i]);
        for (lane = 0; lane < WS_LANES; lane++) {
            if (mask >> lane & 1) row[lane] = registers[lane * step->count + i];
        }
    }
}

/* Would the instruction store to constants or parameters? */
static inline bool ws_matrix_is_refused(ws_lanes *lanes, const ws_step *step, ws_reach *reach, const ws_op *op) {
    const uint64_t first = reach->address[ws_first_lane(reach->left)];
    const ws_region *region = ws_space_find(&ws_block_of(lanes)->launch->memory, first, 1);
    if (ws_op_is_load(op) || step->space == WS_AT_SHARED || region == NULL || !region->is_read_only) return false;
    reach->is_write = true;
    reach->nbytes = 1;
    ws_reach_fault(reach, lanes, step, WS_RUN_READ_ONLY, reach->left);
    return true;
}

static inline void ws_matrix_undefined(ws_lanes *lanes, const ws_step *step, uint32_t mask, const ws_finding *finding) {
    ws_stop *stop = &ws_block_of(lanes)->stop;
    ws_stop_at(lanes, step, WS_RUN_INSTRUCTION, finding->lane >= 0 ? UINT32_C(1) << finding->lane : mask);
    stop->space = step->space;
    stop->rule = finding->rule;
    stop->address = finding->address;
}

/* list: rows of the fragment, 64-bit values as two. */
static inline void ws_do_matrix_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_block *block = ws_block_of(lanes);
    const ws_op *op = &block->program->ops[step->s[WS_S_INSTRUCTION]];
    uint32_t registers[(int)WS_LANES * WS_MATRIX_REGISTERS], active = mask;
    uint64_t wide[WS_LANES];
    uint32_t narrow[WS_LANES];
    const bool is_plain = mask == WS_ALL_LANES && step->space == WS_AT_SHARED; /* the core has fast ways for these */
    ws_access access = is_plain ? ws_access_make(narrow, 1) : ws_access_make_64(wide, 1);
    ws_finding finding = {0, 0, WS_NO_LANE, 0, 0};
    ws_findings sink = {&finding, 1, 0};
    ws_reach reach;
    ws_memory memory;
    ws_error error;
    int lane;
    if (mask == 0) return;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (ws_matrix_is_refused(lanes, step, &reach, op)) return;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (step->space == WS_AT_SHARED) reach.address[lane] -= block->shared_at;
        wide[lane] = reach.address[lane];
        narrow[lane] = (uint32_t)reach.address[lane];
    }
    if (!is_plain) access.active = &active;
    access.target = block->program->target;
    access.simd = block->launch->simd;
    if (step->s[WS_S_STRIDE] != WS_NONE) {
        access.stride = ws_row(lanes, step->s[WS_S_STRIDE]);
        access.stride_lanes = WS_LANES;
    }
    memory = ws_matrix_memory(block, wide, mask);
    if (!ws_op_is_load(op)) ws_matrix_gather(lanes, step, registers);
    if (ws_execute(op, &memory, &access, registers, &sink, &error) != WS_OK) {
        ws_matrix_undefined(lanes, step, mask, &finding);
    } else if (ws_op_is_load(op)) {
        ws_matrix_scatter(lanes, step, registers, mask);
    }
}

/* movmatrix */
static inline void ws_do_matrix_move_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_block *block = ws_block_of(lanes);
    const ws_op *op = &block->program->ops[step->s[WS_S_INSTRUCTION]];
    ws_access access = ws_access_make(NULL, 1);
    ws_memory memory = ws_memory_make(block->shared, block->launch->shared_bytes, 0);
    ws_finding finding = {0, 0, WS_NO_LANE, 0, 0};
    ws_findings sink = {&finding, 1, 0};
    uint32_t registers[WS_LANES], active = mask;
    uint32_t *row = ws_row(lanes, step->d[0]);
    ws_error error;
    int lane;
    if (mask == 0) return;
    access.active = &active;
    access.target = block->program->target;
    for (lane = 0; lane < WS_LANES; lane++) registers[lane] = ws_row(lanes, step->s[WS_S_GIVEN])[lane];
    if (ws_execute(op, &memory, &access, registers, &sink, &error) != WS_OK) {
        ws_matrix_undefined(lanes, step, mask, &finding);
        return;
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) row[lane] = registers[lane];
    }
}

/* clang-format off */
#define WS_MEANINGS_MATRIX(X) X(MATRIX, matrix, SCALAR, MATRIX) X(MATRIX_MOVE, matrix_move, SCALAR, NONE)
/* clang-format on */

#endif
