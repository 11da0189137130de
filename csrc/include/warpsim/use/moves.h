/* What statements make of marks: of those of one lane, or of the lanes that a shuffle reads. */
#ifndef WARPSIM_USE_MOVES_H
#define WARPSIM_USE_MOVES_H

#include "logic.h"

#if WS_BODIES

/* What lanes of the mask give to a shuffle, whichever they are. */
static inline void ws_use_gives(ws_uses *uses, const ws_warp *warp, const ws_step *step, uint32_t mask,
                                ws_marked *gives) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t reg;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark *mark = ws_use_mark(uses, warp, reg);
        const bool is_value = walk.operand == 1;
        uint64_t bits[WS_LANES];
        int lane;
        if (walk.operand == 0 || mark->lanes == 0) continue;
        for (lane = 0; lane < WS_LANES; lane++) bits[lane] = is_value ? ws_mark_bits(uses, mark, lane) : WS_BITS_EVERY;
        ws_marked_add(uses, gives, mark, is_value ? mark->padding : (uint8_t)WS_PADDING_NONE, mark->lanes & mask, bits);
    }
}

/* A lane gets of a shuffle what the lane gives that it reads; one that is not there has nothing to give. `met`: lanes that
 * have waited for each other, or 0. */
static inline void ws_use_shuffled(const ws_step *step, ws_lanes *lanes, int mode, uint32_t mask, uint32_t met,
                                   const ws_marked *gives, ws_marked *found) {
    const uint32_t *b = ws_row(lanes, step->s[WS_S_FROM]), *c = ws_row(lanes, step->s[WS_S_BOUND]),
                   *members = ws_row(lanes, step->s[WS_MEMBERS_S3]);
    uint32_t left;
    found->padding = gives->padding;
    for (left = mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left), in_range = ws_shfl_lane((ws_shfl_mode)mode, lane, b[lane], c[lane]);
        const int from = in_range < 0 ? lane : in_range & 31;
        const bool is_absent = met != 0 ? !(met >> from & 1) : !(mask >> from & 1) || members[from] != members[lane];
        if (!is_absent && !(gives->lanes >> from & 1)) continue;
        found->lanes |= UINT32_C(1) << lane;
        found->bits[lane] = is_absent ? WS_BITS_EVERY : gives->bits[from];
        if (is_absent) found->padding = WS_PADDING_NONE;
    }
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

/* The lanes of `left`, beside the first, of which a statement does the same with the same bits. */
static inline uint32_t ws_moves_alike(const ws_uses *uses, const ws_bits_way *way, const ws_mark *mark, uint32_t left,
                                      bool asks) {
    const int first = ws_first_lane(left);
    const uint64_t bits = ws_mark_bits(uses, mark, first);
    uint32_t alike = 0;
    if (!asks && mark->row == 0) return left;
    for (; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const bool is_like =
            ws_mark_bits(uses, mark, lane) == bits && (!asks || ws_bits_are_asked_alike(way, first, lane));
        alike |= (uint32_t)is_like << lane;
    }
    return alike;
}

/* What a statement does with its operands lane by lane, it does with their bits. */
static inline void ws_use_moves(ws_uses *uses, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_use_walk to = ws_use_walk_make(uses, step);
    const ws_opcode *opcode = &uses->module->opcodes[to.statement->opcode];
    const bool selects = ws_opcode_begins(opcode, "selp"), asks = ws_bits_are_asked(opcode);
    const uint32_t holds = selects ? ws_predicate(lanes, step->s[2]) : 0;
    uint32_t reg, source;
    if (ws_logic_moves(uses, lanes, warp, step, mask)) return;
    for (reg = ws_use_next(&to); reg != WS_NO_INDEX && to.is_first; reg = ws_use_next(&to)) {
        ws_use_walk from = ws_use_walk_make(uses, step);
        ws_marked found;
        ws_marked_clear(&found);
        while ((source = ws_use_next(&from)) != WS_NO_INDEX) {
            ws_bits_way way = {from.module, from.statement, from.operand, from.element, to.element, lanes, step, mask};
            const ws_mark *mark = ws_use_mark(uses, warp, source);
            uint32_t left = mark->lanes & mask, all;
            uint8_t padding = mark->padding;
            uint64_t bits[WS_LANES];
            if (from.is_first || left == 0) continue;
            if (selects && from.operand != 3) left &= from.operand == 1 ? holds : ~holds;
            else left &= ~ws_use_zeroed(uses, lanes, step, &from);
            for (all = left; left != 0; left &= ~way.mask) {
                const uint64_t here = ws_mark_bits(uses, mark, ws_first_lane(left));
                uint64_t through;
                uint32_t alike;
                way.mask = ws_moves_alike(uses, &way, mark, left, asks);
                through = ws_bits_through(&way, here);
                padding = ws_padding_least(padding, ws_bits_padding(&way, mark->padding));
                for (alike = way.mask; alike != 0; alike &= alike - 1) bits[ws_first_lane(alike)] = through;
            }
            ws_marked_add(uses, &found, mark, padding, all, bits);
        }
        ws_use_put(uses, warp, reg, mask, &found);
    }
}

#endif /* WS_BODIES */
#endif
