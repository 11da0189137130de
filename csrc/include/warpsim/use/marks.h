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

static inline ws_mark ws_mark_none(void) {
    const ws_mark none = {0, 0, 0, WS_PADDING_MOST};
    return none;
}

/* Adds lanes of one register to what another gets of it: `bits` there. */
static inline void ws_mark_add(ws_uses *uses, ws_mark *to, const ws_mark *from, uint32_t lanes, uint64_t bits) {
    if ((from->lanes & lanes) == 0 || bits == 0) return;
    to->origin = ws_use_earlier(uses, to->lanes != 0, to->origin, from);
    to->padding = ws_padding_least(to->padding, from->padding);
    to->lanes |= from->lanes & lanes;
    to->bits |= bits;
}

/* The lanes of a register that are marked from here on, as `given` says; the others of `mask` are not. */
static inline void ws_use_put(ws_uses *uses, const ws_warp *warp, uint32_t reg, uint32_t mask, const ws_mark *given) {
    ws_mark *mark = ws_use_mark(uses, warp, reg);
    const uint32_t kept = mark->lanes & ~mask, lanes = given->bits != 0 ? given->lanes & mask : 0;
    uses->is_dirty = true;
    uses->marked[warp->place] += (uint32_t)((kept | lanes) != 0) - (uint32_t)(mark->lanes != 0);
    mark->lanes = kept | lanes;
    if (kept == 0) mark->bits = 0;
    if (kept == 0) mark->padding = WS_PADDING_MOST;
    if (lanes == 0) return;
    mark->origin = given->origin == WS_NO_INDEX ? uses->now : given->origin;
    mark->bits |= given->bits;
    mark->padding = ws_padding_least(mark->padding, given->padding);
}

static inline void ws_use_set(ws_uses *uses, const ws_warp *warp, uint32_t reg, uint32_t lanes, uint32_t mask,
                              uint32_t origin) {
    const ws_mark given = {WS_BITS_EVERY, lanes, origin, WS_PADDING_NONE};
    ws_use_put(uses, warp, reg, mask, &given);
}

#endif /* WS_BODIES */
#endif
