/* Pauses before a repeated signal: a strong write, after a fence, to a place that the same thread has written so before.
 * The other clusters run first, so that one that polls there goes on with what the first signal released. Without the
 * pause it would acquire the second one as well, and a missing wait would look ordered.
 *
 * A cluster pauses twice in a row, then runs until it has to wait: otherwise it would never run ahead of the others.
 * Every other cluster skips its first pause where signals are stores, so that some readers see the second value. */
#ifndef WARPSIM_CLOCK_PAUSE_H
#define WARPSIM_CLOCK_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_PAUSES = 64 /* of a cluster */, WS_PAUSES_IN_A_ROW = 2, WS_PAUSE_SIGNALS = 64 };

/* A strong write: where, and whose. */
typedef struct ws_signal {
    uint64_t address;
    uint32_t thread;
    bool adds;     /* to what is there, as counters do */
    bool releases; /* it does, or a fence stands before it */
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

/* A signal comes next. Does the cluster pause before it? If so, it asks again afterwards. One that releases nothing can be
 * the first: what it lacks is seen where another cluster goes on with it. */
static inline bool ws_pause_asks(ws_pause *pause, const ws_signal *signal) {
    uint32_t i = 0;
    while (i < pause->count &&
           (pause->signals[i].address != signal->address || pause->signals[i].thread != signal->thread))
        i++;
    if (i < pause->count && !signal->releases) return false;
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
