/* Registers that nobody has set: a way leads from the beginning of their function to where they are read, without a
 * statement that writes them whatever its guard. They begin each block with marks. */
#ifndef WARPSIM_USE_UNSET_H
#define WARPSIM_USE_UNSET_H

#include "marks.h"

#if WS_BODIES

enum { WS_UNSET_AT_ONCE = 32 }; /* registers of one search */

typedef struct ws_unset {
    ws_uses *uses;
    const ws_kernel *program;
    const ws_checked *steps;
    uint32_t
        *block; /* of each register: the piece of straight code with all that names it; then its place in uses->unset */
    uint32_t *comes;       /* to each step: which registers of the search have not been set on some way to there */
    uint32_t *pending;     /* a bit of each step: more has come to it since it was looked at */
    uint32_t count, first; /* registers to search, and the first of the search that runs */
} ws_unset;

enum { WS_UNSET_NO_BLOCK = 0, WS_UNSET_ENTRY = 1, WS_UNSET_SOME = INT32_MAX };

static inline const ws_statement *ws_unset_statement(const ws_unset *unset, uint32_t number) {
    return &unset->uses->module->statements[unset->program->steps[number].statement];
}

/* Does a statement write its first operand? */
static inline bool ws_unset_writes(const ws_unset *unset, uint32_t number) {
    const uint8_t use = unset->steps[number].use;
    return use != WS_USE_ALL && use != WS_USE_STORE;
}

/* Marks the steps that jumps name. */
static inline void ws_unset_labels(const ws_unset *unset) {
    const ws_kernel *program = unset->program;
    uint32_t i, k;
    for (i = 0; i < program->num_steps; i++) unset->comes[i] = 0;
    for (i = 0; i < program->num_steps; i++) {
        const ws_step *step = &program->steps[i];
        const bool jumps = program->meant[i].event == WS_EVENT_BRANCH,
                   has_table = jumps && step->s[WS_S_TARGET] != WS_NONE;
        const uint32_t *table = has_table ? program->targets + step->immediate : NULL;
        if (jumps && !has_table) unset->comes[step->immediate] = 1;
        for (k = 0; has_table && k < table[0]; k++) unset->comes[table[1 + k]] = 1;
    }
}

/* A register of a statement in a piece of straight code. */
static inline void ws_unset_meets(const ws_unset *unset, uint32_t reg, uint32_t block, bool sets) {
    uint32_t *of = &unset->block[reg];
    if (*of == WS_UNSET_NO_BLOCK) *of = sets ? block : (uint32_t)WS_UNSET_SOME;
    else if (*of != block && *of != WS_UNSET_ENTRY) *of = WS_UNSET_SOME;
}

/* What is written by statements without steps, as a product is that becomes part of an fma: between two others. */
static inline void ws_unset_skips(const ws_unset *unset, uint32_t after, uint32_t before) {
    uint32_t reg;
    for (after++; after < before; after++) {
        ws_use_walk walk = ws_use_walk_of(unset->uses, after);
        for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk))
            unset->block[reg] = WS_UNSET_ENTRY;
    }
}

/* Which registers are worth a search: all but those that straight code sets before it reads them, and those that the
 * beginning of a function sets. What calls pass in registers is not followed. */
static inline void ws_unset_candidates(ws_unset *unset) {
    ws_uses *uses = unset->uses;
    const ws_kernel *program = unset->program;
    uint32_t block = WS_UNSET_ENTRY, function = WS_NO_INDEX, reg, i;
    for (i = 0; i < uses->registers; i++) unset->block[i] = WS_UNSET_NO_BLOCK;
    ws_unset_labels(unset);
    for (i = 0; i < program->num_steps; i++) {
        const ws_statement *statement = ws_unset_statement(unset, i);
        const int event = program->meant[i].event;
        const bool leaves = i > 0 && program->meant[i - 1].event == WS_EVENT_BRANCH;
        ws_use_walk walk = ws_use_walk_make(uses, &program->steps[i]), again = walk;
        if (statement->function == function)
            ws_unset_skips(unset, program->steps[i - 1].statement, program->steps[i].statement);
        if (statement->function != function) block = WS_UNSET_ENTRY;
        else if (unset->comes[i] != 0 || leaves) block = i + 2;
        function = statement->function;
        if (!unset->steps[i].is_begin) continue;
        if (statement->guard != WS_NO_INDEX)
            ws_unset_meets(unset, uses->module->functions[function].first_register + statement->guard, block, false);
        while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
            if (!walk.is_first || walk.is_address || !ws_unset_writes(unset, i))
                ws_unset_meets(unset, reg, block, false);
        }
        while ((reg = ws_use_next(&again)) != WS_NO_INDEX) {
            if (event == WS_EVENT_CALL || event == WS_EVENT_CALL_INDIRECT) unset->block[reg] = WS_UNSET_ENTRY;
            else if (again.is_first && !again.is_address)
                ws_unset_meets(unset, reg, block, ws_unset_writes(unset, i) && statement->guard == WS_NO_INDEX);
        }
    }
    for (i = 0; i < uses->module->variable_count; i++) {
        const ws_variable *variable = &uses->module->variables[i];
        if (variable->is_parameter && variable->reg != WS_NO_INDEX && variable->function != WS_NO_INDEX)
            unset->block[uses->module->functions[variable->function].first_register + variable->reg] = WS_UNSET_ENTRY;
    }
    for (unset->count = i = 0; i < uses->registers; i++) {
        const bool is_one = unset->block[i] == WS_UNSET_SOME;
        unset->block[i] = is_one ? unset->count : WS_NO_INDEX;
        if (is_one) uses->unset[unset->count++] = i;
    }
}

/* The bit of a register in the search that runs. */
static inline uint32_t ws_unset_bit(const ws_unset *unset, uint32_t reg) {
    const uint32_t number = unset->block[reg] - unset->first;
    return number < WS_UNSET_AT_ONCE ? UINT32_C(1) << number : 0;
}

/* What comes out of a step, of what has come to it; what is read of it unset is noted in `read`. */
static inline uint32_t ws_unset_through(const ws_unset *unset, uint32_t number, uint32_t *read) {
    const ws_statement *statement = ws_unset_statement(unset, number);
    const uint32_t first = unset->uses->module->functions[statement->function].first_register;
    ws_use_walk walk = ws_use_walk_make(unset->uses, &unset->program->steps[number]);
    uint32_t left = unset->comes[number], reg;
    const uint32_t came = left;
    if (!unset->steps[number].is_begin) return left;
    if (statement->guard != WS_NO_INDEX) *read |= came & ws_unset_bit(unset, first + statement->guard);
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const uint32_t bit = came & ws_unset_bit(unset, reg);
        if (!walk.is_first || walk.is_address || !ws_unset_writes(unset, number)) *read |= bit;
        else if (statement->guard == WS_NO_INDEX) left &= ~bit;
    }
    return left;
}

/* Steps whose bits one word of `pending` has. */
enum { WS_UNSET_WORD = 32 };

/* `at`: the first word of `pending` that may have bits. */
static inline void ws_unset_goes(const ws_unset *unset, uint32_t to, uint32_t left, uint32_t *at) {
    const uint32_t word = to / WS_UNSET_WORD;
    if (to >= unset->program->num_steps || (left & ~unset->comes[to]) == 0) return;
    unset->comes[to] |= left;
    unset->pending[word] |= UINT32_C(1) << to % WS_UNSET_WORD;
    if (word < *at) *at = word;
}

/* Nothing has come anywhere but to the beginnings of functions. */
static inline void ws_unset_begin(const ws_unset *unset) {
    const uint32_t steps = unset->program->num_steps;
    uint32_t at = 0, i;
    for (i = 0; i < steps; i++) unset->comes[i] = 0;
    for (i = 0; i <= steps / WS_UNSET_WORD; i++) unset->pending[i] = 0;
    for (i = 0; i < steps; i++) {
        if (i == 0 || ws_unset_statement(unset, i)->function != ws_unset_statement(unset, i - 1)->function)
            ws_unset_goes(unset, i, WS_ALL_LANES, &at);
    }
}

/* What comes out of a step goes on to those that may be next. */
static inline void ws_unset_step(const ws_unset *unset, uint32_t number, uint32_t *read, uint32_t *at) {
    const ws_kernel *program = unset->program;
    const ws_step *step = &program->steps[number];
    const int event = program->meant[number].event;
    const bool jumps = event == WS_EVENT_BRANCH, has_table = jumps && step->s[WS_S_TARGET] != WS_NONE,
               leaves = event == WS_EVENT_RETURN || event == WS_EVENT_EXIT;
    const uint32_t *table = has_table ? program->targets + step->immediate : NULL;
    const uint32_t left = ws_unset_through(unset, number, read);
    uint32_t k;
    if (jumps && !has_table) ws_unset_goes(unset, (uint32_t)step->immediate, left, at);
    for (k = 0; has_table && k < table[0]; k++) ws_unset_goes(unset, table[1 + k], left, at);
    if (step->guard != 0 || (!leaves && !jumps)) ws_unset_goes(unset, number + 1, left, at);
}

/* Follows all ways from the beginnings of functions until nothing more comes anywhere; which registers are read unset. The
 * first step to which more has come is the next one: none is looked at more often than the search has registers. */
static inline uint32_t ws_unset_search(const ws_unset *unset) {
    uint32_t read = 0, at = 0;
    ws_unset_begin(unset);
    while (at <= unset->program->num_steps / WS_UNSET_WORD) {
        const uint32_t pending = unset->pending[at];
        unset->pending[at] = pending & (pending - 1);
        if (pending == 0) at++;
        else ws_unset_step(unset, at * WS_UNSET_WORD + (uint32_t)ws_first_lane(pending), &read, &at);
    }
    return read;
}

/* Fills uses->unset; `steps`: NULL while the arena is being measured. */
static inline void ws_unset_make(ws_uses *uses, const ws_kernel *program, const ws_checked *steps, ws_arena *arena) {
    ws_unset unset;
    uint32_t i;
    uses->num_unset = 0;
    uses->unset = (uint32_t *)ws_arena_take(arena, uses->registers, sizeof(uint32_t));
    unset.block = (uint32_t *)ws_arena_take(arena, uses->registers, sizeof(uint32_t));
    unset.comes = (uint32_t *)ws_arena_take(arena, program->num_steps, sizeof(uint32_t));
    unset.pending = (uint32_t *)ws_arena_take(arena, program->num_steps / WS_UNSET_WORD + 1, sizeof(uint32_t));
    if (steps == NULL || unset.pending == NULL || unset.comes == NULL || uses->unset == NULL) return;
    unset.uses = uses;
    unset.program = program;
    unset.steps = steps;
    ws_unset_candidates(&unset);
    for (unset.first = 0; unset.first < unset.count; unset.first += WS_UNSET_AT_ONCE) {
        const uint32_t read = ws_unset_search(&unset);
        for (i = 0; i < WS_UNSET_AT_ONCE; i++) {
            if (read >> i & 1) uses->unset[uses->num_unset++] = uses->unset[unset.first + i];
        }
    }
}

/* The first register of a statement that nobody may have set, as a number of its function; WS_NO_INDEX: none. */
static inline uint32_t ws_unset_of(const ws_uses *uses, const ws_step *step) {
    const ws_statement *statement = &uses->module->statements[step->statement];
    const uint32_t first = uses->module->functions[statement->function].first_register;
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t reg, i;
    for (i = 0; i < uses->num_unset; i++) {
        if (statement->guard != WS_NO_INDEX && uses->unset[i] == first + statement->guard) return statement->guard;
    }
    while (uses->num_unset != 0 && (reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        for (i = 0; i < uses->num_unset; i++) {
            if (uses->unset[i] == reg) return reg - first;
        }
    }
    return WS_NO_INDEX;
}

/* A block begins: lanes of all its warps. */
static inline void ws_unset_start(ws_uses *uses, uint32_t warps) {
    uint32_t warp, i;
    for (warp = 0; warp < warps; warp++) {
        for (i = 0; i < uses->num_unset; i++) {
            ws_mark *mark = &uses->marks[(size_t)warp * uses->registers + uses->unset[i]];
            mark->lanes = WS_ALL_LANES;
            mark->origin = WS_NO_INDEX;
            mark->bits = WS_BITS_EVERY;
            mark->row = 0;
            mark->padding = WS_PADDING_NONE;
        }
        uses->marked[warp] = uses->num_unset;
    }
    uses->is_dirty = uses->num_unset != 0;
}

#endif /* WS_BODIES */
#endif
