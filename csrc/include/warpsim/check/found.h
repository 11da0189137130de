/* What a check has found: one row for each rule and pair of steps, with a count and the first example.
 *
 * This file knows nothing about what the rules say. */
#ifndef WARPSIM_CHECK_FOUND_H
#define WARPSIM_CHECK_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_FOUND_CAPACITY = 1024 /* rows; a power of 2 */ };

#define WS_FOUND_NO_STEP UINT32_MAX

/* The rules of rules/kernels.h, those that do not end a launch: from 17 on, in their order. */
typedef enum ws_found_rule {
    WS_FOUND_BOUNDS = 1,       /* outside of an object, within memory that the kernel was given */
    WS_FOUND_RACE = 17,        /* in shared memory, between warps */
    WS_FOUND_WARP_RACE,        /* between lanes of a warp */
    WS_FOUND_ARRAY_RACE,       /* in global memory */
    WS_FOUND_IN_FLIGHT,        /* an access to what a copy is still writing */
    WS_FOUND_UNWRITTEN,        /* a read of what nobody has written, whose value is used */
    WS_FOUND_CLASH,            /* lanes of one store write different values to one place */
    WS_FOUND_SAME_VALUE,       /* several threads write the same value to one place, in no order */
    WS_FOUND_DIVERGED,         /* a barrier that part of a warp, or not all threads, reach */
    WS_FOUND_ABSENT,           /* a member mask that names lanes that have exited */
    WS_FOUND_ZERO,             /* integer division by zero */
    WS_FOUND_READ,             /* a read of what nobody has written */
    WS_FOUND_LEAK = 29,        /* a piece of the kernel's heap that is never freed */
    WS_FOUND_VOLATILE,         /* volatile accesses of two warps to shared memory, in no order */
    WS_FOUND_OBJECT,           /* an mbarrier object, accessed by something else */
    WS_FOUND_PRODUCT_REGISTER, /* touched while a product of the warpgroup still has it */
    WS_FOUND_PRODUCT_FENCE,    /* written before a product without wgmma.fence */
    WS_FOUND_PRODUCT_TILE,     /* shared memory, written while such a product may still read it */
    WS_FOUND_PRODUCT_PROXY,    /* shared memory that it reads and that has not passed the proxy fence */
    WS_FOUND_PRODUCT_START,    /* it does not begin where the pattern of its swizzle does */
    WS_FOUND_PROXY = 39,       /* a bulk copy reads what no proxy fence has passed on */
    WS_FOUND_READING,          /* a write to what a bulk copy is still reading */
    WS_FOUND_UNSTARTED,        /* an access to the shared memory of a block that may not have started */
    WS_FOUND_LEFT_BEHIND,      /* likewise, that may have left */
    WS_FOUND_OUT_OF_TURN,      /* the barrier of the cluster: an arrival without a wait, a wait without an arrival */
    WS_FOUND_PRODUCT_SWIZZLE = 45, /* a product reads by another swizzle than the tensor copy wrote */
    WS_FOUND_UNACQUIRED,           /* a race that a fence after a strong read would have ordered */
    WS_FOUND_GUESS,                /* a plain load that a compare-and-swap checks, and an atomic */
    WS_FOUND_FREED,                /* an access to a piece of the heap that was freed */
    WS_FOUND_STALE = 50            /* a non-coherent load of what the launch has written */
} ws_found_rule;

/* What an access means, and misses. */
typedef struct ws_found_object {
    uint32_t variable; /* of the module; WS_FOUND_NO_STEP: none */
    bool is_ended;     /* no function that runs has anything where the access is */
    int64_t inside;    /* from its first byte to the access */
    uint64_t nbytes;
} ws_found_object;

typedef struct ws_found {
    uint64_t count; /* 0: the row is free */
    uint64_t address;
    uint64_t block, other_block; /* linear */
    uint32_t rule;               /* ws_found_rule */
    uint32_t step, other;        /* the other party of a race; WS_FOUND_NO_STEP: there is none */
    uint32_t via; /* the strong read behind which a fence is missing; WS_FOUND_NO_STEP: none, or unknown */
    uint32_t thread, other_thread;
    uint32_t lanes; /* of the warp of `thread` */
    uint32_t nbytes;
    uint8_t space;
    bool is_write, other_is_write;
    bool is_copy, other_is_copy; /* a cp.async */
    ws_found_object object;
} ws_found;

/* A table of rows, all free at first. */
typedef struct ws_found_table {
    ws_found *rows;
    uint64_t lost;     /* findings without room */
    uint64_t stops_at; /* bit n: a finding of rule n ends the launch */
    bool stops;        /* there was one */
} ws_found_table;

static inline bool ws_found_is_same(const ws_found *a, const ws_found *b) {
    return a->rule == b->rule && a->step == b->step && a->other == b->other && a->is_write == b->is_write &&
           a->other_is_write == b->other_is_write;
}

static inline ws_found_object ws_found_object_none(void) {
    const ws_found_object none = {WS_FOUND_NO_STEP, false, 0, 0};
    return none;
}

/* The row of a finding, or the one that it can have; NULL: there is no room. */
static inline ws_found *ws_found_row(const ws_found_table *table, const ws_found *one) {
    uint32_t at = (one->rule * 31 + one->step) * UINT32_C(0x9E3779B1) + one->other * UINT32_C(0x85EBCA6B), tried;
    at ^= at >> 15;
    for (tried = 0; tried < WS_FOUND_CAPACITY; tried++, at++) {
        ws_found *row = &table->rows[at % WS_FOUND_CAPACITY];
        if (row->count == 0 || ws_found_is_same(row, one)) return row;
    }
    return NULL;
}

static inline void ws_found_add(ws_found_table *table, const ws_found *one) {
    ws_found *row = ws_found_row(table, one);
    table->stops = table->stops || (table->stops_at >> one->rule & 1);
    if (row == NULL) {
        table->lost++;
    } else if (row->count == 0) {
        *row = *one;
        row->count = 1;
    } else {
        row->count++;
        if (one->step == row->step && one->block == row->block && one->thread / 32 == row->thread / 32 &&
            one->address == row->address)
            row->lanes |= one->lanes;
    }
}

#endif
