/* What a compiler makes of a main loop: how many instructions its warps need beside loads and mma, and what registers
 * leave room for.
 *
 * The numbers are means of two thousand loops as ptxas compiled them for sm_90a; what it does with the last registers
 * varies from loop to loop, which is most of what the model misses. This file knows nothing about time. */
#ifndef WARPSIM_LOOP_COMPILED_H
#define WARPSIM_LOOP_COMPILED_H

#include "mainloop_shape.h"
#include "sequence.h"

/* How many registers a thread of the block can have. */
static inline int64_t ws_compiled_most_registers(int64_t warps) {
    const int64_t most = 65536 / (32 * warps) / 8 * 8;
    return most < 255 ? most : 255;
}

static inline bool ws_compiled_swizzled(const ws_mainloop *loop) {
    return loop->a.swizzle.bits > 0 || loop->b.swizzle.bits > 0;
}

static inline bool ws_compiled_padded(const ws_mainloop *loop) { return loop->a.pad != 0 || loop->b.pad != 0; }

/* Copies of a thread whose addresses differ by more than a constant: A and B share them where their rows are as long.
 */
static inline int64_t ws_compiled_copies(const ws_mainloop *loop, const ws_work *work) {
    const int more = work->copies_a > work->copies_b ? work->copies_a : work->copies_b;
    return loop->a.cols == loop->b.cols ? more : work->copies_a + work->copies_b;
}

/* Registers of a thread that hold neither sums nor fragments. A copy has an offset of 64 bits in global memory and,
 * where rows are padded or swizzled, another in shared memory; with one stage, what A and B share is the latter. Each
 * load of swizzled rows has an address of its own. */
static inline int64_t ws_compiled_addresses(const ws_mainloop *loop, const ws_work *work) {
    const bool swizzled = ws_compiled_swizzled(loop), plain = !swizzled && !ws_compiled_padded(loop);
    const int64_t shared = ws_compiled_copies(loop, work), all = work->copies_a + work->copies_b,
                  copies = loop->stages == 1 ? 2 * all + shared : (plain && loop->stages > 1 ? 2 : 3) * shared,
                  loads = swizzled ? work->steps * (work->loads_a + work->loads_b) : 0;
    return (loop->stages == 0 ? 8 : 15) + copies + loads;
}

/* Of `spare` registers, those that keep the row of a copy apart from its column: with elements of 8 bits, whose rows
 * are padded and are not swizzled, the compiler multiplies by the length of a row in each iteration. */
static inline int64_t ws_compiled_rows(const ws_mainloop *loop, const ws_work *work, int64_t spare) {
    const int64_t copies = ws_compiled_copies(loop, work);
    if (loop->stages < 2 || loop->a.element_bits != 8) return 0;
    if (!ws_compiled_padded(loop) || ws_compiled_swizzled(loop)) return 0;
    return spare < 0 ? 0 : spare < copies ? spare : copies;
}

/* Where a matrix does not give each thread as many copies, each of its copies has a predicate and reads the matrix's
 * address again, from the parameters: from the third copy on, the warp waits for it. */
static inline void ws_compiled_uneven(const ws_mainloop *loop, ws_work *work) {
    const int64_t threads = 32 * loop->warps_m * loop->warps_n, piece = ws_mainloop_piece(loop);
    const bool uneven_a = loop->stages > 0 && loop->a.rows * loop->a.cols / piece % threads != 0,
               uneven_b = loop->stages > 0 && loop->b.rows * loop->b.cols / piece % threads != 0;
    const bool one = loop->stages == 1;
    work->uneven_slots_a = !uneven_a ? 0 : one ? 3 : 7;
    work->uneven_slots_b = !uneven_b ? 0 : one ? 3 : 2;
    work->uneven_stall_a = !uneven_a ? 0 : one ? 40 : 20;
    work->uneven_stall_b = !uneven_b ? 0 : one ? 40 : 10;
}

/* How far ahead loads and copies go with `spare` registers for them. With few, the side that has fewer fragments is
 * held and the other comes one by one; with none, addresses are spilled: those of swizzled loads, then those of copies.
 * With more than one stage four loads stay ahead while nothing has to be spilled, and large steps keep ten at any price;
 * with one stage, where nothing else is under way, the compiler does without. Unpacked, a product takes four registers
 * until it is added: a fragment's group of 2 * held products needs 8 more, for the fragment, or they come one by one
 * (so in 411 of 417 loops as ptxas compiled them); a step of which all lower halves are multiplied first needs 64. */
static inline void ws_compiled_room(const ws_mainloop *loop, ws_work *work, int64_t spare) {
    const int per_step = work->loads_a + work->loads_b,
              held = work->loads_a < work->loads_b ? work->loads_a : work->loads_b, wanted = loop->unpacked ? 60 : 8,
              least = loop->stages == 1        ? held + 1
                      : per_step > 10          ? 10
                      : spare >= 0 && held < 3 ? 4
                                               : held + 1,
              addresses = ws_compiled_swizzled(loop) ? work->steps * per_step : 0,
              products = 8 * work->loads_a * work->loads_b;
    const int spilled = spare < wanted ? (int)(wanted - spare) : 0, first = spilled < addresses ? spilled : addresses;
    const double steps = spare < 0 ? 0 : (double)spare / (10 * per_step - 10) + 0.5;
    work->room = spare / 4 < least ? least : (int)(spare / 4);
    work->room = work->room > 2 * per_step ? 2 * per_step : work->room;
    work->by_columns = work->loads_a < work->loads_b && work->room < per_step;
    work->side_by_side = (int)(spare / 10);
    work->singly = loop->unpacked && spare < 8 * held + 8;
    work->full_steps = !loop->unpacked || spare < products + 64 ? 0 : steps < work->steps ? (int)steps : work->steps;
    work->copies_ahead = spare >= 4 * 14 ? 3 : spare >= 10 ? 2 : 1;
    work->load_reloads = loop->unpacked ? spilled : first;
    work->copy_reloads = spilled - first;
}

/* The work of a warp whose copies of A and B are so many, and an estimate of its registers. */
static inline ws_work ws_compiled_work(const ws_mainloop *loop, int copies_a, int copies_b, int64_t *registers) {
    ws_work work;
    int64_t fixed, spare, rows;
    work.stages = (int)loop->stages;
    work.steps = (int)(loop->k / (2 * ws_mainloop_piece(loop)));
    work.loads_a = (int)(loop->m / loop->warps_m / 16);
    work.loads_b = (int)(loop->n / loop->warps_n / 16);
    work.load_slots = !ws_compiled_swizzled(loop) || loop->stages < 2 ? 0 : loop->trans_b ? 2 : 1;
    work.copies_a = copies_a;
    work.copies_b = copies_b;
    work.unpacked = loop->unpacked;
    ws_compiled_uneven(loop, &work);
    fixed = (int64_t)work.loads_a * work.loads_b * (loop->narrow_sums ? 4 : 8) + ws_compiled_addresses(loop, &work);
    spare = ws_compiled_most_registers(loop->warps_m * loop->warps_n) - fixed;
    rows = ws_compiled_rows(loop, &work, spare);
    fixed += rows;
    ws_compiled_room(loop, &work, spare - rows);
    *registers = 8 + fixed + 4 * (int64_t)work.room;
    return work;
}

#endif
