/* cp.async from global to shared memory: wavefronts of the copy's write side.
 *
 * The two cache operators work differently, and neither follows the bank rule of shared memory:
 *
 *   .ca  lanes in groups of 32, 16, 8 (4, 8, 16 bytes each). The k-th lane that wants a bank goes to pass k; a pass
 *        costs the largest number of its lanes whose source words are in one bank. Nothing merges.
 *   .cg  each lane moves a 16-byte piece between a 32-byte sector S of shared and one, G, of global memory. Pieces that
 *        share S, G and their relative alignment are one move. Moves share a wavefront only within a class of equal
 *        shared line, global line, sector parity, relative alignment and written halves; a class costs the largest
 *        number of its moves that want one S or one G.
 *
 * Measured on an H200: .ca is exact where the source is contiguous (811 of 811), else approximate (522 of 638); .cg
 * matches in 2127 of 2131. This file knows nothing about instructions. */
#ifndef WARPSIM_COUNT_CP_ASYNC_H
#define WARPSIM_COUNT_CP_ASYNC_H

#include "../base/constant.h"

#include <stdbool.h>
#include <stdint.h>

/* Passes over one group of lanes `first` .. `first + lanes - 1` of .ca, and their total cost. */
WS_CONSTANT int ws_cp_async_ca_group(const uint64_t to[32], const uint64_t from[32], uint32_t mask, int first,
                                     int lanes, int bytes, uint8_t pass_of[32]) {
    uint8_t wanted[32] = {0};
    int lane, pass, passes = 0, wavefronts = 0;
    uint64_t word;
    for (lane = first; lane < first + lanes; lane++) {
        if (!(mask >> lane & 1)) continue;
        pass_of[lane] = 0;
        for (word = to[lane] / 4; word < to[lane] / 4 + (uint64_t)bytes / 4; word++) {
            if (wanted[word % 32] > pass_of[lane]) pass_of[lane] = wanted[word % 32];
        }
        for (word = to[lane] / 4; word < to[lane] / 4 + (uint64_t)bytes / 4; word++) {
            wanted[word % 32] = (uint8_t)(pass_of[lane] + 1);
        }
        if (pass_of[lane] + 1 > passes) passes = pass_of[lane] + 1;
    }
    for (pass = 0; pass < passes; pass++) {
        uint8_t sources[32] = {0};
        int cost = 0;
        for (lane = first; lane < first + lanes; lane++) {
            if (!(mask >> lane & 1) || pass_of[lane] != pass) continue;
            for (word = from[lane] / 4; word < from[lane] / 4 + (uint64_t)bytes / 4; word++) {
                if (++sources[word % 32] > cost) cost = sources[word % 32];
            }
        }
        wavefronts += cost;
    }
    return wavefronts;
}

typedef struct ws_cp_async_move {
    uint64_t to_sector;   /* S: shared address / 32 */
    uint64_t from_sector; /* G: global address / 32 */
    uint8_t crossed;      /* x: different halves of S and G meet */
    uint8_t halves;       /* bit set: which halves of S are written */
    uint8_t of_class;     /* its class */
} ws_cp_async_move;

typedef struct ws_cp_async_moves {
    ws_cp_async_move move[32];
    uint8_t move_of[32]; /* lane -> its move; 255: the lane copies nothing */
    int moves;
    int classes;
    int destinations; /* distinct 16-byte destinations */
} ws_cp_async_moves;

WS_CONSTANT bool ws_cp_async_same_class(const ws_cp_async_move *a, const ws_cp_async_move *b) {
    return a->to_sector / 4 == b->to_sector / 4 && a->from_sector / 4 == b->from_sector / 4 &&
           ((a->to_sector ^ a->from_sector) & 1) == ((b->to_sector ^ b->from_sector) & 1) && a->crossed == b->crossed &&
           a->halves == b->halves;
}

/* The moves of one .cg copy and their classes, numbered in lane order. */
WS_CONSTANT void ws_cp_async_cg_moves(const uint64_t to[32], const uint64_t from[32], uint32_t mask,
                                      ws_cp_async_moves *all) {
    uint64_t pieces = 0, sectors = 0; /* bit set of those seen, by their lowest bits: anything not in it is new */
    int lane, lower, i, j;
    all->moves = 0;
    all->classes = 0;
    all->destinations = 0;
    for (lane = 0; lane < 32; lane++) {
        const uint64_t s = to[lane] / 32, g = from[lane] / 32;
        const uint8_t crossed = (uint8_t)((to[lane] / 16 ^ from[lane] / 16) & 1);
        all->move_of[lane] = 255;
        if (!(mask >> lane & 1)) continue;
        for (lower = pieces >> to[lane] / 16 % 64 & 1 ? 0 : lane; lower < lane; lower++) {
            if ((mask >> lower & 1) && to[lower] / 16 == to[lane] / 16) break;
        }
        if (lower < lane) continue; /* where destinations are equal, the lowest lane copies */
        all->destinations++;
        for (i = sectors >> s % 64 & 1 ? 0 : all->moves; i < all->moves; i++) {
            const ws_cp_async_move *move = &all->move[i];
            if (move->to_sector == s && move->from_sector == g && move->crossed == crossed) break;
        }
        if (i == all->moves) {
            const ws_cp_async_move fresh = {s, g, crossed, 0, 0};
            all->move[all->moves++] = fresh;
        }
        all->move[i].halves |= (uint8_t)(1u << (to[lane] / 16 & 1));
        all->move_of[lane] = (uint8_t)i;
        pieces |= UINT64_C(1) << to[lane] / 16 % 64;
        sectors |= UINT64_C(1) << s % 64;
    }
    for (i = 0; i < all->moves; i++) {
        for (j = 0; j < i && !ws_cp_async_same_class(&all->move[i], &all->move[j]); j++) {
        }
        all->move[i].of_class = j < i ? all->move[j].of_class : (uint8_t)all->classes++;
    }
}

/* Wavefronts of one class: the largest number of its moves that want one sector. */
WS_CONSTANT int ws_cp_async_cg_class(const ws_cp_async_moves *all, int of_class) {
    int i, j, most = 0;
    for (i = 0; i < all->moves; i++) {
        int same_to = 0, same_from = 0;
        if (all->move[i].of_class != of_class) continue;
        for (j = 0; j < all->moves; j++) {
            if (all->move[j].of_class != of_class) continue;
            same_to += all->move[j].to_sector == all->move[i].to_sector;
            same_from += all->move[j].from_sector == all->move[i].from_sector;
        }
        if (same_to > most) most = same_to;
        if (same_from > most) most = same_from;
    }
    return most;
}

#endif
