/* What the machine code makes of a step that accesses memory, where it does otherwise than the text.
 *
 *     ld 4, ld 4, ld 4, ld 4    one load of 16 bytes: WS_MADE_BYTES; any of the four addresses will do
 *     a loop of ld 4            the same for four rounds: it counts where the address is a multiple of 16
 *     atom.add.f32              a loop of load, add, compare and swap
 *
 * A byte for each step; 0: as the text says. Which steps these are is for the caller to find out. */
#ifndef WARPSIM_WATCH_MADE_H
#define WARPSIM_WATCH_MADE_H

#include "kinds.h"
#include "line.h"

#if WS_BODIES

typedef enum ws_made {
    WS_MADE_BYTES = 0x3f, /* of a lane, a power of two */
    WS_MADE_LOOP = 0x40,
    WS_MADE_FOLDED = 0x80
} ws_made;

static inline void ws_made_apply(ws_watched *watched, uint8_t made) {
    if (made == 0 || watched->kind == WS_WATCHED_NONE) return;
    watched->made = made;
    if (made & WS_MADE_BYTES) ws_watched_widen(watched, made & WS_MADE_BYTES);
}

/* Of the rounds that one access serves, is this the first? */
static inline bool ws_made_begins(const ws_watched *watched, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_reach reach;
    int lane = 0;
    if (!(watched->made & WS_MADE_FOLDED) || mask == 0) return true;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    while (!(mask >> lane & 1)) lane++;
    return reach.address[lane] % watched->nbytes == 0;
}

/* One round of a group: a load, and a swap that one lane of each bank wins; returns the lanes that go round again. */
static inline uint32_t ws_line_add_turn(ws_line *line, const uint32_t offset[WS_LANES], uint32_t mask, int banks) {
    const uint32_t unit = (uint32_t)WS_LINE_BYTES / (uint32_t)banks;
    uint8_t words[32] = {0}, most = 0;
    uint32_t left = 0;
    int lane, lower;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t word = offset[lane] / unit, bank = word % (uint32_t)banks;
        bool is_new = (mask >> lane & 1) != 0;
        if (words[bank] != 0) left |= (uint32_t)is_new << lane;
        for (lower = 0; lower < lane && is_new; lower++) {
            is_new = !((mask >> lower & 1) && offset[lower] / unit == word);
        }
        if (is_new && ++words[bank] > most) most = words[bank];
    }
    if (most != 0) ws_line_add_shared(line, 1, (uint64_t)most + 2, 3, UINT64_MAX / 2);
    return left;
}

/* An atom or red that becomes a loop: two instructions a round. Exact for 32 bits unless other warps interfere. */
static inline void ws_line_add_loop(ws_line *line, const uint32_t offset[WS_LANES], uint32_t mask, uint32_t nbytes) {
    const int lanes = nbytes > 4 ? 16 : 32;
    const uint32_t low = lanes == 32 ? UINT32_MAX : 0xffff;
    uint32_t left;
    line->inexact |= WS_LINE_LOOP_INEXACT;
    line->executed--; /* it was counted as one */
    line->threads -= (uint64_t)ws_lane_count(mask);
    line->requests--;
    for (left = mask; left != 0;) {
        line->executed += 2;
        line->requests += 2;
        line->threads += 2 * (uint64_t)ws_lane_count(left);
        left = ws_line_add_turn(line, offset, left & low, lanes) | ws_line_add_turn(line, offset, left & ~low, lanes);
    }
}

#endif /* WS_BODIES */
#endif
