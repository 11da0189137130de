/* A cluster that is about to signal once more where it has signalled before, by a strong write behind a fence. It pauses:
 * others that wait there look first, so that they go on with what the first signal passes on, and not with the second. */
#ifndef WARPSIM_CLOCK_PAUSE_H
#define WARPSIM_CLOCK_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_PAUSES = 64 /* of a cluster */, WS_PAUSE_SIGNALS = 64 };

/* A strong write: where, and whose. */
typedef struct ws_signal {
    uint64_t address;
    uint32_t thread;
} ws_signal;

/* What a cluster has signalled since others have looked. */
typedef struct ws_pause {
    ws_signal signals[WS_PAUSE_SIGNALS];
    uint32_t count, left; /* left: times that it may still pause */
} ws_pause;

/* A cluster begins; beside it there may be others. */
static inline void ws_pause_start(ws_pause *pause, bool has_others) {
    pause->count = 0;
    pause->left = has_others ? WS_PAUSES : 0;
}

/* A signal comes next. Does the cluster pause before it? If so, it asks again afterwards. */
static inline bool ws_pause_asks(ws_pause *pause, const ws_signal *signal) {
    uint32_t i = 0;
    while (i < pause->count &&
           (pause->signals[i].address != signal->address || pause->signals[i].thread != signal->thread))
        i++;
    if (i < pause->count) {
        pause->count = 0;
        pause->left--;
        return true;
    }
    if (pause->count == WS_PAUSE_SIGNALS) pause->count = 0;
    pause->signals[pause->count++] = *signal;
    return false;
}

#endif
