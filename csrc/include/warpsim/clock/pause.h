/* A cluster that is about to signal once more where it has signalled before, by a strong write behind a fence. It pauses:
 * others that wait there look first, so that they go on with what the first signal passes on, and not with the second.
 * Twice in a row; then it runs until it has to wait: others, whose signals it gets late, would always be ahead of it.
 * Where it stores, every other cluster goes past the first such signal, so that some see what comes behind it. */
#ifndef WARPSIM_CLOCK_PAUSE_H
#define WARPSIM_CLOCK_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_PAUSES = 64 /* of a cluster */, WS_PAUSES_IN_A_ROW = 2, WS_PAUSE_SIGNALS = 64 };

/* A strong write: where, and whose. */
typedef struct ws_signal {
    uint64_t address;
    uint32_t thread;
    bool adds; /* to what is there, as counters do */
} ws_signal;

/* What a cluster has signalled since others have looked. */
typedef struct ws_pause {
    ws_signal signals[WS_PAUSE_SIGNALS];
    bool passes;               /* the first signal of a store */
    uint32_t count, left, row; /* left: times that it may still pause; row: that it has since it has last waited */
} ws_pause;

/* A cluster begins; beside it there may be others. */
static inline void ws_pause_start(ws_pause *pause, bool has_others, bool passes) {
    pause->passes = passes;
    pause->count = pause->row = 0;
    pause->left = has_others ? WS_PAUSES : 0;
}

/* The cluster waits for others. */
static inline void ws_pause_waits(ws_pause *pause) { pause->row = 0; }

/* A signal comes next. Does the cluster pause before it? If so, it asks again afterwards. */
static inline bool ws_pause_asks(ws_pause *pause, const ws_signal *signal) {
    uint32_t i = 0;
    while (i < pause->count &&
           (pause->signals[i].address != signal->address || pause->signals[i].thread != signal->thread))
        i++;
    if (i < pause->count && !signal->adds && pause->passes) {
        pause->passes = false;
        return false;
    }
    if (i < pause->count && pause->row < WS_PAUSES_IN_A_ROW) {
        pause->count = 0;
        pause->left--;
        pause->row++;
        return true;
    }
    if (i < pause->count) return false;
    if (pause->count == WS_PAUSE_SIGNALS) pause->count = 0;
    pause->signals[pause->count++] = *signal;
    return false;
}

#endif
