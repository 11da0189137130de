/* What to do about what ended a launch, in a sentence. */
#ifndef WARPSIM_FINDING_STOP_FIX_H
#define WARPSIM_FINDING_STOP_FIX_H

#include "stop.h"

#if WS_BODIES

enum { WS_STOP_INITS = 4 };

static inline const char *ws_stop_refusal_fix(const ws_stop *stop) {
    static const char *const fixes[] = {
        "",
        "Copy a multiple of 16 bytes: pad the rows, or copy the rest by the threads.",
        "Pass the tensor map that cuTensorMapEncodeTiled made, by value as a const __grid_constant__ CUtensorMap.",
        "Name as many coordinates as the tensor map has dimensions.",
        "Make the tensor map for the mode of the instruction: cuTensorMapEncodeTiled, or cuTensorMapEncodeIm2col.",
        "Reduce with an operation that takes the type of the tensor map.",
        "Begin at a multiple of 16 bytes innermost: move the box, or pad the rows of the tensor.",
        "Begin the store inside the tensor: boxes may only end outside of it.",
        "Begin between the corners that the tensor map was made with, and those of a store inside the tensor."};
    return fixes[stop->refusal];
}

/* Does nobody stand at a barrier, or wait for lanes or for an object? */
static inline bool ws_stop_is_loop(const ws_waits *waits) {
    uint32_t rank, i;
    int k;
    for (rank = 0; rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++) {
            const ws_warp *warp = &waits->blocks[rank].warps[i];
            if (warp->groups != 0 && warp->waits_for != WS_NONE) return false;
            for (k = 0; k < warp->groups; k++) {
                if (warp->group[k].state != WS_GROUP_RUNS) return false;
            }
        }
    }
    return true;
}

/* Do warps wait for mbarrier objects? */
static inline bool ws_stop_has_object(const ws_waits *waits) {
    uint32_t rank, i;
    int k;
    for (rank = 0; rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++) {
            const ws_warp *warp = &waits->blocks[rank].warps[i];
            for (k = 0; k < warp->groups && warp->waits_for != WS_NONE; k++) {
                if (warp->group[k].state == WS_GROUP_RUNS) return true;
            }
        }
    }
    return false;
}

/* Do lanes wait for lanes of their warp? */
static inline bool ws_stop_has_members(const ws_waits *waits) {
    uint32_t rank, i;
    int k;
    for (rank = 0; rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++) {
            const ws_warp *warp = &waits->blocks[rank].warps[i];
            for (k = 0; k < warp->groups; k++) {
                if (warp->group[k].state == WS_GROUP_AT_MEMBERS) return true;
            }
        }
    }
    return false;
}

/* Is it an access to dynamic shared memory, of which the launch gives none? */
static inline bool ws_stop_lacks_shared(const ws_teller *teller, const ws_stop *stop, const ws_launch *launch) {
    const ws_module *module = teller->module;
    const bool is_beyond = stop->kind == WS_RUN_BOUNDS && ws_where_is_shared(stop->space, stop->address) &&
                           launch->shared_bytes <= teller->program->static_shared_bytes;
    uint32_t i;
    for (i = 0; is_beyond && i < module->variable_count; i++) {
        if (module->variables[i].space == WS_NAME_SHARED && module->variables[i].linkage == WS_LINKAGE_EXTERN)
            return true;
    }
    return false;
}

/* A trap that the source does not name; false: it does. */
static inline bool ws_stop_add_trap(const ws_teller *teller, const ws_stop *stop, ws_text *text) {
    const ws_module *module = teller->module;
    const uint32_t own = ws_source_location(module, stop->statement);
    ws_span name = {0, 0};
    if (own != WS_NO_INDEX && ws_location_is_known(module, own)) name = module->files[module->locations[own].file].name;
    if (name.begin == name.end) {
        if (!ws_language_is_made(module, "NVIDIA NVVM") && !ws_language_is_made(module, "LLVM NVPTX")) return false;
        ws_text_add(text,
                    "The text names no line of a source for it: either the source says so (__trap(), an assertion), or"
                    " the compiler put it where what the source does is undefined; its warnings say what.");
        return true;
    }
    if (!ws_path_has(module->text + name.begin, name.end - name.begin, "/cooperative_groups")) return false;
    ws_text_add(text,
                "Cooperative groups refuse this call: compare the group and its size with the threads that come here;"
                " what meets over the whole grid needs a workspace (cooperative=True, --cooperative).");
    return true;
}

/* " (line 36 (ring.cu:20), line 41 (ring.cu:21))": where mbarrier objects are made. */
static inline void ws_stop_add_inits(const ws_teller *teller, ws_text *text) {
    const ws_kernel *program = teller->program;
    uint32_t named = 0, i;
    for (i = 0; i < program->num_steps && named < WS_STOP_INITS; i++) {
        if (program->meant[i].event != WS_EVENT_OBJECT_INIT) continue;
        ws_text_add(text, named++ == 0 ? " (" : ", ");
        ws_teller_add_line(teller, text, program->steps[i].statement);
    }
    if (named != 0) ws_text_add(text, ")");
}

/* `polls`: do warps poll that wait for ever? */
WS_ONCE void ws_stop_add_fix(const ws_teller *teller, const ws_stop *stop, bool polls, const ws_waits *waits,
                             ws_text *text) {
    const int rule = ws_stop_has_own(stop) ? stop->rule : (int)WS_RULES_KERNEL + stop->kind - 1;
    const char *own = ws_words_fix(teller->language, (int)ws_stop_rule(stop));
    if (stop->kind == WS_RUN_BOUNDS && ws_where_is_null(stop->space, stop->address)) {
        ws_text_add(text, "The pointer is null: pass an array, or test it before the access.");
        if (stop->address != 0 && teller->module->file_count == 0)
            ws_text_add(text, " Of a variable in local or shared memory, cvta makes the generic address.");
    } else if (stop->kind == WS_RUN_BOUNDS && ws_stop_rank(stop, waits->count) != 0) {
        ws_text_add(text, "Take a rank below the number of blocks of the cluster (%cluster_nctarank).");
    } else if (polls) {
        ws_text_add(text,
                    "Look for the statement that is to write what these warps poll, and let its threads come to it");
        ws_text_add(text, stop->kind == WS_RUN_STEPS ? "; raise max_steps if they only need longer." : ".");
    } else if (stop->kind == WS_RUN_DEADLOCK && ws_stop_is_loop(waits)) {
        ws_text_add(text, "These lanes loop, wait for no memory, and nothing changes from round to round:"
                          " give the loop an end.");
    } else if (stop->kind == WS_RUN_TRAP && ws_stop_add_trap(teller, stop, text)) {
        return;
    } else if (stop->refusal != WS_REFUSED_NOT) {
        ws_text_add(text, ws_stop_refusal_fix(stop));
    } else if (ws_stop_lacks_shared(teller, stop, waits->blocks->launch)) {
        ws_text_add(text,
                    "The launch gives no dynamic shared memory, and the kernel has an extern __shared__ array: pass"
                    " shared_bytes (--shared), as many bytes as that array takes.");
    } else if (stop->kind == WS_RUN_BARRIER && stop->other != WS_NONE) {
        ws_text_add(text,
                    "Name the same number of threads wherever this barrier is used: those that arrive at it plus those"
                    " that wait there.");
    } else if (stop->kind == WS_RUN_DEADLOCK && ws_stop_has_object(waits)) {
        ws_text_add(text, "Let as many threads arrive in each phase as mbarrier.init counts");
        ws_stop_add_inits(teller, text);
        ws_text_add(text,
                    ", no fewer and no more, and the bytes come that expect_tx names; a wait that is to pass before"
                    " the first phase has ended waits for parity 1; and let no thread come to its wait when the next"
                    " phase has ended, too.");
    } else if (stop->kind == WS_RUN_DEADLOCK && ws_stop_has_members(waits)) {
        ws_text_add(text, "Let every lane that the mask names come to the same instruction with it: move it out of the"
                          " branch, or name only the lanes that take the branch in the mask.");
    } else {
        ws_text_add(text, own != NULL ? own : ws_rule_at(rule)->fix);
    }
}

#endif /* WS_BODIES */

#endif
