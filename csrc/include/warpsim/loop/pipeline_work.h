/* The work that a main loop gives the warps of one SM, the rates at which the SM does it, and the order of a warp's
 * instructions.
 *
 *     an iteration of a warp    wait, barrier | loop arithmetic | copies of the slab stages - 1 ahead | loads and mma of each step
 *
 * Loads of A and B alternate; those of the next step are issued while the mma of this step run, as compilers order
 * them. */
#ifndef WARPSIM_LOOP_PIPELINE_WORK_H
#define WARPSIM_LOOP_PIPELINE_WORK_H

#include "../time/profile.h"

enum {
    WS_PIPELINE_WARPS = 32,
    WS_PIPELINE_COPIES = 4096, /* in flight at once */
    WS_PIPELINE_GROUPS = 16,   /* stages */
    WS_PIPELINE_LOADS = 128,   /* of one warp and slab that the simulation tracks */
    WS_PIPELINE_SUMS = 256,    /* accumulators of a warp, in mma */
    WS_PIPELINE_SLOTS = 4,     /* integer instructions that a warp issues before another has its turn */
    WS_PIPELINE_TURNS = 64     /* at most for those of an iteration */
};

/* The work of every warp for one slab. Warps differ only in their wavefronts. */
typedef struct ws_pipeline_work {
    int warps;
    bool barrier;                    /* false: warps run free */
    int stages;                      /* 0: nothing is copied; 1: copy, wait, compute; n: n - 1 slabs ahead */
    int steps;                       /* of 16 along K */
    int loads_a, loads_b;            /* ldmatrix of a warp and step */
    int rows, cols;                  /* mma of a warp and step: rows x cols, cols / 2 of them per load of B */
    int lead;                        /* loads that are issued before the first mma */
    int spare;                       /* loads beyond what the next mma needs for which there are registers */
    int load_slots;                  /* integer instructions for the address of each load */
    int copies;                      /* cp.async of a warp and slab */
    double mma_slots;                /* instructions beside each mma: conversions of A and B, additions; 0: none */
    const uint16_t *load_wavefronts; /* [warps][steps][loads_a + loads_b] */
    const uint16_t *copy_wavefronts; /* [copies][warps] */
} ws_pipeline_work;

/* What a slab keeps busy, in cycles. */
typedef struct ws_pipeline_busy {
    double pipe;   /* the shared data pipe */
    double tensor; /* the tensor pipe of the fullest sub-partition */
    double path;   /* the path from L2 */
    double slots;  /* the issue slots of the fullest sub-partition */
} ws_pipeline_busy;

typedef enum ws_pipeline_place {
    WS_AT_WAIT,
    WS_AT_BARRIER,
    WS_AT_OVERHEAD,
    WS_AT_COPY,
    WS_AT_COMPUTE,
    WS_AT_END
} ws_pipeline_place;

typedef struct ws_pipeline_warp {
    double ready;                          /* when its next instruction can issue */
    double returns;                        /* when the return path of its loads is free */
    double arrived[WS_PIPELINE_LOADS];     /* when a load's data can be used */
    double summed[WS_PIPELINE_SUMS];       /* when an accumulator can be used */
    double group_done[WS_PIPELINE_GROUPS]; /* when the copies of a slab are in shared memory */
    int group_left[WS_PIPELINE_GROUPS];    /* copies of the slab still on their way */
    int slab, place, next, mma;            /* progress; `next`: copy or load, `mma`: how many of the slab */
    bool waiting;                          /* at the barrier */
    double issued;                         /* when it last issued: the one that waited longest goes first */
    int barriers;                          /* passed in this slab */
} ws_pipeline_warp;

typedef struct ws_pipeline {
    const ws_pipeline_work *work;
    const ws_profile *profile;
    int partitions;
    ws_pipeline_warp warp[WS_PIPELINE_WARPS];
    double issue_free[WS_MOST_PARTITIONS];
    double port_free[WS_MOST_PARTITIONS];
    double tensor_free[WS_MOST_PARTITIONS];
    double alu_free[WS_MOST_PARTITIONS];
    double pipe_free, path_free, write_free;
    struct {
        double time;
        uint16_t warp, wavefronts, group;
    } copy[WS_PIPELINE_COPIES]; /* a ring, in order of arrival */
    int copy_first, copy_count;
    int at_barrier;
    double barrier_last;
} ws_pipeline;

/* Which load of its step mma `m` waits for, with A and B loaded in turn: after a loads of A and b of B, 2 a b mma can
 * run. */
static inline int ws_pipeline_need(const ws_pipeline_work *work, int m) {
    int a = 0, b = 0, load = 0;
    for (;;) {
        if ((a <= b && a < work->loads_a) || b == work->loads_b) a++;
        else b++;
        if (2 * a * b > m || a + b >= work->loads_a + work->loads_b) return load;
        load++;
    }
}

/* How many loads of the slab a warp issues before its next mma: `lead` before the first, then one more with each mma, at
 * most two steps ahead, and no more than registers are left for. */
static inline int ws_pipeline_allowed(const ws_pipeline_work *work, int mma, const int *need) {
    const int per_step = work->loads_a + work->loads_b, mmas = work->rows * work->cols, all = work->steps * per_step;
    const int step = mmas > 0 ? mma / mmas : work->steps, m = mmas > 0 ? mma % mmas : 0;
    const int needed = step < work->steps ? step * per_step + need[m] + 1 : all;
    int allowed = (step + 2) * per_step + (m < per_step ? m : per_step);
    if (allowed > work->lead + mma) allowed = work->lead + mma;
    if (allowed > needed + work->spare) allowed = needed + work->spare;
    if (allowed < needed) allowed = needed;
    return allowed < all ? allowed : all;
}

/* Issue slots of a warp in an iteration for counters, branches and addresses. */
static inline double ws_pipeline_overhead(const ws_pipeline_work *work, const ws_profile *profile) {
    const double stages = work->stages > 0 ? ws_profile_get(profile, WS_STAGE_SLOTS) : 0;
    return ws_profile_get(profile, WS_LOOP_SLOTS) + stages + work->copies * ws_profile_get(profile, WS_COPY_SETUP);
}

/* Cycles of a sub-partition for each mma and of what stands beside it. */
static inline double ws_pipeline_mma_interval(const ws_pipeline_work *work, const ws_profile *profile) {
    return ws_profile_get(profile, WS_MMA_INTERVAL) + work->mma_slots;
}

/* Wavefronts of a copy beyond the four that its 512 bytes need. */
static inline double ws_pipeline_conflicts(uint16_t wavefronts) { return wavefronts > 4 ? wavefronts - 4.0 : 0; }

static inline ws_pipeline_busy ws_pipeline_busy_of(const ws_pipeline_work *work, const ws_profile *profile) {
    const double felt =
        ws_profile_get(profile, WS_COPY_CONFLICT_ISSUE) + ws_profile_get(profile, WS_COPY_CONFLICT_ARRIVAL);
    const int partitions = ws_profile_partitions(profile), fullest = (work->warps + partitions - 1) / partitions;
    const int loads = work->steps * (work->loads_a + work->loads_b), mmas = work->steps * work->rows * work->cols;
    ws_pipeline_busy busy = {0, 0, 0, 0};
    int i;
    for (i = 0; i < work->warps * loads; i++) busy.pipe += work->load_wavefronts[i];
    for (i = 0; i < work->warps * work->copies; i++) {
        const double conflicts = ws_pipeline_conflicts(work->copy_wavefronts[i]);
        busy.pipe += work->copy_wavefronts[i] - conflicts + conflicts * felt;
    }
    busy.tensor = ws_pipeline_mma_interval(work, profile) * mmas * fullest;
    busy.path = ws_profile_get(profile, WS_COPY_PATH) * 4 * work->copies * work->warps;
    busy.slots = ws_pipeline_overhead(work, profile) + loads + mmas;
    busy.slots += ws_profile_get(profile, WS_COPY_SLOTS) * work->copies;
    busy.slots *= fullest;
    return busy;
}

static inline double ws_rate(const ws_pipeline *sm, ws_profile_constant constant) {
    return ws_profile_get(sm->profile, constant);
}

/* Integer instructions of addresses occupy the ALU of a sub-partition. */
static inline void ws_pipeline_integers(ws_pipeline *sm, int sp, double when, double slots) {
    sm->alu_free[sp] = ws_max(sm->alu_free[sp], when) + slots * ws_rate(sm, WS_SLOT_INTERVAL);
}

/* A warp arrives at a barrier; the last one releases all, one after another. */
static inline void ws_pipeline_barrier(ws_pipeline *sm, int w, double when) {
    int i;
    sm->warp[w].waiting = true;
    sm->barrier_last = ws_max(sm->barrier_last, when);
    if (++sm->at_barrier < sm->work->warps) return;
    for (i = 0; i < sm->work->warps; i++) {
        sm->warp[i].waiting = false;
        sm->warp[i].ready = sm->barrier_last + ws_rate(sm, WS_BARRIER_LATENCY) + i * ws_rate(sm, WS_BARRIER_INTERVAL);
    }
    sm->at_barrier = 0;
    sm->barrier_last = 0;
}

#endif
