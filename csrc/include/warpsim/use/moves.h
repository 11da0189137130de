/* What statements make of marks: of those of one lane, or of the lanes that a shuffle reads. */
#ifndef WARPSIM_USE_MOVES_H
#define WARPSIM_USE_MOVES_H

#include "logic.h"

#if WS_BODIES

/* What lanes give to a shuffle, whichever they are: bits, and whether they may be padding. */
static inline ws_mark ws_use_gives(const ws_uses *uses, const ws_warp *warp, const ws_step *step) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    ws_mark given = ws_mark_none();
    uint32_t reg;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark *mark = ws_use_mark(uses, warp, reg);
        if (walk.operand == 0 || mark->lanes == 0) continue;
        given.bits |= walk.operand == 1 ? mark->bits : WS_BITS_EVERY;
        given.padding = ws_padding_least(given.padding, walk.operand == 1 ? mark->padding : (uint8_t)WS_PADDING_NONE);
    }
    return given;
}

/* A lane's marks after a shuffle are those of the lane that it reads; a lane that is not there has nothing to give. `met`:
 * lanes that have waited for each other, or 0. */
static inline uint32_t ws_use_shuffled(const ws_step *step, ws_lanes *lanes, int mode, uint32_t marked, uint32_t mask,
                                       uint32_t met) {
    const uint32_t *b = ws_row(lanes, step->s[WS_S_FROM]), *c = ws_row(lanes, step->s[WS_S_BOUND]),
                   *members = ws_row(lanes, step->s[WS_MEMBERS_S3]);
    uint32_t left, found = 0;
    for (left = mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left), in_range = ws_shfl_lane((ws_shfl_mode)mode, lane, b[lane], c[lane]);
        const int from = in_range < 0 ? lane : in_range & 31;
        const bool is_absent = met != 0 ? !(met >> from & 1) : !(mask >> from & 1) || members[from] != members[lane];
        if (is_absent || (marked >> from & 1)) found |= UINT32_C(1) << lane;
    }
    return found;
}

/* Where the condition is known, one of the two values is taken. */
static inline ws_mark ws_use_selected(ws_uses *uses, ws_lanes *lanes, const ws_step *step) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t holds = ws_predicate(lanes, step->s[2]);
    ws_use_walk walk = ws_use_walk_make(uses, step);
    ws_mark found = ws_mark_none();
    uint32_t reg;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        ws_mark mark = *ws_use_mark(uses, warp, reg);
        const uint32_t taken = walk.operand == 1 ? holds : walk.operand == 2 ? ~holds : WS_ALL_LANES;
        if (walk.operand == 3) mark.padding = WS_PADDING_NONE;
        if (!walk.is_first) ws_mark_add(uses, &found, &mark, taken, walk.operand == 3 ? WS_BITS_EVERY : mark.bits);
    }
    return found;
}

/* Lanes in which a factor is multiplied by a 0 that is known. */
static inline uint32_t ws_use_zeroed(const ws_uses *uses, ws_lanes *lanes, const ws_step *step,
                                     const ws_use_walk *factor) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_opcode *opcode = &uses->module->opcodes[factor->statement->opcode];
    const uint32_t other = 3 - factor->operand,
                   first = uses->module->functions[factor->statement->function].first_register;
    const ws_item *item = &uses->module->items[factor->statement->first_item + other];
    uint32_t end = opcode->length, zeros = 0, lane;
    const ws_bits_type type = ws_bits_type_of(opcode, &end);
    const uint32_t *row;
    if (factor->operand == 0 || factor->operand > 2 || type.letter == 'f' || type.bits == 0) return 0;
    if (!ws_opcode_begins(opcode, "mul") && !ws_opcode_begins(opcode, "mad")) return 0;
    row = ws_row(lanes, step->s[other - 1]);
    for (lane = 0; lane < (uint32_t)WS_LANES; lane++) {
        const uint64_t value = row[lane] | (type.bits == 64 ? (uint64_t)row[lane + WS_LANES] << 32 : 0);
        zeros |= (uint32_t)((value & ws_bits_low(type.bits)) == 0) << lane;
    }
    return item->kind == WS_ITEM_REGISTER ? zeros & ~ws_use_mark(uses, warp, first + item->index)->lanes : zeros;
}

/* What a statement does with its operands lane by lane, it does with their bits. */
static inline void ws_use_moves(ws_uses *uses, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_use_walk to = ws_use_walk_make(uses, step);
    const bool is_moved = ws_bits_are_moved(&uses->module->opcodes[to.statement->opcode]);
    uint32_t reg, source;
    if (ws_logic_moves(uses, lanes, warp, step, mask)) return;
    for (reg = ws_use_next(&to); reg != WS_NO_INDEX && to.is_first; reg = ws_use_next(&to)) {
        ws_use_walk from = ws_use_walk_make(uses, step);
        ws_mark found = ws_mark_none();
        while ((source = ws_use_next(&from)) != WS_NO_INDEX) {
            const ws_bits_way way = {from.module, from.statement, from.operand, from.element,
                                     to.element,  lanes,          step,         mask};
            ws_mark mark = *ws_use_mark(uses, warp, source);
            if (from.is_first || mark.lanes == 0) continue;
            if (!is_moved) mark.padding = WS_PADDING_NONE;
            ws_mark_add(uses, &found, &mark, ~ws_use_zeroed(uses, lanes, step, &from),
                        ws_bits_through(&way, mark.bits));
        }
        ws_use_put(uses, warp, reg, mask, &found);
    }
}

#endif /* WS_BODIES */
#endif
