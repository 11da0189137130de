/* What is known of the registers of a cluster's warps: which lanes hold uninitialised values, and where those come from. */
#ifndef WARPSIM_USE_USES_H
#define WARPSIM_USE_USES_H

#include "../module/module.h"
#include "../shadow/pass.h"

/* Lanes of a register that hold uninitialised values, the step that read it, and which of its bits are. */
typedef struct ws_mark {
    uint64_t bits; /* of each of the lanes, where they have no row */
    uint32_t lanes, origin;
    uint32_t row;    /* from 1: the bits of lanes that differ; 0: none */
    uint8_t padding; /* ws_padding */
} ws_mark;

typedef struct ws_mark_row {
    uint64_t bits[WS_LANES];
    ws_mark *mark; /* whose row it was last */
} ws_mark_row;

/* What lanes of a register get. */
typedef struct ws_marked {
    uint64_t bits[WS_LANES]; /* of each of the lanes: not 0 */
    uint32_t lanes, origin;
    uint8_t padding;
} ws_marked;

enum { WS_USE_MERGED = 16, WS_USE_ROWS = 32 /* for each warp */ };

typedef struct ws_uses {
    const ws_module *module;
    ws_mark *marks; /* [warps][registers of the module] */
    uint32_t registers;
    uint8_t *ways;     /* of each opcode of the module: ahead.h */
    uint32_t *marked;  /* registers with marks, of each warp */
    ws_marked *held;   /* of each warp: of what lanes bring to an exchange where they wait */
    ws_mark_row *rows; /* a ring */
    uint32_t num_rows, next_row;
    bool is_dirty;                              /* some register has had marks in this cluster */
    uint32_t *unset, num_unset;                 /* registers that begin with marks: nobody sets them first */
    uint32_t merged[WS_USE_MERGED], num_merged; /* steps whose values have become parts of others */
    uint32_t now;                               /* the step that reads: what nobody has set was read there first */
} ws_uses;

#endif
