/* What a launch must end with, by the addresses that its lanes were given: computed without the engine. */
#ifndef FUZZ_LAUNCH_EXPECT_H
#define FUZZ_LAUNCH_EXPECT_H

#include "aim.h"

/* What is wrong with the lanes of one operation of a warp, a mask each; unsure: nobody says here what must happen. */
typedef struct expected {
    int op; /* -1: nothing is wrong */
    uint32_t outside, misaligned, read_only, unsure;
} expected;

typedef enum verdict { VERDICT_FINE, VERDICT_OUTSIDE, VERDICT_READ_ONLY, VERDICT_UNSURE } verdict;

/* Bytes that a launch may have changed. */
typedef struct may_write {
    uint8_t marks[AIM_REGIONS][1024], shared[2][4096];
    bool anything; /* some operation may have written anywhere in its memory */
} may_write;

static verdict expect_shared(const wrong_kernel *kernel, const fuzz_launch *launch, uint64_t at, uint32_t nbytes,
                             uint8_t **mark, may_write *may) {
    const uint64_t rank = at >> WS_RANK_SHIFT, offset = at % (1 << WS_RANK_SHIFT);
    if (rank >= kernel->ranks || nbytes > launch->shared_bytes || offset > launch->shared_bytes - nbytes)
        return VERDICT_OUTSIDE;
    *mark = may->shared[rank] + offset;
    return VERDICT_FINE;
}

static verdict expect_local(const wrong_kernel *kernel, uint64_t at, uint32_t nbytes) {
    const uint64_t begin = aim_local(kernel);
    if (at >= begin && at + nbytes <= begin + WRONG_LOCAL) return VERDICT_FINE;
    return at < 4096 ? VERDICT_UNSURE : VERDICT_OUTSIDE;
}

static verdict expect_global(const wrong_op *op, const fuzz_launch *launch, uint64_t at, uint8_t **mark,
                             may_write *may) {
    uint32_t i;
    for (i = 0; i < launch->count; i++) {
        const ws_region *region = &launch->regions[i];
        const uint64_t offset = at - region->base;
        if (offset >= region->nbytes || op->nbytes > region->nbytes - offset) continue;
        if (i == AIM_HEAP) return VERDICT_UNSURE;
        if (op->is_write && region->is_read_only) return VERDICT_READ_ONLY;
        if (i == AIM_PARAMETERS || (i == AIM_CONSTANT) != (op->space == WS_AT_CONST)) return VERDICT_UNSURE;
        if (i != AIM_TABLE && i != AIM_OUT) *mark = may->marks[i] + offset;
        return VERDICT_FINE;
    }
    return VERDICT_OUTSIDE;
}

/* Where one lane's address lies. `mark`: of its first byte, or NULL. */
static verdict expect_place(const wrong_kernel *kernel, const fuzz_launch *launch, const wrong_op *op, uint32_t rank,
                            uint64_t at, uint8_t **mark, may_write *may) {
    *mark = NULL;
    if (op->space == WS_AT_LOCAL) return expect_local(kernel, (uint32_t)at, op->nbytes);
    if (op->space == WS_AT_SHARED && (uint32_t)at >> WS_RANK_SHIFT != rank) return VERDICT_OUTSIDE;
    if (op->space == WS_AT_SHARED || op->space == WS_AT_CLUSTER)
        return expect_shared(kernel, launch, (uint32_t)at, op->nbytes, mark, may);
    if (op->space == WS_AT_GENERIC && at - WS_SHARED_WINDOW < WS_CLUSTER_WINDOW_BYTES)
        return expect_shared(kernel, launch, at - WS_SHARED_WINDOW, op->nbytes, mark, may);
    if (op->space == WS_AT_GENERIC && at - WS_LOCAL_WINDOW < WS_LOCAL_WINDOW_BYTES)
        return expect_local(kernel, at - WS_LOCAL_WINDOW, op->nbytes);
    return expect_global(op, launch, at, mark, may);
}

static void expect_note(expected *of, verdict said, uint32_t bit) {
    if (said == VERDICT_OUTSIDE) of->outside |= bit;
    if (said == VERDICT_READ_ONLY) of->read_only |= bit;
    if (said == VERDICT_UNSURE) of->unsure |= bit;
}

/* Lanes of a warp that execute an operation. */
static uint32_t expect_active(const wrong_kernel *kernel, const fuzz_launch *launch, uint32_t block, uint32_t warp,
                              int op) {
    uint32_t lane, active = 0;
    for (lane = 0; lane < WS_LANES && warp * WS_LANES + lane < kernel->threads; lane++)
        active |= (aim_entry(launch, block, warp * WS_LANES + lane, op)->flag & 1) << lane;
    return active;
}

/* One operation of a warp; what its lanes that are allowed write is marked. */
static expected expect_operation(const wrong_kernel *kernel, const fuzz_launch *launch, uint32_t block, uint32_t warp,
                                 int number, may_write *may) {
    const wrong_op *op = &kernel->ops[number];
    const uint32_t active = expect_active(kernel, launch, block, warp, number);
    const uint32_t named = op->rows != 0 && op->rows < WS_LANES ? (UINT32_C(1) << op->rows) - 1 : WS_ALL_LANES;
    wrong_op source = *op;
    expected of = {number, 0, 0, 0, 0};
    uint32_t left;
    source.space = WS_AT_GLOBAL;
    source.is_write = false;
    if (op->kind == WRONG_OTHER || (op->kind == WRONG_ROWS && active != 0 && active != WS_ALL_LANES)) {
        may->anything = may->anything || op->is_write;
        of.unsure = active;
        return of;
    }
    for (left = active & named; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)ws_first_lane(left), bit = UINT32_C(1) << lane;
        const wrong_entry *entry = aim_entry(launch, block, warp * WS_LANES + lane, number);
        const uint64_t at = entry->at + (uint64_t)op->offset;
        uint8_t *mark, *none;
        const verdict said = expect_place(kernel, launch, op, block % kernel->ranks, at, &mark, may);
        expect_note(&of, said, bit);
        if (op->kind == WRONG_COPY)
            expect_note(&of, expect_place(kernel, launch, &source, 0, entry->from, &none, may), bit);
        if (at % op->nbytes != 0 || (op->kind == WRONG_COPY && entry->from % op->nbytes != 0)) of.misaligned |= bit;
        else if (mark != NULL && op->is_write) memset(mark, 1, op->nbytes);
        if (said == VERDICT_UNSURE && op->is_write) may->anything = true;
    }
    return of;
}

/* The first operation of a warp that may not pass. */
static expected expect_warp(const wrong_kernel *kernel, const fuzz_launch *launch, uint32_t block, uint32_t warp,
                            may_write *may) {
    expected of = {-1, 0, 0, 0, 0};
    int op;
    for (op = 0; op < kernel->count; op++) {
        of = expect_operation(kernel, launch, block, warp, op, may);
        may->anything = may->anything || of.unsure != 0; /* it may go on */
        if ((of.outside | of.misaligned | of.read_only | of.unsure) != 0) return of;
    }
    of.op = -1;
    return of;
}

/* The stop of a warp that was expected to stop there: of a kind that some lane gives, at the lanes that give it. */
static void expect_stop(const wrong_kernel *kernel, const fuzz_left *left, const expected *of) {
    const wrong_op *op = &kernel->ops[of->op];
    const uint32_t at = kernel->decoded.module.statements[left->stop.statement].at;
    FUZZ_CHECK(at >= op->begin && at < op->end);
    if (op->kind == WRONG_ROWS) return; /* rules of their own: it was found */
    switch (left->stop.kind) {
        case WS_RUN_ALIGNMENT: FUZZ_CHECK_EQUAL(left->stop.lanes & ~of->misaligned, 0); break;
        case WS_RUN_BOUNDS: FUZZ_CHECK_EQUAL(left->stop.lanes & ~(of->outside | of->unsure), 0); break;
        case WS_RUN_READ_ONLY: FUZZ_CHECK_EQUAL(left->stop.lanes & ~of->read_only, 0); break;
        default: FUZZ_CHECK_EQUAL(left->stop.kind, of->outside != 0 ? WS_RUN_BOUNDS : WS_RUN_ALIGNMENT);
    }
    FUZZ_CHECK(left->stop.lanes != 0);
    if (left->stop.kind == WS_RUN_ALIGNMENT && op->kind != WRONG_COPY)
        FUZZ_CHECK_EQUAL(left->stop.lanes, of->misaligned);
    if (left->stop.kind == WS_RUN_BOUNDS && of->unsure == 0 && op->kind != WRONG_COPY)
        FUZZ_CHECK_EQUAL(left->stop.lanes, of->outside);
}

/* What nobody was allowed to write has not changed. */
static void expect_bytes(const wrong_kernel *kernel, const fuzz_launch *launch, const fuzz_left *left,
                         const may_write *may) {
    uint32_t i, k, changed = 0;
    for (i = 0; i < AIM_REGIONS; i++) {
        const uint8_t *now = (const uint8_t *)left->bytes[i].bytes, *before = launch->regions[i].bytes;
        if (launch->regions[i].is_read_only) FUZZ_CHECK(memcmp(now, before, aim_bytes[i]) == 0);
        for (k = 0; i < AIM_HEAP && k < aim_bytes[i]; k++)
            changed += (uint32_t)(!may->marks[i][k] && now[k] != before[k]);
    }
    for (i = 0; i < kernel->ranks; i++) {
        const uint8_t *now = (const uint8_t *)left->shared.bytes + i * (left->shared.count / kernel->ranks);
        for (k = 0; k < left->shared.count / kernel->ranks; k++)
            changed += (uint32_t)(!may->shared[i][k] && now[k] != 0);
    }
    FUZZ_CHECK(may->anything || changed == 0);
}

/* Do lanes of a plain store meet at one place with different values, as far as they are allowed? */
static bool expect_clash(const wrong_kernel *kernel, const fuzz_launch *launch, int number) {
    const wrong_op *op = &kernel->ops[number];
    const bool is_narrow = op->space == WS_AT_SHARED || op->space == WS_AT_CLUSTER; /* addresses of 32 bits */
    uint32_t block, warp, a, b;
    static may_write ignored;
    if (op->kind != WRONG_STORE || op->is_same || op->space == WS_AT_LOCAL) return false;
    for (block = 0; block < kernel->blocks; block++) {
        for (warp = 0; warp * WS_LANES < kernel->threads; warp++) {
            const expected of = expect_operation(kernel, launch, block, warp, number, &ignored);
            const uint32_t active =
                expect_active(kernel, launch, block, warp, number) & ~(of.outside | of.misaligned | of.read_only);
            for (a = 0; a < WS_LANES; a++) {
                const wrong_entry *one = aim_entry(launch, block, warp * WS_LANES + a, number);
                const uint64_t local = one->at + (uint64_t)op->offset - WS_LOCAL_WINDOW;
                if (op->space == WS_AT_GENERIC && local < WS_LOCAL_WINDOW_BYTES) continue;
                for (b = 0; b < a && (active >> a & 1); b++) {
                    const uint64_t apart = one->at - aim_entry(launch, block, warp * WS_LANES + b, number)->at;
                    if ((active >> b & 1) && (is_narrow ? (uint32_t)apart : apart) == 0) return true;
                }
            }
        }
    }
    return false;
}

static void expect_clashes(const wrong_kernel *kernel, const fuzz_launch *launch, const fuzz_left *left, bool is_sure) {
    bool told[WRONG_OPS] = {false};
    uint32_t i;
    int op;
    for (i = 0; i < WS_FOUND_CAPACITY; i++) {
        const ws_found *row = &left->check.judge.found.rows[i];
        uint32_t at;
        if (row->count == 0 || row->rule != WS_RUN_CLASH) continue;
        at = kernel->decoded.module.statements[kernel->decoded.programs[0].steps[row->step].statement].at;
        for (op = 0; op < kernel->count; op++)
            if (at >= kernel->ops[op].begin && at < kernel->ops[op].end) told[op] = true;
    }
    for (op = 0; op < kernel->count; op++) {
        const bool clash = expect_clash(kernel, launch, op);
        if (kernel->ops[op].kind != WRONG_STORE) continue;
        if (told[op]) FUZZ_CHECK(clash);
        if (is_sure) FUZZ_CHECK_EQUAL(told[op], clash);
    }
}

/* All of it. */
static void expect_launch(const wrong_kernel *kernel, const fuzz_launch *launch, const fuzz_left *left) {
    static may_write may;
    bool wrong = false, unsure = false, is_there = left->stop.kind == WS_RUN_NONE;
    uint32_t block, warp;
    memset(&may, 0, sizeof may);
    for (block = 0; block < kernel->blocks; block++) {
        for (warp = 0; warp * WS_LANES < kernel->threads; warp++) {
            const expected of = expect_warp(kernel, launch, block, warp, &may);
            const bool is_wrong = (of.outside | of.misaligned | of.read_only) != 0;
            wrong = wrong || is_wrong;
            unsure = unsure || of.unsure != 0;
            if (left->block[0] != block || left->stop.warp != warp || is_there) continue;
            is_there = true;
            FUZZ_CHECK(of.op >= 0);
            if (is_wrong && !(of.unsure & ~(of.outside | of.misaligned | of.read_only))) expect_stop(kernel, left, &of);
        }
    }
    FUZZ_CHECK(is_there);
    if (wrong) FUZZ_CHECK(left->stop.kind != WS_RUN_NONE);
    if (!wrong && !unsure) FUZZ_CHECK_EQUAL(left->stop.kind, WS_RUN_NONE);
    expect_bytes(kernel, launch, left, &may);
    if (left->is_checked)
        expect_clashes(kernel, launch, left, left->stop.kind == WS_RUN_NONE && !unsure && left->ended);
}

#endif
