/* What one issue costs the memory, in Nsight Compute's counters: sets of words, bank by bank, as the measurements say it. */
#ifndef REFERENCE_COUNT_H
#define REFERENCE_COUNT_H

#include "lowering.h"

REFERENCE_BEGIN

typedef struct ref_counts {
    uint64_t instructions, requests, wavefronts, ideal, conflicts, sectors;
} ref_counts;

/* Distinct values; how many. */
static inline int ref_distinct(const uint64_t *value, int count, uint64_t *kept) {
    int j, n = 0;
    for (int i = 0; i < count; i++) {
        for (j = 0; j < n && kept[j] != value[i]; j++) {
        }
        if (j == n) kept[n++] = value[i];
    }
    return n;
}

/* The largest number of distinct 4-byte words that these lanes touch in one bank. */
static inline int ref_group_cost(const uint64_t address[REF_LANES], uint32_t mask, int width) {
    uint64_t words[32][32];
    int in_bank[32] = {0}, i, most = 0;
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (!ref_bit(mask, lane)) continue;
        for (uint64_t word = address[lane] / 4; word <= (address[lane] + (uint64_t)width - 1) / 4; word++) {
            const int bank = (int)(word % 32);
            for (i = 0; i < in_bank[bank] && words[bank][i] != word; i++) {
            }
            if (i == in_bank[bank]) words[bank][in_bank[bank]++] = word;
            if (in_bank[bank] > most) most = in_bank[bank];
        }
    }
    return most;
}

/* Groups of `group` lanes, one after another. */
static inline void ref_count_groups(const uint64_t address[REF_LANES], uint32_t mask, int width, int group,
                                    ref_counts *counts) {
    for (int first = 0; first < REF_LANES; first += group) {
        uint32_t own = 0;
        uint64_t cost;
        for (int lane = first; lane < first + group; lane++) own |= mask & (UINT32_C(1) << lane);
        if (own == 0) continue;
        cost = (uint64_t)ref_group_cost(address, own, width);
        counts->wavefronts += cost;
        counts->ideal += 1;
        counts->conflicts += cost - 1;
    }
}

/* Do all pairs of active lanes (l, l xor d) have equal addresses? */
static inline bool ref_pairs_meet(const uint64_t address[REF_LANES], uint32_t mask, int d) {
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (ref_bit(mask, lane) && ref_bit(mask, lane ^ d) && address[lane] != address[lane ^ d]) return false;
    }
    return true;
}

/* ld and st of shared memory. */
static inline void ref_count_shared(const uint64_t address[REF_LANES], uint32_t mask, int width, bool load,
                                    ref_counts *counts) {
    const int group = width <= 4 ? 32 : width == 8 ? 16 : 8;
    const bool merged = load && width >= 8 && (ref_pairs_meet(address, mask, 1) || ref_pairs_meet(address, mask, 2));
    ref_count_groups(address, mask, width, merged ? 2 * group : group, counts);
}

static inline int ref_parity(uint64_t value) {
    int parity = 0;
    for (; value != 0; value >>= 1) parity ^= (int)(value & 1);
    return parity;
}

/* Global memory: sectors; lines through four tag banks, a fixed number from each bank per pass, and each pass an access
 * to the banks. */
static inline void ref_count_global(const uint64_t address[REF_LANES], uint32_t mask, int width, bool load,
                                    ref_counts *counts) {
    const int per_pass = load ? 1 : 8, group = width <= 4 ? 32 : width == 8 ? 16 : 8;
    uint64_t line[REF_LANES], sector[REF_LANES], kept[REF_LANES];
    int turn[REF_LANES], taken[4] = {0, 0, 0, 0}, i, n = 0, passes = 0;
    ref_counts of_pass;
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (ref_bit(mask, lane)) sector[n++] = address[lane] / 32;
    }
    counts->sectors += (uint64_t)ref_distinct(sector, n, kept);
    n = 0;
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (!ref_bit(mask, lane)) continue;
        for (i = 0; i < n && line[i] != address[lane] / 128; i++) {
        }
        if (i == n) {
            const uint64_t number = address[lane] / 128;
            line[n] = number;
            turn[n++] = taken[2 * ref_parity(number & 0x37AB5) + ref_parity(number & 0x2D5DA)]++ / per_pass;
            if (turn[n - 1] >= passes) passes = turn[n - 1] + 1;
        }
    }
    for (int pass = 0; pass < passes; pass++) {
        uint32_t served = 0;
        for (int lane = 0; lane < REF_LANES; lane++) {
            for (i = 0; i < n && ref_bit(mask, lane); i++) {
                if (line[i] == address[lane] / 128 && turn[i] == pass) served |= UINT32_C(1) << lane;
            }
        }
        of_pass.wavefronts = of_pass.ideal = of_pass.conflicts = 0;
        ref_count_groups(address, served, width, group, &of_pass);
        counts->wavefronts += of_pass.wavefronts;
    }
}

/* cp.async.ca: the k-th lane that wants a bank goes to pass k; a pass costs the most of its lanes whose sources lie in one bank. */
static inline void ref_count_ca(const ref_form *f, const uint64_t to[REF_LANES], const uint64_t from[REF_LANES],
                                uint32_t mask, ref_counts *counts) {
    const int size = f->width, group = 128 / size;
    uint64_t sector[REF_LANES], kept[REF_LANES];
    int n = 0;
    for (int first = 0; first < REF_LANES; first += group) {
        int wanted[32] = {0}, turn[REF_LANES], most = 0;
        uint64_t cost = 0;
        for (int lane = first; lane < first + group; lane++) {
            if (!ref_bit(mask, lane)) continue;
            turn[lane] = 0;
            for (uint64_t word = to[lane] / 4; word < to[lane] / 4 + (uint64_t)size / 4; word++) {
                if (++wanted[word % 32] > turn[lane]) turn[lane] = wanted[word % 32];
            }
            if (turn[lane] > most) most = turn[lane];
            sector[n++] = from[lane] / 32;
        }
        for (int pass = 1; pass <= most; pass++) {
            int asked[32] = {0}, worst = 0;
            for (int lane = first; lane < first + group; lane++) {
                if (!ref_bit(mask, lane) || turn[lane] != pass) continue;
                for (uint64_t word = from[lane] / 4; word < from[lane] / 4 + (uint64_t)size / 4; word++) {
                    if (++asked[word % 32] > worst) worst = asked[word % 32];
                }
            }
            cost += (uint64_t)worst;
        }
        counts->wavefronts += cost;
        counts->ideal += most > 0;
        counts->conflicts += cost - (most > 0);
    }
    counts->sectors += (uint64_t)ref_distinct(sector, n, kept);
}

typedef struct ref_move_of {
    uint64_t to, from; /* sectors of 32 bytes */
    int crossed, halves;
} ref_move_of;

static inline bool ref_same_class(const ref_move_of *a, const ref_move_of *b) {
    return a->to / 4 == b->to / 4 && a->from / 4 == b->from / 4 && ((a->to ^ a->from) & 1) == ((b->to ^ b->from) & 1) &&
           a->crossed == b->crossed && a->halves == b->halves;
}

/* cp.async.cg: pieces become moves, moves classes; a class costs the most of its moves that want one sector of either side. */
static inline void ref_count_cg(const uint64_t to[REF_LANES], const uint64_t from[REF_LANES], uint32_t mask,
                                ref_counts *counts) {
    ref_move_of move[REF_LANES];
    uint64_t destination[REF_LANES];
    int i, moves = 0, copied = 0;
    for (int lane = 0; lane < REF_LANES; lane++) {
        const int crossed = (int)((to[lane] / 16 ^ from[lane] / 16) & 1);
        if (!ref_bit(mask, lane)) continue;
        for (i = 0; i < copied && destination[i] != to[lane] / 16; i++) {
        }
        if (i < copied) continue;
        destination[copied++] = to[lane] / 16;
        for (i = 0; i < moves; i++) {
            if (move[i].to == to[lane] / 32 && move[i].from == from[lane] / 32 && move[i].crossed == crossed) break;
        }
        if (i == moves) {
            move[i].to = to[lane] / 32;
            move[i].from = from[lane] / 32;
            move[i].crossed = crossed;
            move[i].halves = 0;
            moves++;
        }
        move[i].halves |= 1 << (to[lane] / 16 % 2);
    }
    for (i = 0; i < moves; i++) {
        int most = 0;
        bool leads = true;
        for (int j = 0; j < i; j++) leads &= !ref_same_class(&move[i], &move[j]);
        for (int j = i; leads && j < moves; j++) {
            int same_to = 0, same_from = 0;
            if (!ref_same_class(&move[i], &move[j])) continue;
            for (int k = i; k < moves; k++) {
                same_to += ref_same_class(&move[i], &move[k]) && move[k].to == move[j].to;
                same_from += ref_same_class(&move[i], &move[k]) && move[k].from == move[j].from;
            }
            most = same_to > most ? same_to : most;
            most = same_from > most ? same_from : most;
        }
        counts->wavefronts += (uint64_t)most;
    }
    counts->ideal += (uint64_t)(copied * 16 + 127) / 128;
    counts->sectors += (uint64_t)moves;
}

/* The lanes of a mask whose addresses lie in shared memory; generic ones by the window. */
static inline uint32_t ref_lanes_in_shared(const ref_form *f, const uint64_t address[REF_LANES], uint32_t mask,
                                           uint64_t window) {
    uint32_t in = 0;
    for (int lane = 0; lane < REF_LANES; lane++) {
        const bool generic = !f->shared && !f->global && !ref_is_matrix(f);
        const bool inside = address[lane] >= window && address[lane] - window < REF_WINDOW_BYTES;
        if (ref_bit(mask, lane) && (generic ? inside : !f->global)) in |= UINT32_C(1) << lane;
    }
    return in;
}

static inline void ref_count_wmma(const ref_form *f, const ref_lowering *all, const ref_issue *issue, uint64_t window,
                                  ref_counts *counts) {
    const uint32_t lanes = all->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << all->lanes) - 1;
    const bool load = f->kind == REF_WMMA_LOAD;
    int lane;
    for (int i = 0; i < all->accesses; i++) {
        uint64_t address[REF_LANES];
        uint32_t shared;
        for (lane = 0; lane < all->lanes; lane++) {
            address[lane] =
                ref_access_address(f, all, &all->access[i], issue, lane) / (uint64_t)all->width * (uint64_t)all->width;
        }
        for (; lane < REF_LANES; lane++) address[lane] = 0;
        shared = ref_lanes_in_shared(f, address, lanes, window);
        counts->requests++;
        if (shared != 0) ref_count_shared(address, shared, all->width, load && !all->rows, counts);
        if ((lanes & ~shared) == 0) continue;
        ref_count_global(address, lanes & ~shared, all->width, load, counts);
        counts->wavefronts += all->movmatrix; /* movmatrix takes a wavefront of the same pipe */
    }
}

/* Of one issue; `all`: of wmma. Addresses are counted as given, rounded down to their alignment; partial masks of warp-wide
 * instructions count as full. */
static inline ref_counts ref_count(const ref_form *f, const ref_lowering *all, const ref_issue *issue,
                                   uint64_t window) {
    ref_counts counts = {1, 0, 0, 0, 0, 0};
    uint32_t mask = issue->active & ~issue->exited, shared;
    uint64_t address[REF_LANES], source[REF_LANES];
    if (issue->active == 0 || f->kind == REF_MOVMATRIX) return counts;
    if (ref_is_wmma(f)) {
        ref_count_wmma(f, all, issue, window, &counts);
        return counts;
    }
    if (ref_is_warp_wide(f)) mask = f->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << f->lanes) - 1;
    if (mask == 0) return counts;
    counts.requests = 1;
    for (int lane = 0; lane < REF_LANES; lane++) {
        address[lane] = issue->address[lane] / (uint64_t)f->width * (uint64_t)f->width;
        source[lane] = issue->source[lane] / (uint64_t)f->width * (uint64_t)f->width;
    }
    if (f->kind == REF_CP_ASYNC) {
        if (f->is_cg) ref_count_cg(address, source, mask, &counts);
        else ref_count_ca(f, address, source, mask, &counts);
        return counts;
    }
    shared = ref_lanes_in_shared(f, address, mask, window);
    if (ref_is_matrix(f)) ref_count_groups(address, mask, f->width, f->is_s8s4 ? 16 : 8, &counts);
    else if (shared != 0) ref_count_shared(address, shared, f->width, f->kind == REF_LD, &counts);
    if (!ref_is_matrix(f) && (mask & ~shared) != 0)
        ref_count_global(address, mask & ~shared, f->width, f->kind == REF_LD, &counts);
    return counts;
}

REFERENCE_END

#endif
