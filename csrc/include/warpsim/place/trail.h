/* Where a value comes from: registers of a function, followed backwards from statement to statement, through no more than
 * WS_TRAIL of them; and the jumps and loops around a statement. */
#ifndef WARPSIM_PLACE_TRAIL_H
#define WARPSIM_PLACE_TRAIL_H

#include "../decode/said.h"

enum { WS_TRAIL = 64 };

/* Registers of a function that a value comes from, in the order in which they are met, and the statements that read them. */
typedef struct ws_trail {
    const ws_module *module;
    const ws_function *function;
    uint32_t registers[WS_TRAIL], readers[WS_TRAIL], count;
} ws_trail;

/* An empty trail of the function that a statement is in. */
static inline ws_trail ws_trail_of(const ws_module *module, uint32_t statement) {
    ws_trail trail;
    trail.module = module;
    trail.function = &module->functions[module->statements[statement].function];
    trail.count = 0;
    return trail;
}

static inline ws_guess_kind ws_trail_kind(const ws_module *module, const ws_statement *statement) {
    return ws_said_guess(&module->opcodes[statement->opcode]);
}

static inline void ws_trail_add(ws_trail *trail, uint32_t number, uint32_t reader) {
    uint32_t i;
    for (i = 0; i < trail->count; i++) {
        if (trail->registers[i] == number && trail->readers[i] == reader) return;
    }
    if (trail->count == WS_TRAIL) return;
    trail->registers[trail->count] = number;
    trail->readers[trail->count++] = reader;
}

/* The registers of an operand that a statement reads. */
static inline void ws_trail_add_item(ws_trail *trail, const ws_item *item, uint32_t reader) {
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER || (item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER))
        ws_trail_add(trail, item->index, reader);
    for (i = 0; i < item->part_count; i++)
        ws_trail_add_item(trail, &trail->module->items[item->first_part + i], reader);
}

static inline bool ws_trail_names(const ws_module *module, const ws_item *item, uint32_t number) {
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER && item->index == number) return true;
    for (i = 0; i < item->part_count; i++) {
        if (ws_trail_names(module, &module->items[item->first_part + i], number)) return true;
    }
    return false;
}

/* Does a statement write a register? */
static inline bool ws_trail_writes(const ws_trail *trail, const ws_statement *statement, uint32_t number) {
    ws_guess_kind kind;
    if (statement->item_count == 0 ||
        !ws_trail_names(trail->module, &trail->module->items[statement->first_item], number))
        return false; /* for most; to read an opcode takes longer */
    kind = ws_trail_kind(trail->module, statement);
    return kind != WS_GUESS_USES && kind != WS_GUESS_BRANCH;
}

static inline void ws_trail_add_sources(ws_trail *trail, uint32_t number) {
    const ws_statement *statement = &trail->module->statements[number];
    uint32_t i;
    if (statement->guard != WS_NO_INDEX) ws_trail_add(trail, statement->guard, number);
    for (i = 1; i < statement->item_count; i++)
        ws_trail_add_item(trail, &trail->module->items[statement->first_item + i], number);
}

/* The statement that a jump leads to; WS_NO_INDEX: it is no jump, or leads to a register's. */
static inline uint32_t ws_trail_target(const ws_module *module, uint32_t number) {
    const ws_statement *statement = &module->statements[number];
    const ws_item *to = ws_guess_item(module, statement, 0);
    if (to == NULL || to->kind != WS_ITEM_LABEL || ws_trail_kind(module, statement) != WS_GUESS_BRANCH)
        return WS_NO_INDEX;
    return to->index;
}

static inline bool ws_trail_passes(const ws_module *module, uint32_t number, uint32_t store) {
    const uint32_t target = number < store ? ws_trail_target(module, number) : WS_NO_INDEX;
    return target != WS_NO_INDEX && target > store;
}

/* Looks at all statements of the function once; false: that is no longer wanted. */
static inline bool ws_trail_scans(const ws_trail *trail) {
    return ws_effort_take(trail->module->effort, trail->function->statement_count);
}

/* Does a jump of the function lead to a statement? */
static inline bool ws_trail_is_target(const ws_trail *trail, uint32_t number) {
    const uint32_t from = trail->function->first_statement, end = from + trail->function->statement_count;
    uint32_t i;
    if (!ws_trail_scans(trail)) return true;
    for (i = from; i < end; i++) {
        if (ws_trail_target(trail->module, i) == number) return true;
    }
    return false;
}

/* The one statement that can have written what a reader of the trail reads: the last one before it, with no way in between,
 * and no guard; WS_NO_INDEX: there may be several. */
static inline uint32_t ws_trail_writer(const ws_trail *trail, uint32_t at) {
    const uint32_t reader = trail->readers[at], from = trail->function->first_statement;
    uint32_t i;
    for (i = reader; i > from && reader - i < WS_TRAIL && !ws_trail_is_target(trail, i); i--) {
        const ws_statement *before = &trail->module->statements[i - 1];
        if (ws_trail_kind(trail->module, before) == WS_GUESS_BRANCH) break;
        if (ws_trail_writes(trail, before, trail->registers[at]))
            return before->guard == WS_NO_INDEX ? i - 1 : WS_NO_INDEX;
    }
    return WS_NO_INDEX;
}

/* Does a jump lead back from a statement, or from behind it, to one before it in the text? */
static inline bool ws_trail_returns(const ws_trail *trail, uint32_t number, uint32_t to) {
    const uint32_t end = trail->function->first_statement + trail->function->statement_count;
    uint32_t i;
    if (!ws_trail_scans(trail)) return true;
    for (i = number; i < end; i++) {
        if (ws_trail_target(trail->module, i) <= to) return true;
    }
    return false;
}

/* The innermost loop around a statement: its first and its last one; false: none. */
static inline bool ws_trail_loop(const ws_trail *trail, uint32_t number, uint32_t *first, uint32_t *last) {
    const uint32_t end = trail->function->first_statement + trail->function->statement_count;
    uint32_t i;
    bool found = false;
    if (!ws_trail_scans(trail)) return false;
    for (i = number; i < end; i++) {
        const uint32_t target = ws_trail_target(trail->module, i);
        if (target > number || (found && i - target >= *last - *first)) continue;
        *first = target;
        *last = i;
        found = true;
    }
    return found;
}

static inline bool ws_trail_has(const ws_trail *trail, const ws_item *item) {
    const bool is_address = item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER;
    uint32_t k;
    for (k = 0; k < trail->count; k++) {
        const uint32_t number = trail->registers[k];
        if ((is_address && item->index == number) || ws_trail_names(trail->module, item, number)) return true;
    }
    return false;
}

/* How many operands of a statement are of a trail; its guard counts for many. `at`: the last of them. */
static inline uint32_t ws_trail_takes(const ws_trail *trail, uint32_t number, uint32_t *at) {
    const ws_statement *one = &trail->module->statements[number];
    uint32_t count = 0, i;
    for (i = 0; i < trail->count && one->guard != WS_NO_INDEX; i++) {
        if (trail->registers[i] == one->guard) return WS_NO_INDEX;
    }
    for (i = 1; i < one->item_count; i++) {
        if (!ws_trail_has(trail, ws_guess_item(trail->module, one, i))) continue;
        count++;
        *at = i;
    }
    return count;
}

/* Does a statement load what memory holds, other than a parameter or a variable? */
static inline bool ws_trail_is_loaded(const ws_module *module, const ws_statement *statement) {
    const ws_item *address = ws_guess_item(module, statement, 1);
    const ws_use_kind use = ws_said_use(&module->opcodes[statement->opcode]);
    if (use == WS_USE_CARRIES || use == WS_USE_SELECT || ws_trail_kind(module, statement) == WS_GUESS_ASKS)
        return false;
    return address == NULL || address->kind != WS_ITEM_ADDRESS || address->base_kind != WS_ITEM_VARIABLE;
}

/* Does each round of the loop around a statement compute its address anew, of nothing but counters? */
static inline bool ws_trail_wanders(ws_trail trail, uint32_t number) {
    const ws_module *module = trail.module;
    const uint32_t from = trail.function->first_statement, end = from + trail.function->statement_count;
    uint32_t first = 0, last = 0, at, i;
    bool is_carried = false;
    if (!ws_trail_loop(&trail, number, &first, &last)) return false;
    trail.count = 0;
    ws_trail_add_item(&trail, &module->items[module->statements[number].first_item], number);
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        bool inside = false, outside = false;
        for (i = from; i < end; i++) {
            const ws_statement *statement = &module->statements[i];
            const bool is_inside = i >= first && i <= last;
            if (!ws_trail_writes(&trail, statement, trail.registers[at])) continue;
            if (ws_trail_is_loaded(module, statement)) return false;
            inside = inside || is_inside;
            outside = outside || !is_inside;
            ws_trail_add_sources(&trail, i);
        }
        is_carried = is_carried || (inside && outside);
    }
    return is_carried;
}

/* Does a value come of no memory? What takes a lock writes such a one; a loop that updates by compare-and-swap does not. */
static inline bool ws_trail_is_bare(const ws_module *module, uint32_t reader, const ws_item *value) {
    ws_trail trail = ws_trail_of(module, reader);
    uint32_t at, i;
    ws_trail_add_item(&trail, value, reader);
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        for (i = 0; i < trail.function->statement_count; i++) {
            const uint32_t number = trail.function->first_statement + i;
            const ws_statement *one = &module->statements[number];
            if (!ws_trail_writes(&trail, one, trail.registers[at])) continue;
            if (ws_said_use(&module->opcodes[one->opcode]) != WS_USE_CARRIES) return false;
            ws_trail_add_sources(&trail, number);
        }
    }
    return true;
}

#endif
