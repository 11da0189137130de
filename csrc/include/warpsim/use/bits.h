/* Which bits of what a statement writes depend on bits of an operand, as far as its opcode and its constants tell: the
 * padding of a struct that is copied is masked away where a field of it is used, and half of a pair says nothing of the
 * other half. */
#ifndef WARPSIM_USE_BITS_H
#define WARPSIM_USE_BITS_H

#include "../decode/said.h"
#include "../shadow/pass.h"

/* One operand's bits on their way through a statement. */
typedef struct ws_bits_way {
    const ws_module *module;
    const ws_statement *statement;
    uint32_t operand, element; /* which register it is */
    uint32_t to;               /* element of the first operand */
    const ws_lanes *lanes;     /* whose registers may be the same everywhere, as constants are; */
    const ws_step *step;
    uint32_t mask;
} ws_bits_way;

static inline const ws_item *ws_bits_item(const ws_bits_way *way, uint32_t operand) {
    return operand < way->statement->item_count ? &way->module->items[way->statement->first_item + operand] : NULL;
}

/* An operand that is a constant, or a register of 32 bits that is the same in all lanes, or else `other`. */
static inline uint64_t ws_bits_constant(const ws_bits_way *way, uint32_t operand, uint64_t other) {
    const ws_item *item = ws_bits_item(way, operand);
    const uint32_t *row;
    uint32_t left;
    if (item != NULL && item->kind == WS_ITEM_INTEGER) return item->value;
    if (item == NULL || item->kind != WS_ITEM_REGISTER || way->mask == 0) return other;
    if (operand > WS_STEP_SOURCES || way->step->s[operand - 1] == WS_NONE) return other; /* the step has none for it */
    row = ws_row(way->lanes, way->step->s[operand - 1]);
    for (left = way->mask; left != 0; left &= left - 1) {
        if (row[ws_first_lane(left)] != row[ws_first_lane(way->mask)]) return other;
    }
    return row[ws_first_lane(way->mask)];
}

/* A type of an opcode: its letter and its bits; 0 bits: another. */
typedef struct ws_bits_type {
    uint32_t bits;
    char letter;
} ws_bits_type;

/* The type that ends at `*end` of the opcode; `*end`: then before it. */
static inline ws_bits_type ws_bits_type_of(const ws_opcode *opcode, uint32_t *end) {
    ws_bits_type type = {0, ' '};
    uint32_t at = *end, bits = 0, scale = 1;
    while (at > 0 && opcode->text[at - 1] >= '0' && opcode->text[at - 1] <= '9') {
        bits += scale * (uint32_t)(opcode->text[--at] - '0');
        scale *= 10;
    }
    if (at < 2 || opcode->text[at - 2] != '.') return type;
    type.letter = opcode->text[at - 1];
    type.bits = bits;
    *end = at - 2;
    return type;
}

/* Bits that go right, and the sign's behind them. */
static inline uint64_t ws_bits_shifted(uint64_t bits, uint64_t by, ws_bits_type type) {
    const bool fills = type.letter == 's' && (bits >> (type.bits - 1) & 1) != 0;
    if (by >= type.bits) return fills ? ws_bits_low(type.bits) : 0;
    bits &= ws_bits_low(type.bits);
    return bits >> by | (fills ? ws_bits_low(type.bits) & ~ws_bits_low(type.bits - by) : 0);
}

static inline uint64_t ws_bits_moved(const ws_bits_way *way, uint64_t bits, uint32_t width) {
    const ws_item *to = ws_bits_item(way, 0), *from = ws_bits_item(way, 1);
    if (to->part_count != 0) {
        const uint32_t each = width / to->part_count;
        return bits >> way->to * each & ws_bits_low(each);
    }
    if (from->part_count == 0) return bits;
    return (bits & ws_bits_low(width / from->part_count)) << way->element * (width / from->part_count);
}

static inline uint64_t ws_bits_picked(const ws_bits_way *way, uint64_t bits) {
    const uint64_t selector = ws_bits_constant(way, 3, UINT64_MAX);
    uint64_t found = 0;
    uint32_t i;
    if (selector == UINT64_MAX || way->operand > 2) return WS_BITS_EVERY;
    for (i = 0; i < 4; i++) {
        const uint32_t from = (uint32_t)(selector >> 4 * i & 7), repeats = (uint32_t)(selector >> (4 * i + 3) & 1);
        const uint64_t byte = from / 4 == way->operand - 1 ? bits >> from % 4 * 8 & UINT8_MAX : 0;
        found |= (repeats ? (byte >> 7) * UINT8_MAX : byte) << 8 * i;
    }
    return found;
}

/* bfi puts the low bits of its first source into its second. */
static inline uint64_t ws_bits_inserted(const ws_bits_way *way, uint64_t bits) {
    const uint64_t at = ws_bits_constant(way, 3, 64), count = ws_bits_constant(way, 4, 64);
    if (way->operand > 2) return UINT64_MAX;
    if (at >= 64 || count > 64) return way->operand == 1 ? UINT64_MAX : bits;
    return way->operand == 1 ? (bits & ws_bits_low(count)) << at : bits & ~(ws_bits_low(count) << at);
}

/* shf takes 32 bits out of two registers, of which the first is the lower one. */
static inline uint64_t ws_bits_funnelled(const ws_bits_way *way, const ws_opcode *opcode, uint64_t bits) {
    const uint64_t by = ws_bits_constant(way, 3, 32), both = way->operand == 1 ? bits & UINT32_MAX : bits << 32;
    const uint64_t most = ws_opcode_begins(opcode, "shf.l.w") || ws_opcode_begins(opcode, "shf.r.w") ? by % 32 : 32;
    const uint64_t distance = by < most ? by : most;
    if (way->operand > 2) return WS_BITS_EVERY;
    return opcode->text[sizeof "shf." - 1] == 'l' ? both << distance >> 32 : both >> distance & UINT32_MAX;
}

/* bfe takes `count` bits from `at` on, and fills up with zeros or the last one's sign. */
static inline uint64_t ws_bits_taken(const ws_bits_way *way, uint64_t bits, ws_bits_type type) {
    const uint64_t at = ws_bits_constant(way, 2, 64), count = ws_bits_constant(way, 3, 64) & UINT8_MAX;
    uint64_t taken;
    if (way->operand != 1 || at >= type.bits) return WS_BITS_EVERY;
    taken = (bits & ws_bits_low(type.bits)) >> at & ws_bits_low(count);
    if (type.letter != 's') return taken;
    return count == 0 || count > type.bits - at || (taken >> (count - 1) & 1) ? (taken != 0 ? WS_BITS_EVERY : 0)
                                                                              : taken;
}

/* Sums and products: a bit depends on those below it. */
static inline uint64_t ws_bits_carried(uint64_t bits) { return bits != 0 ? ~((bits & (0u - bits)) - 1) : 0; }

static inline uint64_t ws_bits_converted(const ws_opcode *opcode, uint64_t bits, ws_bits_type from, uint32_t end) {
    const ws_bits_type to = ws_bits_type_of(opcode, &end);
    const bool is_integer = from.letter != 'f' && to.letter != 'f' && to.bits != 0 && !ws_said_saturates(opcode);
    bits &= ws_bits_low(from.bits);
    if (!is_integer) return bits != 0 ? WS_BITS_EVERY : 0;
    if (from.letter == 's' && (bits >> (from.bits - 1) & 1)) bits |= ~ws_bits_low(from.bits);
    return bits & ws_bits_low(to.bits);
}

/* The bits of each of several numbers in a register, of the type that ends at `end`: f16x2, f32x2, e4m3x2; 0: one number. */
static inline uint32_t ws_bits_packed(const ws_opcode *opcode, uint32_t end) {
    const char *text = opcode->text;
    if (end < 5 || text[end - 1] != '2' || text[end - 2] != 'x') return 0;
    if (text[end - 4] == 'm') return 8;
    return text[end - 4] == '1' && text[end - 3] == '6' ? 16 : text[end - 4] == '3' && text[end - 3] == '2' ? 32 : 0;
}

/* vadd4 and its kin, where each number stays in its place. */
static inline uint32_t ws_bits_video(const ws_bits_way *way, const ws_opcode *opcode) {
    uint32_t dot = 0, i;
    while (dot < opcode->length && opcode->text[dot] != '.') dot++;
    if (opcode->text[0] != 'v' || dot < 4 || ws_said_sums(opcode)) return 0;
    for (i = 0; i < way->statement->item_count; i++) {
        if (ws_bits_item(way, i)->selector != 0) return 0;
    }
    return opcode->text[dot - 1] == '4' ? 8 : opcode->text[dot - 1] == '2' ? 16 : 0;
}

/* What becomes of numbers of `from` bits: numbers of `to` bits in the same places. */
static inline uint64_t ws_bits_each(uint64_t bits, uint32_t from, uint32_t to) {
    uint64_t found = 0;
    uint32_t i;
    for (i = 0; (i + 1) * from <= 64 && (i + 1) * to <= 64; i++)
        found |= bits >> i * from & ws_bits_low(from) ? ws_bits_low(to) << i * to : 0;
    return found;
}

/* Packed numbers: false where the statement has none. */
static inline bool ws_bits_through_packed(const ws_bits_way *way, const ws_opcode *opcode, uint64_t *bits) {
    const uint32_t video = ws_bits_video(way, opcode), from = ws_bits_packed(opcode, opcode->length);
    uint32_t end = opcode->length, to = 0;
    while (end > 0 && opcode->text[--end] != '.') {
    }
    to = ws_bits_packed(opcode, end);
    if (video != 0) {
        *bits = ws_bits_each(*bits, video, video);
    } else if (ws_opcode_begins(opcode, "setp.") && from != 0) {
        *bits = way->operand > 2 || (*bits >> way->to * from & ws_bits_low(from)) != 0 ? WS_BITS_EVERY : 0;
    } else if (from != 0) {
        *bits = ws_bits_each(*bits, from, to != 0 ? to : from);
    } else if (to != 0 && ws_opcode_begins(opcode, "cvt.") && way->operand < 3) {
        *bits = ws_bits_low(to) << (way->operand == 1 ? to : 0); /* the first source is the upper number */
    } else {
        return false;
    }
    return true;
}

/* Do a statement's last operands say which bits it takes? */
static inline bool ws_bits_are_asked(const ws_opcode *opcode) {
    static const char *const words[] = {"shl.", "shr.", "bfe.", "bfi.", "prmt.", "shf."};
    return ws_opcode_first(opcode, words, 6) != 6;
}

/* Do two lanes ask for the same ones? */
static inline bool ws_bits_are_asked_alike(const ws_bits_way *way, int a, int b) {
    uint32_t i;
    for (i = 2; i < way->statement->item_count; i++) {
        const uint32_t source = i <= WS_STEP_SOURCES ? way->step->s[i - 1] : WS_NONE;
        if (ws_bits_item(way, i)->kind != WS_ITEM_REGISTER || source == WS_NONE) continue;
        if (ws_row(way->lanes, source)[a] != ws_row(way->lanes, source)[b]) return false;
    }
    return true;
}

/* Its own first operand's bits that depend on these. */
static inline uint64_t ws_bits_through(const ws_bits_way *way, uint64_t bits) {
    static const char *const sums[] = {"add.", "sub.", "mul.lo.", "mul.wide.", "mad.lo.", "neg."};
    const size_t count = sizeof sums / sizeof sums[0];
    const ws_opcode *opcode = &way->module->opcodes[way->statement->opcode];
    uint32_t end = opcode->length;
    const ws_bits_type type = ws_bits_type_of(opcode, &end);
    const uint64_t by = ws_bits_constant(way, 2, 64); /* of a shift */
    if (bits == 0 || ws_bits_through_packed(way, opcode, &bits)) return bits;
    if (ws_opcode_begins(opcode, "selp")) return way->operand == 3 ? WS_BITS_EVERY : bits;
    if (type.bits == 0 || type.bits > 64) return WS_BITS_EVERY;
    if (ws_opcode_begins(opcode, "mov.")) return ws_bits_moved(way, bits, type.bits);
    if (ws_opcode_begins(opcode, "shl.") && way->operand == 1)
        return by < type.bits ? bits << by & ws_bits_low(type.bits) : 0;
    if (ws_opcode_begins(opcode, "shr.") && way->operand == 1) return ws_bits_shifted(bits, by, type);
    if (ws_opcode_begins(opcode, "bfe.")) return ws_bits_taken(way, bits, type);
    if (ws_opcode_begins(opcode, "bfi.")) return ws_bits_inserted(way, bits) & ws_bits_low(type.bits);
    if (ws_opcode_begins(opcode, "prmt.") && opcode->length == sizeof "prmt.b32" - 1) return ws_bits_picked(way, bits);
    if (ws_opcode_begins(opcode, "shf.")) return ws_bits_funnelled(way, opcode, bits);
    if (ws_opcode_begins(opcode, "cvt.")) return ws_bits_converted(opcode, bits, type, end);
    if (type.letter != 'f' && !ws_said_saturates(opcode) && ws_opcode_first(opcode, sums, count) != count)
        return ws_bits_carried(bits);
    return WS_BITS_EVERY;
}

/* Does a statement put bits elsewhere, and compute nothing with them? */
static inline bool ws_bits_are_moved(const ws_opcode *opcode) {
    static const char *const words[] = {"mov.",  "shl.",  "shr.",  "bfe.", "bfi.",  "prmt.", "cvt.u",
                                        "cvt.s", "cvt.b", "and.b", "or.b", "selp.", "shf."};
    const size_t count = sizeof words / sizeof words[0];
    return ws_opcode_first(opcode, words, count) != count;
}

/* May what may be padding still be it afterwards? prmt, and a shift that parts bytes, compute with it. */
static inline uint8_t ws_bits_padding(const ws_bits_way *way, uint8_t padding) {
    static const char *const words[] = {"shl.", "shr."};
    const ws_opcode *opcode = &way->module->opcodes[way->statement->opcode];
    const bool parts = ws_opcode_first(opcode, words, 2) != 2 && ws_bits_constant(way, 2, 0) % 8 != 0;
    const bool computes = padding == WS_PADDING_BESIDE && (parts || ws_opcode_begins(opcode, "prmt."));
    return computes || !ws_bits_are_moved(opcode) ? (uint8_t)WS_PADDING_NONE : padding;
}

#endif
