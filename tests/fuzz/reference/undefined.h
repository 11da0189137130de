/* What PTX leaves undefined about one issue: rule by rule, lane by lane.
 *
 * Order: the warp's own findings, then by lane; in a lane its state, misalignment, bounds. An empty mask executes nothing. */
#ifndef REFERENCE_UNDEFINED_H
#define REFERENCE_UNDEFINED_H

#include "memory.h"

REFERENCE_BEGIN

typedef struct ref_finding {
    char rule[12]; /* "WS-LDM-001" */
    int lane;      /* -1: the warp's */
    bool has_address;
    uint64_t address;
} ref_finding;

enum { REF_MOST_FINDINGS = 32 * 4 + 40 };

typedef struct ref_findings {
    ref_finding item[REF_MOST_FINDINGS];
    int count;
    bool error; /* one of them is an error, not a warning */
} ref_findings;

/* Conditions, and their numbers among the rules of each instruction. */
typedef enum ref_fault {
    REF_MISALIGNED,
    REF_BOUNDS,
    REF_NON_SHARED,
    REF_NOT_ANYWHERE,
    REF_INACTIVE,
    REF_EXITED,
    REF_UNUSED_LANE,
    REF_SOURCE_MISALIGNED,
    REF_SOURCE_BOUNDS,
    REF_EQUAL,
    REF_STRIDE_ALIGNMENT,
    REF_STRIDE_SMALL,
    REF_STRIDE_FRAGMENT,
    REF_LANES_P,
    REF_LANES_STRIDE,
    REF_FAULTS
} ref_fault;

static inline void ref_found(ref_findings *all, const ref_form *f, ref_fault fault, int lane, const uint64_t *address) {
    static const char *const names[] = {"LDM", "STM", "MOV", "LD", "ST", "CPA", "WML", "WMS"};
    static const int numbers[][REF_FAULTS] = {
        {1, 2, 3, 0, 4, 5, 7, 0, 0, 0, 0, 0, 0, 0, 0},  {1, 2, 3, 0, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0},  {1, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {1, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},  {1, 2, 0, 0, 0, 0, 0, 3, 4, 5, 0, 0, 0, 0, 0},
        {1, 5, 0, 6, 9, 10, 0, 0, 0, 0, 2, 3, 4, 7, 8}, {1, 5, 0, 6, 9, 10, 0, 0, 0, 0, 2, 3, 4, 7, 8}};
    ref_finding *one = &all->item[all->count++];
    const int number = numbers[f->kind][fault];
    if (number == 0 || all->count > REF_MOST_FINDINGS) abort();
    snprintf(one->rule, sizeof one->rule, "WS-%s-%03d", names[f->kind], number % 1000);
    one->lane = lane;
    one->has_address = address != NULL;
    one->address = address != NULL ? *address : 0;
    all->error |= fault != REF_EQUAL && fault != REF_STRIDE_FRAGMENT;
}

/* What is wrong with one access. */
static inline bool ref_is_outside(const ref_form *f, const ref_memory *memory, uint64_t address, int width,
                                  ref_fault *fault) {
    uint64_t inside;
    const ref_where where = ref_place(memory, f, address, &inside);
    *fault = REF_BOUNDS;
    if (ref_is_matrix(f) && where != REF_SHARED) *fault = REF_NON_SHARED;
    else if (where == REF_NOWHERE) *fault = REF_NOT_ANYWHERE;
    else return !ref_holds(memory, where, inside, width);
    return true;
}

static inline void ref_check_lane(const ref_form *f, const ref_memory *memory, const ref_issue *issue, int lane,
                                  ref_findings *all) {
    const uint64_t address = issue->address[lane], source = issue->source[lane];
    const uint64_t width = (uint64_t)f->width;
    ref_fault fault;
    if (address % width != 0) ref_found(all, f, REF_MISALIGNED, lane, &address);
    if (f->kind == REF_CP_ASYNC && source % width != 0) ref_found(all, f, REF_SOURCE_MISALIGNED, lane, &source);
    if (ref_is_outside(f, memory, address, f->width, &fault)) ref_found(all, f, fault, lane, &address);
    if (f->kind != REF_CP_ASYNC) return;
    if (!ref_holds(memory, REF_GLOBAL, source, f->width)) ref_found(all, f, REF_SOURCE_BOUNDS, lane, &source);
    for (int lower = 0; f->is_cg && lower < lane; lower++) {
        if (!ref_bit(issue->active & ~issue->exited, lower) || issue->address[lower] != address) continue;
        ref_found(all, f, REF_EQUAL, lane, &address);
        break;
    }
}

static inline void ref_check_lanes(const ref_form *f, const ref_memory *memory, const ref_issue *issue,
                                   ref_findings *all) {
    for (int lane = 0; lane < REF_LANES; lane++) {
        ref_fault fault;
        if (!ref_bit(issue->active & ~issue->exited, lane)) {
            if (ref_is_warp_wide(f))
                ref_found(all, f, ref_bit(issue->exited, lane) ? REF_EXITED : REF_INACTIVE, lane, NULL);
        } else if (lane < f->lanes) {
            ref_check_lane(f, memory, issue, lane, all);
        } else if (f->kind == REF_LDMATRIX && issue->target != 0 && issue->target <= 75) {
            const uint64_t address = issue->address[lane];
            if (address % (uint64_t)f->width != 0 || ref_is_outside(f, memory, address, f->width, &fault)) {
                ref_found(all, f, REF_UNUSED_LANE, lane, &address);
            }
        }
    }
}

/* p and stride of a lane; `named`: -1 for the whole warp. */
static inline void ref_check_operands(const ref_form *f, const ref_issue *issue, int lane, int named,
                                      ref_findings *all) {
    const uint64_t p = issue->address[lane], stride = issue->stride[lane], bits = stride * (uint64_t)f->bits;
    const uint64_t fragment = (uint64_t)f->width, piece = fragment < 16 ? fragment : 16;
    if (p % fragment != 0) ref_found(all, f, REF_MISALIGNED, named, &p);
    if (stride == (uint64_t)f->line_elements) return; /* the default is never a finding */
    if (stride < (uint64_t)f->line_elements || stride > INT32_MAX) ref_found(all, f, REF_STRIDE_SMALL, named, NULL);
    else if (bits % (8 * piece) != 0) ref_found(all, f, REF_STRIDE_ALIGNMENT, named, NULL);
    else if (bits % (8 * fragment) != 0) ref_found(all, f, REF_STRIDE_FRAGMENT, named, NULL);
}

/* For every line, the lowest lane that holds an element of it. */
static inline void ref_lowest_holders(const ref_form *f, bool sm_75, int holder[32]) {
    int line, index;
    for (int lane = REF_LANES - 1; lane >= 0; lane--) {
        for (int i = 0; i < ref_wmma_values(f); i++) {
            ref_wmma_place(f, lane, i, sm_75, &line, &index);
            holder[line] = lane;
        }
    }
}

static inline void ref_check_wmma(const ref_form *f, const ref_memory *memory, const ref_issue *issue,
                                  ref_findings *all) {
    const uint32_t running = issue->active & ~issue->exited;
    bool p_differs = false, stride_differs = false, outside[32] = {false}, any = false;
    ref_fault fault[32];
    int first = 0, holder[32];
    while (first < REF_LANES - 1 && !ref_bit(running, first)) first++;
    for (int lane = 0; lane < REF_LANES; lane++) {
        p_differs |= ref_bit(running, lane) && issue->address[lane] != issue->address[first];
        stride_differs |= ref_bit(running, lane) && issue->stride[lane] != issue->stride[first];
    }
    if (running != 0 && !p_differs && !stride_differs) {
        ref_check_operands(f, issue, first, -1, all);
        for (int line = 0; line < f->lines; line++) {
            const uint64_t begin =
                issue->address[first] + (uint64_t)line * issue->stride[first] * (uint64_t)f->bits / 8;
            outside[line] = ref_is_outside(f, memory, begin, f->line_elements * f->bits / 8, &fault[line]);
            any |= outside[line];
        }
    }
    if (any) ref_lowest_holders(f, issue->target == 75, holder);
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (!ref_bit(running, lane)) {
            ref_found(all, f, ref_bit(issue->exited, lane) ? REF_EXITED : REF_INACTIVE, lane, NULL);
        } else if (p_differs || stride_differs) {
            if (issue->address[lane] != issue->address[first])
                ref_found(all, f, REF_LANES_P, lane, &issue->address[lane]);
            if (issue->stride[lane] != issue->stride[first]) ref_found(all, f, REF_LANES_STRIDE, lane, NULL);
            ref_check_operands(f, issue, lane, lane, all);
        }
        for (int line = 0; any && line < f->lines;
             line++) { /* rows of the matrix that are not inside one memory: their lowest holder's */
            const uint64_t begin =
                issue->address[first] + (uint64_t)line * issue->stride[first] * (uint64_t)f->bits / 8;
            if (outside[line] && holder[line] == lane) ref_found(all, f, fault[line], lane, &begin);
        }
    }
}

static inline void ref_check(const ref_form *f, const ref_memory *memory, const ref_issue *issue, ref_findings *all) {
    all->count = 0;
    all->error = false;
    if (issue->active == 0) return;
    if (ref_is_wmma(f)) ref_check_wmma(f, memory, issue, all);
    else ref_check_lanes(f, memory, issue, all);
}

REFERENCE_END

#endif
