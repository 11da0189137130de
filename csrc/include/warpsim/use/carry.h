/* Uninitialised values that move through memory: a store to shared or local memory carries them on, one to global memory
 * uses them. */
#ifndef WARPSIM_USE_CARRY_H
#define WARPSIM_USE_CARRY_H

#include "../data/matrix_rows.h"
#include "../shadow/shadow.h"
#include "use.h"

#if WS_BODIES

enum { WS_CARRY_PADDING = 30 /* where an origin has ws_padding; steps are fewer */ };

/* What a store is given that is uninitialised: of lanes of the mask, by element. */
static inline void ws_carry_given(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t mask,
                                  ws_pass *pass) {
    const uint32_t size = pass->values.element != 0 ? pass->values.element : 16;
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    uint32_t reg;
    if (check->steps[pass->step].use != WS_USE_STORE || check->uses.marked[warp->place] == 0) return;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark *mark = ws_use_mark(&check->uses, warp, reg);
        const uint32_t element = walk.element < WS_PASS_ELEMENTS ? walk.element : WS_PASS_ELEMENTS - 1;
        uint32_t left = walk.is_first || walk.is_address ? 0 : mark->lanes & mask, lanes = 0;
        for (; left != 0; left &= left - 1) {
            const int lane = ws_first_lane(left);
            const uint64_t bits = ws_mark_bits(&check->uses, mark, lane) & ws_bits_low(8 * (uint64_t)size);
            if (bits == 0) continue;
            if (lanes == 0) pass->origin = ws_use_earlier(&check->uses, pass->carried != 0, pass->origin, mark);
            if (lanes == 0) pass->padding = ws_padding_least(pass->padding, mark->padding);
            ws_pass_carry(pass, lane, element, bits);
            lanes |= UINT32_C(1) << lane;
        }
    }
}

/* What was read uninitialised goes on: to global memory beside bytes that were written, which is told if nobody uses it; or
 * it is put back where some bits of it are set, which is not. */
static inline void ws_carry_notes(ws_check *check, const ws_warp *warp, const ws_pass *pass, uint32_t lanes,
                                  bool is_back) {
    ws_found one;
    if (pass->origin == WS_NO_INDEX) return;
    one = ws_check_about_lanes(check, WS_RUN_UNUSED_READ, pass->origin, warp->place, lanes);
    one.other_is_write = is_back; /* told.h */
    if (!is_back) one.other = pass->step;
    one.other_thread = one.thread;
    ws_found_add(&check->judge.found, &one);
}

/* Has each element of a store that carries uninitialised bits others, too? */
static inline bool ws_carry_is_set(const ws_pass *pass) {
    uint32_t i;
    for (i = 0; i < WS_PASS_ELEMENTS; i++) {
        if (ws_pass_whole(pass, i) != 0) return false;
    }
    return true;
}

/* Lanes use what they store beyond the memory that carries it on; what they read there marks their registers. */
static inline void ws_carry_on(ws_check *check, const ws_warp *warp, const ws_step *step, const ws_pass *pass,
                               uint32_t beyond) {
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    const uint32_t leaves = pass->is_write ? pass->carried & (pass->reads ? WS_ALL_LANES : beyond) : 0;
    const uint32_t padding = pass->reads ? 0 : leaves & ws_padding_lanes(pass);
    uint32_t reg;
    if (leaves & ~padding) ws_use_report(check, warp, pass->origin, pass->step, leaves & ~padding);
    if (padding != 0 && pass->padding == WS_PADDING_BESIDE) ws_carry_notes(check, warp, pass, padding, false);
    if (pass->is_write && (pass->carried & ~leaves) && ws_carry_is_set(pass))
        ws_carry_notes(check, warp, pass, pass->carried, true);
    if (pass->is_write || pass->carried == 0) return;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        ws_marked given;
        int lane;
        if (walk.is_address || walk.element >= WS_PASS_ELEMENTS) continue;
        given.lanes = pass->carries[walk.element];
        given.origin = pass->origin;
        given.padding = pass->padding;
        for (lane = 0; lane < WS_LANES; lane++) given.bits[lane] = pass->bits->carried[walk.element][lane];
        ws_use_put(&check->uses, warp, reg, pass->carried, &given);
    }
}

/* The bytes of an element that a lane stores uninitialised: of those that are written in part nothing is remembered. */
static inline void ws_carry_to_local(ws_check *check, const ws_pass *pass, int lane, uint64_t address, uint32_t i) {
    const uint32_t element = ws_pass_element(pass);
    const uint32_t origin =
        pass->origin == WS_NO_INDEX ? 0 : (pass->origin + 1) | (uint32_t)pass->padding << WS_CARRY_PADDING;
    uint32_t at;
    ws_use_merge(&check->uses, pass->origin);
    for (at = 0; at < element; at++) {
        const uint64_t to = address + i * (uint64_t)element + at;
        uint32_t *held = ws_locals_origin(&check->locals, pass->place, to);
        if (element <= 8 && (pass->bits->carried[i][lane] >> 8 * at & UINT8_MAX) != UINT8_MAX) continue;
        ws_locals_carry(&check->locals, pass->place, lane, to, 1);
        if (held != NULL) *held = origin;
    }
}

/* Byte `i` of what a lane reads is uninitialised: some store has put it there, or nobody. */
static inline void ws_carry_from_local(ws_check *check, ws_pass *pass, int lane, uint64_t address, uint32_t i) {
    const uint32_t *held = ws_locals_origin(&check->locals, pass->place, address + i);
    const uint32_t size = ws_pass_element(pass), at = i % size % 8, element = i / size;
    if (held == NULL || *held == 0 || pass->is_write || element >= WS_PASS_ELEMENTS) {
        ws_pass_hole(pass, lane, i, 1);
    } else if (ws_pass_used(pass, element, size) >> at & 1) {
        ws_pass_carry(pass, lane, element, size > 8 ? WS_BITS_EVERY : UINT64_C(0xff) << 8 * at);
        pass->origin = (*held & ((UINT32_C(1) << WS_CARRY_PADDING) - 1)) - 1;
        pass->padding = ws_padding_least(pass->padding, (uint8_t)(*held >> WS_CARRY_PADDING));
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
        if (image[i] != 0) ws_pass_carry(pass, (int)(i / WS_ROW_SLOT_BYTES), i % WS_ROW_SLOT_BYTES / 4, WS_BITS_EVERY);
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
