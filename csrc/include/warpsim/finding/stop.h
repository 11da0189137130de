/* What ended a launch, in a sentence.
 *
 *     ws_stop_rule         the kernels' rule: of a matrix instruction, the one that says so of any access
 *     ws_stop_add          what, where in memory, who, and at which line
 *
 * Of a launch that does not end, waits.h says where its warps stand; what to do about it, stop_fix.h. */
#ifndef WARPSIM_FINDING_STOP_H
#define WARPSIM_FINDING_STOP_H

#include "../tensor/box.h"
#include "polls.h"

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

/* Of an address in shared memory, the rank of its block where the cluster has no such block; else 0. */
static inline uint64_t ws_stop_rank(const ws_stop *stop, uint64_t blocks) {
    const bool is_own = stop->space == WS_AT_CLUSTER;
    const uint64_t at = is_own ? stop->address : stop->address - WS_SHARED_WINDOW, rank = at / WS_SHARED_WINDOW_BYTES;
    if ((!is_own && stop->space != WS_AT_GENERIC) || at >= WS_CLUSTER_WINDOW_BYTES) return 0;
    return rank >= blocks ? rank : 0;
}

static inline void ws_stop_add_address(const ws_told_launch *launch, const ws_stop *stop, ws_text *text,
                                       uint32_t nbytes) {
    const uint64_t blocks = (uint64_t)launch->cluster[0] * launch->cluster[1] * launch->cluster[2],
                   rank = ws_stop_rank(stop, blocks);
    ws_text_add(text, ws_message_space(stop->space));
    ws_text_add(text, " address ");
    ws_text_add_hex(text, stop->address);
    ws_text_add(text, ", ");
    if (rank != 0) {
        ws_text_add(text, "of rank ");
        ws_text_add_uint(text, rank);
        ws_text_add(text, " in a cluster of ");
        ws_text_add_uint(text, blocks);
        ws_text_add(text, blocks == 1 ? " block" : " blocks");
        return;
    }
    ws_where_add(text, &launch->names, stop->space, stop->address, nbytes);
}

/* ": its size is 500 bytes, no multiple of 16" */
static inline void ws_stop_add_refusal(const ws_stop *stop, ws_text *text) {
    static const char *const before[] = {"",
                                         ": its size is ",
                                         ": no tensor map lies at the address",
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

WS_ONCE void ws_stop_add(const ws_teller *teller, const ws_told_launch *launch, const ws_space_map *memory,
                         const ws_block *block, ws_text *text) {
    const ws_stop *stop = &block->stop;
    ws_stop_add_title(teller, stop, text);
    ws_stop_add_what(launch, memory, stop, text);
    ws_text_add(text, "; block ");
    ws_message_add_triple(text, block->index);
    ws_text_add(text, ", warp ");
    ws_text_add_uint(text, stop->warp);
    if (stop->lanes != 0) ws_text_add(text, ", ");
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

#endif
