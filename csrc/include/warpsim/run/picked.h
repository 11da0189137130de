/* Which clusters of a grid run (blocks, where clusters have one): each has a number in the grid and an ordinal among those
 * that run, both in ascending order. A grid has up to 2^63 blocks, and nobody runs so many: what is kept of a block in each
 * cell of memory is its ordinal, in 32 bits.
 *
 *     number = first + ordinal * step + ordinal * rest / parts        or numbers[ordinal]
 *
 * A row of blocks has parts = 1; n blocks spread evenly over t have step = t / n, rest = t % n, parts = n. */
#ifndef WARPSIM_RUN_PICKED_H
#define WARPSIM_RUN_PICKED_H

#include <stddef.h>
#include <stdint.h>

#define WS_PICKED_MOST (UINT64_C(1) << 32) /* that a check tells apart; parts at most so many */

typedef struct ws_picked {
    const uint64_t *numbers;           /* or NULL: */
    uint64_t first, step, rest, parts; /* parts 0: all run, number = ordinal */
} ws_picked;

static inline uint64_t ws_picked_number(const ws_picked *picked, uint64_t ordinal) {
    if (picked->numbers != NULL) return picked->numbers[ordinal];
    if (picked->parts == 0) return ordinal;
    return picked->first + ordinal * picked->step + ordinal * picked->rest / picked->parts;
}

#endif
