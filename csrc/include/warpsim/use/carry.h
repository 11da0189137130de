/* Uninitialised values that move through memory: a store to shared or local memory carries them on, one to global memory
 * uses them. */
#ifndef WARPSIM_USE_CARRY_H
#define WARPSIM_USE_CARRY_H

#include "../data/matrix_rows.h"
#include "../shadow/shadow.h"
#include "use.h"

#if WS_BODIES

/* What a store is given that is uninitialised: of lanes of the mask, by element. */
static inline void ws_carry_given(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t mask,
                                  ws_pass *pass) {
    const uint32_t size = pass->values.element != 0 ? pass->values.element : 16;
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    uint32_t reg;
    if (check->steps[pass->step].use != WS_USE_STORE || check->uses.marked[warp->place] == 0) return;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark *mark = ws_use_mark(&check->uses, warp, reg);
        const uint8_t bytes = mark->bytes & ws_pass_bytes(0, size, 0, size);
        const uint32_t lanes = walk.is_first || walk.is_address || bytes == 0 ? 0 : mark->lanes & mask;
        if (lanes == 0) continue;
        pass->origin = ws_use_earlier(&check->uses, pass->carried != 0, pass->origin, mark);
        pass->carried |= lanes;
        if (walk.element >= WS_PASS_ELEMENTS) continue;
        pass->carries[walk.element] |= lanes;
        pass->carried_bytes[walk.element] |= bytes;
    }
}

/* Lanes use what they store beyond the memory that carries it on; what they read there marks their registers. */
static inline void ws_carry_on(ws_check *check, const ws_warp *warp, const ws_step *step, const ws_pass *pass,
                               uint32_t beyond) {
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    const uint32_t used = pass->is_write ? pass->carried & (pass->reads ? WS_ALL_LANES : beyond) : 0;
    uint32_t reg;
    if (used != 0) ws_use_report(check, warp, pass->origin, pass->step, used);
    if (pass->is_write || pass->carried == 0) return;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        if (walk.is_address || walk.element >= WS_PASS_ELEMENTS) continue;
        ws_use_set_bytes(&check->uses, warp, reg, pass->carries[walk.element], pass->carried, pass->origin,
                         pass->carried_bytes[walk.element]);
    }
}

/* Elements of a row are its words of 4 bytes: those that a stmatrix makes of uninitialised registers, of the lanes that
 * name the rows. */
static inline void ws_carry_rows(const ws_op *op, uint32_t count, ws_pass *pass) {
    uint32_t registers[(int)WS_LANES * WS_PASS_ELEMENTS];
    uint8_t image[WS_ROW_BUFFER_BYTES] = {0};
    const ws_rows rows = ws_rows_of_buffer(op, image);
    uint32_t i, lane;
    for (i = 0; i < count; i++) {
        for (lane = 0; lane < WS_LANES; lane++)
            registers[lane * count + i] = pass->carries[i] >> lane & 1 ? UINT32_MAX : 0;
        pass->carries[i] = 0;
    }
    ws_rows_store(&rows, ws_row_slots(), 1, registers, WS_SIMD_PORTABLE);
    pass->carried = 0;
    for (i = 0; i < WS_ROW_BUFFER_BYTES; i++) {
        const uint32_t bit = (uint32_t)(image[i] != 0) << i / WS_ROW_SLOT_BYTES;
        pass->carries[i % WS_ROW_SLOT_BYTES / 4] |= bit;
        pass->carried_bytes[i % WS_ROW_SLOT_BYTES / 4] = WS_BYTES_EVERY;
        pass->carried |= bit;
    }
}

/* The other way: the lanes of each register that an ldmatrix makes of uninitialised words. */
static inline void ws_carry_registers(const ws_op *op, uint32_t count, uint32_t lanes_of[WS_PASS_ELEMENTS]) {
    uint32_t registers[(int)WS_LANES * WS_PASS_ELEMENTS];
    uint8_t image[WS_ROW_BUFFER_BYTES];
    const ws_rows rows = ws_rows_of_buffer(op, image);
    uint32_t i, lane;
    for (i = 0; i < WS_ROW_BUFFER_BYTES; i++)
        image[i] = lanes_of[i % WS_ROW_SLOT_BYTES / 4] >> i / WS_ROW_SLOT_BYTES & 1 ? UINT8_MAX : 0;
    ws_rows_load(&rows, ws_row_slots(), 1, registers, WS_SIMD_PORTABLE);
    for (i = 0; i < count; i++) {
        lanes_of[i] = 0;
        for (lane = 0; lane < WS_LANES; lane++) lanes_of[i] |= (uint32_t)(registers[lane * count + i] != 0) << lane;
    }
}

#endif /* WS_BODIES */
#endif
