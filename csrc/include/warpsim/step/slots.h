/* What the sources of a step are, by what it means; of arithmetic they are the operands in the text's order. */
#ifndef WARPSIM_STEP_SLOTS_H
#define WARPSIM_STEP_SLOTS_H

enum {
    /* accesses to memory; the offset of the address is `immediate` */
    WS_S_ADDRESS = 0,
    WS_S_VALUE = 1, /* of atomics */
    WS_S_SWAP = 2,  /* what atom.cas stores; WS_S_VALUE is compared */
    /* matrix instructions and products */
    WS_S_STRIDE = 1,      /* of wmma; WS_NONE: the default */
    WS_S_INSTRUCTION = 4, /* number of the ws_op in ws_kernel.ops */
    WS_S_PLAN = 4,        /* number of the ws_mma_plan in ws_kernel.plans */
    WS_S_METADATA = 0,    /* of mma.sp */
    /* wgmma: WS_S_PLAN, too */
    WS_S_DESCRIPTOR_A = 0,
    WS_S_DESCRIPTOR_B = 1,
    WS_S_ADDS = 2, /* a predicate: the product is added to the results */
    WS_S_WGMMA_METADATA = 3,
    /* barriers */
    WS_S_BARRIER = 0,
    WS_S_THREADS = 1, /* WS_NONE: those of the block */
    WS_S_HOLDS = 2,   /* the predicate of bar.red */
    /* exchanges; ws_meant.members says where the member masks are */
    WS_S_GIVEN = 0, /* the value or the predicate that a lane gives */
    WS_S_FROM = 1,  /* of shfl: the distance or the lane */
    WS_S_BOUND = 2, /* of shfl: the bound and the segments */
    /* calls and indirect jumps */
    WS_S_TARGET = 0, /* an address, or the index into a table */
    WS_S_CALLER = 3, /* number in ws_kernel.callees */
    /* cp.async: WS_S_ADDRESS is the destination */
    WS_S_SOURCE = 1,
    WS_S_SIZE = 2,
    WS_S_TAKEN = 3, /* bytes to read; with `count` 1 the predicate of lanes that read nothing */
    /* mbarrier objects: WS_S_ADDRESS, then a count or what names a phase */
    WS_S_COUNT = 1,
    WS_S_PHASE = 1,
    WS_S_STATE = 0, /* of mbarrier.pending_count */
    /* st.async, red.async, try_cancel: WS_S_ADDRESS, WS_S_VALUE, then */
    WS_S_OBJECT = 2,
    WS_S_BYTES = 3, /* that the object hears of */
    /* mapa: WS_S_ADDRESS, then */
    WS_S_RANK = 1,
    /* what hands arguments from frame to frame */
    WS_S_PASSED = 1, /* how many bytes */
    /* division */
    WS_S_DIVISOR = 1
};

#endif
