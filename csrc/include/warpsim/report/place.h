/* An instruction at a place: what is undefined about one warp's addresses, in a block that has all the shared memory that
 * it can have, and what to do about it. No byte of memory is needed, and none is touched. */
#ifndef WARPSIM_REPORT_PLACE_H
#define WARPSIM_REPORT_PLACE_H

#include "../base/public.h"
#include "../data/access.h"
#include "../tile/layout.h"
#include "../time/profile.h"
#include "../undefined/findings.h"

/* How far apart generic addresses outside shared memory may lie to be taken for one global memory. */
enum { WS_REPORT_GLOBAL_BYTES_MAX = 1 << 30 };

/* Findings of warp 0 of `access`, under the rules of access->target; gives the memory that they were checked against, for
 * ws_finding_write. Accesses of .global alone are not checked: nothing is known of that memory. */
WS_PUBLIC ws_memory ws_report_findings(const ws_op *op, const ws_access *access, ws_findings *sink);

/* What to do about a finding; in a tile (else NULL) whose pitch or swizzle is wrong, the nearest that is not. */
WS_PUBLIC void ws_report_fix(const ws_op *op, const ws_finding *finding, const ws_layout *layout, ws_text *text);

#if WS_BODIES
#include "../tile/findings.h"
#include "../undefined/check.h"

/* A global image around the generic addresses beside the window of shared memory, where one can be. */
static inline void ws_report_global(ws_memory *memory, const ws_access *access, size_t block_bytes) {
    uint64_t least = UINT64_MAX, most = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint64_t address = ws_access_address(access, 0, lane);
        if (address - WS_SHARED_WINDOW < WS_SHARED_WINDOW_BYTES) continue;
        if (address < least) least = address;
        if (address > most) most = address;
    }
    most = most - least + (uint64_t)WS_LANES * block_bytes;
    if (least == UINT64_MAX || most > WS_REPORT_GLOBAL_BYTES_MAX) return;
    if (least < WS_SHARED_WINDOW && least + most > WS_SHARED_WINDOW) return;
    *memory = ws_memory_with_global(*memory, memory->shared.bytes, (size_t)most, least);
}

WS_PUBLIC ws_memory ws_report_findings(const ws_op *op, const ws_access *access, ws_findings *sink) {
    const ws_profile largest = ws_profile_of(WS_NO_TARGET), profile = ws_profile_of(access->target);
    const bool matrix = op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX;
    const ws_plan plan = ws_plan_make(op, access);
    ws_memory memory = ws_memory_make(sink, (size_t)ws_profile_shared_bytes(&profile), 0); /* any bytes: none is read */
    if (op->kind == WS_CP_ASYNC) {
        memory = ws_memory_with_global(memory, sink, (size_t)WS_LANES * op->size_bytes, 0);
    } else if (op->space == WS_SPACE_GENERIC && !matrix) {
        ws_report_global(&memory, access, (size_t)ws_profile_shared_bytes(&largest));
    }
    if (op->kind != WS_MOVMATRIX && op->space != WS_SPACE_GLOBAL) ws_check_warp(&plan, &memory, access, 0, sink);
    return memory;
}

WS_PUBLIC void ws_report_fix(const ws_op *op, const ws_finding *finding, const ws_layout *layout, ws_text *text) {
    const ws_rule *rule = ws_rule_at(finding->rule);
    const bool in_tile = layout != NULL && rule->fault == WS_FAULT_MISALIGNED && !ws_op_is_wmma(op);
    if (in_tile && !ws_tile_pitch_fits(layout, op)) ws_tile_write_pitch(layout, op, text);
    else if (in_tile && !ws_tile_swizzle_fits(layout, op)) ws_tile_write_swizzle(layout, op, text);
    else ws_text_add(text, rule->fix);
}

#endif /* WS_BODIES */
#endif
