#ifndef WARPSIM_RUN_BARRIER_H
#define WARPSIM_RUN_BARRIER_H
#include "block.h"
static inline void ws_barriers_warp_left(ws_warp *warp) { (void)warp; }
static inline bool ws_barriers_settle(ws_block *block) { (void)block; return false; }
#endif
