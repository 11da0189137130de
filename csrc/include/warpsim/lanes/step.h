/* One decoded step of a warp, and the registers that it works on.
 *
 * A register is rows of 32 lanes x 32 bits: one row up to 32 bits, two for 64 (low words, then high words), four for 128.
 * So each lane's bits lie in that lane's column of every row, whatever the types: lanes that diverged into different
 * functions never touch each other's columns. Predicates are masks, one bit a lane.
 *
 *     reference of a row    bank << 30 | number of the row      bank: this call's frame, constants of the block, of the warp
 *     of a predicate        number << 1 | negated               predicate 0 is always true
 *
 * Bits of a row above the width of an 8- or 16-bit register are unspecified: readers must mask them off.
 *
 * This file knows nothing about statements, memory or warps. */
#ifndef WARPSIM_LANES_STEP_H
#define WARPSIM_LANES_STEP_H

#include "../isa/op.h"
#include "../number/how.h"

enum { WS_FRAME_ROWS = 0, WS_BLOCK_ROWS, WS_WARP_ROWS, WS_ROW_BANKS };
enum { WS_ALL_LANES_COUNT = 32, WS_STEP_SOURCES = 5, WS_NO_PREDICATE = -1 };

#define WS_ALL_LANES UINT32_C(0xffffffff)
#define WS_ROW_REF(bank, number) ((uint32_t)(bank) << 30 | (uint32_t)(number))
#define WS_NONE UINT32_C(0xffffffff) /* no destination, no source */

/* What the steps of one group of lanes see. */
typedef struct ws_lanes {
    uint32_t *rows[WS_ROW_BANKS]; /* 32 words a row */
    uint32_t *predicates;         /* of this frame; [0] has all bits */
    const uint32_t *list;         /* references of vector operands */
    uint32_t *aside;              /* two rows that each step may use */
    uint32_t active;              /* lanes of the group that runs */
    uint32_t carry;               /* the carry flag of each lane */
    int event;                    /* not 0: the step wants the warp's attention (run/warp.h) */
} ws_lanes;

/* Bytes of a memory, and what an access of a step wants of them. */
typedef struct ws_range {
    uint8_t *bytes;
    uint32_t nbytes; /* less than 2^31 */
    uint32_t at;     /* where the first lane's begin: less than nbytes */
    uint32_t whole;  /* of each lane: a power of 2 */
    uint32_t sign;   /* the bit that extends a loaded element; 0: zeros do */
    bool is_narrow;  /* addresses have 32 bits */
} ws_range;

typedef struct ws_step ws_step;

/* Writes only what belongs to the lanes of the mask: those active whose guard holds. */
typedef void ws_lanes_function(ws_lanes *lanes, const ws_step *step, uint32_t mask);

struct ws_step {
    ws_lanes_function *run;
    int64_t immediate;           /* of `i` operands, address offsets, jump targets */
    uint32_t guard;              /* predicate */
    uint32_t how;                /* modifiers: number/how.h */
    uint32_t d[2];               /* destinations: rows or predicates; WS_NONE */
    uint32_t s[WS_STEP_SOURCES]; /* sources in the text's order */
    uint32_t list;               /* first reference of a vector operand */
    uint32_t statement;          /* of the kernel */
    uint8_t type, type2;         /* ws_type: the first two of the statement */
    uint8_t count;               /* elements of the vector operand, or another small number */
    uint8_t space;               /* state space of an address */
};

static inline uint32_t *ws_row(const ws_lanes *lanes, uint32_t reference) {
    return lanes->rows[reference >> 30] + (size_t)(reference & 0x3fffffff) * WS_LANES;
}

/* The lanes in which a predicate holds. */
static inline uint32_t ws_predicate(const ws_lanes *lanes, uint32_t reference) {
    return lanes->predicates[reference >> 1] ^ (0u - (reference & 1));
}

static inline void ws_predicate_set(ws_lanes *lanes, uint32_t reference, uint32_t value, uint32_t mask) {
    uint32_t *held;
    if (reference == WS_NONE) return;
    held = &lanes->predicates[reference >> 1];
    *held = (*held & ~mask) | (value & mask);
}

#endif
