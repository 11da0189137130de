/* Which bytes of what a statement writes depend on bytes of an operand, as far as its opcode and its constants tell: the
 * padding of a struct that is copied is masked away where a field of it is used.
 *
 * Bytes of a register are bits of a number, from the lowest on. */
#ifndef WARPSIM_USE_BYTES_H
#define WARPSIM_USE_BYTES_H

#include "../decode/said.h"
#include "../module/module.h"

enum { WS_BYTES_EVERY = UINT8_MAX };

/* One operand's bytes on their way through a statement. */
typedef struct ws_bytes_way {
    const ws_module *module;
    const ws_statement *statement;
    uint32_t operand, element; /* which register it is */
    uint32_t to;               /* element of the first operand */
} ws_bytes_way;

static inline const ws_item *ws_bytes_item(const ws_bytes_way *way, uint32_t operand) {
    return operand < way->statement->item_count ? &way->module->items[way->statement->first_item + operand] : NULL;
}

/* An operand that is a constant, or else `other`. */
static inline uint64_t ws_bytes_constant(const ws_bytes_way *way, uint32_t operand, uint64_t other) {
    const ws_item *item = ws_bytes_item(way, operand);
    return item != NULL && item->kind == WS_ITEM_INTEGER ? item->value : other;
}

static inline uint64_t ws_bytes_to_bits(uint32_t bytes) {
    uint64_t bits = 0;
    int i;
    for (i = 0; i < 8; i++) bits |= (bytes >> i & 1) != 0 ? UINT64_C(0xff) << 8 * i : 0;
    return bits;
}

static inline uint8_t ws_bytes_of_bits(uint64_t bits) {
    uint8_t bytes = 0;
    int i;
    for (i = 0; i < 8; i++) bytes |= (uint8_t)((uint32_t)((bits >> 8 * i & 0xff) != 0) << i);
    return bytes;
}

static inline uint64_t ws_bytes_low(uint64_t bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

/* The type that ends at `*end` of the opcode, of integers or bits: its bits; 0: another. `*end`: then before it. */
static inline uint32_t ws_bytes_type(const ws_opcode *opcode, uint32_t *end, bool *is_signed) {
    uint32_t at = *end, bits = 0, scale = 1;
    while (at > 0 && opcode->text[at - 1] >= '0' && opcode->text[at - 1] <= '9') {
        bits += scale * (uint32_t)(opcode->text[--at] - '0');
        scale *= 10;
    }
    if (at < 2 || opcode->text[at - 2] != '.') return 0;
    *is_signed = opcode->text[at - 1] == 's';
    *end = at - 2;
    return *is_signed || opcode->text[at - 1] == 'u' || opcode->text[at - 1] == 'b' ? bits : 0;
}

/* Bits that go right, and the sign's behind them. */
static inline uint64_t ws_bytes_shifted(uint64_t bits, uint64_t by, uint32_t width, bool is_signed) {
    const bool fills = is_signed && (bits >> (width - 1) & 1) != 0;
    if (by >= width) return fills ? ws_bytes_low(width) : 0;
    bits &= ws_bytes_low(width);
    return bits >> by | (fills ? ws_bytes_low(width) & ~ws_bytes_low(width - by) : 0);
}

static inline uint64_t ws_bytes_moved(const ws_bytes_way *way, uint64_t bits, uint32_t width) {
    const ws_item *to = ws_bytes_item(way, 0), *from = ws_bytes_item(way, 1);
    if (to->part_count != 0) {
        const uint32_t each = width / to->part_count;
        return bits >> way->to * each & ws_bytes_low(each);
    }
    if (from->part_count == 0) return bits;
    return (bits & ws_bytes_low(width / from->part_count)) << way->element * (width / from->part_count);
}

static inline uint64_t ws_bytes_picked(const ws_bytes_way *way, uint8_t bytes) {
    const uint64_t selector = ws_bytes_constant(way, 3, UINT64_MAX);
    uint8_t found = 0;
    uint32_t i;
    if (selector == UINT64_MAX) return WS_BYTES_EVERY;
    for (i = 0; i < 4; i++) {
        const uint32_t from = (uint32_t)(selector >> 4 * i & 7);
        if (from / 4 == way->operand - 1 && (bytes >> from % 4 & 1)) found |= (uint8_t)(1 << i);
    }
    return found;
}

/* bfi puts the low bits of its first source into its second. */
static inline uint64_t ws_bytes_inserted(const ws_bytes_way *way, uint64_t bits) {
    const uint64_t at = ws_bytes_constant(way, 3, 64), count = ws_bytes_constant(way, 4, 64);
    if (way->operand > 2) return UINT64_MAX;
    if (at >= 64 || count > 64) return way->operand == 1 ? UINT64_MAX : bits;
    return way->operand == 1 ? (bits & ws_bytes_low(count)) << at : bits & ~(ws_bytes_low(count) << at);
}

/* Its own first operand's bytes that depend on these. */
static inline uint8_t ws_bytes_through(const ws_bytes_way *way, uint8_t bytes) {
    const ws_opcode *opcode = &way->module->opcodes[way->statement->opcode];
    uint32_t end = (uint32_t)opcode->length, to;
    bool is_signed = false, to_signed = false;
    const uint32_t width = ws_bytes_type(opcode, &end, &is_signed);
    uint64_t bits = ws_bytes_to_bits(bytes);
    if (bytes == 0 || width == 0 || width > 64) return bytes == 0 ? 0 : (uint8_t)WS_BYTES_EVERY;
    if (ws_opcode_begins(opcode, "mov.")) return ws_bytes_of_bits(ws_bytes_moved(way, bits, width));
    if (ws_opcode_begins(opcode, "and."))
        return ws_bytes_of_bits(bits & ws_bytes_constant(way, 3 - way->operand, UINT64_MAX));
    if (ws_opcode_begins(opcode, "or.") || ws_opcode_begins(opcode, "xor.") || ws_opcode_begins(opcode, "not.") ||
        ws_opcode_begins(opcode, "lop3."))
        return bytes;
    if (ws_opcode_begins(opcode, "shl.") && way->operand == 1 && ws_bytes_constant(way, 2, 64) < width)
        return ws_bytes_of_bits(bits << ws_bytes_constant(way, 2, 64) & ws_bytes_low(width));
    if (ws_opcode_begins(opcode, "shr.") && way->operand == 1 && ws_bytes_constant(way, 2, 64) < 64)
        return ws_bytes_of_bits(ws_bytes_shifted(bits, ws_bytes_constant(way, 2, 64), width, is_signed));
    if (ws_opcode_begins(opcode, "bfe.u") && way->operand == 1 && ws_bytes_constant(way, 2, 64) < 64)
        return ws_bytes_of_bits(bits >> ws_bytes_constant(way, 2, 64) & ws_bytes_low(ws_bytes_constant(way, 3, 64)));
    if (ws_opcode_begins(opcode, "bfi.")) return ws_bytes_of_bits(ws_bytes_inserted(way, bits) & ws_bytes_low(width));
    if (ws_opcode_begins(opcode, "prmt.") && opcode->length == sizeof "prmt.b32" - 1 && way->operand < 3)
        return (uint8_t)ws_bytes_picked(way, bytes);
    to = ws_opcode_begins(opcode, "cvt.") ? ws_bytes_type(opcode, &end, &to_signed) : 0;
    if (to == 0) return (uint8_t)WS_BYTES_EVERY;
    bits &= ws_bytes_low(width);
    if (is_signed && (bits >> (width - 1) & 1)) bits |= ~ws_bytes_low(width);
    return ws_bytes_of_bits(bits & ws_bytes_low(to));
}

#endif
