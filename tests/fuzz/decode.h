/* Bytes -> an instruction, the memory, and what a few warps ask of it. Most cases are deep in: aligned and inside, with a few faults. */
#ifndef DECODE_H
#define DECODE_H

#include "fuzz.h"
#include "reference/lowering.h"

enum { FUZZ_WARPS = 3 /* that differ */, FUZZ_MOST_WARPS = 300 };

static ws_op fuzz_ops[REF_FORMS];

/* Once: the core's instruction of each form of the reference. */
static inline void fuzz_ops_make(void) {
    if (fuzz_ops[0].kind != WS_KIND_NONE) return;
    for (int i = 0; i < REF_FORMS; i++) {
        char text[128];
        ws_error error;
        ref_form_text(&ref_forms[i], text, sizeof text);
        FUZZ_CHECK_EQUAL(ws_parse(text, &fuzz_ops[i], &error), WS_OK);
    }
}

typedef struct fuzz_case {
    int number; /* of the form */
    const ref_form *form;
    const ws_op *op;
    size_t n;      /* warps: the issues one after another, again and again */
    int different; /* issues */
    ref_issue issue[FUZZ_WARPS];
    int target; /* row of ws_target, or WS_NO_TARGET */
    int address_bytes, address_lanes, stride_lanes;
    bool has_source, has_active, has_exited, has_stride;
    uint64_t shared_bytes, shared_base, global_bytes, global_base, window;
    bool has_shared, has_global;
    uint8_t seed;
} fuzz_case;

static inline void fuzz_take_form(fuzz_input *in, fuzz_case *c) {
    fuzz_ops_make();
    c->number = fuzz_below(in, REF_FORMS);
    c->form = &ref_forms[c->number];
    c->op = &fuzz_ops[c->number];
}

static inline void fuzz_take_memory(fuzz_input *in, fuzz_case *c) {
    static const uint16_t sizes[] = {2048, 4096, 1024, 1000, 512, 200, 128, 24, 16, 1};
    static const uint64_t shared_bases[] = {0, 0, 1024, 8, 0xFFF000, UINT64_C(0x100000000) - 4096};
    static const uint64_t global_bases[] = {UINT64_C(0x7f0000000000),
                                            UINT64_C(0x7f0000000000),
                                            4096,
                                            0,
                                            UINT64_C(0x7ffefffff800),
                                            UINT64_C(0x7fff00000000) + 0x1000000 - 64,
                                            UINT64_MAX - 4095,
                                            UINT64_C(0xFFFFF800)};
    static const uint64_t windows[] = {WS_SHARED_WINDOW, WS_SHARED_WINDOW, UINT64_C(0x7f1234000000), 0,
                                       UINT64_MAX - 0xFFFFFF};
    const uint8_t which = fuzz_u8(in);
    c->shared_bytes = FUZZ_CHOOSE(in, sizes);
    c->shared_base = FUZZ_CHOOSE(in, shared_bases);
    c->global_bytes = FUZZ_CHOOSE(in, sizes);
    c->global_base = FUZZ_CHOOSE(in, global_bases);
    c->window = FUZZ_CHOOSE(in, windows);
    c->has_shared = which % 16 != 15;
    c->has_global = which / 16 != 15;
    if (which % 16 == 14) c->shared_bytes = fuzz_u16(in) % 4096u + 1u;
    c->seed = fuzz_u8(in);
}

/* One address for each lane: slots of the memory by a pattern, then what is wrong on purpose. */
static inline void fuzz_take_addresses(fuzz_input *in, uint64_t base, uint64_t nbytes, uint64_t width, bool wide,
                                       uint64_t address[REF_LANES]) {
    static const uint16_t pitches[] = {1, 2, 4, 8, 16, 32, 3, 5, 9, 17, 33, 64, 128, 0, 7, 12};
    const uint8_t pattern = fuzz_u8(in), faults = fuzz_u8(in);
    const uint64_t slots = nbytes / width > 0 ? nbytes / width : 1, start = fuzz_u16(in);
    const uint64_t pitch = FUZZ_CHOOSE(in, pitches), step = FUZZ_CHOOSE(in, pitches),
                   rows = UINT64_C(1) << (pattern / 8 % 6);
    const uint64_t begin = (base + width - 1) / width * width, unit = pattern / 64 == 3 ? 1 : width;
    uint64_t random = start * 256 + pitch;
    for (int lane = 0; lane < REF_LANES; lane++) {
        const uint64_t l = (uint64_t)lane;
        uint64_t slot = start + l % rows * pitch + l / rows * step;
        switch (pattern % 8) {
            case 1: slot = start + (l & ~UINT64_C(1)) * pitch; break;
            case 2: slot = start + (l & ~UINT64_C(2)) * pitch + l / 16 * step; break;
            case 3: slot = check_random(&random); break;
            case 4: slot = start + l % rows * pitch + (l / rows ^ (l % rows)) * step; break;
            case 5: slot = start + check_random(&random) % 4 * pitch; break;
            case 6: slot = start + (pitch == 0 ? 0 : l / pitch); break;
            default: break;
        }
        address[lane] = unit == width ? begin + slot % slots * width : base + slot % (nbytes + 16);
    }
    for (int i = 0; i < faults % 8 - 4; i++) {
        const uint8_t kind = fuzz_u8(in), which = fuzz_u8(in) % REF_LANES;
        const uint64_t end = base + nbytes, small = kind / 8;
        switch (kind % 8) {
            case 0: address[which] += small; break;
            case 1: address[which] = end - small; break;
            case 2: address[which] = end / width * width; break;
            case 3: address[which] = base - small; break;
            case 4: address[which] = (wide ? UINT64_MAX : UINT32_MAX) - small; break;
            case 5: address[which] = (wide ? UINT64_MAX : UINT32_MAX) / width * width; break;
            case 6: address[which] = address[which ^ 1]; break;
            default: address[which] = wide ? fuzz_u64(in) : fuzz_u32(in);
        }
    }
    if (faults >= 240) { /* all at once somewhere else */
        const uint64_t shift = wide ? fuzz_u64(in) : fuzz_u32(in);
        for (int lane = 0; lane < REF_LANES; lane++) address[lane] += shift;
    }
    for (int lane = 0; lane < REF_LANES && !wide; lane++) address[lane] &= UINT32_MAX;
}

static inline uint32_t fuzz_take_mask(fuzz_input *in, uint8_t kind) {
    static const uint32_t masks[] = {0xFFFFFFFF, 0, 0xFFFF,     0xFFFF0000, 0x55555555,
                                     0xFF00FF00, 1, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFE};
    if (kind % 4 != 3) return UINT32_MAX;
    return kind / 4 % 2 == 0 ? FUZZ_CHOOSE(in, masks) : fuzz_u32(in);
}

/* Stride of wmma: the default, paddings, and anything. */
static inline uint32_t fuzz_take_stride(fuzz_input *in, const ref_form *f) {
    const uint32_t least = (uint32_t)f->line_elements;
    const uint8_t kind = fuzz_u8(in);
    switch (kind % 8) {
        case 0: return least;
        case 1: return least + kind / 8u;
        case 2: return least + kind / 8u * (uint32_t)(f->width * 8 / f->bits);
        case 3: return least + kind / 8u * (uint32_t)(f->bits < 16 ? 128 / f->bits : 8);
        case 4: return least - kind / 8u;
        case 5: return kind / 8u;
        case 6: return fuzz_u32(in);
        default: return (least + fuzz_u8(in)) & ~7u;
    }
}

/* The addresses of one warp; generic ones in the shared window or (where the form may) in global memory. */
static inline void fuzz_take_places(fuzz_input *in, const fuzz_case *c, ref_issue *issue) {
    const ref_form *f = c->form;
    const uint64_t width = f->width > 0 ? (uint64_t)f->width : 1;
    const uint8_t kind = fuzz_u8(in);
    const bool wide = c->address_bytes == 8, generic = !f->shared && !f->global && f->kind != REF_MOVMATRIX;
    const bool to_global = f->global || (generic && kind % 4 == 3);
    fuzz_take_addresses(in, to_global ? c->global_base : c->shared_base, to_global ? c->global_bytes : c->shared_bytes,
                        width, wide, issue->address);
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (!generic || to_global) continue;
        if (kind % 4 == 2 && lane % 3 == 0) issue->address[lane] += c->global_base - c->shared_base;
        else issue->address[lane] += c->window;
    }
    for (int lane = f->lanes; lane < REF_LANES && kind / 4 % 4 == 3 && !ref_is_wmma(f);
         lane++) { /* lanes that supply no address */
        issue->address[lane] = UINT64_C(0x5bd1e9955bd1e995) * (uint64_t)(lane + kind);
    }
    for (int lane = 0; lane < REF_LANES && ref_is_wmma(f) && (c->address_lanes == 1 || kind < 224); lane++) {
        issue->address[lane] = issue->address[0];
    }
    for (int lane = 0; lane < REF_LANES && !wide; lane++) issue->address[lane] &= UINT32_MAX;
    for (int lane = 0; lane < REF_LANES; lane++)
        issue->source[lane] = (uint64_t)(lane * f->size); /* what cp.async takes without */
    if (c->has_source) fuzz_take_addresses(in, c->global_base, c->global_bytes, width, true, issue->source);
    for (int lane = 0; lane < REF_LANES; lane++) issue->stride[lane] = (uint32_t)f->line_elements;
    if (!c->has_stride) return;
    issue->stride[0] = fuzz_take_stride(in, f);
    for (int lane = 1; lane < REF_LANES; lane++) issue->stride[lane] = issue->stride[0];
    if (c->stride_lanes == 32 && kind % 32 == 5) issue->stride[fuzz_u8(in) % 32] = fuzz_take_stride(in, f);
}

static inline void fuzz_take_issues(fuzz_input *in, fuzz_case *c) {
    const uint8_t shape = fuzz_u8(in), mask = fuzz_u8(in), target = fuzz_u8(in);
    const ref_form *f = c->form;
    c->target = target % 4 == 3   ? target / 4 % WS_TARGET_COUNT
                : target % 4 == 2 ? ws_target_find("sm_75")
                                  : WS_NO_TARGET;
    if (ref_is_wmma(f) && c->target != WS_NO_TARGET && ws_target(c->target)->number < 80 && f->lowering[1] == NULL) {
        c->target = WS_NO_TARGET; /* sm_75 does not have the form */
    }
    c->different = shape % 8 < 5 ? 1 : shape % 8 < 7 ? 2 : 3;
    c->n = shape / 8 % 4 < 3 ? (size_t)c->different : (size_t)c->different + shape / 32u;
    c->address_bytes = (f->shared) != (mask / 8 % 8 == 7) ? 4 : 8;
    c->address_lanes = ref_is_wmma(f) && mask % 2 == 0 ? 1 : 32;
    c->has_stride = ref_is_wmma(f) && mask / 2 % 2 == 1;
    c->stride_lanes = mask / 4 % 2 == 1 ? 32 : 1;
    c->has_source = f->kind == REF_CP_ASYNC && mask % 4 != 3;
    c->has_active = mask / 64 % 2 == 1;
    c->has_exited = mask / 128 == 1;
    for (int i = 0; i < c->different; i++) {
        ref_issue *issue = &c->issue[i];
        const uint8_t kind = c->has_active || c->has_exited ? fuzz_u8(in) : 0;
        issue->active = c->has_active ? fuzz_take_mask(in, kind) : UINT32_MAX;
        issue->exited = c->has_exited ? ~fuzz_take_mask(in, kind / 8) : 0;
        issue->target = c->target == WS_NO_TARGET ? 0 : ws_target(c->target)->number;
        fuzz_take_places(in, c, issue);
    }
}

/* The arrays of an access, blocks of exactly their size. */
typedef struct fuzz_access {
    ws_access access;
    void *address;
    uint64_t *source;
    uint32_t *active, *exited, *stride;
} fuzz_access;

static inline void fuzz_access_fill(const fuzz_case *c, size_t warp, fuzz_access *a) {
    const ref_issue *issue = &c->issue[warp % (size_t)c->different];
    const size_t lanes = (size_t)c->address_lanes;
    for (size_t lane = 0; lane < lanes && a->address != NULL; lane++) {
        if (c->address_bytes == 8) ((uint64_t *)a->address)[warp * lanes + lane] = issue->address[lane];
        else ((uint32_t *)a->address)[warp * lanes + lane] = (uint32_t)issue->address[lane];
    }
    for (size_t lane = 0; lane < REF_LANES && c->has_source; lane++)
        a->source[warp * REF_LANES + lane] = issue->source[lane];
    for (size_t lane = 0; lane < (size_t)c->stride_lanes && c->has_stride; lane++) {
        a->stride[warp * (size_t)c->stride_lanes + lane] = issue->stride[lane];
    }
    if (c->has_active) a->active[warp] = issue->active;
    if (c->has_exited) a->exited[warp] = issue->exited;
}

static inline fuzz_access fuzz_access_make(const fuzz_case *c, size_t n) {
    fuzz_access a;
    a.address = c->form->kind == REF_MOVMATRIX ? NULL : fuzz_block(n * (size_t)(c->address_lanes * c->address_bytes));
    a.source = c->has_source ? (uint64_t *)fuzz_block(n * REF_LANES * sizeof(uint64_t)) : NULL;
    a.active = c->has_active ? (uint32_t *)fuzz_block(n * sizeof(uint32_t)) : NULL;
    a.exited = c->has_exited ? (uint32_t *)fuzz_block(n * sizeof(uint32_t)) : NULL;
    a.stride = c->has_stride ? (uint32_t *)fuzz_block(n * (size_t)c->stride_lanes * sizeof(uint32_t)) : NULL;
    for (size_t warp = 0; warp < n; warp++) fuzz_access_fill(c, warp, &a);
    a.access = ws_access_make_any(a.address, c->address_bytes, n);
    a.access.address_lanes = c->address_lanes;
    a.access.source = a.source;
    a.access.active = a.active;
    a.access.exited = a.exited;
    a.access.stride = a.stride;
    a.access.stride_lanes = c->stride_lanes;
    a.access.target = c->target;
    a.access.shared_window = c->window;
    return a;
}

static inline void fuzz_access_free(fuzz_access *a) {
    free(a->address);
    free(a->source);
    free(a->active);
    free(a->exited);
    free(a->stride);
}

#endif
