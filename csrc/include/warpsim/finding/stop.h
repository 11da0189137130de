/* What ended a launch, in a sentence, and what to do about it.
 *
 *     ws_stop_rule         the kernels' rule: of a matrix instruction, the one that says so of any access
 *     ws_stop_add          what, where in memory, who, and at which line
 *     ws_stop_add_fix      what to do
 *
 * Of a launch that does not end, waits.h says where its warps stand. */
#ifndef WARPSIM_FINDING_STOP_H
#define WARPSIM_FINDING_STOP_H

#include "../tensor/box.h"
#include "waits.h"

enum { WS_STOP_TEXT = 256 /* bytes of an assertion that a message shows */ };

/* A matrix instruction breaks a rule of its own, too. */
static inline bool ws_stop_has_own(const ws_stop *stop) { return stop->kind == WS_RUN_INSTRUCTION; }

static inline ws_kernel_rule ws_stop_rule(const ws_stop *stop) {
    if (!ws_stop_has_own(stop)) return (ws_kernel_rule)stop->kind;
    switch (ws_rule_at(stop->rule)->fault) {
        case WS_FAULT_OUT_OF_BOUNDS:
        case WS_FAULT_SOURCE_OUT_OF_BOUNDS:
        case WS_FAULT_NOWHERE:
        case WS_FAULT_NON_SHARED: return WS_RUN_BOUNDS;
        case WS_FAULT_MISALIGNED:
        case WS_FAULT_SOURCE_MISALIGNED: return WS_RUN_ALIGNMENT;
        case WS_FAULT_INACTIVE:
        case WS_FAULT_EXITED: return WS_RUN_PART_OF_WARP;
        default: return WS_RUN_INSTRUCTION;
    }
}

/* Is it about an address? */
static inline bool ws_stop_has_address(const ws_stop *stop) {
    const ws_kernel_rule rule = ws_stop_rule(stop);
    return rule == WS_RUN_BOUNDS || rule == WS_RUN_READ_ONLY || rule == WS_RUN_ALIGNMENT;
}

/* ": x > 0 (source line 12)": what an assertion says; nothing if its text is not there. */
static inline void ws_stop_add_assertion(const ws_space_map *memory, const ws_stop *stop, ws_text *text) {
    const ws_region *region = ws_space_find(memory, stop->address, 1);
    const char *bytes;
    size_t left, count = 0;
    if (region == NULL) return;
    bytes = (const char *)region->bytes + (stop->address - region->base);
    left = (size_t)(region->nbytes - (stop->address - region->base));
    while (count < left && count < WS_STOP_TEXT && bytes[count] != '\0') count++;
    if (count == 0) return;
    ws_text_add(text, ": ");
    ws_text_add_bytes(text, bytes, count);
    ws_text_add(text, " (source line ");
    ws_text_add_uint(text, stop->nbytes);
    ws_text_add(text, ")");
}

static inline void ws_stop_add_address(const ws_told_launch *launch, const ws_stop *stop, ws_text *text,
                                       uint32_t nbytes) {
    ws_text_add(text, ws_message_space(stop->space));
    ws_text_add(text, " address ");
    ws_text_add_hex(text, stop->address);
    ws_text_add(text, ", ");
    ws_where_add(text, &launch->names, stop->space, stop->address, nbytes);
}

/* ": its size is 500 bytes, no multiple of 16" */
static inline void ws_stop_add_refusal(const ws_stop *stop, ws_text *text) {
    static const char *const before[] = {"",
                                         ": its size is ",
                                         ": there is no tensor map at the address",
                                         ": the tensor map has rank ",
                                         ": the tensor map is ",
                                         ": the reduction does not take the type of the tensor map",
                                         ": the box begins ",
                                         ": the store begins at coordinate ",
                                         ": coordinate "};
    ws_text_add(text, before[stop->refusal]);
    switch (stop->refusal) {
        case WS_REFUSED_SIZE:
            ws_text_add_int(text, stop->given);
            ws_text_add(text, " bytes, no multiple of 16");
            break;
        case WS_REFUSED_RANK:
            ws_text_add_int(text, stop->given);
            ws_text_add(text, ", the instruction ");
            ws_text_add_int(text, stop->wanted);
            break;
        case WS_REFUSED_MODE:
            ws_text_add(text, stop->given != 0 ? "one for im2col, the instruction is not"
                                               : "a tiled one, the instruction is im2col");
            break;
        case WS_REFUSED_BEGIN:
            ws_text_add_int(text, stop->given);
            ws_text_add(text, " bytes into a row, no multiple of 16");
            break;
        case WS_REFUSED_NEGATIVE:
        case WS_REFUSED_CORNER:
            ws_text_add_int(text, stop->given);
            ws_text_add(text, " of dimension ");
            ws_text_add_int(text, stop->wanted);
            if (stop->refusal == WS_REFUSED_CORNER)
                ws_text_add(text, " does not lie between the corners of the tensor map");
            break;
        default: break;
    }
}

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

/* The title of its rule; of a trap, the statement that it is. */
static inline void ws_stop_add_title(const ws_teller *teller, const ws_stop *stop, ws_text *text) {
    const int rule = ws_stop_has_own(stop) ? stop->rule : (int)WS_RULES_KERNEL + stop->kind - 1;
    const ws_opcode *opcode = &teller->module->opcodes[teller->module->statements[stop->statement].opcode];
    if (stop->kind != WS_RUN_TRAP) {
        ws_text_add(text, ws_rule_at(rule)->title);
        return;
    }
    ws_text_add(text, "the kernel executed ");
    ws_text_add_bytes(text, opcode->text, opcode->length);
}

/* ": write of 4 bytes at global address 0x70..., 0 bytes after the end of y (256 bytes)" */
static inline void ws_stop_add_what(const ws_told_launch *launch, const ws_space_map *memory, const ws_stop *stop,
                                    ws_text *text) {
    if (ws_stop_has_own(stop)) {
        ws_text_add(text, " (");
        ws_text_add(text, ws_rule_at(stop->rule)->id);
        ws_text_add(text, ws_stop_has_address(stop) ? ") at " : ")");
        if (ws_stop_has_address(stop)) ws_stop_add_address(launch, stop, text, 0);
    } else if (stop->refusal != WS_REFUSED_NOT) {
        ws_stop_add_refusal(stop, text);
    } else if (stop->kind == WS_RUN_ASSERT) {
        ws_stop_add_assertion(memory, stop, text);
    } else if (stop->kind == WS_RUN_FREE) {
        ws_text_add(text, ": ");
        ws_text_add_hex(text, stop->address);
    } else if (stop->nbytes != 0) {
        ws_text_add(text, stop->is_write ? ": write of " : ": read of ");
        ws_text_add_uint(text, stop->nbytes);
        ws_where_add_unit(text, stop->nbytes);
        ws_text_add(text, " at ");
        ws_stop_add_address(launch, stop, text, stop->nbytes);
    }
}

static inline void ws_stop_add(const ws_teller *teller, const ws_told_launch *launch, const ws_space_map *memory,
                               const ws_block *block, ws_text *text) {
    const ws_stop *stop = &block->stop;
    ws_stop_add_title(teller, stop, text);
    ws_stop_add_what(launch, memory, stop, text);
    ws_text_add(text, "; block ");
    ws_message_add_triple(text, block->index);
    ws_text_add(text, ", warp ");
    ws_text_add_uint(text, stop->warp);
    ws_text_add(text, ", ");
    ws_message_add_lanes(text, stop->lanes);
    ws_text_add(text, ", ");
    ws_message_add_place(teller, text, stop->statement);
    if (stop->other == WS_NONE) return;
    ws_text_add(text, ", for ");
    ws_text_add_int(text, stop->given);
    ws_text_add(text, " threads\n  where warp ");
    ws_text_add_uint(text, stop->other_warp);
    ws_text_add(text, " waits or has arrived for ");
    ws_text_add_int(text, stop->wanted);
    ws_text_add(text, " threads, ");
    ws_message_add_place(teller, text, stop->other);
}

#if WS_BODIES

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
    for (rank = 0; rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++) {
            const ws_warp *warp = &waits->blocks[rank].warps[i];
            if (warp->groups != 0 && warp->waits_for != WS_NONE) return true;
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
        ws_text_add(text, "The text names no line of a source for it: either the source says so (__trap(), an assertion), or"
                          " the compiler put it where what the source does is undefined; its warnings say what.");
        return true;
    }
    if (!ws_path_has(module->text + name.begin, name.end - name.begin, "/cooperative_groups")) return false;
    ws_text_add(text, "Cooperative groups refuse this call: compare the group and its size with the threads that come here;"
                      " what meets over the whole grid needs a workspace (cooperative=True, --cooperative).");
    return true;
}

/* `polls`: do warps poll that wait for ever? */
static inline void ws_stop_add_fix(const ws_teller *teller, const ws_stop *stop, bool polls, const ws_waits *waits,
                                   ws_text *text) {
    const int rule = ws_stop_has_own(stop) ? stop->rule : (int)WS_RULES_KERNEL + stop->kind - 1;
    const char *own = ws_words_fix(teller->language, (int)ws_stop_rule(stop));
    if (stop->kind == WS_RUN_BOUNDS && ws_where_is_null(stop->space, stop->address)) {
        ws_text_add(text, "The pointer is null: pass an array, or test it before the access.");
        if (stop->address != 0 && teller->module->file_count == 0)
            ws_text_add(text, " Of a variable in local or shared memory, cvta makes the generic address.");
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
                    "Give all that meet at one barrier one number of threads: all that arrive at it and all that wait"
                    " there, until it has let them go.");
    } else if (stop->kind == WS_RUN_DEADLOCK && ws_stop_has_object(waits)) {
        ws_text_add(
            text, "Let as many threads arrive as mbarrier.init counts, and the bytes come that expect_tx names; a wait"
                  " that is to pass before the first phase has ended waits for parity 1.");
    } else if (stop->kind == WS_RUN_DEADLOCK && ws_stop_has_members(waits)) {
        ws_text_add(text, "Let every lane that the mask names come to the same instruction with it: move it out of the"
                          " branch, or name only the lanes that take the branch in the mask.");
    } else {
        ws_text_add(text, own != NULL ? own : ws_rule_at(rule)->fix);
    }
}

#endif /* WS_BODIES */

#endif
