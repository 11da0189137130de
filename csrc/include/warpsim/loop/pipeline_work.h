/* What runs on one SM in a loop, and where it stands: the program of its warps, the wavefronts of their loads and
 * copies, the clocks of the SM's parts; and how long each part is busy.
 *
 *     sub-partition   one issue per cycle; a queue to memory, which keeps its order; a tensor pipe; an ALU
 *     SM              the shared data pipe, a wavefront per cycle; a stage that takes the addresses of copies, with a
 *                     queue before it; the path from L2, a stream of bytes
 */
#ifndef WARPSIM_LOOP_PIPELINE_WORK_H
#define WARPSIM_LOOP_PIPELINE_WORK_H

#include "../time/profile.h"
#include "schedule.h"

enum {
    WS_PIPELINE_WARPS = 32,
    WS_PIPELINE_COPIES = 4096, /* in flight at once */
    WS_PIPELINE_QUEUE = 64,    /* copies before the stage of their addresses */
    WS_PIPELINE_HELD = 48,     /* loads and copies in the queue of a sub-partition */
    WS_PIPELINE_HALVES = 2,    /* of the data pipe */
    WS_PIPELINE_GROUPS = 16,   /* stages */
    WS_PIPELINE_RELEASES = 16, /* copies of a warp whose registers others wait for */
    WS_PIPELINE_SUMS = 256     /* accumulators of a warp, in mma */
};

/* What the warps run. They differ only in their wavefronts. */
typedef struct ws_pipeline_work {
    int warps, stages;
    int loads, copies; /* of a warp and slab */
    const ws_schedule *schedule;
    const uint16_t *load_wavefronts; /* [warps][loads] */
    const uint16_t *copy_wavefronts; /* [copies][warps] */
} ws_pipeline_work;

/* What a slab keeps busy, in cycles. */
typedef struct ws_pipeline_busy {
    double pipe;   /* the shared data pipe, or the stage of the addresses of copies */
    double tensor; /* the tensor pipe of the fullest sub-partition */
    double path;   /* the path from L2 */
    double slots;  /* the issue slots of the fullest sub-partition */
} ws_pipeline_busy;

typedef struct ws_pipeline_warp {
    double ready;                            /* when its next instruction can issue */
    double returns;                          /* when the return path of its loads is free */
    double arrived[WS_SCHEDULE_SCOREBOARDS]; /* when the loads of a scoreboard have arrived */
    int expected[WS_SCHEDULE_SCOREBOARDS];   /* loads and copies in the queue that have yet to release a scoreboard */
    double released[WS_PIPELINE_RELEASES];   /* when a copy has read its registers; negative: it is in the queue */
    double summed[WS_SCHEDULE_SUMS];         /* when an accumulator can be used */
    double group_done[WS_PIPELINE_GROUPS];   /* when the copies of a slab are in shared memory */
    int group_left[WS_PIPELINE_GROUPS];      /* copies of the slab still on their way */
    int slab, next;                          /* next: instruction of the schedule */
    bool waiting;                            /* for others to come to the barrier */
    double passed;                           /* when it can go on to memory after the barrier */
    double issued;                           /* when it last issued: the one that waited longest goes first */
} ws_pipeline_warp;

/* A load or a copy that its sub-partition holds. */
typedef struct ws_pipeline_held {
    const ws_schedule_instruction *one;
    double issued;
    int warp, slab;
} ws_pipeline_held;

/* The queue of a sub-partition, a ring. */
typedef struct ws_pipeline_queue {
    ws_pipeline_held held[WS_PIPELINE_HELD];
    int first, count;
    int slots;          /* taken */
    double left, ready; /* when the last one left, and when the next one can */
} ws_pipeline_queue;

typedef struct ws_pipeline {
    const ws_pipeline_work *work;
    const ws_profile *profile;
    int partitions;
    int slabs; /* of each warp */
    ws_pipeline_warp warp[WS_PIPELINE_WARPS];
    double issue_free[WS_MOST_PARTITIONS];
    double port_free[WS_MOST_PARTITIONS];
    double tensor_free[WS_MOST_PARTITIONS];
    double alu_free[WS_MOST_PARTITIONS];
    ws_pipeline_queue queue[WS_MOST_PARTITIONS];
    double pipe_free[WS_PIPELINE_HALVES];
    double copy_free, path_free, write_free;
    double entered, left[WS_PIPELINE_QUEUE]; /* when the last copy came into the queue, and when one leaves the stage */
    int queued;                              /* copies so far */
    struct {
        double time;
        uint16_t warp, wavefronts, group;
    } copy[WS_PIPELINE_COPIES]; /* a ring, in order of arrival */
    int copy_first, copy_count;
    int at_barrier;
    double barrier_last;
} ws_pipeline;

static inline double ws_rate(const ws_pipeline *sm, ws_profile_constant constant) {
    return ws_profile_get(sm->profile, constant);
}

static inline double ws_pipeline_written(uint16_t wavefronts) { return wavefronts < 4 ? wavefronts : 4; }

static inline ws_pipeline_busy ws_pipeline_busy_of(const ws_pipeline_work *work, const ws_profile *profile) {
    const int partitions = ws_profile_partitions(profile), fullest = (work->warps + partitions - 1) / partitions;
    ws_pipeline_busy busy = {0, 0, 0, 0};
    double addresses = 0;
    int i;
    for (i = 0; i < work->warps * work->loads; i++) busy.pipe += work->load_wavefronts[i];
    for (i = 0; i < work->warps * work->copies; i++) {
        busy.pipe += ws_pipeline_written(work->copy_wavefronts[i]);
        addresses += work->copy_wavefronts[i];
    }
    busy.pipe = ws_max(busy.pipe, addresses);
    busy.pipe = ws_max(busy.pipe, work->warps * work->copies * ws_profile_get(profile, WS_COPY_ISSUE));
    for (i = 0; i < work->schedule->count; i++) {
        const ws_schedule_instruction *one = &work->schedule->instruction[i];
        busy.slots += one->slots * fullest;
        if (one->kind == WS_SCHEDULE_MMA) busy.tensor += ws_profile_get(profile, WS_MMA_INTERVAL) * fullest;
    }
    busy.path = ws_profile_get(profile, WS_COPY_PATH) * 4 * work->copies * work->warps;
    return busy;
}

#endif
