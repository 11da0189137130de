/* The instructions of a warp in one iteration of a main loop, as a compiler leaves them: in order, each with the cycles
 * that it stalls the warp and with what it waits for.
 *
 * A load releases one of a few scoreboards when its data arrive; what reads the data waits for that scoreboard, and so
 * for every other load that shares it. This file knows neither which instructions a loop has nor how long they take. */
#ifndef WARPSIM_LOOP_SCHEDULE_H
#define WARPSIM_LOOP_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_SCHEDULE_MOST = 65536,    /* instructions */
    WS_SCHEDULE_SCOREBOARDS = 6, /* as estimated, the first is that of reloads, the others those of loads */
    WS_SCHEDULE_NOTHING = 255,   /* no scoreboard */
    WS_SCHEDULE_SUMS = 512,      /* accumulators, by their index: more than are in use at once */
    WS_SCHEDULE_CHUNK = 4        /* integer instructions that a warp issues before another has its turn */
};

typedef enum ws_schedule_kind {
    WS_SCHEDULE_INTEGER, /* `slots` of them */
    WS_SCHEDULE_CONVERT, /* `slots` conversions of elements of 8 bits to 16, or others that take the ALU as long */
    WS_SCHEDULE_ADD,     /* `slots` additions of the product in accumulator `index` */
    WS_SCHEDULE_LOAD,    /* ldmatrix number `index` of the slab */
    WS_SCHEDULE_MMA,     /* to accumulator `index` */
    WS_SCHEDULE_COPY,    /* cp.async number `index` of the slab */
    WS_SCHEDULE_WAIT,    /* for the copies of a slab */
    WS_SCHEDULE_BARRIER,
    WS_SCHEDULE_RELOAD, /* of a register that was spilled; without a scoreboard: its spill */
    WS_SCHEDULE_BRANCH,
    WS_SCHEDULE_CONSTANT, /* of a parameter or a special register */
    WS_SCHEDULE_OTHER,    /* takes its issue slot and no more */
    WS_SCHEDULE_KINDS
} ws_schedule_kind;

typedef struct ws_schedule_instruction {
    uint8_t kind;   /* ws_schedule_kind */
    uint8_t slots;  /* issue slots */
    uint8_t stall;  /* cycles until the warp can issue the next one */
    uint8_t waits;  /* mask of scoreboards */
    uint8_t sets;   /* scoreboard that its data release, or WS_SCHEDULE_NOTHING */
    uint8_t frees;  /* scoreboard that it releases once it has read its registers, or WS_SCHEDULE_NOTHING */
    bool fresh;     /* mma: its accumulator begins at zero */
    uint16_t index; /* of a load, a copy, an accumulator */
    uint16_t after; /* waits until copy number after - 1 has read its registers; 0: for none */
} ws_schedule_instruction;

typedef struct ws_schedule {
    int count;
    bool full; /* too long: it ends early */
    ws_schedule_instruction instruction[WS_SCHEDULE_MOST];
} ws_schedule;

static inline ws_schedule_instruction *ws_schedule_last(ws_schedule *schedule) {
    return &schedule->instruction[schedule->count - 1];
}

static inline ws_schedule_instruction *ws_schedule_add(ws_schedule *schedule, int kind, int stall) {
    ws_schedule_instruction *one;
    schedule->full = schedule->full || schedule->count == WS_SCHEDULE_MOST;
    if (!schedule->full) schedule->count++;
    one = ws_schedule_last(schedule);
    one->kind = (uint8_t)kind;
    one->slots = 1;
    one->stall = (uint8_t)(stall < 1 ? 1 : stall);
    one->waits = 0;
    one->sets = one->frees = WS_SCHEDULE_NOTHING;
    one->fresh = false;
    one->index = one->after = 0;
    return one;
}

/* `slots` integer instructions over `stall` cycles, of which the first waits for copy number `after` - 1. */
static inline void ws_schedule_integers(ws_schedule *schedule, int slots, int stall, int after) {
    int done;
    for (done = 0; done < slots; done += WS_SCHEDULE_CHUNK) {
        const int part = slots - done < WS_SCHEDULE_CHUNK ? slots - done : WS_SCHEDULE_CHUNK;
        ws_schedule_instruction *one =
            ws_schedule_add(schedule, WS_SCHEDULE_INTEGER, stall * (done + part) / slots - stall * done / slots);
        one->slots = (uint8_t)part;
        one->after = (uint16_t)(done == 0 ? after : 0);
    }
}

/* A spilled register comes back. */
static inline void ws_schedule_reload(ws_schedule *schedule) {
    ws_schedule_add(schedule, WS_SCHEDULE_RELOAD, 1)->sets = 0;
}

#endif
