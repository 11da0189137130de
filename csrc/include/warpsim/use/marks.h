/* Marks of registers, as the text has them: lanes whose values are uninitialised. Frames of calls that recurse share their
 * registers here. */
#ifndef WARPSIM_USE_MARKS_H
#define WARPSIM_USE_MARKS_H

#include "state.h"

#if WS_BODIES

/* The registers of a statement, one after the other. */
typedef struct ws_use_walk {
    const ws_module *module;
    const ws_statement *statement;
    uint32_t item, part; /* part 0: the item itself */
    uint32_t operand;    /* whose register it is */
    uint32_t element;    /* of the register in its vector */
    bool is_address;     /* the register is one of an address */
    bool is_first;       /* of the first operand */
} ws_use_walk;

static inline ws_use_walk ws_use_walk_of(const ws_uses *uses, uint32_t statement) {
    ws_use_walk walk;
    walk.module = uses->module;
    walk.statement = &uses->module->statements[statement];
    walk.item = walk.part = walk.operand = walk.element = 0;
    walk.is_address = walk.is_first = false;
    return walk;
}

static inline ws_use_walk ws_use_walk_make(const ws_uses *uses, const ws_step *step) {
    return ws_use_walk_of(uses, step->statement);
}

/* The next register, as a number of the module; WS_NO_INDEX at the end. */
static inline uint32_t ws_use_next(ws_use_walk *walk) {
    const ws_function *function = &walk->module->functions[walk->statement->function];
    while (walk->item < walk->statement->item_count) {
        const ws_item *item = &walk->module->items[walk->statement->first_item + walk->item];
        const ws_item *found = walk->part == 0 ? item : &walk->module->items[item->first_part + walk->part - 1];
        const int kind = walk->part == 0 && item->kind == WS_ITEM_ADDRESS ? (int)item->base_kind : (int)found->kind;
        walk->is_address = item->kind == WS_ITEM_ADDRESS;
        walk->is_first = walk->item == 0;
        walk->operand = walk->item;
        walk->element = walk->part == 0 ? 0 : walk->part - 1;
        if (walk->part < item->part_count) {
            walk->part++;
        } else {
            walk->part = 0;
            walk->item++;
        }
        if (kind == WS_ITEM_REGISTER) return function->first_register + found->index;
    }
    return WS_NO_INDEX;
}

static inline ws_mark *ws_use_mark(const ws_uses *uses, const ws_warp *warp, uint32_t reg) {
    return &uses->marks[(size_t)warp->place * uses->registers + reg];
}

/* A value goes on as part of another: when that is used, its read is used, too. */
static inline void ws_use_merge(ws_uses *uses, uint32_t origin) {
    uint32_t i = 0;
    while (i < uses->num_merged && uses->merged[i] != origin) i++;
    if (i == uses->num_merged && i < WS_USE_MERGED && origin != WS_NO_INDEX) uses->merged[uses->num_merged++] = origin;
}

/* Of two uninitialised values that become one: where that came from which was read first in the text. */
static inline uint32_t ws_use_earlier(ws_uses *uses, bool has_one, uint32_t origin, const ws_mark *mark) {
    if (!has_one || origin == mark->origin) return mark->origin;
    ws_use_merge(uses, origin < mark->origin ? mark->origin : origin);
    return origin < mark->origin ? origin : mark->origin;
}

/* The uninitialised bits of a lane. */
static inline uint64_t ws_mark_bits(const ws_uses *uses, const ws_mark *mark, int lane) {
    if (!(mark->lanes >> lane & 1)) return 0;
    return mark->row != 0 ? uses->rows[mark->row - 1].bits[lane] : mark->bits;
}

static inline void ws_marked_clear(ws_marked *given) {
    given->lanes = given->origin = 0;
    given->padding = WS_PADDING_MOST;
}

/* Adds bits that lanes get of a register to what they get of others. */
static inline void ws_marked_add(ws_uses *uses, ws_marked *to, const ws_mark *from, uint8_t padding, uint32_t lanes,
                                 const uint64_t bits[WS_LANES]) {
    const bool has_some = to->lanes != 0;
    bool adds = false;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = ws_first_lane(lanes);
        if (bits[lane] == 0) continue;
        to->bits[lane] = bits[lane] | (to->lanes >> lane & 1 ? to->bits[lane] : 0);
        to->lanes |= UINT32_C(1) << lane;
        adds = true;
    }
    if (!adds) return;
    to->origin = ws_use_earlier(uses, has_some, to->origin, from);
    to->padding = ws_padding_least(to->padding, padding);
}

/* A row for a mark: that of who has had it longest, of whom the bits stay that all lanes lack. */
static inline uint64_t *ws_use_row(ws_uses *uses, ws_mark *mark) {
    ws_mark_row *row = &uses->rows[mark->row != 0 ? mark->row - 1 : uses->next_row];
    ws_mark *before = row->mark;
    uint32_t left;
    if (mark->row != 0) return row->bits;
    mark->row = uses->next_row + 1;
    uses->next_row = mark->row % uses->num_rows;
    row->mark = mark;
    if (before == NULL || before == mark || before->row != mark->row) return row->bits;
    before->row = 0;
    before->bits = WS_BITS_EVERY;
    for (left = before->lanes; left != 0; left &= left - 1) before->bits &= row->bits[ws_first_lane(left)];
    if (before->bits != 0 || before->lanes == 0) return row->bits;
    before->lanes = 0;
    uses->marked[(size_t)(before - uses->marks) / uses->registers]--;
    return row->bits;
}

/* The lanes of the mask of a register that are marked from here on; nothing is said of bits. */
static inline void ws_use_lanes(ws_uses *uses, const ws_warp *warp, uint32_t reg, uint32_t lanes, uint32_t mask,
                                uint32_t origin) {
    ws_mark *mark = ws_use_mark(uses, warp, reg);
    const uint32_t all = (mark->lanes & ~mask) | (lanes & mask);
    uses->is_dirty = true;
    uses->marked[warp->place] += (uint32_t)(all != 0) - (uint32_t)(mark->lanes != 0);
    mark->lanes = all;
    if (lanes & mask) mark->origin = origin == WS_NO_INDEX ? uses->now : origin;
}

/* The same, as `given` says. */
static inline void ws_use_put(ws_uses *uses, const ws_warp *warp, uint32_t reg, uint32_t mask, const ws_marked *given) {
    ws_mark *mark = ws_use_mark(uses, warp, reg);
    const uint32_t kept = mark->lanes & ~mask, lanes = given->lanes & mask;
    uint64_t bits[WS_LANES], any = 0, all = WS_BITS_EVERY, *row;
    uint32_t left;
    for (left = lanes != 0 ? kept | lanes : 0; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        bits[lane] = lanes >> lane & 1 ? given->bits[lane] : ws_mark_bits(uses, mark, lane);
        any |= bits[lane];
        all &= bits[lane];
    }
    ws_use_lanes(uses, warp, reg, lanes, mask, given->origin);
    if (lanes == 0) return;
    mark->padding = kept != 0 ? ws_padding_least(mark->padding, given->padding) : given->padding;
    mark->bits = all;
    if (any == all) mark->row = 0;
    if (any == all) return;
    row = ws_use_row(uses, mark);
    for (left = kept | lanes; left != 0; left &= left - 1) row[ws_first_lane(left)] = bits[ws_first_lane(left)];
}

static inline void ws_use_set(ws_uses *uses, const ws_warp *warp, uint32_t reg, uint32_t lanes, uint32_t mask,
                              uint32_t origin) {
    ws_marked given;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) given.bits[lane] = WS_BITS_EVERY;
    given.lanes = lanes;
    given.origin = origin;
    given.padding = WS_PADDING_NONE;
    ws_use_put(uses, warp, reg, mask, &given);
}

#endif /* WS_BODIES */
#endif
