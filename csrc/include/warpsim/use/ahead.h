/* Loads whose values may go unused: from there a way leads to the end of the function, or to where another value takes the
 * register, and only moves read it. */
#ifndef WARPSIM_USE_AHEAD_H
#define WARPSIM_USE_AHEAD_H

#include "../decode/said.h"
#include "marks.h"

#if WS_BODIES

enum {
    WS_AHEAD_LOADS = 256,
    WS_AHEAD_HOLDERS = 32,
    WS_AHEAD_STATEMENTS = 4096, /* of one search */
    WS_AHEAD_WORK = 1 << 23     /* of all, beyond which no load goes unused */
};

/* The search from one load: which registers hold its value where. */
typedef struct ws_ahead {
    const ws_uses *uses;
    uint32_t *held, *seen, *stack; /* of each statement: the holders, in which search; statements to look at */
    uint32_t holders[WS_AHEAD_HOLDERS], num_holders, number, depth, left;
    uint32_t work;  /* statements that are left for this and all later searches */
    bool takes_all; /* arithmetic carries values on, too, not moves alone */
    bool is_full;   /* more registers hold it than there is room for */
} ws_ahead;

/* What the statements of an opcode do with what they read, and where they go on. */
typedef enum ws_way {
    WS_WAY_COPIES = 1,
    WS_WAY_SELECTS = 2,
    WS_WAY_CARRIES = 4,
    WS_WAY_WRITES = 8,
    WS_WAY_JUMPS = 16,
    WS_WAY_TRAPS = 32,
    WS_WAY_ENDS = 64 /* of the function, or nobody knows where */
} ws_way;

static inline uint8_t ws_way_of(const ws_opcode *opcode) {
    static const char *const ends[] = {"ret", "exit", "brx"};
    const size_t count = sizeof ends / sizeof ends[0];
    const bool selects = ws_opcode_begins(opcode, "selp");
    const ws_use_kind use = ws_said_use(opcode);
    return (uint8_t)((selects || ws_opcode_begins(opcode, "mov.") ? WS_WAY_COPIES : 0) |
                     (selects ? WS_WAY_SELECTS : 0) | (use == WS_USE_CARRIES ? WS_WAY_CARRIES : 0) |
                     (use != WS_USE_ALL ? WS_WAY_WRITES : 0) | (ws_opcode_begins(opcode, "bra") ? WS_WAY_JUMPS : 0) |
                     (ws_opcode_begins(opcode, "trap") ? WS_WAY_TRAPS : 0) |
                     (ws_opcode_first(opcode, ends, count) != count ? WS_WAY_ENDS : 0));
}

static inline uint8_t ws_way_at(const ws_uses *uses, const ws_statement *statement) {
    return uses->ways[statement->opcode];
}

static inline bool ws_ahead_carries(const ws_ahead *ahead, const ws_statement *statement) {
    return (ws_way_at(ahead->uses, statement) & (ahead->takes_all ? WS_WAY_COPIES | WS_WAY_CARRIES : WS_WAY_COPIES)) !=
           0;
}

/* The bit of a register; 0: it is no holder, or there is no room. */
static inline uint32_t ws_ahead_bit(ws_ahead *ahead, uint32_t reg, bool adds) {
    uint32_t i = 0;
    while (i < ahead->num_holders && ahead->holders[i] != reg) i++;
    if (i == WS_AHEAD_HOLDERS && adds) ahead->is_full = true;
    if (i == ahead->num_holders && (!adds || i == WS_AHEAD_HOLDERS)) return 0;
    if (i == ahead->num_holders) ahead->holders[ahead->num_holders++] = reg;
    return UINT32_C(1) << i;
}

/* A way comes to a statement, with fewer holders than before or for the first time. */
static inline void ws_ahead_goes(ws_ahead *ahead, uint32_t statement, uint32_t held) {
    const bool is_new = ahead->seen[statement] != ahead->number;
    if (!is_new && (ahead->held[statement] & ~held) == 0) return;
    ahead->held[statement] = is_new ? held : ahead->held[statement] & held;
    ahead->seen[statement] = ahead->number;
    if (ahead->depth < WS_AHEAD_STATEMENTS) ahead->stack[ahead->depth++] = statement;
}

/* The registers that a statement reads and writes. */
typedef struct ws_ahead_touched {
    uint32_t read, written;
} ws_ahead_touched;

static inline ws_ahead_touched ws_ahead_touches(ws_ahead *ahead, const ws_statement *statement, ws_use_walk walk,
                                                uint32_t held) {
    const ws_module *module = ahead->uses->module;
    const uint32_t first = module->functions[statement->function].first_register;
    const bool writes = (ws_way_at(ahead->uses, statement) & WS_WAY_WRITES) != 0;
    ws_ahead_touched touched = {0, 0};
    ws_use_walk again = walk;
    uint32_t reg;
    if (statement->guard != WS_NO_INDEX) touched.read = ws_ahead_bit(ahead, first + statement->guard, false);
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        if (!writes || !walk.is_first || walk.is_address) touched.read |= ws_ahead_bit(ahead, reg, false);
    }
    while (writes && (reg = ws_use_next(&again)) != WS_NO_INDEX) {
        if (again.is_first && !again.is_address)
            touched.written |=
                ws_ahead_bit(ahead, reg, (touched.read & held) != 0 && ws_ahead_carries(ahead, statement));
    }
    return touched;
}

/* One statement on the way: true if the value may go unused from here. */
static inline bool ws_ahead_looks(ws_ahead *ahead, uint32_t number) {
    const ws_module *module = ahead->uses->module;
    const ws_statement *statement = &module->statements[number];
    const ws_function *function = &module->functions[statement->function];
    const uint8_t way = ws_way_at(ahead->uses, statement);
    const bool is_guarded = statement->guard != WS_NO_INDEX, jumps = (way & WS_WAY_JUMPS) != 0;
    const bool carries = ws_ahead_carries(ahead, statement);
    const ws_item *to = jumps ? &module->items[statement->first_item] : NULL;
    uint32_t held = ahead->held[number];
    const ws_ahead_touched touched = ws_ahead_touches(ahead, statement, ws_use_walk_of(ahead->uses, number), held);
    if (!carries && is_guarded && (ws_ahead_bit(ahead, function->first_register + statement->guard, false) & held))
        return false;
    if ((touched.read & held) != 0 && !carries) {
        if (!is_guarded) return false;
    } else if ((touched.read & held) != 0) {
        held |= touched.written;
    } else if (!is_guarded) {
        held &= ~touched.written;
    }
    if (held == 0 || (way & WS_WAY_ENDS)) return true;
    if (jumps && to->kind == WS_ITEM_LABEL) ws_ahead_goes(ahead, to->index, held);
    if ((way & WS_WAY_TRAPS) || (jumps && !is_guarded)) return false;
    if (number + 1 == function->first_statement + function->statement_count) return true;
    ws_ahead_goes(ahead, number + 1, held);
    return false;
}

/* May what a statement loads go unused? */
static inline bool ws_ahead_find(ws_ahead *ahead, uint32_t statement) {
    const ws_module *module = ahead->uses->module;
    const ws_function *function = &module->functions[module->statements[statement].function];
    ws_use_walk walk = ws_use_walk_of(ahead->uses, statement);
    uint32_t reg, held = 0;
    ahead->number++;
    ahead->num_holders = ahead->depth = 0;
    ahead->left = WS_AHEAD_STATEMENTS < ahead->work ? (uint32_t)WS_AHEAD_STATEMENTS : ahead->work;
    ahead->is_full = false;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk))
        held |= walk.is_address ? 0 : ws_ahead_bit(ahead, reg, true);
    if (held == 0 || statement + 1 == function->first_statement + function->statement_count) return false;
    ws_ahead_goes(ahead, statement + 1, held);
    while (ahead->depth != 0 && ahead->left != 0) {
        ahead->left--;
        ahead->work--;
        if (ws_ahead_looks(ahead, ahead->stack[--ahead->depth])) return true;
    }
    return false;
}

/* Loads of memory that threads share. */
static inline bool ws_ahead_is_load(const ws_checked *checked, uint8_t space) {
    const bool is_shared =
        space == WS_AT_SHARED || space == WS_AT_GLOBAL || space == WS_AT_GENERIC || space == WS_AT_CLUSTER;
    return checked->use == WS_USE_LOAD && is_shared && (!checked->is_atomic || checked->event == WS_EVENT_LOAD) &&
           (checked->kind == WS_CHECKED_ACCESS || checked->kind == WS_CHECKED_MATRIX);
}

#endif /* WS_BODIES */
#endif
