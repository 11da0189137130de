/* What is wrong with a tile: its layout, one side of its accesses, or its size.
 *
 * A finding is a small plain value; its text, with the nearest fix, is made on demand. */
#ifndef WARPSIM_TILE_FINDINGS_H
#define WARPSIM_TILE_FINDINGS_H

#include "../base/apart.h"
#include "../rules/rules.h"
#include "side.h"
#include "tile.h"
#include "../time/profile.h"

enum { WS_TILE_MAX_FINDINGS = 7 };

typedef struct ws_tile_finding {
    uint8_t rule; /* ws_tile_rule: row of ws_rule_at */
    uint8_t side; /* ws_tile_side */
} ws_tile_finding;

/* All findings of a tile that `store` fills and `load` reads. */
WS_PUBLIC int ws_tile_find(const ws_layout *layout, const ws_op *store, const ws_op *load, const ws_profile *profile,
                           ws_tile_finding found[WS_TILE_MAX_FINDINGS]);

/* One sentence; `op` is that of the finding's side, `ptx` the newest version that has the target. */
WS_PUBLIC void ws_tile_finding_write(const ws_layout *layout, const ws_op *op, const ws_profile *profile,
                                     const ws_tile_finding *finding, ws_text *text);

#if WS_BODIES
#include "../isa/legality.h"
#include "check.h"

/* Findings of one side, added after the first `count`; returns the total. */
static inline int ws_tile_find_side(const ws_layout *layout, const ws_op *op, int side, int target,
                                    ws_tile_finding *found, int count) {
    const bool legal = ws_op_min_ptx_at(op, target) != 0, fits = ws_tile_pitch_fits(layout, op);
    const bool whole = ws_tile_swizzle_fits(layout, op);
    const bool broken[] = {!legal, !fits, !whole};
    int rule;
    for (rule = WS_TILE_ILLEGAL; rule <= WS_TILE_SWIZZLE; rule++) {
        if (!broken[rule - WS_TILE_ILLEGAL]) continue;
        found[count].rule = (uint8_t)rule;
        found[count++].side = (uint8_t)side;
    }
    return count;
}

/* The finding of a tile that no block can have, added after the first `count`; returns the total. */
static inline int ws_tile_find_size(const ws_layout *layout, const ws_profile *profile, ws_tile_finding *found,
                                    int count) {
    if (ws_layout_nbytes(layout) <= ws_profile_shared_bytes(profile)) return count;
    found[count].rule = WS_TILE_TOO_LARGE;
    found[count].side = WS_TILE_BOTH;
    return count + 1;
}

WS_PUBLIC int ws_tile_find(const ws_layout *layout, const ws_op *store, const ws_op *load, const ws_profile *profile,
                           ws_tile_finding found[WS_TILE_MAX_FINDINGS]) {
    int count = ws_tile_find_side(layout, store, WS_TILE_STORE, profile->target, found, 0);
    count = ws_tile_find_side(layout, load, WS_TILE_LOAD, profile->target, found, count);
    return ws_tile_find_size(layout, profile, found, count);
}

static inline void ws_tile_add_pitch(const ws_layout *layout, int64_t pitch_bytes, ws_text *text) {
    ws_text_add_int(text, pitch_bytes);
    ws_text_add(text, " bytes (pad ");
    ws_text_add_int(text, ws_tile_pad_of(layout, pitch_bytes));
    ws_text_add(text, ")");
}

/* "the pitch of 132 bytes is not a multiple of the 16 bytes that ldmatrix accesses; the nearest that work: 128 bytes (pad 0) and 144 bytes (pad 8)" */
WS_ONCE void ws_tile_write_pitch(const ws_layout *layout, const ws_op *op, ws_text *text) {
    const int64_t bytes = ws_op_access_bytes(op), pitch = ws_layout_pitch_bytes(layout);
    const int64_t below = ws_tile_pitch_below(layout, op);
    const bool down = pitch - below <= below + bytes - pitch;
    if (layout->row_at != NULL) {
        ws_text_add(text, "the layout does not keep the ");
        ws_text_add_int(text, bytes);
        ws_text_add(text, " bytes that ");
        ws_text_add(text, ws_kind_word(op->kind));
        ws_text_add(text, " accesses together and aligned; use a narrower instruction, or a layout whose first mode"
                          " has that many contiguous bytes");
        return;
    }
    ws_text_add(text, "the pitch of ");
    ws_text_add_int(text, pitch);
    ws_text_add(text, " bytes is not a multiple of the ");
    ws_text_add_int(text, bytes);
    ws_text_add(text, " bytes that ");
    ws_text_add(text, ws_kind_word(op->kind));
    ws_text_add(text, " accesses; the nearest that work: ");
    ws_tile_add_pitch(layout, down ? below : below + bytes, text);
    ws_text_add(text, " and ");
    ws_tile_add_pitch(layout, down ? below + bytes : below, text);
}

WS_ONCE void ws_tile_write_swizzle(const ws_layout *layout, const ws_op *op, ws_text *text) {
    const ws_swizzle *swizzle = &layout->swizzle;
    const int parts[] = {swizzle->bits, swizzle->base, swizzle->shift};
    int i;
    ws_text_add(text, "Swizzle<");
    for (i = 0; i < 3; i++) {
        ws_text_add_int(text, parts[i]);
        ws_text_add(text, i < 2 ? "," : "> (in ");
    }
    ws_text_add(text, ws_layout_unit_bits(layout) == 8 && layout->element_bits != 8 ? "bytes" : "elements");
    ws_text_add(text, ") splits or misaligns the ");
    ws_text_add_int(text, ws_op_access_bytes(op));
    ws_text_add(text, "-byte accesses of ");
    ws_text_add(text, ws_kind_word(op->kind));
    ws_text_add(text, "; use M >= ");
    ws_text_add_int(text, ws_tile_safe_base(layout, op));
}

WS_PUBLIC void ws_tile_finding_write(const ws_layout *layout, const ws_op *op, const ws_profile *profile,
                                     const ws_tile_finding *finding, ws_text *text) {
    if (finding->rule == WS_TILE_ILLEGAL) {
        const ws_legality legality = ws_legality_of(op, profile->target, ws_target_newest_ptx(profile->target));
        int i;
        for (i = 0; i < legality.reason_count; i++) {
            ws_text_add(text, i > 0 ? "; " : "");
            ws_text_add(text, legality.reasons[i]);
        }
    } else if (finding->rule == WS_TILE_PITCH) {
        ws_tile_write_pitch(layout, op, text);
    } else if (finding->rule == WS_TILE_SWIZZLE) {
        ws_tile_write_swizzle(layout, op, text);
    } else {
        ws_text_add(text, "the tile takes ");
        ws_text_add_int(text, ws_layout_nbytes(layout));
        ws_text_add(text, " bytes; a block of ");
        ws_text_add(text, ws_target(profile->target)->name);
        ws_text_add(text, " can have at most ");
        ws_text_add_int(text, ws_profile_shared_bytes(profile));
    }
}

#endif /* WS_BODIES */
#endif
