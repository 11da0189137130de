/* What a watch keeps, and the accesses to shared memory that wait in it to be counted, many at a time. */
#ifndef WARPSIM_WATCH_WAITING_H
#define WARPSIM_WATCH_WAITING_H

#include "../base/arena.h"
#include "kinds.h"
#include "line.h"
#include "repeat.h"
#include "sample.h"
#include "touched.h"

#if WS_BODIES

enum { WS_WATCH_BATCHES = 3, WS_WATCH_WORD = 4 /* of a bank, bytes */ };

/* Accesses of one size of groups that wait to be counted. */
typedef struct ws_watch_batch {
    ws_group_batch batch;
    uint32_t step[WS_BATCH_ACCESSES];
    uint8_t groups[WS_BATCH_ACCESSES];
    uint16_t nbytes[WS_BATCH_ACCESSES]; /* of all lanes together */
    uint32_t times[WS_BATCH_ACCESSES];
    int accesses;
} ws_watch_batch;

typedef struct ws_watch {
    ws_observer observer; /* first: the block sees it as ws_observer */
    ws_watched *watched;
    const ws_plan *plans; /* of the copies, then of the matrix instructions */
    ws_line *lines;       /* of each step */
    ws_samples samples;
    ws_touched touched;
    ws_repeat *repeats; /* of each sample's step */
    uint32_t num_steps;
    int level;
    ws_watch_batch batches[WS_WATCH_BATCHES];
} ws_watch;

static inline void ws_watch_flush(ws_watch *watch, ws_watch_batch *waiting) {
    const uint8_t *passes = waiting->batch.passes;
    int i, k;
    ws_group_batch_count(&waiting->batch, watch->level);
    for (i = 0; i < waiting->accesses; i++) {
        uint32_t wavefronts = 0;
        for (k = 0; k < waiting->groups[i]; k++) wavefronts += *passes++;
        ws_line_add_shared(&watch->lines[waiting->step[i]], waiting->times[i], wavefronts, waiting->groups[i],
                           waiting->nbytes[i]);
    }
    waiting->accesses = 0;
    ws_group_batch_clear(&waiting->batch, waiting->batch.lanes);
}

/* Offsets in shared memory; of a wide access, of the same part of it in every lane. */
static inline void ws_watch_wait(ws_watch *watch, uint32_t step, const ws_watched *watched, const ws_repeat *access) {
    ws_watch_batch *waiting = &watch->batches[watched->batch];
    const int at = waiting->accesses;
    const uint32_t mask = access->mask;
    if (access->times == 0) return;
    waiting->accesses++;
    watch->lines[step].requests += access->times;
    waiting->step[at] = step;
    waiting->times[at] = access->times;
    waiting->nbytes[at] = (uint16_t)((uint32_t)ws_lane_count(mask) * watched->nbytes);
    waiting->groups[at] =
        (uint8_t)(watched->may_merge ? ws_group_batch_add_merging(&waiting->batch, access->offset, mask)
                                     : ws_group_batch_add(&waiting->batch, access->offset, mask));
    if (waiting->accesses == WS_BATCH_ACCESSES) ws_watch_flush(watch, waiting);
}

static inline void ws_watch_shared(ws_watch *watch, uint32_t number, const uint32_t offset[WS_LANES], uint32_t mask) {
    const uint32_t of = watch->samples.of_step[number];
    ws_repeat *repeat = &watch->repeats[of];
    if (ws_sample_wants(&watch->samples.rows[of], watch->samples.block))
        ws_samples_see(&watch->samples, number, offset, mask, watch->watched[number].nbytes);
    if (ws_repeat_is_like(repeat, offset, mask, WS_WATCH_WORD)) {
        repeat->times++;
        return;
    }
    ws_watch_wait(watch, number, &watch->watched[number], repeat);
    ws_repeat_begin(repeat, offset, mask);
}

#endif /* WS_BODIES */
#endif
