/* and, or, xor, not, lop3 of bits and of predicates: what the known bits of their operands leave of the unknown ones. False
 * and anything is false. */
#ifndef WARPSIM_USE_LOGIC_H
#define WARPSIM_USE_LOGIC_H

#include "marks.h"

#if WS_BODIES

enum { WS_LOGIC_NONE = -1, WS_LOGIC_XOR = 0x3c };
enum { WS_LOGIC_SOURCES = 3 };

/* The result for each of eight values of three bits, the first the highest; WS_LOGIC_NONE: another statement. */
static inline int ws_logic_table(const ws_module *module, const ws_statement *statement) {
    static const char *const words[] = {"and.", "or.", "xor.", "not."};
    static const int tables[] = {0xc0, 0xfc, WS_LOGIC_XOR, 0x0f, WS_LOGIC_NONE};
    const ws_opcode *opcode = &module->opcodes[statement->opcode];
    const ws_item *items = &module->items[statement->first_item];
    if (ws_opcode_begins(opcode, "lop3.b32") && statement->item_count == 5 && items[4].kind == WS_ITEM_INTEGER)
        return (int)(items[4].value & UINT8_MAX);
    return tables[ws_opcode_first(opcode, words, sizeof words / sizeof words[0])];
}

static inline uint64_t ws_logic_unknown(int table, const uint64_t value[WS_LOGIC_SOURCES],
                                        const uint64_t unknown[WS_LOGIC_SOURCES]) {
    uint64_t can_be[2] = {0, 0};
    int i, k;
    for (i = 0; i < 8; i++) {
        uint64_t possible = UINT64_MAX;
        for (k = 0; k < WS_LOGIC_SOURCES; k++)
            possible &= (i >> (WS_LOGIC_SOURCES - 1 - k) & 1 ? value[k] : ~value[k]) | unknown[k];
        can_be[table >> i & 1] |= possible;
    }
    return can_be[0] & can_be[1];
}

/* The sources of a statement. */
typedef struct ws_logic {
    const ws_lanes *lanes;
    const ws_step *step;
    const ws_mark *marks[WS_LOGIC_SOURCES]; /* NULL: no register, or no source */
    uint32_t count;
    int table;
    bool is_wide;
} ws_logic;

/* Of one lane. */
static inline uint64_t ws_logic_lane(const ws_uses *uses, const ws_logic *logic, int lane) {
    uint64_t value[WS_LOGIC_SOURCES] = {0, 0, 0}, unknown[WS_LOGIC_SOURCES] = {0, 0, 0};
    uint32_t k;
    for (k = 0; k < logic->count; k++) {
        const uint32_t *row = ws_row(logic->lanes, logic->step->s[k]);
        value[k] = row[lane] | (logic->is_wide ? (uint64_t)row[lane + WS_LANES] << 32 : 0);
        if (logic->marks[k] != NULL) unknown[k] = ws_mark_bits(uses, logic->marks[k], lane);
    }
    return ws_logic_unknown(logic->table, value, unknown);
}

/* Of predicates: lanes. */
static inline uint32_t ws_logic_predicates(const ws_logic *logic) {
    uint64_t value[WS_LOGIC_SOURCES] = {0, 0, 0}, unknown[WS_LOGIC_SOURCES] = {0, 0, 0};
    uint32_t k;
    for (k = 0; k < logic->count; k++) {
        value[k] = ws_predicate(logic->lanes, logic->step->s[k]);
        if (logic->marks[k] != NULL) unknown[k] = logic->marks[k]->lanes;
    }
    return (uint32_t)ws_logic_unknown(logic->table, value, unknown);
}

/* What the first operand gets of marks: of lanes of the mask. */
static inline void ws_logic_given(ws_uses *uses, const ws_logic *logic, bool is_predicate, uint32_t mask,
                                  ws_marked *given) {
    const uint32_t found = is_predicate ? ws_logic_predicates(logic) : 0;
    uint64_t bits[WS_LANES];
    uint32_t left = 0, k;
    for (k = 0; k < logic->count; k++) left |= logic->marks[k] != NULL ? logic->marks[k]->lanes : 0;
    for (left &= mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        if (is_predicate) bits[lane] = found >> lane & 1 ? WS_BITS_EVERY : 0;
        else bits[lane] = ws_logic_lane(uses, logic, lane) & ws_bits_low(logic->is_wide ? 64 : 32);
    }
    for (k = 0; k < logic->count; k++) {
        const ws_mark *mark = logic->marks[k];
        if (mark != NULL) ws_marked_add(uses, given, mark, mark->padding, mark->lanes & mask, bits);
    }
}

/* False: another statement. */
static inline bool ws_logic_moves(ws_uses *uses, const ws_lanes *lanes, const ws_warp *warp, const ws_step *step,
                                  uint32_t mask) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    const ws_opcode *opcode = &uses->module->opcodes[walk.statement->opcode];
    const bool is_predicate = ws_said_is_of_predicates(opcode);
    ws_logic logic = {lanes, step, {NULL, NULL, NULL}, 0, ws_logic_table(uses->module, walk.statement), false};
    uint32_t to = WS_NO_INDEX, of[WS_LOGIC_SOURCES] = {0, 0, 0}, reg;
    ws_marked given;
    if (logic.table == WS_LOGIC_NONE) return false;
    logic.is_wide = ws_said_is_of_64_bits(opcode);
    logic.count = walk.statement->item_count - 1;
    if (logic.count > WS_LOGIC_SOURCES) logic.count = WS_LOGIC_SOURCES; /* the table of lop3 comes last */
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        if (walk.is_first) to = reg;
        if (walk.operand == 0 || walk.operand > logic.count) continue;
        logic.marks[walk.operand - 1] = ws_use_mark(uses, warp, reg);
        of[walk.operand - 1] = reg;
    }
    ws_marked_clear(&given);
    ws_logic_given(uses, &logic, is_predicate, mask, &given);
    if (logic.table == WS_LOGIC_XOR && logic.marks[0] != NULL && of[0] == of[1]) given.lanes = 0;
    if (to != WS_NO_INDEX) ws_use_put(uses, warp, to, mask, &given);
    return true;
}

#endif /* WS_BODIES */
#endif
