/* What a check has found: one row for each rule and pair of steps, with a count and the first example.
 *
 * Where no row is free, a finding takes that of a less severe one: no error is lost to warnings and notes. Of what rules
 * say, this file knows the severity alone. */
#ifndef WARPSIM_SHADOW_FOUND_H
#define WARPSIM_SHADOW_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../rules/rules.h"

enum { WS_FOUND_CAPACITY = 1024 /* rows; a power of 2 */ };

#define WS_FOUND_NO_STEP UINT32_MAX

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
    uint32_t rule;               /* ws_kernel_rule */
    uint32_t step, other;        /* the other party of a race; WS_FOUND_NO_STEP: there is none */
    uint32_t via; /* the strong read behind which a fence is missing; WS_FOUND_NO_STEP: none, or unknown */
    uint32_t thread, other_thread;
    uint32_t lanes; /* of the warp of `thread` */
    uint32_t nbytes;
    uint8_t space;
    bool is_write, other_is_write;
    bool is_copy, other_is_copy; /* a cp.async */
    bool via_peer;               /* another lane of the warp has made that read */
    bool is_turned;              /* `step` was made before `other` */
    /* Both are strong: a later write has been seen; WS_RUN_ARRAY_RACE: via, before which a fence is missing. */
    bool is_seen;
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
           a->other_is_write == b->other_is_write && a->is_seen == b->is_seen;
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

/* Ascends from errors to notes, and with the text. */
static inline uint64_t ws_found_rank(const ws_found *one) {
    return (uint64_t)ws_rule_at(WS_RULES_KERNEL + (int)one->rule - 1)->severity << 32 | one->step;
}

/* Of a table without a free row, the last of the least severe ones, free now: its findings are lost; NULL: none is less
 * severe than the finding. */
static inline ws_found *ws_found_evict(ws_found_table *table, const ws_found *one) {
    ws_found *last = &table->rows[0];
    uint32_t i;
    for (i = 1; i < WS_FOUND_CAPACITY; i++) {
        if (ws_found_rank(&table->rows[i]) > ws_found_rank(last)) last = &table->rows[i];
    }
    if (ws_found_rank(last) >> 32 <= ws_found_rank(one) >> 32) return NULL;
    table->lost += last->count;
    last->count = 0;
    return last;
}

/* A pair of two blocks is the better example: what ends its race ends those inside a block, too. */
static inline bool ws_found_reaches(const ws_found *one) {
    return one->other != WS_FOUND_NO_STEP && one->block != one->other_block;
}

/* Has anything been found of two blocks? What is found then depends on which of them came first. */
static inline bool ws_found_table_reaches(const ws_found_table *table) {
    uint32_t i;
    for (i = 0; i < WS_FOUND_CAPACITY; i++) {
        if (table->rows[i].count != 0 && ws_found_reaches(&table->rows[i])) return true;
    }
    return false;
}

static inline void ws_found_add(ws_found_table *table, const ws_found *one) {
    ws_found *row = ws_found_row(table, one);
    table->stops = table->stops || (table->stops_at >> one->rule & 1);
    if (row == NULL) row = ws_found_evict(table, one);
    if (row == NULL) {
        table->lost++;
    } else if (row->count == 0 || ws_found_reaches(one) > ws_found_reaches(row)) {
        const uint64_t count = row->count;
        *row = *one;
        row->count = count + 1;
    } else {
        row->count++;
        if (one->step == row->step && one->block == row->block && one->thread / 32 == row->thread / 32 &&
            one->address == row->address)
            row->lanes |= one->lanes;
    }
}

#endif
