/* Loads whose value is only a guess: all that comes of it goes into a compare-and-swap of the same place, which fails if the
 * guess was wrong. CUDA's guide writes atomicAdd of doubles like that.
 *
 *     old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (seen != old);
 *
 * Values are followed from register to register, whatever the order of the statements. This file knows nothing of races. */
#ifndef WARPSIM_MODULE_GUESS_H
#define WARPSIM_MODULE_GUESS_H

#include "module.h"

/* What a statement does that the idiom has. */
typedef enum ws_guess_kind {
    WS_GUESS_OTHER, /* it writes its first operand */
    WS_GUESS_LOAD,
    WS_GUESS_SWAP,   /* atom.cas */
    WS_GUESS_ATOMIC, /* another atomic that writes a register */
    WS_GUESS_COMPARE,
    WS_GUESS_BRANCH,
    WS_GUESS_ASKS, /* bar.red: its first operand is what all threads say */
    WS_GUESS_USES  /* it writes no register */
} ws_guess_kind;

typedef struct ws_guess {
    const ws_module *module;
    const uint8_t *kinds; /* of each opcode of the module */
    const ws_function *function;
    const ws_item *place; /* the address that is loaded */
    uint8_t *comes;       /* of each register of the function: whether its value comes from the guess */
    uint64_t *left;       /* statements that may still be looked at: without them, no load is a guess */
    uint32_t checked;     /* the statement that asks whether the swap has held; WS_NO_INDEX: none yet */
    bool is_compared;     /* by a compare-and-swap of that place */
    bool is_used;         /* behind `checked`, where it is known to be right */
} ws_guess;

/* May so many statements still be looked at? */
static inline bool ws_guess_looks(const ws_guess *guess, uint64_t statements) {
    const bool looks = statements <= *guess->left;
    *guess->left = looks ? *guess->left - statements : 0;
    return looks;
}

static inline bool ws_guess_is(const ws_guess *guess, const ws_statement *statement, ws_guess_kind kind) {
    return guess->kinds[statement->opcode] == kind;
}

static inline const ws_item *ws_guess_item(const ws_module *module, const ws_statement *statement, uint32_t at) {
    return at < statement->item_count ? &module->items[statement->first_item + at] : NULL;
}

static inline bool ws_guess_is_place(const ws_item *a, const ws_item *b) {
    return a != NULL && b != NULL && a->kind == WS_ITEM_ADDRESS && b->kind == WS_ITEM_ADDRESS &&
           a->base_kind == b->base_kind && a->index == b->index && a->value == b->value && a->part_count == 0 &&
           b->part_count == 0;
}

/* Does the value of an operand come from the guess? */
static inline bool ws_guess_comes(const ws_guess *guess, const ws_item *item) {
    uint32_t i;
    if (item == NULL) return false;
    if (item->kind == WS_ITEM_REGISTER || (item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER))
        return guess->comes[item->index] != 0;
    for (i = 0; i < item->part_count; i++) {
        if (ws_guess_comes(guess, &guess->module->items[item->first_part + i])) return true;
    }
    return false;
}

/* What a statement writes comes of the guess; false: it writes no registers. */
static inline bool ws_guess_carry(ws_guess *guess, const ws_item *item) {
    uint32_t i;
    if (item == NULL || item->kind == WS_ITEM_ADDRESS || item->kind == WS_ITEM_LABEL) return false;
    if (item->kind == WS_ITEM_REGISTER) guess->comes[item->index] = 1;
    for (i = 0; i < item->part_count; i++) (void)ws_guess_carry(guess, &guess->module->items[item->first_part + i]);
    return item->kind == WS_ITEM_REGISTER || item->part_count != 0;
}

static inline bool ws_guess_swaps(const ws_guess *guess, const ws_statement *statement) {
    return ws_guess_is(guess, statement, WS_GUESS_SWAP) &&
           ws_guess_is_place(ws_guess_item(guess->module, statement, 1), guess->place);
}

/* Is the register operand number `at` of a compare-and-swap of the place: 0 what it has found there, 2 what it compares? */
static inline bool ws_guess_is_operand(const ws_guess *guess, const ws_item *item, uint32_t at) {
    uint32_t i;
    if (item == NULL || item->kind != WS_ITEM_REGISTER || !ws_guess_looks(guess, guess->function->statement_count))
        return false;
    for (i = 0; i < guess->function->statement_count; i++) {
        const ws_statement *one = &guess->module->statements[guess->function->first_statement + i];
        const ws_item *found = ws_guess_item(guess->module, one, at);
        if (ws_guess_swaps(guess, one) && found != NULL && found->kind == WS_ITEM_REGISTER &&
            found->index == item->index)
            return true;
    }
    return false;
}

/* Is it known to be right where the swap has held? */
static inline bool ws_guess_is_right(const ws_guess *guess, const ws_item *item) {
    return ws_guess_is_operand(guess, item, 0) || ws_guess_is_operand(guess, item, 2);
}

/* Does a statement write a register with its first operand? */
static inline bool ws_guess_writes(const ws_guess *guess, const ws_statement *statement) {
    return !ws_guess_is(guess, statement, WS_GUESS_USES) && !ws_guess_is(guess, statement, WS_GUESS_BRANCH) &&
           statement->item_count != 0;
}

/* One statement of that number: false if it does anything else with what comes of the guess. */
static inline bool ws_guess_step(ws_guess *guess, uint32_t number) {
    const ws_module *module = guess->module;
    const ws_statement *const statement = &module->statements[number];
    const bool swaps = ws_guess_swaps(guess, statement), writes = ws_guess_writes(guess, statement);
    bool comes = false, is_right = number > guess->checked && guess->checked != WS_NO_INDEX;
    uint32_t i;
    if (statement->guard != WS_NO_INDEX && guess->comes[statement->guard]) return false;
    for (i = writes ? 1 : 0; i < statement->item_count; i++) {
        const ws_item *item = ws_guess_item(module, statement, i);
        if (!ws_guess_comes(guess, item)) continue;
        if (item->kind == WS_ITEM_ADDRESS) return false;
        comes = true;
        is_right = is_right && ws_guess_is_right(guess, item);
        guess->is_compared = guess->is_compared || (swaps && i == 2);
    }
    if (!comes || swaps) return true;
    if (ws_guess_is(guess, statement, WS_GUESS_COMPARE) &&
        (ws_guess_is_operand(guess, ws_guess_item(module, statement, 1), 0) ||
         ws_guess_is_operand(guess, ws_guess_item(module, statement, 2), 0))) {
        if (number < guess->checked) guess->checked = number; /* has it held? */
        return true;
    }
    guess->is_used = guess->is_used || is_right;
    if (is_right) return true;
    return writes && !ws_guess_is(guess, statement, WS_GUESS_ATOMIC) && !ws_guess_is(guess, statement, WS_GUESS_ASKS) &&
           ws_guess_carry(guess, ws_guess_item(module, statement, 0));
}

/* Does no branch between the load and the question lead past it? */
static inline bool ws_guess_is_asked(const ws_guess *guess, uint32_t load) {
    uint32_t number;
    for (number = load; number < guess->checked; number++) {
        const ws_statement *one = &guess->module->statements[number];
        const ws_item *to = ws_guess_item(guess->module, one, 0);
        if (ws_guess_is(guess, one, WS_GUESS_BRANCH) &&
            (to == NULL || to->kind != WS_ITEM_LABEL || to->index > guess->checked))
            return false;
    }
    return load < guess->checked;
}

/* Is that true of a load? `comes`: room for a byte of each register of its function; `left`: how many statements may be
 * looked at, of all loads. */
static inline bool ws_guess_make(const ws_module *module, const uint8_t *kinds, const ws_statement *load,
                                 uint8_t *comes, uint64_t *left) {
    const ws_item *const first = ws_guess_item(module, load, 0);
    ws_guess guess;
    uint32_t i, before, after = 0;
    guess.module = module;
    guess.kinds = kinds;
    guess.function = &module->functions[load->function];
    guess.place = ws_guess_item(module, load, 1);
    guess.comes = comes;
    guess.left = left;
    guess.checked = WS_NO_INDEX;
    guess.is_compared = guess.is_used = false;
    if (!ws_guess_is(&guess, load, WS_GUESS_LOAD) || first->kind != WS_ITEM_REGISTER) return false;
    for (i = 0; i < guess.function->register_count; i++) comes[i] = 0;
    comes[first->index] = 1;
    do {
        before = after;
        if (!ws_guess_looks(&guess, guess.function->statement_count)) return false;
        for (i = 0; i < guess.function->statement_count; i++) {
            if (!ws_guess_step(&guess, guess.function->first_statement + i)) return false;
        }
        for (after = i = 0; i < guess.function->register_count; i++) after += comes[i];
    } while (after != before);
    return guess.is_compared && (!guess.is_used || ws_guess_is_asked(&guess, (uint32_t)(load - module->statements)));
}

/* Do a compare-and-swap and a load have one place? */
static inline bool ws_guess_may_be(const ws_module *module, const uint8_t *kinds, const ws_statement *swap,
                                   const ws_statement *load) {
    return swap->function == load->function && kinds[swap->opcode] == WS_GUESS_SWAP &&
           kinds[load->opcode] == WS_GUESS_LOAD &&
           ws_guess_is_place(ws_guess_item(module, swap, 1), ws_guess_item(module, load, 1));
}

#endif
