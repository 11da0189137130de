/* What a check has found: one row for each rule and pair of steps, with a count and the first example.
 *
 * Where no row is free, a finding takes that of a less severe one: no error is lost to warnings and notes. Of what rules
 * say, this file knows the severity alone. */
#ifndef WARPSIM_SHADOW_FOUND_H
#define WARPSIM_SHADOW_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/apart.h"
#include "../rules/rules.h"

enum { WS_FOUND_CAPACITY = 1024 /* rows */, WS_FOUND_SLOTS = 2 * WS_FOUND_CAPACITY /* a power of 2 */ };

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

/* A table of rows. A search ends at a free slot, of which there are as many as rows, however many findings there are. */
typedef struct ws_found_table {
    ws_found *rows;                 /* the first `count` are taken */
    uint16_t slots[WS_FOUND_SLOTS]; /* by what a row is about: its number + 1; 0: free */
    uint32_t count;
    uint32_t severe[WS_SEVERITY_COUNT]; /* rows of each severity */
    uint64_t lost;                      /* findings without room */
    uint64_t stops_at;                  /* bit n: a finding of rule n ends the launch */
    bool stops;                         /* a finding of such a rule has come */
} ws_found_table;

static inline void ws_found_table_make(ws_found_table *table, ws_found *rows) {
    int i;
    table->rows = rows;
    table->count = 0;
    for (i = 0; i < WS_FOUND_SLOTS; i++) table->slots[i] = 0;
    for (i = 0; i < WS_SEVERITY_COUNT; i++) table->severe[i] = 0;
    table->lost = table->stops_at = 0;
    table->stops = false;
}

static inline bool ws_found_is_same(const ws_found *a, const ws_found *b) {
    return a->rule == b->rule && a->step == b->step && a->other == b->other && a->is_write == b->is_write &&
           a->other_is_write == b->other_is_write && a->is_seen == b->is_seen;
}

static inline ws_found_object ws_found_object_none(void) {
    const ws_found_object none = {WS_FOUND_NO_STEP, false, 0, 0};
    return none;
}

/* The slot of a finding's row, or the free one that it can have. */
static inline uint32_t ws_found_slot(const ws_found_table *table, const ws_found *one) {
    uint32_t at = (one->rule * 31 + one->step) * UINT32_C(0x9E3779B1) + one->other * UINT32_C(0x85EBCA6B);
    for (at ^= at >> 15;; at++) {
        const uint32_t number = table->slots[at % WS_FOUND_SLOTS];
        if (number == 0 || ws_found_is_same(&table->rows[number - 1], one)) return at % WS_FOUND_SLOTS;
    }
}

/* Frees the slot of a row; rows that went on because it was taken come back. */
WS_ONCE void ws_found_free(ws_found_table *table, const ws_found *row) {
    uint32_t at = ws_found_slot(table, row);
    table->slots[at] = 0;
    for (at = (at + 1) % WS_FOUND_SLOTS; table->slots[at] != 0; at = (at + 1) % WS_FOUND_SLOTS) {
        const uint16_t number = table->slots[at];
        table->slots[at] = 0;
        table->slots[ws_found_slot(table, &table->rows[number - 1])] = number;
    }
}

static inline int ws_found_severity(const ws_found *one) {
    return ws_rule_at(WS_RULES_KERNEL + (int)one->rule - 1)->severity;
}

/* Of a table without a free row, the last of the least severe ones, free now: its findings are lost; NULL: none is less
 * severe than the finding. */
WS_ONCE ws_found *ws_found_evict(ws_found_table *table, const ws_found *one) {
    int severity = WS_SEVERITY_COUNT - 1;
    ws_found *last = NULL;
    uint32_t i;
    while (table->severe[severity] == 0) severity--;
    if (severity <= ws_found_severity(one)) return NULL;
    for (i = 0; i < table->count; i++) {
        ws_found *row = &table->rows[i];
        if (ws_found_severity(row) == severity && (last == NULL || row->step > last->step)) last = row;
    }
    ws_found_free(table, last);
    table->severe[severity]--;
    table->lost += last->count;
    return last;
}

/* A row for a finding that has none; NULL: there is no room. */
WS_ONCE ws_found *ws_found_begin(ws_found_table *table, const ws_found *one) {
    ws_found *row = table->count < WS_FOUND_CAPACITY ? &table->rows[table->count++] : ws_found_evict(table, one);
    if (row == NULL) return NULL;
    table->slots[ws_found_slot(table, one)] = (uint16_t)(row - table->rows + 1);
    table->severe[ws_found_severity(one)]++;
    *row = *one;
    row->count = 0;
    return row;
}

/* A pair of two blocks is the better example: what ends its race ends those inside a block, too. */
static inline bool ws_found_reaches(const ws_found *one) {
    return one->other != WS_FOUND_NO_STEP && one->block != one->other_block;
}

/* Has anything been found of two blocks? What is found then depends on which of them came first. */
static inline bool ws_found_table_reaches(const ws_found_table *table) {
    uint32_t i;
    for (i = 0; i < table->count; i++) {
        if (ws_found_reaches(&table->rows[i])) return true;
    }
    return false;
}

WS_APART void ws_found_add(ws_found_table *table, const ws_found *one) {
    const uint32_t number = table->slots[ws_found_slot(table, one)];
    ws_found *row = number != 0 ? &table->rows[number - 1] : ws_found_begin(table, one);
    table->stops = table->stops || (table->stops_at >> one->rule & 1);
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
