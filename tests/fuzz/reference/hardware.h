/* What an H200 was measured to do where PTX leaves the behaviour undefined; what nobody measured is unknown.
 *
 * Its dynamic shared memory begins at absolute address 1024; an allocation ends at the next multiple of 128. */
#ifndef REFERENCE_HARDWARE_H
#define REFERENCE_HARDWARE_H

#include "execute.h"

REFERENCE_BEGIN

typedef enum ref_outcome { REF_RUNS, REF_NOTHING, REF_TRAPS, REF_UNKNOWN } ref_outcome;

typedef struct ref_verdict {
    ref_outcome outcome;
    const char *code; /* of a trap; NULL: several were possible, and which came first was not measured */
} ref_verdict;

static const char *const ref_misaligned = "CUDA_ERROR_MISALIGNED_ADDRESS";
static const char *const ref_illegal_address = "CUDA_ERROR_ILLEGAL_ADDRESS";
static const char *const ref_illegal_instruction = "CUDA_ERROR_ILLEGAL_INSTRUCTION";

/* One access to shared memory: 2^24 first, then the end of the memory, then alignment. */
static inline const char *ref_shared_trap(const ref_memory *memory, const uint64_t at[32], uint32_t lanes, int width) {
    const uint64_t end = (memory->shared.base + memory->shared.nbytes + 127) / 128 * 128;
    bool space = false, bounds = false, aligned = true;
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (!ref_bit(lanes, lane)) continue;
        space |= at[lane] >= UINT64_C(1) << 24;
        bounds |= at[lane] + (uint64_t)width > end || at[lane] + (uint64_t)width < at[lane];
        aligned &= at[lane] % (uint64_t)width == 0;
    }
    return space ? ref_illegal_instruction : bounds ? ref_illegal_address : aligned ? NULL : ref_misaligned;
}

static inline ref_verdict ref_verdict_of(ref_outcome outcome, const char *code) {
    ref_verdict verdict;
    verdict.outcome = outcome;
    verdict.code = code;
    return verdict;
}

/* The first of the lowered accesses that cannot be done. */
static inline ref_verdict ref_hardware_wmma(const ref_form *f, const ref_lowering *all, const ref_memory *memory,
                                            const ref_issue *issue) {
    const uint32_t lanes = all->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << all->lanes) - 1;
    for (int i = 0; i < all->accesses; i++) {
        uint64_t at[REF_LANES];
        bool all_shared = true, bad = false;
        for (int lane = 0; lane < all->lanes; lane++) {
            const ref_where where =
                ref_place(memory, f, ref_access_address(f, all, &all->access[i], issue, lane), &at[lane]);
            all_shared &= where == REF_SHARED;
            bad |= at[lane] % (uint64_t)all->width != 0 ||
                   (where != REF_SHARED && !ref_holds(memory, where, at[lane], all->width));
            bad |= where == REF_SHARED && ref_shared_trap(memory, at, UINT32_C(1) << lane, all->width) != NULL;
        }
        if (all_shared) {
            const char *code = ref_shared_trap(memory, at, lanes, all->width);
            if (code != NULL) return ref_verdict_of(REF_TRAPS, code);
        } else if (bad) {
            return ref_verdict_of(REF_TRAPS, NULL);
        }
    }
    return ref_verdict_of(REF_RUNS, NULL);
}

/* `defined`: by PTX. */
static inline ref_verdict ref_hardware(const ref_form *f, const ref_lowering *all, const ref_memory *memory,
                                       const ref_issue *issue, bool defined) {
    const uint32_t running = issue->active & ~issue->exited;
    uint64_t at[REF_LANES];
    if (issue->active == 0) return ref_verdict_of(REF_NOTHING, NULL);
    if (defined && !(ref_is_wmma(f) && issue->target == 90)) return ref_verdict_of(REF_RUNS, NULL);
    if (issue->target != 90 || f->kind == REF_CP_ASYNC || f->kind == REF_MOVMATRIX)
        return ref_verdict_of(REF_UNKNOWN, NULL);
    if (ref_is_wmma(f)) {
        return running != UINT32_MAX ? ref_verdict_of(REF_UNKNOWN, NULL) : ref_hardware_wmma(f, all, memory, issue);
    }
    if (ref_is_matrix(f) && issue->exited != 0) return ref_verdict_of(REF_NOTHING, NULL);
    if (ref_is_matrix(f) && issue->active != UINT32_MAX) {
        return f->kind == REF_LDMATRIX ? ref_verdict_of(REF_NOTHING, NULL) : ref_verdict_of(REF_TRAPS, "HANG");
    }
    if (f->kind != REF_LDMATRIX && !f->shared) return ref_verdict_of(REF_UNKNOWN, NULL);
    for (int lane = 0; lane < f->lanes; lane++) {
        if (!ref_bit(running, lane)) continue;
        if (ref_place(memory, f, issue->address[lane], &at[lane]) == REF_SHARED) continue;
        at[lane] = issue->address[lane] & UINT32_MAX; /* ldmatrix: the upper half is dropped */
    }
    {
        const char *code =
            ref_shared_trap(memory, at, f->lanes == 32 ? running : running & ((UINT32_C(1) << f->lanes) - 1), f->width);
        return ref_verdict_of(code == NULL ? REF_RUNS : REF_TRAPS, code);
    }
}

/* The data of an issue that runs. */
static inline void ref_hardware_move(const ref_form *f, const ref_lowering *all, const ref_memory *memory,
                                     const ref_issue *issue, ref_registers registers) {
    ref_where where[REF_LANES];
    uint64_t at[REF_LANES];
    if (ref_is_wmma(f)) {
        ref_wmma_lowered(f, all, memory, issue, registers);
        return;
    }
    if (f->kind != REF_LDMATRIX) {
        ref_move(f, memory, issue, registers);
        return;
    }
    for (int lane = 0; lane < REF_LANES; lane++) {
        where[lane] = REF_SHARED;
        if (ref_place(memory, f, issue->address[lane], &at[lane]) != REF_SHARED)
            at[lane] = issue->address[lane] & UINT32_MAX;
    }
    ref_ldmatrix(f, memory, where, at, registers);
}

REFERENCE_END

#endif
