/* Which variable the address in a register names, as far as the text of a function tells it.
 *
 *     mov.u32 %r1, s;   add.u32 %r2, %r1, %r5;   ld.shared.f32 %f1, [%r2+4];      an element of s, whatever %r5 is
 *     ld.param.u64 %d1, [x];   add.s64 %d2, %d1, %d5;   ld.global.f32 %f1, [%d2]; one of the array that x points to
 *
 * A register has an origin if all that is ever put into it has the same one: a variable's address, plus or minus numbers;
 * or if what was put into it last, on the only way to its use, has one. An address of two variables, or one that is computed
 * in other ways, is nobody's. What memory holds is a number. */
#ifndef WARPSIM_OBJECT_ORIGIN_H
#define WARPSIM_OBJECT_ORIGIN_H

#include "../module/module.h"

/* Origins beside the number of a variable. */
enum {
    WS_ORIGIN_NUMBER = -1,
    WS_ORIGIN_MIXED = -2,
    WS_ORIGIN_OPEN = -3 /* nothing is known yet */
};

enum { WS_ORIGIN_POINTED = 1 << 30 /* beside the number of a kernel's parameter: what it points to */ };

enum { WS_ORIGIN_ROUNDS = 16 /* over a function; where they do not settle it, nothing is told */ };

/* What statements make of the origins of their sources. */
typedef enum ws_origin_way {
    WS_ORIGIN_BY_NUMBER = 0, /* what memory holds, or the hardware says */
    WS_ORIGIN_BY_COPY,       /* one source */
    WS_ORIGIN_BY_SUM,        /* an address and numbers */
    WS_ORIGIN_BY_CHOICE,     /* one of the first two */
    WS_ORIGIN_BY_OTHER       /* numbers of numbers */
} ws_origin_way;

static inline ws_origin_way ws_origin_way_of(const ws_opcode *opcode) {
    static const struct {
        const char *word;
        uint8_t way;
    } rows[] = {{"mov.", WS_ORIGIN_BY_COPY},        {"cvta.", WS_ORIGIN_BY_COPY}, {"cvt.u64.u32", WS_ORIGIN_BY_COPY},
                {"cvt.u32.u64", WS_ORIGIN_BY_COPY}, {"add.", WS_ORIGIN_BY_SUM},   {"sub.", WS_ORIGIN_BY_SUM},
                {"or.b", WS_ORIGIN_BY_SUM},         {"xor.b", WS_ORIGIN_BY_SUM},  {"mad.", WS_ORIGIN_BY_SUM},
                {"selp.", WS_ORIGIN_BY_CHOICE},     {"ld", WS_ORIGIN_BY_NUMBER},  {"atom", WS_ORIGIN_BY_NUMBER},
                {"tex", WS_ORIGIN_BY_NUMBER},       {"call", WS_ORIGIN_BY_NUMBER}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t k = 0;
        while (rows[i].word[k] != '\0' && k < opcode->length && opcode->text[k] == rows[i].word[k]) k++;
        if (rows[i].word[k] == '\0') return (ws_origin_way)rows[i].way;
    }
    return WS_ORIGIN_BY_OTHER;
}

/* Of an operand. Only variables that share a memory with others are told apart. */
static inline int32_t ws_origin_of_item(const ws_module *module, const int32_t *origins, const ws_item *item) {
    const uint8_t kind = item->kind == WS_ITEM_ADDRESS ? item->base_kind : item->kind;
    const ws_variable *variable;
    if (kind == WS_ITEM_REGISTER) return origins[item->index];
    if (kind == WS_ITEM_VECTOR) return WS_ORIGIN_MIXED;
    if (kind != WS_ITEM_VARIABLE) return WS_ORIGIN_NUMBER;
    variable = &module->variables[item->index];
    return variable->space == WS_NAME_SHARED || variable->space == WS_NAME_LOCAL || variable->space == WS_NAME_PARAM
               ? (int32_t)item->index
               : (int32_t)WS_ORIGIN_NUMBER;
}

/* Of an address plus a number, or a choice of two. */
static inline int32_t ws_origin_join(int32_t a, int32_t b, bool is_sum) {
    if (a == WS_ORIGIN_OPEN || b == WS_ORIGIN_OPEN)
        return is_sum ? (int32_t)WS_ORIGIN_OPEN : a == WS_ORIGIN_OPEN ? b : a;
    if (is_sum && a == WS_ORIGIN_NUMBER) return b;
    if (is_sum && b == WS_ORIGIN_NUMBER) return a;
    return a == b && !(is_sum && a >= 0) ? a : (int32_t)WS_ORIGIN_MIXED;
}

/* The parameter whose value a statement loads, if that is a pointer. `pointers`: of each variable; NULL: nothing is known. */
static inline int32_t ws_origin_loaded(const ws_module *module, const uint8_t *pointers,
                                       const ws_statement *statement) {
    const ws_item *from = &module->items[statement->first_item + 1];
    const bool is_one = pointers != NULL && statement->item_count == 2 && from->kind == WS_ITEM_ADDRESS &&
                        from->base_kind == WS_ITEM_VARIABLE && from->value == 0;
    return is_one && pointers[from->index] ? (int32_t)from->index | WS_ORIGIN_POINTED : (int32_t)WS_ORIGIN_NUMBER;
}

/* What a statement puts into its first operand. */
static inline int32_t ws_origin_made(const ws_module *module, const uint8_t *pointers, const int32_t *origins,
                                     const ws_statement *statement, ws_origin_way way) {
    const ws_item *items = &module->items[statement->first_item];
    const uint32_t count = way == WS_ORIGIN_BY_CHOICE && statement->item_count > 3 ? 3 : statement->item_count;
    const char first = module->opcodes[statement->opcode].text[0];
    const bool is_product = first == 'm' && way == WS_ORIGIN_BY_SUM, takes = first == 's' && way == WS_ORIGIN_BY_SUM;
    int32_t made = count > 1 ? ws_origin_of_item(module, origins, &items[1]) : (int32_t)WS_ORIGIN_NUMBER;
    uint32_t i;
    if (way == WS_ORIGIN_BY_NUMBER) return ws_origin_loaded(module, pointers, statement);
    if (way == WS_ORIGIN_BY_COPY) return count == 2 ? made : (int32_t)WS_ORIGIN_MIXED;
    for (i = 2; i < count; i++) {
        const int32_t next = ws_origin_of_item(module, origins, &items[i]);
        made = ws_origin_join(made, next, way != WS_ORIGIN_BY_CHOICE);
        if (takes && next != WS_ORIGIN_NUMBER && next != WS_ORIGIN_OPEN) made = WS_ORIGIN_MIXED; /* a distance */
        if (is_product && i == 2 && made >= 0) made = WS_ORIGIN_MIXED;
    }
    return way == WS_ORIGIN_BY_OTHER && made >= 0 ? (int32_t)WS_ORIGIN_MIXED : made;
}

/* A register, or those of a vector, get an origin more; true: something has changed. */
static inline bool ws_origin_put(const ws_module *module, int32_t *origins, const ws_item *item, int32_t made) {
    bool changes = false;
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER) {
        const int32_t now = ws_origin_join(origins[item->index], made, false);
        changes = now != origins[item->index];
        origins[item->index] = now;
        made = WS_ORIGIN_MIXED;
    }
    for (i = 0; item->kind != WS_ITEM_ADDRESS && i < item->part_count; i++) {
        const ws_item *part = &module->items[item->first_part + i];
        const int32_t now = made == WS_ORIGIN_NUMBER ? made : (int32_t)WS_ORIGIN_MIXED;
        if (part->kind != WS_ITEM_REGISTER || made == WS_ORIGIN_OPEN) continue;
        changes = changes || ws_origin_join(origins[part->index], now, false) != origins[part->index];
        origins[part->index] = ws_origin_join(origins[part->index], now, false);
    }
    return changes;
}

/* The origin of each register of a function. */
static inline void ws_origins_find(const ws_module *module, const ws_function *function, const uint8_t *pointers,
                                   int32_t *origins) {
    bool changes = true;
    uint32_t round, i;
    for (i = 0; i < function->register_count; i++) origins[i] = WS_ORIGIN_OPEN;
    for (round = 0; changes && round < WS_ORIGIN_ROUNDS; round++) {
        changes = false;
        for (i = 0; i < function->statement_count; i++) {
            const ws_statement *statement = &module->statements[function->first_statement + i];
            const ws_origin_way way = ws_origin_way_of(&module->opcodes[statement->opcode]);
            const ws_item *to = &module->items[statement->first_item];
            if (statement->item_count == 0 || (to->kind != WS_ITEM_REGISTER && to->part_count == 0)) continue;
            if (ws_origin_put(module, origins, to, ws_origin_made(module, pointers, origins, statement, way)))
                changes = true;
        }
    }
    for (i = 0; changes && i < function->register_count; i++) origins[i] = WS_ORIGIN_MIXED;
}

/* The variable that the address of a statement names, or WS_NO_INDEX. */
static inline uint32_t ws_origin_named(const ws_module *module, const ws_statement *statement, const int32_t *origins) {
    uint32_t i;
    for (i = 0; i < statement->item_count; i++) {
        const ws_item *item = &module->items[statement->first_item + i];
        int32_t origin;
        if (item->kind != WS_ITEM_ADDRESS) continue;
        origin = ws_origin_of_item(module, origins, item);
        return origin >= 0 ? (uint32_t)origin : WS_NO_INDEX;
    }
    return WS_NO_INDEX;
}

/* A register, or those of a vector, have this origin, or what they have in general. */
static inline void ws_origin_set(const ws_module *module, int32_t *here, const ws_item *item, int32_t made,
                                 const int32_t *origins) {
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER) here[item->index] = origins != NULL ? origins[item->index] : made;
    for (i = 0; item->kind != WS_ITEM_ADDRESS && i < item->part_count; i++)
        ws_origin_set(module, here, &module->items[item->first_part + i],
                      made == WS_ORIGIN_NUMBER ? made : (int32_t)WS_ORIGIN_MIXED, origins);
}

static inline bool ws_origin_writes(const ws_module *module, const ws_statement *statement) {
    const ws_item *to = &module->items[statement->first_item];
    return statement->item_count != 0 && (to->kind == WS_ITEM_REGISTER || to->part_count != 0);
}

/* What each statement of a function names, by its number in the function: along straight pieces of the text what a register
 * holds now counts, elsewhere all that it ever holds. `is_label`: of each statement of the module; `here`: room for the
 * origins of the registers. */
static inline void ws_origins_name(const ws_module *module, const ws_function *function, const uint8_t *pointers,
                                   const uint8_t *is_label, const int32_t *origins, int32_t *here, uint32_t *named) {
    const uint32_t first = function->first_statement;
    uint32_t begin = 0, i, k;
    for (i = 0; i < function->register_count; i++) here[i] = origins[i];
    for (i = 0; i < function->statement_count; i++) {
        const ws_statement *statement = &module->statements[first + i];
        const ws_origin_way way = ws_origin_way_of(&module->opcodes[statement->opcode]);
        for (k = begin; is_label[first + i] && k < i; k++) { /* another way comes in: in general, again */
            const ws_statement *one = &module->statements[first + k];
            if (ws_origin_writes(module, one)) ws_origin_set(module, here, &module->items[one->first_item], 0, origins);
        }
        if (is_label[first + i]) begin = i;
        named[i] = ws_origin_named(module, statement, here);
        if (!ws_origin_writes(module, statement)) continue;
        ws_origin_set(module, here, &module->items[statement->first_item],
                      ws_origin_made(module, pointers, here, statement, way),
                      statement->guard != WS_NO_INDEX ? origins : NULL);
    }
}

#endif
