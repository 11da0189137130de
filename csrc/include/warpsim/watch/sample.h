/* Addresses of some executions of each access to shared memory, for advice about how its array should lie: the first,
 * second, fourth and so on of the first block that executes it, whichever thread of the caller runs that block. */
#ifndef WARPSIM_WATCH_SAMPLE_H
#define WARPSIM_WATCH_SAMPLE_H

#include "../base/arena.h"
#include "kinds.h"

#if WS_BODIES

enum { WS_SAMPLE_ROWS = 8 };

typedef struct ws_sample {
    uint64_t block; /* its linear number; of the cluster, where there are any */
    uint32_t step;
    uint32_t seen, rows; /* executions in the block; those that are kept */
    uint32_t nbytes;     /* of a lane */
    uint32_t mask[WS_SAMPLE_ROWS];
    uint32_t offset[WS_SAMPLE_ROWS][WS_LANES];
} ws_sample;

/* Will it keep the next execution in this block, or count it? */
static inline bool ws_sample_wants(const ws_sample *sample, uint64_t block) {
    return sample->rows == 0 || (sample->rows != WS_SAMPLE_ROWS && sample->block == block);
}

static inline void ws_sample_see(ws_sample *sample, uint64_t block, const uint32_t offset[WS_LANES], uint32_t mask,
                                 uint32_t nbytes) {
    int lane;
    if (!ws_sample_wants(sample, block)) return;
    if (sample->rows == 0) sample->block = block;
    if ((sample->seen & (sample->seen + 1)) == 0) {
        sample->mask[sample->rows] = mask;
        sample->nbytes = nbytes;
        for (lane = 0; lane < WS_LANES; lane++) sample->offset[sample->rows][lane] = offset[lane];
        sample->rows++;
    }
    sample->seen++;
}

/* Those of a thread of the caller. */
typedef struct ws_samples {
    ws_sample *rows;
    uint32_t *of_step; /* which of them, or WS_NO_INDEX */
    uint32_t count;
    uint64_t block; /* that runs */
} ws_samples;

/* Takes everything from the arena; nothing is written if it is too small. */
static inline void ws_samples_make(ws_samples *samples, const ws_kernel *program, ws_arena *arena) {
    uint32_t i, n = 0;
    for (i = 0; i < program->num_steps; i++) n += ws_watched_may_share(&program->steps[i], &program->meant[i]);
    samples->count = n;
    samples->block = 0;
    samples->rows = (ws_sample *)ws_arena_take(arena, n, sizeof(ws_sample));
    samples->of_step = (uint32_t *)ws_arena_take(arena, program->num_steps, sizeof(uint32_t));
    if (arena->wanted > arena->capacity) return;
    for (i = 0, n = 0; i < program->num_steps; i++) {
        samples->of_step[i] = WS_NO_INDEX;
        if (!ws_watched_may_share(&program->steps[i], &program->meant[i])) continue;
        samples->rows[n].step = i;
        samples->rows[n].seen = samples->rows[n].rows = 0;
        samples->of_step[i] = n++;
    }
}

static inline void ws_samples_see(ws_samples *samples, uint32_t step, const uint32_t offset[WS_LANES], uint32_t mask,
                                  uint32_t nbytes) {
    ws_sample_see(&samples->rows[samples->of_step[step]], samples->block, offset, mask, nbytes);
}

/* Of two threads of the caller, the one that ran the earlier block has the sample. */
static inline void ws_sample_add(ws_sample *total, const ws_sample *one) {
    if (one->rows != 0 && (total->rows == 0 || one->block < total->block)) *total = *one;
}

#endif /* WS_BODIES */
#endif
