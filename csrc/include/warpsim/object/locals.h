/* Local memory of threads, byte by byte: what is uninitialised, and which bytes a variable of a function that runs
 * has.
 *
 *     local memory of a thread:  parameters, results, .local variables | 16 bytes | the same of the callee ...
 *
 * A call puts the frame of the callee there, its return takes it away. Parameters and results are as initialised as what
 * they are copied from. */
#ifndef WARPSIM_OBJECT_LOCALS_H
#define WARPSIM_OBJECT_LOCALS_H

#include "../module/module.h"
#include "../cluster/setup.h"

/* A bit for each byte. */
typedef enum ws_local_plane {
    WS_LOCAL_UNWRITTEN = 0,
    WS_LOCAL_INSIDE, /* a variable has it that a register may point to */
    WS_LOCAL_FIRST,  /* it is the first one of such a variable */
    WS_LOCAL_PLANES
} ws_local_plane;

enum { WS_LOCAL_ORIGINS = 8 /* of 4 bytes each: a word's 32 */ };

/* The frame of a function as it begins. */
typedef struct ws_local_frame {
    uint32_t *bits; /* [words][planes] */
    uint32_t bytes;
    uint32_t results, passed; /* where its results begin, after the parameters, and where they end */
} ws_local_frame;

typedef struct ws_locals {
    uint32_t *bits;         /* [threads][words][planes]; words 0: no function has a frame */
    ws_local_frame *frames; /* of each callee */
    uint8_t *pointed;       /* of each variable of the module: whether registers may point to it */
    uint32_t *first, *next; /* the variables of each function of the module: a list through them */
    uint32_t
        *origins; /* [warps][words][WS_LOCAL_ORIGINS]: where 4 bytes were read that a lane has stored; 0: not known */
    uint32_t words;
    uint32_t used;  /* words that this cluster has used, at most */
    uint64_t spent; /* bytes of the planes that calls have set and nobody has counted yet */
} ws_locals;

/* Is it a variable of the frame of a callee? */
static inline bool ws_local_is_of(const ws_kernel *program, const ws_module *module, uint32_t callee,
                                  uint32_t variable) {
    const ws_variable *row = &module->variables[variable];
    const uint32_t function = program->callees[callee].function;
    if (row->function != function || program->offset_of[variable] == WS_NO_INDEX) return false;
    return row->space == WS_NAME_LOCAL || row->reg != WS_NO_INDEX ||
           (row->space == WS_NAME_PARAM && !(row->is_parameter && module->functions[function].is_entry));
}

static inline void ws_local_set(uint32_t *bits, uint32_t from, uint32_t to, ws_local_plane plane) {
    for (; from < to; from++) bits[from / 32 * WS_LOCAL_PLANES + (uint32_t)plane] |= UINT32_C(1) << from % 32;
}

/* The first variable of a callee; WS_NO_INDEX: none. */
static inline uint32_t ws_locals_first(const ws_locals *locals, const ws_kernel *program, uint32_t callee) {
    return locals->first[program->callees[callee].function];
}

static inline void ws_locals_list(ws_locals *locals, const ws_module *module) {
    uint32_t i;
    for (i = 0; i < module->function_count; i++) locals->first[i] = WS_NO_INDEX;
    for (i = module->variable_count; i-- > 0;) {
        const uint32_t function = module->variables[i].function;
        locals->next[i] = WS_NO_INDEX;
        if (function >= module->function_count) continue;
        locals->next[i] = locals->first[function];
        locals->first[function] = i;
    }
}

/* Registers point to variables in local memory, and to what is passed between functions only where the text takes its
 * address: else statements name it. */
static inline void ws_locals_point(ws_locals *locals, const ws_module *module) {
    uint32_t i, k;
    for (i = 0; i < module->variable_count; i++) locals->pointed[i] = module->variables[i].space == WS_NAME_LOCAL;
    for (i = 0; i < module->statement_count; i++) {
        const ws_statement *statement = &module->statements[i];
        for (k = 0; k < statement->item_count; k++) {
            const ws_item *item = &module->items[statement->first_item + k];
            if (item->kind == WS_ITEM_VARIABLE) locals->pointed[item->index] = 1;
        }
    }
}

static inline void ws_local_frame_fill(ws_local_frame *frame, const ws_locals *locals, const ws_kernel *program,
                                       const ws_module *module, uint32_t callee) {
    const ws_function *function = &module->functions[program->callees[callee].function];
    uint32_t i;
    for (i = 0; i < (frame->bytes + 31) / 32 * WS_LOCAL_PLANES; i++) frame->bits[i] = 0;
    for (i = ws_locals_first(locals, program, callee); i != WS_NO_INDEX; i = locals->next[i]) {
        const uint32_t at = program->offset_of[i], end = at + (uint32_t)module->variables[i].nbytes;
        if (at == end || !ws_local_is_of(program, module, callee, i)) continue;
        if (locals->pointed[i]) {
            ws_local_set(frame->bits, at, end, WS_LOCAL_INSIDE);
            ws_local_set(frame->bits, at, at + 1, WS_LOCAL_FIRST);
        }
        if (i - function->first_parameter < function->parameter_count) {
            if (frame->results < end) frame->results = end;
        } else {
            if (i - function->first_return < function->return_count && frame->passed < end) frame->passed = end;
            ws_local_set(frame->bits, at, end, WS_LOCAL_UNWRITTEN);
        }
    }
}

static inline void ws_locals_make(ws_locals *locals, const ws_launch *launch, const ws_module *module,
                                  ws_arena *arena) {
    const ws_kernel *program = launch->program;
    const uint32_t bytes = (uint32_t)ws_launch_stack(launch).locals;
    uint32_t i;
    locals->words = locals->used = 0;
    locals->spent = 0;
    locals->frames = (ws_local_frame *)ws_arena_take(arena, program->num_callees, sizeof(ws_local_frame));
    locals->pointed = (uint8_t *)ws_arena_take(arena, module->variable_count, 1);
    locals->first = (uint32_t *)ws_arena_take(arena, module->function_count, sizeof(uint32_t));
    locals->next = (uint32_t *)ws_arena_take(arena, module->variable_count, sizeof(uint32_t));
    if (locals->next != NULL) ws_locals_point(locals, module);
    if (locals->next != NULL) ws_locals_list(locals, module);
    for (i = 0; i < program->num_callees; i++) {
        ws_local_frame frame = {NULL, program->callees[i].locals, 0, 0};
        if (frame.bytes != 0) locals->words = (bytes + 31) / 32;
        frame.bits = (uint32_t *)ws_arena_take(arena, (size_t)(frame.bytes + 31) / 32 * WS_LOCAL_PLANES, 4);
        if (frame.bits != NULL && locals->next != NULL) ws_local_frame_fill(&frame, locals, program, module, i);
        if (locals->frames != NULL) locals->frames[i] = frame;
    }
    locals->bits = (uint32_t *)ws_arena_take(
        arena, (size_t)ws_launch_warps(launch) * ws_launch_ranks(launch) * WS_LANES * locals->words * WS_LOCAL_PLANES,
        sizeof(uint32_t));
    locals->origins = (uint32_t *)ws_arena_take(
        arena, (size_t)ws_launch_warps(launch) * ws_launch_ranks(launch) * locals->words * WS_LOCAL_ORIGINS,
        sizeof(uint32_t));
}

/* The words of a thread. */
static inline uint32_t *ws_locals_of(const ws_locals *locals, uint32_t warp, int lane) {
    return locals->bits + ((size_t)warp * WS_LANES + (uint32_t)lane) * locals->words * WS_LOCAL_PLANES;
}

/* Where 4 bytes of a warp's threads were read; NULL: beyond all frames. */
static inline uint32_t *ws_locals_origin(const ws_locals *locals, uint32_t warp, uint64_t at) {
    return at / 32 < locals->words ? &locals->origins[(size_t)warp * locals->words * WS_LOCAL_ORIGINS + at / 4] : NULL;
}

/* Bits of word `word` that lie in [from, to). */
static inline uint32_t ws_local_bits(uint32_t word, uint32_t from, uint32_t to) {
    const uint32_t first = word * 32, low = from > first ? from - first : 0, high = to > first ? to - first : 0;
    const uint32_t below = high >= 32 ? UINT32_MAX : (UINT32_C(1) << high) - 1;
    return low >= 32 ? 0 : below >> low << low;
}

/* Word `i` of a frame that is moved up by `shift` bits, fewer than 32. */
static inline uint32_t ws_local_moved(const ws_local_frame *frame, uint32_t i, uint32_t shift, uint32_t plane) {
    const uint32_t words = (frame->bytes + 31) / 32;
    const uint32_t here = i < words ? frame->bits[i * WS_LOCAL_PLANES + plane] : 0;
    const uint32_t below = i != 0 && shift != 0 ? frame->bits[(i - 1) * WS_LOCAL_PLANES + plane] >> (32 - shift) : 0;
    return here << shift | below;
}

/* A call of a function by lanes whose frame begins at `base`; `ends`: its return. What lies beyond the frame is left as it
 * is: so a recursion takes time in proportion to its depth. What is passed stays as uninitialised as it is. */
static inline void ws_locals_call(ws_locals *locals, uint32_t warp, uint32_t lanes, uint32_t callee, uint32_t base,
                                  bool ends) {
    const ws_local_frame *frame = &locals->frames[callee];
    const uint32_t frame_end = base + frame->bytes, words_end = (frame_end + 31) / 32, begin = base / 32;
    const uint32_t end = words_end < locals->words ? words_end : locals->words;
    const uint64_t spent =
        begin < end ? (uint64_t)(end - begin) * WS_LOCAL_PLANES * 4 * (uint32_t)ws_lane_count(lanes) : 0;
    const uint32_t from = ends ? base + frame->results : base, to = base + (ends ? frame->passed : frame->results);
    uint32_t at;
    if (locals->used < end) locals->used = end;
    for (at = base; at / 32 < end && at < frame_end; at += 4)
        if (at < from || at >= to) *ws_locals_origin(locals, warp, at) = 0;
    for (; lanes != 0 && begin < end; lanes &= lanes - 1) {
        uint32_t *words = ws_locals_of(locals, warp, ws_first_lane(lanes)), i, plane;
        for (i = begin; i < end; i++) {
            const uint32_t mask = ws_local_bits(i, base, frame_end);
            const uint32_t kept = words[i * WS_LOCAL_PLANES + WS_LOCAL_UNWRITTEN] & ws_local_bits(i, from, to);
            for (plane = 0; plane < (uint32_t)WS_LOCAL_PLANES; plane++) {
                uint32_t *word = &words[i * WS_LOCAL_PLANES + plane];
                *word = (*word & ~mask) | (ends ? 0 : ws_local_moved(frame, i - begin, base % 32, plane));
            }
            words[i * WS_LOCAL_PLANES + WS_LOCAL_UNWRITTEN] |= kept;
        }
    }
    locals->spent += spent;
}

/* A cluster begins: nothing but the kernel's frame. */
static inline void ws_locals_start(ws_locals *locals, uint32_t warps) {
    const uint32_t used = locals->used * WS_LOCAL_PLANES;
    uint32_t warp, i;
    int lane;
    locals->used = 0;
    for (warp = 0; warp < warps && locals->words != 0; warp++) {
        for (lane = 0; lane < WS_LANES; lane++) {
            uint32_t *words = ws_locals_of(locals, warp, lane);
            for (i = 0; i < used; i++) words[i] = 0;
        }
        ws_locals_call(locals, warp, WS_ALL_LANES, 0, 0, false);
    }
}

/* A lane accesses aligned bytes: those that are uninitialised, from bit 0 on; a write leaves none. */
static inline uint32_t ws_locals_access(const ws_locals *locals, uint32_t warp, int lane, uint64_t at, uint32_t nbytes,
                                        bool is_write) {
    const uint32_t bits = nbytes >= 32 ? UINT32_MAX : (UINT32_C(1) << nbytes) - 1;
    uint32_t *word, found;
    if (at / 32 >= locals->words || at % 32 + nbytes > 32) return 0;
    word = ws_locals_of(locals, warp, lane) + at / 32 * WS_LOCAL_PLANES;
    found = word[WS_LOCAL_UNWRITTEN] >> at % 32 & bits;
    if (is_write) word[WS_LOCAL_UNWRITTEN] &= ~(bits << at % 32);
    return found;
}

/* A lane stores an uninitialised value: aligned bytes. */
static inline void ws_locals_carry(const ws_locals *locals, uint32_t warp, int lane, uint64_t at, uint32_t nbytes) {
    const uint32_t bits = nbytes >= 32 ? UINT32_MAX : (UINT32_C(1) << nbytes) - 1;
    uint32_t *word;
    if (at / 32 >= locals->words || at % 32 + nbytes > 32) return;
    word = ws_locals_of(locals, warp, lane) + at / 32 * WS_LOCAL_PLANES;
    word[WS_LOCAL_UNWRITTEN] |= bits << at % 32;
}

/* A parameter or a result is copied. */
static inline void ws_locals_pass(const ws_locals *locals, uint32_t warp, int lane, uint32_t from, uint32_t to,
                                  uint32_t nbytes) {
    uint32_t *words = ws_locals_of(locals, warp, lane), i;
    if (((uint64_t)from + nbytes + 31) / 32 > locals->words || ((uint64_t)to + nbytes + 31) / 32 > locals->words)
        return;
    for (i = 0; i < nbytes; i++) {
        const uint32_t bit = words[(from + i) / 32 * WS_LOCAL_PLANES + WS_LOCAL_UNWRITTEN] >> (from + i) % 32 & 1;
        uint32_t *word = &words[(to + i) / 32 * WS_LOCAL_PLANES + WS_LOCAL_UNWRITTEN];
        *word = (*word & ~(UINT32_C(1) << (to + i) % 32)) | bit << (to + i) % 32;
        *ws_locals_origin(locals, warp, to + i) = *ws_locals_origin(locals, warp, from + i);
    }
}

/* Are the bytes of an aligned access those of one variable? */
static inline bool ws_locals_hold(const ws_locals *locals, uint32_t warp, int lane, uint64_t at, uint32_t nbytes) {
    const uint32_t bits = (nbytes >= 32 ? UINT32_MAX : (UINT32_C(1) << nbytes) - 1) << at % 32;
    const uint32_t *word;
    if (at / 32 >= locals->words) return false;
    word = ws_locals_of(locals, warp, lane) + at / 32 * WS_LOCAL_PLANES;
    return (bits & ~word[WS_LOCAL_INSIDE]) == 0 && (bits & (bits - 1) & word[WS_LOCAL_FIRST]) == 0;
}

#endif
